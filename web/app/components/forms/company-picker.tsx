import { Form } from '@remix-run/react';
import { classNames } from '../class-names.ts';
import { Button } from './button.tsx';
import { inputClass } from './fields.tsx';

/**
 * Narrows a page to one company, by the address (`?company=`). It is sent when another one is chosen, or by its button
 * without JavaScript.
 * @param all what choosing none means; left out where one is always chosen
 */
export function CompanyPicker({
  id,
  companies,
  chosen,
  all,
  isLabelSeen = true,
  className,
}: {
  /** Of the select, for its label. */
  id: string;
  companies: readonly { readonly id: string; readonly name: string }[];
  chosen: string;
  all?: string;
  /** False where what stands around it says what is chosen; readers by ear are told all the same. */
  isLabelSeen?: boolean;
  className?: string;
}) {
  return (
    <Form
      method="get"
      preventScrollReset
      className={classNames('flex flex-wrap items-center gap-2', className)}
      onChange={(event) => event.currentTarget.requestSubmit()}
    >
      <label htmlFor={id} className={isLabelSeen ? 'text-xs text-ink-2' : 'sr-only'}>
        Company
      </label>
      <select
        id={id}
        name="company"
        key={chosen}
        defaultValue={chosen}
        className={inputClass('w-60 max-w-full truncate')}
      >
        {all === undefined ? null : <option value="">{all}</option>}
        {companies.map((company) => (
          <option key={company.id} value={company.id}>
            {company.name}
          </option>
        ))}
      </select>
      <noscript>
        <Button type="submit">Show</Button>
      </noscript>
    </Form>
  );
}
