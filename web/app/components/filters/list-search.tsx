import { Form, useSearchParams, useSubmit } from '@remix-run/react';
import { useEffect, useRef } from 'react';
import { Button } from '../forms/button.tsx';
import { inputClass } from '../forms/fields.tsx';

/** How long the list waits for the next letter. */
const PAUSE_MS = 250;

/**
 * The search of a list by text, which keeps its filter and order. The list follows while a person types; without
 * JavaScript, a button sends the text.
 * @param label what is searched, for screen readers
 */
export function ListSearch({ find, label, placeholder }: { find: string; label: string; placeholder: string }) {
  const [search] = useSearchParams();
  const submit = useSubmit();
  const input = useRef<HTMLInputElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>();
  useEffect(() => () => clearTimeout(timer.current), []);
  useEffect(() => {
    // The address can change otherwise, as by Back. What is being typed stays.
    if (input.current && input.current !== document.activeElement) input.current.value = find;
  }, [find]);
  return (
    <Form
      method="get"
      preventScrollReset
      className="flex items-center gap-2"
      onSubmit={() => clearTimeout(timer.current)}
    >
      {[...search].map(([name, value]) =>
        ['find', 'skip'].includes(name) ? null : <input key={name} type="hidden" name={name} value={value} />,
      )}
      <input
        ref={input}
        type="search"
        name="find"
        defaultValue={find}
        maxLength={200}
        aria-label={label}
        placeholder={placeholder}
        className={inputClass('sm:w-60')}
        onChange={({ currentTarget: { form } }) => {
          clearTimeout(timer.current);
          timer.current = setTimeout(() => submit(form, { replace: true, preventScrollReset: true }), PAUSE_MS);
        }}
      />
      <noscript>
        <Button type="submit">Find</Button>
      </noscript>
    </Form>
  );
}
