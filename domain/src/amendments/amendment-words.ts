import { type CalendarDate, formatCalendarDate } from '../dates/calendar-date.ts';
import type { NoteTerms, TransactionFee, TransactionInterest } from '../facilities/terms.schema.ts';
import {
  describeCommitments,
  describeInterest,
  feeInWords,
  feeRateInWords,
  gridInWords,
  TERMS,
  type TermNames,
} from '../facilities/terms-in-words.ts';
import { DEFAULT_DAY_COUNT } from '../facilities/terms-labels.ts';
import { formatFigure } from '../money/format-figure.ts';
import { saysSame, type VersionChange } from './versions.ts';

/** A term before and after an amendment. Null where the terms do not have it. */
export interface TermDifference {
  readonly label: string;
  readonly before: string | null;
  readonly after: string | null;
}

const percent = (rate: number): string => `${formatFigure(rate)}%`;

type Variable = Extract<TransactionInterest, { kind: 'variable' }>;
const rangeInWords = ({ numberRange }: Variable): string | null =>
  numberRange ? `${percent(numberRange.min)} to ${percent(numberRange.max)}` : null;

/** What prices the rate, and how much of it is not paid. */
const pricingDifferences = (
  before: TransactionInterest,
  after: TransactionInterest,
  names: TermNames,
): TermDifference[] => {
  const grid = ({ pricingGrid }: TransactionInterest) => (pricingGrid ? gridInWords(pricingGrid, names) : null);
  const inKind = ({ paidInKind }: TransactionInterest) => (paidInKind ? percent(paidInKind) : null);
  const margin = ({ defaultMargin }: TransactionInterest) => (defaultMargin ? percent(defaultMargin) : null);
  return [
    { label: 'Pricing grid', before: grid(before), after: grid(after) },
    { label: 'Default margin', before: margin(before), after: margin(after) },
    { label: 'Paid in kind', before: inKind(before), after: inKind(after) },
  ];
};

/** What differs in interest of the same kind, each figure by itself; of another kind or base rate, the whole. */
function interestDifferences(
  before: TransactionInterest,
  after: TransactionInterest,
  names: TermNames,
): TermDifference[] {
  const dayCount = {
    label: 'Day count',
    before: before.dayCount ?? DEFAULT_DAY_COUNT,
    after: after.dayCount ?? DEFAULT_DAY_COUNT,
  };
  if (before.kind === 'fix' && after.kind === 'fix') {
    return [
      { label: 'Interest rate', before: percent(before.value), after: percent(after.value) },
      ...pricingDifferences(before, after, names),
      dayCount,
    ];
  }
  if (before.kind === 'variable' && after.kind === 'variable' && before.baseRate === after.baseRate) {
    return [
      { label: `Spread over ${after.baseRate}`, before: percent(before.spread), after: percent(after.spread) },
      { label: 'Minimum interest', before: percent(before.minimumInterest), after: percent(after.minimumInterest) },
      { label: `Floor and cap of ${after.baseRate}`, before: rangeInWords(before), after: rangeInWords(after) },
      ...pricingDifferences(before, after, names),
      dayCount,
    ];
  }
  return [
    {
      label: 'Interest',
      before: describeInterest(before, names).join(', '),
      after: describeInterest(after, names).join(', '),
    },
  ];
}

/** The fees of the same title side by side, in the order in which the terms have them. */
function feeDifferences(
  before: readonly TransactionFee[],
  after: readonly TransactionFee[],
  names: TermNames,
): TermDifference[] {
  const titles = [...new Set([...before, ...after].map(({ title }) => title))];
  return titles.flatMap((label) => {
    const [was, is] = [before, after].map((fees) => fees.filter(({ title }) => title === label));
    const [old, current] = [was?.[0], is?.[0]];
    const isRateAlone =
      was?.length === 1 && is?.length === 1 && saysSame({ ...old, rate: null }, { ...current, rate: null });
    if (isRateAlone) return [{ label, before: feeRateInWords(old!), after: feeRateInWords(current!) }];
    const all = (fees: readonly TransactionFee[] = []) => fees.map((fee) => feeInWords(fee, names)).join('; ') || null;
    return [{ label, before: all(was), after: all(is) }];
  });
}

/** The terms that other figures of an amendment are not made of. */
const OTHER_TERMS = TERMS.filter(
  ({ label }) => !['Commitments', 'Interest', 'Fees', 'Events of default', 'Warrants'].includes(label),
);

/** What an amendment changes, term by term. */
export function termDifferences({ before, after }: VersionChange, names: TermNames = {}): TermDifference[] {
  const interest = (terms: NoteTerms) => (terms.interest ? describeInterest(terms.interest, names).join(', ') : null);
  const differences: TermDifference[] = [
    ...(before.interest && after.interest
      ? interestDifferences(before.interest, after.interest, names)
      : [{ label: 'Interest', before: interest(before), after: interest(after) }]),
    { label: 'Commitments', before: describeCommitments(before) || null, after: describeCommitments(after) || null },
    ...feeDifferences(before.fees ?? [], after.fees ?? [], names),
    ...OTHER_TERMS.map(({ label, of }) => {
      const words = (terms: NoteTerms) => of(terms, names)?.join('; ') ?? null;
      return { label, before: words(before), after: words(after) };
    }),
  ];
  return differences.filter((one) => one.before !== one.after);
}

/** "Interest rate: 9% becomes 8.25% from 15 Mar 2026". */
export function differenceInWords({ label, before, after }: TermDifference, from: CalendarDate): string {
  const day = formatCalendarDate(from);
  if (before === null) return `${label}: ${after} from ${day}`;
  return after === null
    ? `${label}: ${before} no longer applies from ${day}`
    : `${label}: ${before} becomes ${after} from ${day}`;
}
