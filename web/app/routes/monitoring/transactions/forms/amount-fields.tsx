import type { FieldMetadata } from '@conform-to/react';
import { CURRENCIES } from '@tapeline/domain/money/currencies.ts';
import { type Choice, SelectField, TextField } from '../../../../components/forms/fields.tsx';
import type { ShownAmount } from './shown-terms.ts';

export const CURRENCY_CHOICES = CURRENCIES.map(
  ({ code, name }): Choice => ({ value: code, label: `${code}, ${name}` }),
);

/** A sum and its currency, side by side. */
export function AmountFields({
  field,
  label,
  hint,
  required = false,
  percentLabel,
}: {
  field: FieldMetadata<ShownAmount>;
  label: string;
  hint?: string;
  required?: boolean;
  /** The choice of no currency, for a rate that is per cent without one. */
  percentLabel?: string;
}) {
  const { sum, currency } = field.getFieldset();
  return (
    <div className="grid grid-cols-[minmax(0,1.4fr)_minmax(0,1fr)] gap-2">
      <TextField
        field={sum}
        label={required ? label : `${label} (optional)`}
        hint={hint}
        inputMode="decimal"
        required={required}
        marksOptional={false}
      />
      <SelectField
        field={currency}
        label={percentLabel ? 'Unit' : 'Currency'}
        aria-label={`${label}, ${percentLabel ? 'unit' : 'currency'}`}
        choices={CURRENCY_CHOICES}
        empty={percentLabel ?? 'Choose'}
        required={false}
      />
    </div>
  );
}
