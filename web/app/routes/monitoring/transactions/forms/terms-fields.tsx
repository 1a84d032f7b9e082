import { choicesOf, labelOf } from '@tapeline/domain/documents/labels.ts';
import {
  BASE_RATES,
  DATE_RANGE_LABELS,
  DAY_COUNTS,
  DEBT_ONLY_DATES,
  DEFAULT_DAY_COUNT,
  DEFAULT_MAX_BASE_AGE_DAYS,
  DRAW_FREQUENCIES,
  FEE_FREQUENCIES,
  FEE_TYPES,
} from '@tapeline/domain/facilities/terms.schema.ts';
import { DEFAULT_DAYS_AFTER_TEST } from '@tapeline/domain/facilities/terms-labels.ts';
import { INTEREST_KIND_LABELS } from '@tapeline/domain/tapes/statuses.ts';
import type { ReactNode } from 'react';
import { AmountFields } from '../../../../components/forms/amount-fields.tsx';
import { CURRENCY_CHOICES } from '../../../../components/forms/currency-choices.ts';
import {
  type AnyField,
  COUNT,
  DECIMAL,
  type FieldLine,
  Fields,
  fieldsetOf,
  PERCENT,
  Suggestions,
  useGroup,
} from '../../../../components/forms/described-fields.tsx';
import type { Choice } from '../../../../components/forms/fields.tsx';
import { FORM_GRID, FORM_PANEL } from '../../../../components/forms/form-layout.ts';
import { ListRows } from '../../../../components/forms/list-rows.tsx';
import { MoreDetails } from '../../../../components/forms/more-details.tsx';
import { PanelSection } from '../../../../components/page/section.tsx';

/** Interest of either kind. Only the fields of the chosen kind count, so that the form works without JavaScript. */
export function InterestFields({ field, none }: { field: AnyField; none: string }) {
  const { value: kind } = fieldsetOf(field).kind;
  return (
    <Fields
      of={field}
      lines={[
        {
          name: 'kind',
          label: 'Kind of interest',
          choices: choicesOf(INTEREST_KIND_LABELS),
          empty: none,
          optional: true,
        },
        {
          name: 'dayCount',
          label: 'Day count',
          choices: choicesOf(DAY_COUNTS),
          empty: `${DEFAULT_DAY_COUNT} (default)`,
          optional: true,
        },
        ...(kind === 'variable' ? [] : FIXED),
        ...(kind === 'fix' ? [] : VARIABLE),
      ]}
    />
  );
}

const FIXED: readonly FieldLine[] = [
  { name: 'value', label: 'Fixed rate', hint: 'A year; for fixed interest', ...PERCENT },
];
const VARIABLE: readonly FieldLine[] = [
  {
    name: 'baseRate',
    label: 'Base rate',
    choices: choicesOf(BASE_RATES),
    empty: 'Choose for variable interest',
    optional: true,
  },
  { name: 'spread', label: 'Spread', hint: 'Over the base rate', ...PERCENT },
  { name: 'minimumInterest', label: 'Minimum interest', hint: 'Floor of the whole rate', ...PERCENT },
  { name: 'numberRange.min', label: 'Base rate minimum (optional)', ...PERCENT },
  { name: 'numberRange.max', label: 'Base rate maximum (optional)', ...PERCENT },
];

const TIER_RATE: FieldLine = { name: 'rate', label: 'Spread or fixed rate', ...PERCENT };
/** A tier of the pricing grid. Below the first one, the rate of the interest itself applies. */
const TIER: readonly (readonly FieldLine[])[] = [
  [{ name: 'from', label: 'From utilization', hint: 'Balance of the commitments, each day', ...PERCENT }, TIER_RATE],
];
/** A tier where a covenant may price the interest instead. */
const ANY_TIER: typeof TIER = [
  [
    { name: 'from', label: 'From', hint: 'Utilization in per cent, or the figure of the covenant', ...DECIMAL },
    TIER_RATE,
  ],
];
const gridTest = (covenants: readonly Choice[]): readonly FieldLine[] => [
  { name: 'test.covenant', label: 'Priced by', choices: covenants, empty: 'Utilization', optional: true },
  {
    name: 'test.daysAfter',
    label: 'Results take effect after (optional)',
    hint: `From the test date of the covenant. Blank means ${DEFAULT_DAYS_AFTER_TEST}.`,
    unit: 'days',
    ...COUNT,
  },
];
/** What of the rate applies in default alone, and what is not paid. */
const MARGINS: readonly FieldLine[] = [
  {
    name: 'defaultMargin',
    label: 'Default margin (optional)',
    hint: 'Added to the rate while an event of default lasts',
    ...PERCENT,
  },
  {
    name: 'paidInKind',
    label: 'Paid in kind (optional)',
    hint: 'Percentage points of the rate that each invoice adds to the principal',
    ...PERCENT,
  },
];
const DEFAULT_EVENT: readonly (FieldLine | readonly FieldLine[])[] = [
  [
    { name: 'from', label: 'First day', type: 'date' },
    { name: 'to', label: 'Day after the last (optional)', type: 'date', optional: true },
  ],
  { name: 'reason', label: 'Reason', maxLength: 500, autoComplete: 'off' },
];

