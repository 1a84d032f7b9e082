import type { FieldMetadata } from '@conform-to/react';
import { DEBT_ONLY_DATES } from '@tapeline/domain/facilities/terms.schema.ts';
import { TextField } from '../../../../components/forms/fields.tsx';
import type { ShownTimeline } from './shown-terms.ts';

export const DATE_LABELS: Readonly<Record<string, string>> = {
  custom: 'Another date',
  approval: 'Approval',
  termsheetSigning: 'Term sheet signing',
  contractSigning: 'Contract signing',
  revolvingStart: 'Revolving period start',
  revolvingEnd: 'Revolving period end',
  firstPrincipalRepayment: 'First principal repayment',
  gracePeriod: 'Grace period end',
  maturity: 'Maturity',
  termination: 'Termination',
};

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
        label={isNeeded ? DATE_LABELS[date] : `${DATE_LABELS[date]} (optional)`}
        type="date"
        required={isNeeded}
        marksOptional={false}
      />
    );
  });
}
