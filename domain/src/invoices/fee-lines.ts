import { decimalToFraction, type Fraction, fractionToDecimal, multiplyFractions } from '../borrowing-base/exact.ts';
import { addDays, addMonths, type CalendarDate } from '../dates/calendar-day.ts';
import type { TransactionFee, TransactionTerms } from '../facilities/terms.schema.ts';
import { DATE_RANGE_LABELS } from '../facilities/terms-labels.ts';
import { type BasisStep, countPart, exactTotal, HUNDREDTH } from '../interest/accrual.ts';
import type { DayCount } from '../interest/day-count.ts';
import { compare, type DecimalText, decimalOf, isZero, max, multiply, round, subtract } from '../money/decimal.ts';
import { minorUnitDigits } from '../money/minor-units.ts';
import type { InvoiceRule } from './labels.ts';
import type { InvoiceLine, InvoicePiece } from './lines.ts';

/** What the fees of a note are charged on, in one currency. */
export interface InvoiceFeeBasis {
  readonly currency: string;
  /** The earliest first; what is in force from the beginning has an early day. Null if the terms have none. */
  readonly commitments: readonly BasisStep[] | null;
  /** Null if nothing was ever recorded. */
  readonly balance: readonly BasisStep[] | null;
  /** Another currency that the commitments are drawn in as well. */
  readonly mixedWith: string | null;
  /** The principal that was repaid before it was due, by day. */
  readonly prepaid?: readonly BasisStep[];
}

export interface Period {
  readonly from: CalendarDate;
  /** The day after the last one. */
  readonly to: CalendarDate;
}

type Timeline = TransactionTerms['timeline'];
type Unknown = NonNullable<InvoiceLine['unknown']>;
type FeeType = NonNullable<TransactionFee['feeType']>;
/** What a percentage is of: an amount of each day, or what is below this percentage of the commitments. */
type Basis = FeeType | { readonly minimumUsage: DecimalText };

/** How much there is on a day: the latest step on or before it. */
export const sumOn = (steps: readonly BasisStep[], day: CalendarDate): DecimalText =>
  steps.findLast(({ from }) => from <= day)?.sum ?? '0';

const basisOf = ({ feeType, minimumUsage }: TransactionFee): Basis | null =>
  minimumUsage == null ? (feeType ?? null) : { minimumUsage: decimalOf(minimumUsage) };

/** What a fee is a percentage of on a day. Only what is above a minimum usage is below zero: it makes up for other days. */
function basisOn(type: Basis, { commitments, balance }: InvoiceFeeBasis, day: CalendarDate): DecimalText {
  const drawn = max('0', sumOn(balance ?? [], day));
  const committed = sumOn(commitments ?? [], day);
  if (typeof type === 'object') return subtract(shareOf(committed, type.minimumUsage), drawn);
  if (type === 'Commitment Amount') return committed;
  return type === 'Drawn Amount' ? drawn : max('0', subtract(committed, drawn));
}

const shareOf = (sum: DecimalText, percentage: DecimalText): DecimalText => multiply(multiply(sum, percentage), '0.01');

function unknownBasis(type: Basis | null, { commitments, balance, mixedWith }: InvoiceFeeBasis): Unknown | null {
  if (type === null) return { why: 'noBasis', of: null };
  if (type !== 'Drawn Amount' && commitments === null) return { why: 'noCommitments', of: null };
  if (type !== 'Commitment Amount' && balance === null) return { why: 'noBalance', of: null };
  if ((type === 'Undrawn Amount' || typeof type === 'object') && mixedWith !== null)
    return { why: 'mixedCurrencies', of: mixedWith };
  return null;
}

/**
 * The days of a fee: its date range, whose first day counts and whose last does not. An end that is a date of the timeline
 * has that date, and one in months is so long after the contract signing. Without a range, a fee runs from the contract
 * signing to the maturity.
 */
function rangeOf(fee: TransactionFee, timeline: Timeline | undefined): Record<'start' | 'end', CalendarDate | null> {
  const side = (which: 'start' | 'end', fallback: 'contractSigning' | 'maturity'): CalendarDate | null => {
    const months = fee.months?.[which];
    const signing = timeline?.contractSigning;
    if (months != null) return signing ? addMonths(signing, months) : null;
    const type = fee.dateRangeType?.[which];
    if (type && type !== 'custom') return timeline?.[type] ?? null;
    return fee.dateRange?.[which] ?? (type ? null : (timeline?.[fallback] ?? null));
  };
  return { start: side('start', 'contractSigning'), end: side('end', 'maturity') };
}

