import type { FieldMetadata } from '@conform-to/react';
import { Form } from '@remix-run/react';
import type { InvestorChoices } from '@tapeline/db/operations/users/organizations.ts';
import { Button } from '../../../components/forms/button.tsx';
import { inputClass } from '../../../components/forms/fields.tsx';
import { Panel } from '../../../components/page/section.tsx';

/** The investors whose documents a user sees. The one that the user acts for is always among them. */
export function UserInvestorFields({
  field,
  investors,
}: {
  field: FieldMetadata<unknown>;
  investors: InvestorChoices;
}) {
  const initial = Array.isArray(field.initialValue) ? field.initialValue : [field.initialValue];
  return (
    <Panel className="max-w-[46rem] p-4">
      <fieldset id={field.id} aria-describedby={field.errors ? field.errorId : undefined}>
        <legend className="sr-only">Investors</legend>
        <div className="grid gap-x-4 sm:grid-cols-2">
          {investors.choices.map(({ id, title }) => (
            <label key={id} className="flex min-h-8 items-center gap-2 text-sm max-sm:min-h-10">
              <input
                type="checkbox"
                name={field.name}
                value={id}
                defaultChecked={initial.includes(id) || id === investors.own}
                className="size-4 accent-accent"
              />
              {title}
            </label>
          ))}
        </div>
        {field.errors ? (
          <p id={field.errorId} className="mt-1 text-xs text-danger">
            {field.errors[0]}
          </p>
        ) : null}
      </fieldset>
    </Panel>
  );
}

/** Finds an investor by name, where there are more than are listed. A form of its own. */
export function InvestorSearch({ investors }: { investors: InvestorChoices }) {
  const { search, found, choices } = investors;
  if (search === '' && found <= choices.length) return null;
  return (
    <Form method="get" preventScrollReset className="mb-4 flex flex-wrap items-center gap-2">
      <label htmlFor="investor-search" className="sr-only">
        Find an investor
      </label>
      <input
        id="investor-search"
        type="search"
        name="find"
        key={search}
        defaultValue={search}
        maxLength={200}
        placeholder="Find an investor"
        className={inputClass('w-56 max-w-full')}
      />
      <Button type="submit">Find</Button>
      <span className="text-xs text-ink-3" role="status">
        {found > choices.length ? `${choices.length} of ${found} investors are listed.` : `${found} found.`}
      </span>
    </Form>
  );
}
