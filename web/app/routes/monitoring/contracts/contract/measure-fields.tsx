import { ACCUMULATORS, OPERAND_LABELS, OPERANDS } from '@tapeline/domain/facilities/contract.schema.ts';
import { VALUE_POOL_LABELS, VALUE_POOLS } from '@tapeline/domain/facilities/pools.ts';
import type { Field } from '@tapeline/domain/filters/catalog.ts';
import { SelectField, TextField } from '../../../../components/forms/fields.tsx';
import type { Editing, FieldsOfForm } from './editing.ts';

const choicesOf = (fields: readonly Field[]) =>
  fields
    .map((field) => ({ value: field.path, label: field.label }))
    .sort((a, b) => a.label.localeCompare(b.label, 'en'));
const numbersOf = (fields: readonly Field[]) =>
  choicesOf(fields.filter((field) => field.type === 'number' || field.type === 'decimal'));
const groupsOf = (fields: readonly Field[]) =>
  choicesOf(fields.filter((field) => field.type === 'text' || field.type === 'boolean'));

const ACCUMULATOR_WORDS = { $sum: 'Sum', $avg: 'Average', $wAvg: 'Weighted average' } as const;
const accumulators = ACCUMULATORS.map((value) => ({ value, label: ACCUMULATOR_WORDS[value] }));

/** What a limit measures, over which groups, and its value. */
export function ConcentrationFields({
  fields,
  editing,
  currency,
}: {
  fields: FieldsOfForm;
  editing: Editing;
  currency: string | null;
}) {
  const numbers = numbersOf(editing.offered);
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-[minmax(0,2fr)_minmax(0,1fr)_minmax(0,1fr)]">
        <SelectField
          field={fields.groupBy}
          label="Limit per"
          hint="Groups assets by this field"
          choices={groupsOf(editing.offered)}
          empty="Whole pool"
        />
        <TextField
          field={fields.topN}
          marksOptional={false}
          label="Largest combined"
          type="number"
          min={1}
          hint="Blank applies to each group"
        />
        <TextField
          field={fields.skipN}
          label="Excluded"
          type="number"
          min={0}
          marksOptional={false}
          hint="Number of largest groups to exclude"
        />
      </div>
      <div className="grid gap-4 sm:grid-cols-4">
        <SelectField
          field={fields.operand}
          label="Must be"
          choices={OPERANDS.map((value) => ({ value, label: OPERAND_LABELS[value] }))}
        />
        <TextField field={fields.value} label="Limit" type="number" step="any" />
        <SelectField
          field={fields.unit}
          label="Unit"
          choices={[
            { value: 'percentage', label: '% of a value' },
            { value: 'money', label: currency ? `Money (${currency})` : 'Money' },
            { value: 'number', label: 'Number' },
          ]}
        />
        <SelectField
          field={fields.of}
          label="Percentage of"
          choices={editing.valueTitles.map((title) => ({ value: title, label: title }))}
          empty="Default"
        />
      </div>
      <details
        className="rounded-md border border-line bg-paper"
        open={fields.accumulator.initialValue !== '$sum' || undefined}
      >
        <summary className="px-3 py-2 text-xs font-medium text-ink-2 hover:text-ink">
          Measure <span className="font-normal text-ink-3">default: sum of remaining amounts</span>
        </summary>
        <div className="grid gap-4 border-t border-line p-3 sm:grid-cols-3">
          <SelectField field={fields.accumulator} label="Measure" choices={accumulators} />
          <SelectField field={fields.accumulatorField} label="Field" choices={numbers} empty="Remaining amount" />
          <SelectField field={fields.weightedField} label="Weighted by" choices={numbers} empty="Remaining amount" />
        </div>
      </details>
    </>
  );
}

export function ValueFields({ fields, editing }: { fields: FieldsOfForm; editing: Editing }) {
  const numbers = numbersOf(editing.offered);
  return (
    <div className="grid gap-4 sm:grid-cols-4">
      <SelectField field={fields.accumulator} label="Measure" choices={accumulators} />
      <SelectField field={fields.field} label="Field" choices={numbers} empty="Current balance" />
      <SelectField field={fields.weightedField} label="Weighted by" choices={numbers} empty="Current balance" />
      <SelectField
        field={fields.pool}
        label="Pool"
        choices={VALUE_POOLS.map((pool) => ({ value: pool, label: VALUE_POOL_LABELS[pool] }))}
      />
    </div>
  );
}

export function CaseFields({ fields, editing }: { fields: FieldsOfForm; editing: Editing }) {
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <TextField field={fields.rate} label="Rate" type="number" step="any" unit="%" />
      <SelectField
        field={fields.scope}
        label="Scope"
        choices={editing.scopeTitles.map((title) => ({ value: title, label: title }))}
        empty="All scopes"
      />
    </div>
  );
}