/** A date that the range names and the timeline lacks. */
function missingDate(
  fee: TransactionFee,
  range: ReturnType<typeof rangeOf>,
  needs: 'start' | 'end' | null,
): Unknown | null {
  for (const which of ['start', 'end'] as const) {
    const type = fee.dateRangeType?.[which];
    if (range[which] !== null) continue;
    if (fee.months?.[which] != null) return { why: 'noDate', of: DATE_RANGE_LABELS.contractSigning };
    if (type && type !== 'custom') return { why: 'noDate', of: DATE_RANGE_LABELS[type] };
    if (needs === which)
      return { why: 'noDate', of: DATE_RANGE_LABELS[which === 'start' ? 'contractSigning' : 'maturity'] };
  }
  return null;
}

const MONTHS = { Monthly: 1, Quarterly: 3, Annually: 12 } as const;

/** The first day of the month, quarter or year after this day. */
export function nextBoundary(day: CalendarDate, months: number): CalendarDate {
  const [year = 0, month = 1] = day.split('-').map(Number);
  const first = Math.floor((month - 1) / months) * months + 1;
  return addMonths(`${String(year).padStart(4, '0')}-${String(first).padStart(2, '0')}-01`, months);
}

/** How many whole months, quarters or years of the range end in the period. */
function wholeUnits(months: number, { from, to }: Period, { start, end }: ReturnType<typeof rangeOf>): number {
  let count = 0;
  // A unit that ends with the last day before the period does not count: its boundary is `from`.
  for (let boundary = nextBoundary(from, months); boundary <= to; boundary = addMonths(boundary, months)) {
    const isWhole = (start === null || addMonths(boundary, -months) >= start) && (end === null || boundary <= end);
    if (isWhole) count += 1;
  }
  return count;
}

/** The parts of the period within which the basis does not change, each with it. */
function basisPieces(
  type: Basis,
  basis: InvoiceFeeBasis,
  { from, to }: Period,
): { from: CalendarDate; to: CalendarDate; sum: DecimalText }[] {
  const days = [...(basis.commitments ?? []), ...(basis.balance ?? [])].map((step) => step.from);
  const starts = [...new Set([from, ...days.filter((day) => day > from && day < to)])].sort();
  const pieces: { from: CalendarDate; to: CalendarDate; sum: DecimalText }[] = [];
  for (const [index, start] of starts.entries()) {
    const end = starts[index + 1] ?? to;
    const sum = basisOn(type, basis, start);
    const last = pieces.at(-1);
    if (last && compare(last.sum, sum) === 0) last.to = end;
    else pieces.push({ from: start, to: end, sum });
  }
  return pieces.filter(({ sum }) => !isZero(sum));
}

/** A fee of the terms with what it depends on, on days on which none of it changes. */
export interface DatedFee {
  readonly fee: TransactionFee;
  readonly timeline: Timeline | undefined;
  readonly dayCount: DayCount;
}

/** What a fee charges before it is rounded. */
interface Charge {
  readonly line: InvoiceLine;
  /** Of a percentage; null for an amount and for what is unknown. */
  readonly exact: Fraction | null;
}

