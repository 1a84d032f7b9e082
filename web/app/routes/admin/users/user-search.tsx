import { Form, useSearchParams } from '@remix-run/react';
import { DRAFT_NAMES } from '../../../components/filters/filter-view.ts';
import { Button } from '../../../components/forms/button.tsx';
import { inputClass } from '../../../components/forms/fields.tsx';

/** Finds users by part of their name, email or organization. A GET form, so that it works without JavaScript. */
export function UserSearch({ search }: { search: string }) {
  const [params] = useSearchParams();
  return (
    <Form method="get" preventScrollReset className="flex items-center gap-2">
      {[...params].map(([name, value]) =>
        ['find', ...DRAFT_NAMES].includes(name) ? null : <input key={name} type="hidden" name={name} value={value} />,
      )}
      <label htmlFor="user-search" className="sr-only">
        Find a user
      </label>
      <input
        id="user-search"
        type="search"
        name="find"
        key={search}
        defaultValue={search}
        maxLength={200}
        placeholder="Name, email or organization"
        className={inputClass('w-56 max-w-full')}
      />
      <Button type="submit">Find</Button>
    </Form>
  );
}
