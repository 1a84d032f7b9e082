import { Form, Link } from '@remix-run/react';
import { continuesName } from '@tapeline/domain/errors/required.ts';
import { type ReactNode, useId } from 'react';
import { classNames } from '../../../components/class-names.ts';
import { Button } from '../../../components/forms/button.tsx';

/**
 * View options above a part of a page. Each is a link or a field of a GET form, so they work without JavaScript and are
 * part of the address.
 */
export function ChoiceBar({ children }: { children: ReactNode }) {
  return <div className="mb-[18px] flex flex-wrap items-start gap-x-5 gap-y-3">{children}</div>;
}

/** A few alternative views of the same data, side by side. */
export function ChoiceLinks({
  label,
  choices,
}: {
  label: string;
  choices: readonly { label: string; to: string; isCurrent: boolean }[];
}) {
  return (
    <nav aria-label={label} className="min-w-0">
      <p aria-hidden="true" className="mb-1 text-xs font-medium text-ink-2">
        {label}
      </p>
      <ul className="relative inline-flex h-8 max-sm:h-11 max-w-full overflow-x-auto rounded-md border border-line-strong bg-paper p-0.5">
        {choices.map((choice) => (
          <li key={choice.label}>
            <Link
              to={choice.to}
              preventScrollReset
              aria-current={choice.isCurrent ? 'true' : undefined}
              className={classNames(
                'flex h-full items-center rounded-sm px-2.5 text-sm whitespace-nowrap',
                choice.isCurrent ? 'bg-selected font-medium text-ink' : 'text-ink-2 hover:text-ink',
              )}
            >
              {choice.label}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** A GET form over the page's address. `kept` is submitted as hidden fields. */
export function ChoiceForm({
  kept,
  submit,
  children,
}: {
  kept: Readonly<Record<string, string | null | undefined>>;
  submit: string;
  children: ReactNode;
}) {
  return (
    <Form method="get" preventScrollReset className="flex min-w-0 flex-wrap items-start gap-x-3 gap-y-3">
      {Object.entries(kept).map(([name, value]) =>
        value ? <input key={name} type="hidden" name={name} value={value} /> : null,
      )}
      {children}
      <Button type="submit" className="sm:mt-5">
        {submit}
      </Button>
    </Form>
  );
}

/** A field of a choice form with its label above and its error below. */
export function ChoiceField({
  label,
  problem,
  hint,
  className,
  children,
}: {
  label: string;
  problem?: string | undefined;
  hint?: string;
  className?: string;
  children: (props: { id: string; 'aria-invalid'?: true; 'aria-describedby'?: string }) => ReactNode;
}) {
  const id = useId();
  const said = problem ?? hint;
  return (
    <div className={classNames('min-w-0', className)}>
      <label htmlFor={id} className="mb-1 block text-xs font-medium text-ink-2">
        {label}
      </label>
      {children({
        id,
        ...(problem ? { 'aria-invalid': true as const } : {}),
        ...(said ? { 'aria-describedby': `${id}-said` } : {}),
      })}
      {said ? (
        <p
          id={`${id}-said`}
          role={problem ? 'alert' : undefined}
          className={`mt-1 text-xs ${problem ? 'text-danger' : 'text-ink-3'}`}
        >
          {problem ? (continuesName(problem) ? `It ${problem}` : problem) : hint}
        </p>
      ) : null}
    </div>
  );
}
