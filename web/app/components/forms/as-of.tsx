import { Form } from '@remix-run/react';
import { Button, LinkButton } from './button.tsx';
import { KeptSearch } from './choice-search.tsx';
import { inputClass } from './fields.tsx';

/** The day that the figures of a page are as of, in its address. */
export function AsOf({ date, today }: { date: string; today: string }) {
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
        className={inputClass('w-36')}
      />
      <Button type="submit">Show</Button>
      {date === today ? null : (
        <LinkButton to="?" tone="quiet">
          Today
        </LinkButton>
      )}
    </Form>
  );
}