const SIGNING = ['approval', 'termsheetSigning', 'contractSigning'];

/**
 * The dates of the terms. An investment has those of its signing alone.
 * @param required false for a note, whose tranches have their own dates
 * @param amends whether an amendment changes them: a signing stays what it was
 */
export const TimelineFields = ({
  field,
  isDebt,
  required,
  amends = false,
}: {
  field: AnyField;
  isDebt: boolean;
  required: boolean;
  amends?: boolean;
}) => {
  const dates = [...(amends ? [] : SIGNING), ...(isDebt ? DEBT_ONLY_DATES : [])];
  const needed: readonly string[] = dates.filter((date) => date === 'contractSigning' || date === 'maturity');
  const others = dates.filter((date) => !needed.includes(date));
  const lineOf = (date: string): FieldLine => {
    const label = labelOf(DATE_RANGE_LABELS, date);
    return required && needed.includes(date)
      ? { name: date, label, type: 'date', required: true, marksOptional: false }
      : { name: date, label: `${label} (optional)`, type: 'date', optional: true };
  };
  return (
    <>
      <Fields of={field} lines={needed.map(lineOf)} />
      <div className="sm:col-span-2">
        <MoreDetails title="More dates" names={others.map((date) => `${field.name}.${date}`)}>
          <div className="grid gap-4 sm:grid-cols-2">
            <Fields of={field} lines={others.map(lineOf)} />
          </div>
        </MoreDetails>
      </div>
    </>
  );
};

const RANGES = { choices: choicesOf(DATE_RANGE_LABELS), empty: 'Not given', optional: true };

/** A fee. A negative rate is a rebate. */
const feeLines = (entities: readonly Choice[]): readonly (FieldLine | readonly FieldLine[])[] => [
  { name: 'title', label: 'Title of the fee' },
  { name: 'kind', label: 'Kind of fee', list: 'fee-kinds', autoComplete: 'off' },
  {
    name: 'rate',
    amount: AmountFields,
    label: 'Rate',
    hint: 'A percentage or an amount; negative for a rebate',
    percent: '%',
  },
  { name: 'frequency', label: 'Frequency', choices: choicesOf(FEE_FREQUENCIES), empty: 'Choose' },
  {
    name: 'feeType',
    label: 'Charged on (optional)',
    choices: choicesOf(FEE_TYPES),
    empty: 'Not given',
    optional: true,
  },
  {
    name: 'minimumUsage',
    label: 'Or below a minimum usage of (optional)',
    hint: 'Of the commitments; charged on the average shortfall of each invoice',
    ...PERCENT,
  },
  { name: 'onPrepayment', label: 'Or on principal prepaid, whenever it is repaid', isChecked: true },
  [
    { name: 'payee.entity', label: 'Payee (optional)', choices: entities, empty: 'By name', optional: true },
    { name: 'payee.name', label: 'Or its name', optional: true },
  ],
  [
    { name: 'dateRangeType.start', label: 'From (optional)', ...RANGES },
    { name: 'dateRangeType.end', label: 'To (optional)', ...RANGES },
  ],
  [
    { name: 'dateRange.start', label: 'Other first date', type: 'date', optional: true },
    { name: 'dateRange.end', label: 'Other last date', type: 'date', optional: true },
  ],
  [
    { name: 'months.start', label: 'Or from month', hint: 'After the signing', ...COUNT },
    { name: 'months.end', label: 'Or to month', hint: 'After the signing', ...COUNT },
  ],
];

const WARRANT_KINDS = [
  { value: 'future', label: 'Future, as a percentage' },
  { value: 'actual', label: 'Actual' },
];