/** @param anchor the first day of a fee without one */
function chargeOf(
  { fee, timeline, dayCount, period }: DatedFee & { readonly period: Period },
  basis: InvoiceFeeBasis,
  anchor: CalendarDate,
): Charge | null {
  const { currency } = basis;
  const digits = minorUnitDigits(currency);
  const { frequency, feeType } = fee;
  const type = basisOf(fee);
  const rate = typeof fee.rate === 'number' ? { sum: decimalOf(fee.rate), currency: null } : fee.rate;
  if (rate.currency && rate.currency !== currency) return null;
  if (fee.onPrepayment) return prepaymentCharge({ fee, timeline, period, rate: rate.sum }, basis);
  const isOnce = frequency === 'Beginning' || frequency === 'Ending';
  const rule =
    frequency === 'Beginning'
      ? 'first'
      : frequency === 'Ending'
        ? 'last'
        : rate.currency
          ? 'each'
          : fee.minimumUsage == null
            ? 'daily'
            : 'minimumUsage';
  const line = {
    kind: 'fees',
    title: fee.title,
    amount: null,
    rule,
    basis: rate.currency ? null : (feeType ?? null),
    dayCount: isAccruing(rule) ? dayCount : null,
    pieces: [],
    times: null,
    accrued: null,
    unknown: null,
    ...(!rate.currency && type && type !== 'Drawn Amount' && basis.commitments
      ? { committed: sumOn(basis.commitments, period.from) }
      : {}),
  } as const satisfies InvoiceLine;
  const unknown = (why: Unknown): Charge => ({ line: { ...line, unknown: why }, exact: null });
  const range = rangeOf(fee, timeline);
  const missing = missingDate(fee, range, frequency === 'Beginning' ? 'start' : frequency === 'Ending' ? 'end' : null);
  if (missing) return unknown(missing);

  if (isOnce) {
    const day = frequency === 'Beginning' ? range.start! : addDays(range.end!, -1);
    if (day < period.from || day >= period.to) return null;
    if (rate.currency) {
      return { line: { ...line, amount: rate.sum, times: { count: 1, each: rate.sum } }, exact: null };
    }
    const problem = unknownBasis(type, basis);
    if (problem || !type) return unknown(problem ?? { why: 'noBasis', of: null });
    const sum = basisOn(type, basis, day);
    const exact = multiplyFractions(multiplyFractions(decimalToFraction(sum), decimalToFraction(rate.sum)), HUNDREDTH);
    const piece = { from: day, to: addDays(day, 1), days: null, basis: sum, rate: rate.sum };
    return { line: { ...line, pieces: [{ ...piece, amount: fractionToDecimal(exact, digits + 4) }] }, exact };
  }

  const from = range.start !== null && range.start > period.from ? range.start : period.from;
  const to = range.end !== null && range.end < period.to ? range.end : period.to;
  if (from >= to) return null;
  if (rate.currency) {
    const count = wholeUnits(MONTHS[frequency], period, range);
    if (count === 0) return null;
    return {
      line: { ...line, amount: multiply(rate.sum, String(count)), times: { count, each: rate.sum } },
      exact: null,
    };
  }
  const problem = unknownBasis(type, basis);
  if (problem || !type) return unknown(problem ?? { why: 'noBasis', of: null });
  // One first day for all periods: the 30/360 conventions do not add up over split periods.
  const counted = basisPieces(type, basis, { from, to }).map((piece) => {
    const { days, fraction } = countPart(dayCount, range.start ?? anchor, piece.from, piece.to);
    const yearly = multiplyFractions(
      multiplyFractions(decimalToFraction(piece.sum), decimalToFraction(rate.sum)),
      HUNDREDTH,
    );
    return { ...piece, days, exact: multiplyFractions(yearly, fraction) };
  });
  const pieces = counted.map(
    (piece): InvoicePiece => ({
      from: piece.from,
      to: piece.to,
      days: piece.days,
      basis: piece.sum,
      rate: rate.sum,
      amount: fractionToDecimal(piece.exact, digits + 4),
    }),
  );
  return { line: { ...line, pieces }, exact: exactTotal(counted.map(({ exact }) => exact)) };
}

