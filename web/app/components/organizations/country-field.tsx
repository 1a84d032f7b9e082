import type { FieldMetadata } from '@conform-to/react';
import { COUNTRIES } from '@tapeline/domain/entities/countries.ts';
import { CURRENCY_CHOICES } from '../forms/currency-choices.ts';
import { type Choice, SelectField } from '../forms/fields.tsx';

const COUNTRY_CHOICES = COUNTRIES.map(({ code, name }): Choice => ({ value: code, label: name }));

/** A country. One that was stored by another name than its code stays a choice. */
export function CountryField({
  field,
  label = 'Country',
  empty = 'Choose a country',
  className,
}: {
  field: FieldMetadata<string>;
  label?: string;
  empty?: string;
  className?: string;
}) {
  const stored = String(field.initialValue ?? '');
  const isListed = stored === '' || COUNTRIES.some(({ code }) => code === stored);
  return (
    <SelectField
      field={field}
      label={label}
      choices={isListed ? COUNTRY_CHOICES : [{ value: stored, label: stored }, ...COUNTRY_CHOICES]}
      empty={empty}
      className={className}
    />
  );
}

export function CurrencyField({
  field,
  label = 'Currency',
}: {
  field: FieldMetadata<string | null | undefined>;
  label?: string;
}) {
  return <SelectField field={field} label={label} choices={CURRENCY_CHOICES} empty="Not given" required={false} />;
}