/** A warrant, of which every field is optional. */
const WARRANT: readonly (FieldLine | readonly FieldLine[])[] = [
  { name: 'shareClass', label: 'Share class' },
  { name: 'allocationMethod', label: 'Allocation method' },
  { name: 'holdingValue', amount: AmountFields, label: 'Holding value', optional: true },
  { name: 'outstandingIssuedValue', amount: AmountFields, label: 'Outstanding issued value', optional: true },
  { name: 'totalExercisePrice', amount: AmountFields, label: 'Total exercise price', optional: true },
  { name: 'unallocatedShares', label: 'Unallocated shares', inputMode: 'decimal' },
  [
    { name: 'actual.kind', label: 'Warrant (optional)', choices: WARRANT_KINDS, empty: 'Not given', optional: true },
    { name: 'actual.percentage', label: 'Percentage', hint: 'Of a future warrant', ...PERCENT },
  ],
  [
    { name: 'acquisitionDate', label: 'Acquisition date', type: 'date' },
    { name: 'expirationDate', label: 'Expiration date', type: 'date' },
  ],
  { name: 'description', label: 'Description', rows: 2, className: 'sm:col-span-2' },
];

const ANY_DRAW: readonly (readonly FieldLine[])[] = [
  [
    { name: 'amountRange.min', label: 'Minimum amount', ...DECIMAL },
    { name: 'amountRange.max', label: 'Maximum amount', ...DECIMAL },
    { name: 'amountRange.currency', label: 'Currency', choices: CURRENCY_CHOICES, empty: 'Choose', optional: true },
  ],
  [
    { name: 'frequency.limit', label: 'Draws', ...COUNT },
    {
      name: 'frequency.interval',
      label: 'In each period',
      choices: choicesOf(DRAW_FREQUENCIES),
      empty: 'Choose',
      optional: true,
    },
  ],
  [
    { name: 'dueDateLimit.min', label: 'Due after, minimum', unit: 'days', ...COUNT },
    { name: 'dueDateLimit.max', label: 'Due after, maximum', unit: 'days', ...COUNT },
  ],
];
const MAX_SHARE: FieldLine = { name: 'maxPercentage', label: 'Maximum share of the commitments', ...PERCENT };
const MAX_OUTSTANDING: FieldLine = {
  name: 'maxAmount',
  amount: AmountFields,
  label: 'Maximum outstanding',
  optional: true,
};

/** The limits of the three kinds of draw. A group without any figure has no limit. */
const DRAW_LIMITS: readonly [group: string, title: string, lines: readonly (FieldLine | readonly FieldLine[])[]][] = [
  ['draw', 'Regular draws', ANY_DRAW],
  [
    'prefunding',
    'Prefunding',
    [
      ...ANY_DRAW,
      MAX_SHARE,
      {
        name: 'defaultAmount',
        amount: AmountFields,
        label: 'Default amount',
        hint: 'Prefills the request',
        optional: true,
      },
      MAX_OUTSTANDING,
    ],
  ],
  [
    'recycling',
    'Recycling',
    [
      ...ANY_DRAW,
      MAX_SHARE,
      {
        name: 'maxCollectionAccount',
        amount: AmountFields,
        label: 'Maximum from the collection account',
        optional: true,
      },
      MAX_OUTSTANDING,
    ],
  ],
];

const COMMITMENT: readonly FieldLine[] = [
  { name: 'amount', amount: AmountFields, label: 'Commitment' },
  {
    name: 'additionalCurrencies',
    label: 'Also drawn in (optional)',
    hint: 'Currency codes, for example EUR, GBP',
    optional: true,
  },
];

/** The lines of each part of the terms, by the name of the part. */
export const TERM_LINES: Readonly<Record<string, readonly (FieldLine | readonly FieldLine[])[]>> = {
  interest: [{ name: 'kind', label: 'Kind of interest' }, ...FIXED, ...VARIABLE, ...MARGINS],
  tiers: TIER,
  pricingGrid: gridTest([]),
  defaultEvents: DEFAULT_EVENT,
  fees: feeLines([]),
  warrants: WARRANT,
  commitments: COMMITMENT,
  ...Object.fromEntries(DRAW_LIMITS.map(([group, , lines]) => [group, lines])),
};

/** A part of the terms: a list of its entries, or the fields themselves in a grid. */
export function Part({
  title,
  note,
  grid,
  children,
}: {
  title: string;
  note?: string;
  grid?: boolean;
  children: ReactNode;
}) {
  return (
    <PanelSection title={title} note={note} className={grid ? FORM_GRID : FORM_PANEL}>
      {children}
    </PanelSection>
  );
}

