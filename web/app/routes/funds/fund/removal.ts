/** What is asked before a fund is removed. */
export const removalOf = ({ title }: { title: string }) =>
  ({
    intent: 'remove',
    title: `Remove ${title}?`,
    consequence: 'It can be removed only if nobody has committed to it and it holds no notes. Its history is kept.',
    confirm: 'Remove',
  }) as const;
