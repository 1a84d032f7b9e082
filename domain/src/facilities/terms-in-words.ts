import { formatCalendarDate } from '../dates/calendar-date.ts';
import { labelOf } from '../documents/labels.ts';
import type { Amount } from '../money/amount.schema.ts';
import { formatAmount, formatCount, formatFigure, writtenAmount } from '../money/format-figure.ts';
import type { DefaultEvent, PricingGrid } from './pricing.schema.ts';
import {
  DATE_RANGE_LABELS,
  DEBT_ONLY_DATES,
  DEFAULT_DAY_COUNT,
  type DrawLimits,
  type NoteTerms,
  type TransactionFee,
  type TransactionInterest,
  type Warrant,
} from './terms.schema.ts';
import { DEFAULT_DAYS_AFTER_TEST } from './terms-labels.ts';

/** Names of what terms refer to, by id: the entities that fees are paid to, and the covenants that price the interest. */
export type TermNames = Readonly<Record<string, string>>;

/** One term of a note and its tranches. Null if it is not stated. */
interface Term {
  readonly label: string;
  readonly of: (terms: NoteTerms, names: TermNames) => readonly string[] | null;
}

const lines = (texts: readonly string[]): readonly string[] | null => (texts.length === 0 ? null : texts);
const joined = (parts: readonly (string | null | undefined)[]): string => parts.filter(Boolean).join(', ');

export const describeCommitments = (terms: NoteTerms): string =>
  (terms.commitments ?? [])
    .map(({ amount, additionalCurrencies }) =>
      joined([
        writtenAmount(amount),
        additionalCurrencies?.length ? `also in ${additionalCurrencies.join(', ')}` : null,
      ]),
    )
    .join('; ');

/** "3.25% from 50% utilization, 3% from 75%", "4.25% from 3.5, by Leverage 45 days after its test date". */
export function gridInWords({ test, tiers }: PricingGrid, names: TermNames): string {
  const unit = (index: number) => (test ? '' : index === 0 ? '% utilization' : '%');
  const rates = joined(
    tiers.map(({ from, rate }, index) => `${formatFigure(rate)}% from ${formatFigure(from)}${unit(index)}`),
  );
  if (!test) return rates;
  const days = formatCount(test.daysAfter ?? DEFAULT_DAYS_AFTER_TEST, 'day');
  return `${rates}, by ${names[test.covenant] ?? 'a covenant'} ${days} after its test date`;
}

/** "spread 3.25% from 50% utilization", "2% more in default" and "1.5% of it paid in kind", as far as the terms say so. */
export const pricingInWords = (
  { kind, pricingGrid: grid, defaultMargin, paidInKind }: TransactionInterest,
  names: TermNames,
): string[] => [
  ...(grid ? [`${kind === 'fix' ? 'rate' : 'spread'} ${gridInWords(grid, names)}`] : []),
  ...(defaultMargin ? [`${formatFigure(defaultMargin)}% more in default`] : []),
  ...(paidInKind ? [`${formatFigure(paidInKind)}% of it paid in kind`] : []),
];

export function describeInterest(interest: TransactionInterest, names: TermNames = {}): string[] {
  const dayCount = interest.dayCount ?? DEFAULT_DAY_COUNT;
  const priced = pricingInWords(interest, names);
  if (interest.kind === 'fix') return [`${formatFigure(interest.value)}% fixed`, ...priced, dayCount];
  const { baseRate, spread, minimumInterest, numberRange } = interest;
  const added = spread < 0 ? `− ${formatFigure(-spread)}%` : `+ ${formatFigure(spread)}%`;
  return [
    `${baseRate} ${added}`,
    `at least ${formatFigure(minimumInterest)}%`,
    ...(numberRange ? [`${baseRate} ${formatFigure(numberRange.min)}% to ${formatFigure(numberRange.max)}%`] : []),
    ...priced,
    dayCount,
  ];
}

/** "0.5%", "12,000.00 USD". */
export const feeRateInWords = ({ rate }: Pick<TransactionFee, 'rate'>): string =>
  typeof rate === 'number'
    ? `${formatFigure(rate)}%`
    : rate.currency
      ? writtenAmount({ sum: rate.sum, currency: rate.currency })
      : `${formatFigure(rate.sum)}%`;

/** "0.5%, quarterly, on the undrawn amount". */
export function feeInWords(
  { frequency, feeType, payee, dateRangeType, dateRange, months, minimumUsage, onPrepayment, ...fee }: TransactionFee,
  names: TermNames,
): string {
  const side = (at: 'start' | 'end'): string | null => {
    const month = months?.[at];
    if (month != null) return `month ${month} after the signing`;
    const type = dateRangeType?.[at];
    const date = dateRange?.[at];
    if (type && type !== 'custom') return labelOf(DATE_RANGE_LABELS, type).toLowerCase();
    return date ? formatCalendarDate(date) : null;
  };
  const [from, to] = [side('start'), side('end')];
  const paidTo = payee
    ? 'entity' in payee
      ? (names[payee.entity] ?? 'an entity you don’t have access to')
      : payee.name
    : null;
  return joined([
    feeRateInWords(fee),
    onPrepayment ? 'of principal prepaid' : frequency.toLowerCase(),
    minimumUsage == null ? null : `on the shortfall below ${formatFigure(minimumUsage)}% of the commitments`,
    feeType ? `on the ${feeType.toLowerCase()}` : null,
    from ? `from ${from}` : null,
    to ? `to ${to}` : null,
    paidTo ? `to ${paidTo}` : null,
  ]);
}

