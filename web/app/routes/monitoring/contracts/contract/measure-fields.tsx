import { COVENANT_UNIT_LABELS } from '@tapeline/domain/covenants/covenant-labels.ts';
import { FREQUENCY_LABELS } from '@tapeline/domain/dates/reporting-periods.ts';
import { choicesOf } from '@tapeline/domain/documents/labels.ts';
import {
  OFFSET_AMOUNT_LABELS,
  OFFSET_KIND_LABELS,
  OPERAND_LABELS,
  RESERVE_KIND_LABELS,
} from '@tapeline/domain/facilities/contract.schema.ts';
import { VALUE_POOL_LABELS } from '@tapeline/domain/facilities/pools.ts';
import type { Field } from '@tapeline/domain/filters/catalog.ts';
import { ACCUMULATORS } from '@tapeline/domain/filters/list-query.schema.ts';
import { type FieldLine, Fields, useGroup } from '../../../../components/forms/described-fields.tsx';
import type { ContractView, Editing } from '../contract-view.server.ts';

const fieldChoices = (fields: readonly Field[], types: readonly Field['type'][]) =>
  fields
    .filter(({ type }) => types.includes(type))
    .map(({ path, label }) => ({ value: path, label }))
    .sort((a, b) => a.label.localeCompare(b.label, 'en'));

const ACCUMULATOR_WORDS = { $sum: 'Sum', $avg: 'Average', $wAvg: 'Weighted average' } as const;
const MEASURE: FieldLine = {
  name: 'accumulator',
  label: 'Measure',
  choices: ACCUMULATORS.map((value) => ({ value, label: ACCUMULATOR_WORDS[value] })),
};

const PARENT: FieldLine = {
  name: 'parent',
  label: 'Parent',
  hint: 'Names the parent of a group, if it has one',
};
const parentChoices = ({ offered }: Editing) => ({ choices: fieldChoices(offered, ['text']), empty: 'No parents' });

interface Props {
  contract: ContractView;
  editing: Editing;
}

/** What the items of a part have besides a title, conditions and dates. */
export function MeasureFields({ contract, editing }: Props) {
  const numbers = { choices: fieldChoices(editing.offered, ['number', 'decimal']) };
  switch (contract.section) {
    case 'concentration':
      return <LimitFields contract={contract} editing={editing} />;
    case 'eligibility':
      return (
        <div className="grid gap-4 sm:grid-cols-3">
          <Fields
            lines={[
              {
                name: 'groupBy',
                label: 'Whole groups of',
                hint: 'All assets of a group fail together',
                choices: fieldChoices(editing.offered, ['text', 'boolean']),
                empty: 'No groups: each asset on its own',
              },
              { ...PARENT, ...parentChoices(editing) },
              {
                name: 'percent',
                label: 'Failing share',
                hint: 'A group fails from this share of its amount',
                inputMode: 'decimal',
                unit: '%',
                marksOptional: false,
              },
            ]}
          />
        </div>
      );
    case 'values':
      return (
        <div className="grid gap-4 sm:grid-cols-4">
          <Fields
            lines={[
              MEASURE,
              { name: 'field', label: 'Field', ...numbers, empty: 'Current balance' },
              { name: 'weightedField', label: 'Weighted by', ...numbers, empty: 'Current balance' },
              { name: 'pool', label: 'Pool', choices: choicesOf(VALUE_POOL_LABELS) },
            ]}
          />
        </div>
      );
    case 'advance':
      return (
        <div className="grid gap-4 sm:grid-cols-2">
          <Fields
            lines={[
              { name: 'rate', label: 'Rate', inputMode: 'decimal', unit: '%' },
              { name: 'scope', label: 'Scope', choices: choicesOf(editing.scopeTitles), empty: 'All scopes' },
            ]}
          />
        </div>
      );
    case 'reserves':
      return <ReserveFields editing={editing} />;
    case 'offsets':
      return <OffsetFields editing={editing} />;
    default:
      return null;
  }
}

