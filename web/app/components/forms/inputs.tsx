import type { SelectHTMLAttributes } from 'react';
import { classNames } from '../class-names.ts';

/** How every input looks. */
export const INPUT =
  'block w-full rounded-md border border-field-line bg-paper text-sm text-ink placeholder:text-ink-3 transition-shadow duration-100 focus-visible:outline-none focus-visible:border-accent focus-visible:ring-3 focus-visible:ring-accent/20 aria-[invalid=true]:border-danger disabled:opacity-60';
/** Touch targets need 40 px, and phones zoom the page for text under 16 px. */
export const inputClass = (className?: string) =>
  classNames(INPUT, 'h-8 px-2.5 max-sm:h-10 max-sm:text-lg max-sm:leading-6', className);

export interface Choice {
  value: string;
  label: string;
}

/**
 * A native select that is not a field of the form library: a choice of a search, or of a form that is read as it is.
 * @param empty the first choice, which has no value
 */
export const Select = ({
  choices,
  empty,
  className,
  ...rest
}: { choices: readonly Choice[]; empty?: string | undefined } & SelectHTMLAttributes<HTMLSelectElement>) => (
  <select {...rest} className={inputClass(className)}>
    {empty === undefined ? null : <option value="">{empty}</option>}
    {choices.map((choice) => (
      <option key={choice.value} value={choice.value}>
        {choice.label}
      </option>
    ))}
  </select>
);