/** "250,000.00 to 10,000,000.00 USD". */
const amountRangeInWords = ({ min, max, currency }: { min: string; max: string; currency: string }): string =>
  `${formatAmount({ sum: min, currency })} to ${writtenAmount({ sum: max, currency })}`;

type Limit = NonNullable<DrawLimits[keyof DrawLimits]>;

export function describeLimit(limit: Limit): string {
  const { amountRange, frequency, dueDateLimit } = limit;
  const more = (name: 'defaultAmount' | 'maxAmount' | 'maxCollectionAccount'): Amount | null =>
    (limit as Partial<Record<typeof name, Amount | null>>)[name] ?? null;
  const most = 'maxPercentage' in limit ? limit.maxPercentage : null;
  const [usual, outstanding, collection] = [more('defaultAmount'), more('maxAmount'), more('maxCollectionAccount')];
  return joined([
    amountRange ? amountRangeInWords(amountRange) : null,
    frequency
      ? `${frequency.limit} ${frequency.interval === 'Annualy' ? 'a year' : frequency.interval.toLowerCase()}`
      : null,
    dueDateLimit ? `due ${dueDateLimit.min} to ${dueDateLimit.max} days after` : null,
    most != null ? `at most ${formatFigure(most)}% of the commitments` : null,
    outstanding ? `at most ${writtenAmount(outstanding)} outstanding` : null,
    collection ? `at most ${writtenAmount(collection)} of the collection account` : null,
    usual ? `${writtenAmount(usual)} by default` : null,
  ]);
}

/** "from 1 Mar 2026 to 15 Apr 2026: interest not paid". */
const describeDefault = ({ from, to, reason }: DefaultEvent): string =>
  `from ${formatCalendarDate(from)}${to ? ` to ${formatCalendarDate(to)}` : ''}: ${reason}`;

function describeWarrant(warrant: Warrant): string {
  const { shareClass, holdingValue, totalExercisePrice, outstandingIssuedValue, unallocatedShares } = warrant;
  const { acquisitionDate, expirationDate, actual } = warrant;
  return `${shareClass || 'Warrant'}: ${joined([
    actual ? (actual.kind === 'future' ? `future, ${formatFigure(actual.percentage)}%` : 'actual') : null,
    holdingValue ? `worth ${writtenAmount(holdingValue)}` : null,
    outstandingIssuedValue ? `issued for ${writtenAmount(outstandingIssuedValue)}` : null,
    totalExercisePrice ? `exercised for ${writtenAmount(totalExercisePrice)}` : null,
    unallocatedShares != null ? `${formatFigure(unallocatedShares)} shares not allocated` : null,
    acquisitionDate ? `acquired ${formatCalendarDate(acquisitionDate)}` : null,
    expirationDate ? `expires ${formatCalendarDate(expirationDate)}` : null,
  ])}`;
}

const limitTerm = (label: string, group: keyof DrawLimits): Term => ({
  label,
  of: ({ drawLimits }) => {
    const limit = drawLimits?.[group];
    return limit ? lines([describeLimit(limit)].filter(Boolean)) : null;
  },
});

/** Every term, in the order of the table of a note. */
export const TERMS: readonly Term[] = [
  { label: 'Commitments', of: (terms) => (terms.commitments?.length ? describeCommitments(terms).split('; ') : null) },
  { label: 'Interest', of: ({ interest }, names) => (interest ? describeInterest(interest, names) : null) },
  {
    label: 'Fees',
    of: ({ fees }, names) => lines((fees ?? []).map((fee) => `${fee.title}: ${feeInWords(fee, names)}`)),
  },
  { label: 'Events of default', of: ({ defaultEvents }) => lines((defaultEvents ?? []).map(describeDefault)) },
  { label: 'Warrants', of: ({ warrants }) => lines((warrants ?? []).map(describeWarrant)) },
  limitTerm('Draw limits', 'draw'),
  limitTerm('Prefunding limits', 'prefunding'),
  limitTerm('Recycling limits', 'recycling'),
  {
    label: 'Oldest borrowing base',
    of: ({ maxBaseAgeDays: days }) => (days == null ? null : [`${formatCount(days, 'day')} before a draw’s due date`]),
  },
  ...(['approval', 'termsheetSigning', 'contractSigning', ...DEBT_ONLY_DATES] as const).map(
    (date): Term => ({
      label: labelOf(DATE_RANGE_LABELS, date),
      of: ({ timeline }) => {
        const day = timeline?.[date];
        return day ? [formatCalendarDate(day)] : null;
      },
    }),
  ),
];