/**
 * Every term of a note or a tranche.
 * @param ofNote whether these are the note's terms, which its tranches may override, so that nothing is required
 * @param amends whether an amendment changes them
 * @param note the id of the note, whose covenants may price the interest; none of a note that is not stored yet
 */
export function LoanTermsFields({
  isDebt,
  ofNote,
  amends = false,
  note,
  choices,
}: {
  isDebt: boolean;
  ofNote: boolean;
  amends?: boolean;
  note?: string | undefined;
  choices: {
    entities: readonly Choice[];
    feeKinds: readonly string[];
    covenants: readonly (Choice & { note: string })[];
  };
}) {
  const terms = useGroup('terms');
  const fields = fieldsetOf(terms);
  const fallback = ofNote ? undefined : 'Left empty, those of the note apply';
  const feeFields = feeLines(choices.entities);
  const covenants = choices.covenants.filter((covenant) => covenant.note === note);
  const grid = fieldsetOf(fields.interest).pricingGrid;
  const limits = fieldsetOf(fields.drawLimits);
  const warrants = (
    <Part title="Warrants" note={fallback}>
      <ListRows field={fields.warrants} one="Warrant" most={100}>
        {(item) => <Fields of={item} lines={WARRANT} />}
      </ListRows>
    </Part>
  );
  return (
    <>
      <Part title="Commitments" note={ofNote ? 'Optional; the tranches have their own' : 'At least one'}>
        <ListRows field={fields.commitments} one="Commitment" most={200}>
          {(item) => <Fields of={item} lines={COMMITMENT} />}
        </ListRows>
      </Part>
      {isDebt || amends ? null : warrants}
      {amends && !isDebt ? null : (
        <Part title="Timeline" grid>
          <TimelineFields field={fields.timeline} isDebt={isDebt} required={!ofNote} amends={amends} />
        </Part>
      )}
      <Part title="Interest" note={fallback} grid>
        <InterestFields field={fields.interest} none={ofNote ? 'No interest' : 'As the note'} />
      </Part>
      <MoreDetails
        names={[
          'interest.pricingGrid',
          'interest.defaultMargin',
          'interest.paidInKind',
          'defaultEvents',
          'fees',
          'drawLimits',
          'maxBaseAgeDays',
          ...(isDebt && !amends ? ['warrants'] : []),
        ].map((name) => `terms.${name}`)}
      >
        <Part title="Pricing" note="With the interest above">
          {covenants.length > 0 ? (
            <div className="mb-4 grid gap-4 sm:grid-cols-2">
              <Fields of={grid} lines={gridTest(covenants)} />
            </div>
          ) : null}
          <ListRows field={fieldsetOf(grid).tiers} one="Tier" most={10}>
            {(item) => <Fields of={item} lines={covenants.length > 0 ? ANY_TIER : TIER} />}
          </ListRows>
          <div className="mt-4 grid gap-4 sm:grid-cols-2">
            <Fields of={fields.interest} lines={MARGINS} />
          </div>
        </Part>
        {isDebt && !amends ? (
          <Part title="Events of default">
            <ListRows field={fields.defaultEvents} one="Event of default" most={50}>
              {(item) => <Fields of={item} lines={DEFAULT_EVENT} />}
            </ListRows>
          </Part>
        ) : null}
        <Part title="Fees" note={fallback}>
          <Suggestions id="fee-kinds" values={choices.feeKinds} />
          <ListRows field={fields.fees} one="Fee" most={50}>
            {(item) => <Fields of={item} lines={feeFields} />}
          </ListRows>
        </Part>
        {isDebt ? (
          <Part title="Draw limits" note={fallback}>
            <div className="flex flex-col gap-4">
              {DRAW_LIMITS.map(([group, title, lines]) => (
                <fieldset key={group} className="grid min-w-0 gap-3 rounded-md border border-line p-3 sm:grid-cols-2">
                  <legend className="px-1 text-xs font-medium text-ink-2">{title}</legend>
                  <Fields of={limits[group]} lines={lines} />
                </fieldset>
              ))}
            </div>
            <Fields
              of={terms}
              lines={[
                {
                  name: 'maxBaseAgeDays',
                  label: 'Oldest borrowing base (days)',
                  hint: `From its cut-off date to a draw’s due date. Blank means ${DEFAULT_MAX_BASE_AGE_DAYS}.`,
                  inputMode: 'numeric',
                },
              ]}
            />
          </Part>
        ) : null}
        {isDebt && !amends ? warrants : null}
      </MoreDetails>
    </>
  );
}
