import { DAYS_PER, formatCalendarDate } from '../dates/calendar-date.ts';
import { compare, divide, multiply, subtract } from '../money/decimal.ts';
import { formatFigure, writtenAmount } from '../money/format-figure.ts';
import { TERM_UNITS } from '../tapes/target-schema.ts';
import type { DuplicateLoan } from './duplicate.schema.ts';
import { type Certainty, LEGAL_FORMS, NEAR_AMOUNT_PERCENT, NEAR_DAYS } from './rules.ts';

export const VERDICT_LABELS = {
  equal: 'Equal',
  near: 'Near',
  different: 'Different',
  one: 'In one only',
} as const;
export type Verdict = keyof typeof VERDICT_LABELS;

/** One fact of both loans, side by side. A fact that neither tape has is left out. */
export interface Evidence {
  readonly label: string;
  readonly values: readonly [string | null, string | null];
  readonly verdict: Verdict;
  /** How far the values are apart. */
  readonly note: string | null;
}

interface Fact {
  readonly label: string;
  readonly of: (loan: DuplicateLoan) => string | null;
  /** As it is shown, if not as it is compared. */
  readonly shown?: (value: string, loan: DuplicateLoan) => string;
  /** As it is compared, if the value alone does not say it. */
  readonly compared?: (value: string, loan: DuplicateLoan) => string;
  /** How near two different values are; null if they are not. */
  readonly near?: (one: string, other: string) => string | null;
}

const DAY_MS = 86_400_000;

const nearName = (one: string, other: string) => (wordsOf(one) === wordsOf(other) ? 'normalized name' : null);

/** Ids differ by their signs, and are written with spaces around them or in other capitals. */
const nearId = (one: string, other: string) =>
  one.trim().toUpperCase() === other.trim().toUpperCase() ? 'written differently' : null;

/** The words of a name without accents, signs and legal forms, in one order, as the search compares them. */
function wordsOf(name: string): string {
  const words = name
    .normalize('NFD')
    .replaceAll(/\p{M}|[.'’]/gu, '')
    .toUpperCase()
    .split(/[^\p{L}\p{N}]+/u);
  return words
    .filter((word) => word !== '' && !(LEGAL_FORMS as readonly string[]).includes(word))
    .sort()
    .join(' ');
}

function nearAmount(one: string, other: string): string | null {
  const [less, more] = compare(one, other) < 0 ? [one, other] : [other, one];
  const percent = multiply(divide(subtract(more, less), more, 8), '100');
  return compare(percent, String(NEAR_AMOUNT_PERCENT)) > 0 ? null : `${Number(percent).toFixed(2)} % apart`;
}

function nearDate(one: string, other: string): string | null {
  const days = Math.abs(Date.parse(one) - Date.parse(other)) / DAY_MS;
  return days > NEAR_DAYS ? null : `${days} ${days === 1 ? 'day' : 'days'} apart`;
}

/** A term as the search compares it: 12 months are a year, and 48 weeks are not 48 months. */
function inDays(term: string, { termUnit }: DuplicateLoan): string {
  const unit = TERM_UNITS.find((one) => one === termUnit);
  return unit ? `${Number(term) * DAYS_PER[unit]} days` : term;
}

const asIs = (value: string): string => value;

const FACTS: readonly Fact[] = [
  { label: 'Loan', of: ({ assetId }) => assetId },
  { label: 'Obligor', of: ({ obligor }) => obligor, near: nearName },
  { label: 'Borrower id', of: ({ borrowerId }) => borrowerId, near: nearId },
  {
    label: 'Original amount',
    of: ({ originalAmount }) => originalAmount,
    shown: (sum, { currency }) => (currency ? writtenAmount({ sum, currency }) : formatFigure(sum, 2)),
    near: nearAmount,
  },
  { label: 'Financed on', of: ({ financedOn }) => financedOn, shown: formatCalendarDate, near: nearDate },
  { label: 'Rate', of: ({ ratePercent }) => ratePercent, shown: (rate) => `${rate} %` },
  {
    label: 'Original term',
    of: ({ term }) => term,
    shown: (term, { termUnit }) => `${term} ${termUnit ?? ''}`.trim(),
    compared: inDays,
  },
  { label: 'Product', of: ({ product }) => product },
  { label: 'State', of: ({ state }) => state },
];

/** What the tapes say of both loans, fact by fact. */
export function evidenceOf(loans: readonly [DuplicateLoan, DuplicateLoan]): Evidence[] {
  const facts = FACTS.flatMap(({ label, of, shown = asIs, compared = asIs, near = () => null }): Evidence[] => {
    const [one, other] = [of(loans[0]), of(loans[1])];
    if (one === null && other === null) return [];
    const values = [one && shown(one, loans[0]), other && shown(other, loans[1])] as const;
    if (one === null || other === null) return [{ label, values, verdict: 'one', note: null }];
    if (compared(one, loans[0]) === compared(other, loans[1])) {
      return [{ label, values, verdict: 'equal', note: null }];
    }
    const note = near(one, other);
    return [{ label, values, verdict: note === null ? 'different' : 'near', note }];
  });
  if (!hasLeft(loans)) return facts;
  const [first, second] = loans.map(({ leftAfter }) => (leftAfter ? formatCalendarDate(leftAfter) : 'Latest tape'));
  const values = [first ?? null, second ?? null] as const;
  return [...facts, { label: 'Last reported', values, verdict: 'different', note: 'no longer on two tapes' }];
}

/** Whether one of the loans is on no tape any longer, so that nothing is counted twice now. */
export const hasLeft = (loans: readonly DuplicateLoan[]): boolean => loans.some(({ leftAfter }) => Boolean(leftAfter));

/** Why two loans are a pair of this certainty: what the rule found that they share. */
export function reasonsOf(certainty: Certainty, evidence: readonly Evidence[]): string[] {
  if (certainty === 'certain') return ['the same id', 'the same original amount'];
  const of = (label: string) => evidence.find((fact) => fact.label === label)?.verdict;
  const isSame = (label: string) => of(label) === 'equal' || of(label) === 'near';
  const shared = ([label, equal, near]: readonly [string, string, string]) =>
    of(label) === 'equal' ? [equal] : of(label) === 'near' ? [near] : [];
  const terms = [['Rate', 'rate'] as const, ['Original term', 'term'] as const].flatMap(([label, name]) =>
    of(label) === 'equal' ? [name] : [],
  );
  return [
    ...(isSame('Obligor') ? ['the same obligor'] : isSame('Borrower id') ? ['the same borrower id'] : []),
    ...shared(['Original amount', 'the same original amount', `amounts within ${NEAR_AMOUNT_PERCENT}%`]),
    ...shared(['Financed on', 'the same date', `dates within ${NEAR_DAYS} days`]),
    ...(terms.length > 0 ? [`the same ${terms.join(' and ')}`] : []),
  ];
}
