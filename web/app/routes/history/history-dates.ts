/** What is wrong with two dates of which the first is later. */
export const REVERSED_DATES = '“From” is after “To”, so no change can match. Exchange the two dates.';

/** Whether the first day of a filter is after its last one. Either may be empty. */
export const isReversed = ({ from, to }: { readonly from: string; readonly to: string }): boolean =>
  from !== '' && to !== '' && from > to;
