import type { FieldMetadata } from '@conform-to/react';
import { labelOf } from '@tapeline/domain/documents/labels.ts';
import { DATE_RANGE_LABELS, DEBT_ONLY_DATES } from '@tapeline/domain/facilities/terms.schema.ts';
import { TextField } from '../../../../components/forms/fields.tsx';
import type { ShownTimeline } from './shown-terms.ts';

const SIGNING = ['approval', 'termsheetSigning', 'contractSigning'];

/** The dates of the terms. An investment has those of its signing alone. */
export function TimelineFields({
  field,
  isDebt,
  required,
}: {
  field: FieldMetadata<ShownTimeline>;
  isDebt: boolean;
  /** False for a note, whose tranches have their own dates. */
  required: boolean;
}) {
  const fields = field.getFieldset() as Readonly<Record<string, FieldMetadata<string>>>;
  const needed = required ? ['contractSigning', 'maturity'] : [];
  return [...SIGNING, ...(isDebt ? DEBT_ONLY_DATES : [])].flatMap((date) => {
    const one = fields[date];
    if (!one) return [];
    const isNeeded = needed.includes(date);
    return (
      <TextField
        key={date}
        field={one}
        label={isNeeded ? labelOf(DATE_RANGE_LABELS, date) : `${labelOf(DATE_RANGE_LABELS, date)} (optional)`}
        type="date"
        required={isNeeded}
        marksOptional={false}
      />
    );
  });
}
