import { Form, useSubmit } from '@remix-run/react';
import { useHydrated } from '../use-hydrated.ts';
import { Button, LinkButton } from './button.tsx';
import { KeptSearch } from './choice-search.tsx';
import { inputClass } from './fields.tsx';
import { monthEnds } from './typed-date.ts';

/** The first day of business that figures can be as of. */
const FIRST_DATE = '1950-01-01';

/** The day that the figures of a page are as of, in its address. Applies at once; without JavaScript, by its button. */
export function AsOf({ date, today }: { date: string; today: string }) {
  const submit = useSubmit();
  const hydrated = useHydrated();
  return (
    <Form method="get" preventScrollReset className="flex items-center gap-1.5">
      <KeptSearch without={['date', 'skip', 'confirm']} />
      <label htmlFor="as-of" className="text-xs whitespace-nowrap text-ink-2">
        As of
      </label>
      <input
        id="as-of"
        type="date"
        name="date"
        key={date}
        defaultValue={date}
        required
        list="as-of-month-ends"
        onChange={(event) => {
          // A date that is being typed is not complete until its year has four digits.
          if (event.currentTarget.value >= FIRST_DATE) submit(event.currentTarget.form);
        }}
        className={inputClass('w-36')}
      />
      <datalist id="as-of-month-ends">
        {monthEnds(today).map((end) => (
          <option key={end} value={end} />
        ))}
      </datalist>
      {hydrated ? null : <Button type="submit">Show</Button>}
      {date === today ? null : (
        <LinkButton to="?" tone="quiet">
          Today
        </LinkButton>
      )}
    </Form>
  );
}
