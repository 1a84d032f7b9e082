import { Form, useSearchParams } from '@remix-run/react';
import { Button } from '../forms/button.tsx';
import { inputClass } from '../forms/fields.tsx';

/** The search of a list by text, which keeps its filter and order. @param label what is searched, for screen readers */
export function ListSearch({ find, label, placeholder }: { find: string; label: string; placeholder: string }) {
  const [search] = useSearchParams();
  return (
    <Form method="get" preventScrollReset className="flex items-center gap-2">
      {[...search].map(([name, value]) =>
        ['find', 'skip'].includes(name) ? null : <input key={name} type="hidden" name={name} value={value} />,
      )}
      <input
        type="search"
        name="find"
        key={find}
        defaultValue={find}
        maxLength={200}
        aria-label={label}
        placeholder={placeholder}
        className={inputClass('sm:w-52')}
      />
      <Button type="submit">Find</Button>
    </Form>
  );
}
