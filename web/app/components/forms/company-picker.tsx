import { Form } from '@remix-run/react';
import type { CompanyChoices } from '@tapeline/db/operations/companies/company-choices.ts';
import { classNames } from '../class-names.ts';
import { Button } from './button.tsx';
import { ChoiceSearch, countsOf, FoundCounts, isSearched, KeptSearch, SearchBox } from './choice-search.tsx';
import { inputClass } from './fields.tsx';

const NOUN = ['borrower', 'borrowers'] as const;

/**
 * Narrows a page to one company through the address (`?company=`). The form is submitted when another company is
 * chosen, or with its button without JavaScript. If there are many companies, they are searched on the server
 * (`?find=`).
 * @param all the label for choosing no company; omitted if one is always chosen
 */
export function CompanyPicker({
  id,
  picker,
  chosen,
  all,
  isLabelSeen = true,
  className,
}: {
  /** The id of the select, for its label. */
  id: string;
  picker: CompanyChoices;
  chosen: string;
  all?: string;
  /** False if the surrounding text names the choice. Screen readers read the label in either case. */
  isLabelSeen?: boolean;
  className?: string;
}) {
  const counts = countsOf(picker);
  return (
    <Form
      method="get"
      preventScrollReset
      className={classNames('flex flex-wrap items-center gap-2', className)}
      onChange={(event) => {
        if ((event.target as EventTarget) instanceof HTMLSelectElement) event.currentTarget.requestSubmit();
      }}
    >
      <KeptSearch without={['company', 'find', 'skip']} />
      <label htmlFor={id} className={isLabelSeen ? 'text-xs text-ink-2' : 'sr-only'}>
        Borrower
      </label>
      <select
        id={id}
        name="company"
        key={chosen}
        defaultValue={chosen}
        className={inputClass('w-60 max-w-full truncate')}
      >
        {all === undefined ? null : <option value="">{all}</option>}
        {picker.choices.map((company) => (
          <option key={company.id} value={company.id}>
            {company.name}
          </option>
        ))}
      </select>
      {isSearched(counts) ? (
        <>
          <SearchBox key={counts.search} id={`${id}-find`} name="find" noun={NOUN} search={counts.search} />
          <Button type="submit">Find</Button>
          <FoundCounts counts={counts} noun={NOUN} />
        </>
      ) : (
        <noscript>
          <Button type="submit">Show</Button>
        </noscript>
      )}
    </Form>
  );
}

/** Chooses the borrower that a new document is of, above its form. */
export const BorrowerChoice = ({ picker, company }: { picker: CompanyChoices; company: { id: string } | null }) => (
  <CompanyPicker
    id="company"
    picker={picker}
    chosen={company?.id ?? ''}
    {...(company ? {} : { all: 'Choose a borrower' })}
    className="mb-6 max-w-xl"
  />
);

/** The search above a form that has a company field. */
export const CompanySearch = ({ id, picker }: { id: string; picker: CompanyChoices }) => (
  <ChoiceSearch id={id} name="find" noun={NOUN} counts={countsOf(picker)} />
);
