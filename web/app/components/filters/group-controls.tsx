import { inputClass } from '../forms/fields.tsx';

/** The brackets that a line can open, and close. Others are possible, and offered where a line has them. */
const OPEN = ['(', '((', 'not (', '(not ('] as const;
const CLOSE = [')', '))', ')))'] as const;

interface GroupControlProps {
  /** Of the field in the form. */
  readonly name: string;
  readonly value: string;
  /** Which line, for readers who do not see it: "Condition 2". */
  readonly which: string;
}

const narrow = inputClass('w-auto min-w-0 px-1.5');

/** The word that joins a line to the one before. */
export const JoinSelect = ({ name, value, which }: GroupControlProps) => (
  <select
    name={name}
    defaultValue={value === 'or' ? 'or' : 'and'}
    aria-label={`${which}: joined by`}
    className={narrow}
  >
    <option value="and">and</option>
    <option value="or">or</option>
  </select>
);

/** The brackets that open before a condition or close after it. */
export function BracketSelect({ name, value, which, side }: GroupControlProps & { side: 'open' | 'close' }) {
  const offered: readonly string[] = side === 'open' ? OPEN : CLOSE;
  const choices = ['', ...offered, ...(value === '' || offered.includes(value) ? [] : [value])];
  return (
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
  );
}