/** What is charged on principal that was repaid before it was due, in the period and the days of the fee. At its maturity it is due. */
function prepaymentCharge(
  { fee, timeline, period, rate }: Pick<DatedFee, 'fee' | 'timeline'> & { period: Period; rate: DecimalText },
  { currency, prepaid = [] }: InvoiceFeeBasis,
): Charge | null {
  const line = {
    kind: 'fees',
    title: fee.title,
    amount: null,
    rule: 'prepayment',
    basis: null,
    dayCount: null,
    pieces: [],
    times: null,
    accrued: null,
    unknown: null,
  } as const satisfies InvoiceLine;
  const repaid = prepaid.filter(({ from }) => period.from <= from && from < period.to);
  if (repaid.length === 0) return null;
  const range = rangeOf(fee, timeline);
  const missing = missingDate(fee, range, null);
  if (missing) return { line: { ...line, unknown: missing }, exact: null };
  const ends = [range.end, timeline?.maturity].flatMap((end) => end ?? []);
  const charged = repaid
    .filter(({ from }) => (range.start === null || range.start <= from) && ends.every((end) => from < end))
    .map((one) => ({ ...one, exact: multiplyFractions(percentOf(rate), decimalToFraction(one.sum)) }));
  const pieces = charged.map(
    ({ from, sum, exact }): InvoicePiece => ({
      from,
      to: addDays(from, 1),
      days: null,
      basis: sum,
      rate,
      amount: fractionToDecimal(exact, minorUnitDigits(currency) + 4),
    }),
  );
  return { line: { ...line, pieces }, exact: exactTotal(charged.map(({ exact }) => exact)) };
}

const percentOf = (rate: DecimalText): Fraction => multiplyFractions(decimalToFraction(rate), HUNDREDTH);

/** Whether a fee accrues each day. */
const isAccruing = (rule: InvoiceRule): boolean => rule === 'daily' || rule === 'minimumUsage';

/** Charges that are one line: of percentages that accrue, of prepayments, and of the same amount. */
const isOneLine = (one: InvoiceLine, other: InvoiceLine): boolean =>
  one.rule === other.rule &&
  (isAccruing(one.rule) ||
    one.rule === 'prepayment' ||
    (one.times !== null && other.times !== null && compare(one.times.each, other.times.each) === 0));

/** Several charges as one line, which is rounded once; null if they are nothing. */
function rounded(charges: readonly Charge[], currency: string): InvoiceLine | null {
  const [last, unknown] = [charges.at(-1)!.line, charges.find(({ line }) => line.unknown !== null)?.line];
  if (unknown) return unknown;
  const committed = charges.find(({ line }) => line.committed !== undefined)?.line.committed;
  const line = {
    ...last,
    ...(committed === undefined ? {} : { committed }),
    pieces: charges.flatMap(({ line: { pieces, dayCount } }) =>
      pieces.map((piece) => (dayCount && dayCount !== last.dayCount ? { ...piece, dayCount } : piece)),
    ),
  };
  const exact = charges.flatMap((charge) => charge.exact ?? []);
  if (exact.length > 0) {
    const amount = fractionToDecimal(exactTotal(exact), minorUnitDigits(currency));
    // It is said that the average was not below the minimum. So a later correction knows that the fee was calculated.
    if (line.rule === 'minimumUsage' && compare(amount, '0') <= 0) {
      return { ...line, amount: round('0', minorUnitDigits(currency)), pieces: [] };
    }
    return isZero(amount) ? null : { ...line, amount };
  }
  if (charges.length === 1) return line;
  const count = charges.reduce((all, charge) => all + (charge.line.times?.count ?? 0), 0);
  const each = last.times?.each ?? '0';
  return { ...line, amount: multiply(each, String(count)), times: { count, each } };
}

/**
 * What a fee of the terms charges in a period; nothing if it charges nothing. A percentage that recurs accrues each day on the
 * basis of that day. One with the frequency Beginning or Ending is charged once. Each line is rounded once.
 * @param parts the periods in order, each with the terms of its days
 */
export function feeLines(
  parts: readonly (DatedFee & { readonly period: Period })[],
  basis: InvoiceFeeBasis,
): InvoiceLine[] {
  const anchor = parts[0]?.period.from ?? '';
  const groups: Charge[][] = [];
  for (const part of parts) {
    const charge = chargeOf(part, basis, anchor);
    if (!charge) continue;
    const group = groups.find(([first]) => first && isOneLine(first.line, charge.line));
    if (group) group.push(charge);
    else groups.push([charge]);
  }
  return groups.flatMap((group) => rounded(group, basis.currency) ?? []);
}

/** What a fee charges in a period throughout which its terms are the same; null if it charges nothing. */
export function feeLine(
  fee: TransactionFee,
  { basis, ...terms }: Omit<DatedFee, 'fee'> & { period: Period; basis: InvoiceFeeBasis },
): InvoiceLine | null {
  return feeLines([{ fee, ...terms }], basis)[0] ?? null;
}
