import { CircleAlert, CircleCheck, TriangleAlert } from 'lucide-react';
import { classNames } from '../class-names.ts';

const LOOKS = {
  good: { icon: CircleCheck, colour: 'text-good' },
  warning: { icon: TriangleAlert, colour: 'text-warning' },
  danger: { icon: CircleAlert, colour: 'text-danger' },
} as const;

/** What was checked before something is done. */
export interface Check {
  readonly tone: keyof typeof LOOKS;
  readonly text: string;
  /** What it found. */
  readonly note?: string | undefined;
}

/** Checks, one below the other. @param isDense in a side panel */
export const CheckList = ({ checks, isDense = false }: { checks: readonly Check[]; isDense?: boolean }) => (
  <ul>
    {checks.map(({ tone, text, note }) => {
      const { icon: Icon, colour } = LOOKS[tone];
      return (
        <li
          key={`${text} ${note}`}
          className={classNames(
            'flex gap-2.5 border-b border-line text-sm last:border-b-0',
            isDense ? 'px-3 py-1.5' : 'px-3.5 py-2.5',
          )}
        >
          <Icon aria-hidden="true" size={16} strokeWidth={1.75} className={`mt-0.5 flex-none ${colour}`} />
          <span className="min-w-0 break-words">
            {text}
            {note ? <span className="block text-xs text-ink-2">{note}</span> : null}
          </span>
        </li>
      );
    })}
  </ul>
);
