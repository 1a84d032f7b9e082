import { CURRENCY_CHOICES } from './currency-choices.ts';
import { type AmountLabels, type AnyField, fieldsetOf } from './described-fields.tsx';
import { SelectField, TextField } from './fields.tsx';

/** A sum and its currency, side by side. */
export function AmountFields({ field, label, hint, optional = false, percent }: AmountLabels & { field: AnyField }) {
  const { sum, currency } = fieldsetOf(field);
  return (
    <div className="grid grid-cols-[minmax(0,1.4fr)_minmax(0,1fr)] gap-2">
      <TextField
        field={sum}
        label={optional ? `${label} (optional)` : label}
        hint={hint}
        inputMode="decimal"
        firstUnit={currency.initialValue || (percent ? '%' : undefined)}
        required={!optional}
        marksOptional={false}
      />
      <SelectField
        field={currency}
        label={percent ? 'Unit' : 'Currency'}
        aria-label={`${label}, ${percent ? 'unit' : 'currency'}`}
        choices={CURRENCY_CHOICES}
        empty={percent ?? 'Choose'}
        required={false}
      />
    </div>
  );
}
