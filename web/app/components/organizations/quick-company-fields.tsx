import { useField } from '@conform-to/react';
import { useActionData } from '@remix-run/react';
import { useState } from 'react';
import { OTHER_INTENT } from '../../http/list-edits.ts';
import { Button } from '../forms/button.tsx';
import { type Choice, TextField } from '../forms/fields.tsx';
import { Questions } from '../forms/screen-form.tsx';
import { CountryField, CurrencyField } from './country-field.tsx';
import { QUICK_COMPANY } from './quick-company.ts';

/** A company that was created inside the form. */
export interface CreatedCompany {
  readonly id: string;
  readonly name: string;
}

/** The choices of a company field, with the one that was just created. */
export const withCreated = (choices: readonly Choice[], created: CreatedCompany | undefined): readonly Choice[] =>
  !created || choices.some(({ value }) => value === created.id)
    ? choices
    : [{ value: created.id, label: created.name }, ...choices];

/**
 * Creates a company without leaving the form that it is in: the rest of the form stays as it was entered. The page's
 * action has the intent of `quickCompany`.
 */
export function QuickCompanyFields() {
  const [name] = useField<string>('newCompany.name');
  const [country] = useField<string>('newCompany.country');
  const [currency] = useField<string>('newCompany.currency');
  const answer = useActionData() as { intent?: string; questions?: readonly string[] } | undefined;
  const isAsked = answer?.intent === QUICK_COMPANY && answer.questions !== undefined;
  const needsAnswer = isAsked || [name, country, currency].some(({ errors }) => errors);
  const [isOpen, setOpen] = useState(needsAnswer);
  return (
    // Stays open when the errors disappear while they are corrected.
    <details open={isOpen || needsAnswer} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="text-xs font-medium text-accent hover:underline">New borrower</summary>
      <fieldset className="mt-3 grid gap-4 rounded-md border border-line p-3 sm:grid-cols-2">
        <legend className="sr-only">New borrower</legend>
        <TextField field={name} label="Borrower name" className="sm:col-span-2" />
        <CountryField field={country} />
        <CurrencyField field={currency} label="Borrower currency" />
        <p className="text-xs text-ink-3 sm:col-span-2">
          Enter its registration number, contacts and bank accounts later, on its page.
        </p>
        <div className="sm:col-span-2">
          <Questions otherIntent={QUICK_COMPANY} confirm="Create borrower anyway" />
        </div>
        <div>
          <Button type="submit" name={OTHER_INTENT} value={QUICK_COMPANY} formNoValidate>
            Create borrower
          </Button>
        </div>
      </fieldset>
    </details>
  );
}