/** What a limit measures, over which groups, and its value. */
function LimitFields({ contract: { currency }, editing }: Props) {
  const numbers = { choices: fieldChoices(editing.offered, ['number', 'decimal']), empty: 'Remaining amount' };
  const measured = useGroup('accumulator').initialValue;
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-[minmax(0,2fr)_minmax(0,1fr)_minmax(0,1fr)]">
        <Fields
          lines={[
            {
              name: 'groupBy',
              label: 'Limit per',
              hint: 'Groups assets by this field',
              choices: fieldChoices(editing.offered, ['text', 'boolean']),
              empty: 'Whole pool',
            },
            {
              name: 'topN',
              label: 'Largest combined',
              hint: 'Blank applies to each group',
              inputMode: 'numeric',
              marksOptional: false,
            },
            {
              name: 'skipN',
              label: 'Excluded',
              hint: 'Number of largest groups to exclude',
              inputMode: 'numeric',
              marksOptional: false,
            },
          ]}
        />
      </div>
      <div className="grid gap-4 sm:grid-cols-4">
        <Fields
          lines={[
            { name: 'operand', label: 'Must be', choices: choicesOf(OPERAND_LABELS) },
            { name: 'value', label: 'Limit', inputMode: 'decimal' },
            {
              name: 'unit',
              label: 'Unit',
              choices: [
                { value: 'percentage', label: '% of a value' },
                { value: 'money', label: currency ? `Money (${currency})` : 'Money' },
                { value: 'number', label: COVENANT_UNIT_LABELS.number },
              ],
            },
            { name: 'of', label: 'Percentage of', choices: choicesOf(editing.valueTitles), empty: 'Default' },
          ]}
        />
      </div>
      <details className="rounded-md border border-line bg-paper" open={measured !== '$sum' || undefined}>
        <summary className="px-3 py-2 text-xs font-medium text-ink-2 hover:text-ink">
          Measure <span className="font-normal text-ink-3">default: sum of remaining amounts</span>
        </summary>
        <div className="grid gap-4 border-t border-line p-3 sm:grid-cols-3">
          <Fields
            lines={[
              MEASURE,
              { name: 'accumulatorField', label: 'Field', ...numbers },
              { name: 'weightedField', label: 'Weighted by', ...numbers },
            ]}
          />
        </div>
      </details>
    </>
  );
}

/** What an offset takes, and of which groups. */
function OffsetFields({ editing }: Pick<Props, 'editing'>) {
  const amounts = editing.offered.filter(({ currency }) => currency);
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-3">
        <Fields
          lines={[
            { name: 'kind', label: 'Taken off', choices: choicesOf(OFFSET_KIND_LABELS) },
            {
              name: 'groupBy',
              label: 'Per',
              hint: 'Each group bears its own amount',
              choices: fieldChoices(editing.offered, ['text', 'boolean']),
              empty: 'Choose a field',
              marksOptional: false,
            },
            { ...PARENT, ...parentChoices(editing) },
          ]}
        />
      </div>
      <div className="grid gap-4 sm:grid-cols-2">
        <Fields
          lines={[
            {
              name: 'field',
              label: 'Amount',
              hint: 'For an amount in a field',
              choices: fieldChoices(amounts, ['decimal', 'number']),
              empty: 'Choose a field',
              marksOptional: false,
            },
            {
              name: 'amounts',
              label: 'The tape has',
              hint: 'For an amount in a field',
              choices: choicesOf(OFFSET_AMOUNT_LABELS),
            },
          ]}
        />
      </div>
      <div className="grid gap-4 sm:grid-cols-3">
        <Fields
          lines={[
            {
              name: 'file',
              label: 'File name contains',
              hint: 'For amounts in a file: a CSV or Excel document of the tape',
              marksOptional: false,
            },
            {
              name: 'groupColumn',
              label: 'Column of groups',
              hint: 'Its header in the file',
              marksOptional: false,
            },
            {
              name: 'amountColumn',
              label: 'Column of amounts',
              hint: 'In the tape’s main currency',
              marksOptional: false,
            },
          ]}
        />
      </div>
    </>
  );
}

/** The kind of a reserve, and the figures of each kind. */
function ReserveFields({ editing }: Pick<Props, 'editing'>) {
  return (
    <div className="grid gap-4 sm:grid-cols-[minmax(0,2fr)_repeat(4,minmax(0,1fr))]">
      <Fields
        lines={[
          { name: 'kind', label: 'Kind', choices: choicesOf(RESERVE_KIND_LABELS) },
          {
            name: 'percent',
            label: 'Percentage',
            inputMode: 'decimal',
            unit: '%',
            hint: 'Of the value, per year, or above which dilution counts',
            marksOptional: false,
          },
          {
            name: 'of',
            label: 'Of',
            choices: choicesOf(editing.sumTitles),
            empty: 'Default',
            hint: 'For a percentage or dilution',
          },
          { name: 'months', label: 'Months', inputMode: 'decimal', hint: 'For months', marksOptional: false },
          {
            name: 'amount',
            label: 'Amount',
            inputMode: 'decimal',
            hint: 'Fixed, in the currency of the tape',
            marksOptional: false,
          },
        ]}
      />
      <div className="grid gap-4 sm:col-span-full sm:grid-cols-3">
        <Fields
          lines={[
            {
              name: 'credits',
              label: 'Credits',
              hint: 'For dilution: the facility figure of non-cash credits',
              marksOptional: false,
            },
            { name: 'sales', label: 'Sales', hint: 'For dilution: that of gross sales', marksOptional: false },
            {
              name: 'frequency',
              label: 'Reported',
              choices: choicesOf(FREQUENCY_LABELS),
              hint: 'Both figures, for dilution',
            },
          ]}
        />
      </div>
    </div>
  );
}
