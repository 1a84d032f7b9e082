import type { FieldMetadata } from '@conform-to/react';
import { choicesOf } from '@tapeline/domain/documents/labels.ts';
import { BASE_RATES, DAY_COUNTS, DEFAULT_DAY_COUNT } from '@tapeline/domain/facilities/terms.schema.ts';
import { INTEREST_KIND_LABELS } from '@tapeline/domain/tapes/statuses.ts';
import { SelectField, TextField } from '../../../../components/forms/fields.tsx';
import type { ShownInterest } from './shown-terms.ts';

/** Interest of either kind. Only the fields of the chosen kind count, so that the form works without JavaScript. */
export function InterestFields({ field, none }: { field: FieldMetadata<ShownInterest>; none: string }) {
  const fields = field.getFieldset();
  const range = fields.numberRange.getFieldset();
  const kind = fields.kind.value;
  const decimal = { inputMode: 'decimal', unit: '%', required: false, marksOptional: false } as const;
  return (
    <>
      <SelectField
        field={fields.kind}
        label="Kind of interest"
        choices={choicesOf(INTEREST_KIND_LABELS)}
        empty={none}
        required={false}
      />
      <SelectField
        field={fields.dayCount}
        label="Day count"
        choices={choicesOf(DAY_COUNTS)}
        empty={`${DEFAULT_DAY_COUNT} (default)`}
        required={false}
      />
      {kind === 'variable' ? null : (
        <TextField field={fields.value} label="Fixed rate" hint="A year; for fixed interest" {...decimal} />
      )}
      {kind === 'fix' ? null : (
        <>
          <SelectField
            field={fields.baseRate}
            label="Base rate"
            choices={choicesOf(BASE_RATES)}
            empty="Choose for variable interest"
            required={false}
          />
          <TextField field={fields.spread} label="Spread" hint="Over the base rate" {...decimal} />
          <TextField
            field={fields.minimumInterest}
            label="Minimum interest"
            hint="Floor of the whole rate"
            {...decimal}
          />
          <TextField field={range.min} label="Base rate minimum (optional)" {...decimal} />
          <TextField field={range.max} label="Base rate maximum (optional)" {...decimal} />
        </>
      )}
    </>
  );
}
