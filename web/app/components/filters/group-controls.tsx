import type { ReactNode } from 'react';
import { classNames } from '../class-names.ts';
import { inputClass } from '../forms/fields.tsx';

/** The brackets that a line can open or close. Others are offered only on a line that has them. */
const OPEN = ['(', '((', 'not (', '(not ('] as const;
const CLOSE = [')', '))', ')))'] as const;

interface GroupControlProps {
  /** The name of the form field. */
  readonly name: string;
  readonly value: string;
  /** The line, for screen readers: "Condition 2". */
  readonly which: string;
}

const narrow = inputClass('min-w-0 px-1.5');

/** The word that joins a line to the one before. */
const JoinSelect = ({ name, value, which }: GroupControlProps) => (
  <span className="w-18 flex-none">
    <select
      name={name}
      defaultValue={value === 'or' ? 'or' : 'and'}
      aria-label={`${which}: joined by`}
      className={narrow}
    >
      <option value="and">and</option>
      <option value="or">or</option>
    </select>
  </span>
);

/** The brackets that open before a condition or close after it. */
function BracketSelect({ name, value, which, side }: GroupControlProps & { side: 'open' | 'close' }) {
  const offered: readonly string[] = side === 'open' ? OPEN : CLOSE;
  const choices = ['', ...offered, ...(value === '' || offered.includes(value) ? [] : [value])];
  return (
    <span className={classNames('w-18 flex-none', side === 'close' && 'sm:self-end')}>
      <select
        name={name}
        defaultValue={value}
        aria-label={`${which}: brackets ${side === 'open' ? 'before' : 'after'}`}
        className={narrow}
      >
        {choices.map((choice) => (
          <option key={choice} value={choice}>
            {choice}
          </option>
        ))}
      </select>
    </span>
  );
}

/**
 * One line of conditions: what joins it to the line before, its fields, and the brackets around it. The fields are a
 * field, a comparison and a value, which has its own row if there are brackets.
 */
export function GroupedLine({
  index,
  line,
  nameOf,
  hasBrackets,
  isOnly = false,
  isLabelled = false,
  action,
  children,
}: {
  index: number;
  line: { readonly join: string; readonly open: string; readonly close: string };
  nameOf(part: 'join' | 'open' | 'close'): string;
  hasBrackets: boolean;
  /** Whether there is no other line. */
  isOnly?: boolean;
  /** Whether labels are above the fields. */
  isLabelled?: boolean;
  action?: ReactNode;
  children: ReactNode;
}) {
  const which = `Condition ${index + 1}`;
  const below = isLabelled ? 'sm:mt-5' : '';
  return (
    <div className="flex flex-wrap items-start gap-1.5 border-line max-sm:border-l-2 max-sm:pl-2 sm:flex-nowrap">
      {index > 0 ? <JoinSelect name={nameOf('join')} value={line.join} which={which} /> : null}
      {index === 0 && !isOnly ? <span aria-hidden="true" className="w-18 flex-none max-sm:hidden" /> : null}
      {hasBrackets ? (
        <span className={below}>
          <BracketSelect side="open" name={nameOf('open')} value={line.open} which={which} />
        </span>
      ) : null}
      <div
        className={classNames(
          'grid min-w-0 flex-1 basis-full items-start gap-1.5 sm:basis-0',
          hasBrackets
            ? 'sm:grid-cols-2 sm:[&>:nth-child(3)]:col-span-full'
            : 'sm:grid-cols-[minmax(0,1.3fr)_minmax(0,1fr)_minmax(0,1fr)]',
        )}
      >
        {children}
      </div>
      {hasBrackets ? <BracketSelect side="close" name={nameOf('close')} value={line.close} which={which} /> : null}
      {action ? <span className={classNames('flex-none', hasBrackets ? 'sm:self-end' : below)}>{action}</span> : null}
    </div>
  );
}
