import {
  addFractions,
  decimalToFraction,
  type Fraction,
  floorDivide,
  fraction,
  fractionToDecimal,
  multiplyFractions,
  reduceFraction,
  subtractFractions,
} from '../borrowing-base/exact.ts';
import type { TestedCovenants, TestedDay } from '../covenants/tested-days.ts';
import { addDays, type CalendarDate, daysBetween } from '../dates/calendar-day.ts';
import { isFunded, type NoteLedger } from '../facilities/ledger.ts';
import { type BASE_RATES, DEFAULT_DAY_COUNT, type TransactionInterest } from '../facilities/terms.schema.ts';
import { DEFAULT_DAYS_AFTER_TEST } from '../facilities/terms-labels.ts';
import {
  add,
  compare,
  type DecimalText,
  fromScaled,
  negate,
  round,
  subtract,
  sum,
  toScaled,
} from '../money/decimal.ts';
import { minorUnitDigits } from '../money/minor-units.ts';
import { type CountedPeriod, countPeriod, type DayCount } from './day-count.ts';
import { type Fixing, type PricingTier, type RateBound, type RatedDays, rateOf } from './rates.ts';

/** The fixings of each base rate, the earliest first. */
export type Fixings = Readonly<Partial<Record<(typeof BASE_RATES)[number], readonly Fixing[]>>>;

/** Days on which neither the balance nor the rate changed. The first day counts, the last does not. */
export interface InterestSegment {
  from: CalendarDate;
  to: CalendarDate;
  /** Days as the day count counts them. */
  days: number;
  /** The part of a year, to 12 decimals. */
  yearFraction: DecimalText;
  balance: DecimalText;
  /** Null for fixed interest. */
  baseRate: DecimalText | null;
  fixingDate: CalendarDate | null;
  /** Calendar days of the segment that had no fixing of their own, so that the earlier one was used. */
  carriedDays: number;
  spread: DecimalText | null;
  /** Base rate within its range, and spread, at least the minimum interest; in percent. */
  rate: DecimalText;
  /** Null if the rate is base rate and spread as they are. */
  bound: RateBound | null;
  /** With a pricing grid: the utilization, or the figure of its covenant, from which its rate applies. Omitted without a grid. */
  tier?: PricingTier;
  /** With a grid by a covenant: the result that counted, null if there was none. Omitted otherwise. */
  tested?: DecimalText | null;
  /** While an event of default lasts: the percentage points that the rate has of it. */
  defaultMargin?: DecimalText;
  /** The percentage points of the rate that are added to the principal instead of being paid. Omitted if none are. */
  inKind?: DecimalText;
  /** Rounded so that the segments add up to the interest accrued. */
  interest: DecimalText;
  /** Where an amendment changed the day count: that of these days. Omitted if it is that of the whole. */
  dayCount?: DayCount;
}

/** The interest terms from a day on; null of interest where the terms have none. */
export interface InterestStep {
  /** Null for what applies from the beginning. */
  readonly from: CalendarDate | null;
  readonly value: TransactionInterest | null;
  /** Whether an event of default lasts. */
  readonly isDefault?: boolean;
}

/** An amount from a day on: a balance, or commitments. */
export interface BasisStep {
  readonly from: CalendarDate;
  readonly sum: DecimalText;
}

/** The interest of a note in one currency, from its first draw to `asOf`. */
export interface AccruedInterest {
  currency: string;
  /** Of the latest terms. */
  dayCount: DayCount;
  /** The first day with a balance; null if there was none. */
  from: CalendarDate | null;
  asOf: CalendarDate;
  segments: InterestSegment[];
  /** Null if a fixing is missing. */
  accrued: DecimalText | null;
  paid: DecimalText;
  /** Accrued and not paid; negative if more was paid. Null if a fixing is missing. */
  unpaid: DecimalText | null;
  /** The first day whose fixing is missing. */
  missingFrom: CalendarDate | null;
}

export interface Movement {
  readonly date: CalendarDate;
  readonly sum: DecimalText;
}

interface InterestPeriod extends RatedDays {
  readonly from: CalendarDate;
  readonly to: CalendarDate;
}

const fixingsOf = (interest: TransactionInterest | null, fixings: Fixings): readonly Fixing[] =>
  interest?.kind === 'variable' ? (fixings[interest.baseRate] ?? []) : [];

/** What pricing grids look at: commitments of each day, null where they are unknown, and what covenants found. */
interface PricingFacts {
  readonly commitments: readonly BasisStep[] | null;
  readonly tests?: TestedCovenants | undefined;
}

/** The results that the grid of an interest looks at, by the day from which they count. Null without a known covenant. */
function countedResults(interest: TransactionInterest | null, tests: TestedCovenants): TestedDay[] | null {
  const test = interest?.pricingGrid?.test;
  const results = test && tests[test.covenant];
  if (!results) return null;
  const days = test.daysAfter ?? DEFAULT_DAYS_AFTER_TEST;
  return results.map(({ date, value }) => ({ date: addDays(date, days), value }));
}

/** The periods within which nothing changes, between the first day with a balance and `asOf`. */
function periodsOf(
  movements: readonly Movement[],
  steps: readonly InterestStep[],
  fixings: Fixings,
  asOf: CalendarDate,
  { commitments, tests = {} }: PricingFacts,
): InterestPeriod[] {
  const fixed = steps.flatMap(({ from, value }, index) => {
    const until = steps[index + 1]?.from ?? asOf;
    return fixingsOf(value, fixings).filter(({ date }) => (from === null || date >= from) && date < until);
  });
  const changed = steps.flatMap(({ from }) => (from === null ? [] : [{ date: from }]));
  const isPriced = steps.some(({ value }) => value?.pricingGrid);
  const committed = isPriced ? (commitments ?? []).map(({ from }) => ({ date: from })) : [];
  const resultsOf = new Map(steps.map(({ value }) => [value, countedResults(value, tests)]));
  const tested = [...resultsOf.values()].flatMap((results) => results ?? []);
  const dates = new Set(
    [...movements, ...changed, ...fixed, ...committed, ...tested].map(({ date }) => date).filter((date) => date < asOf),
  );
  const starts = [...dates].sort();
  let balance: DecimalText = '0';
  let [movement, step, fixing] = [0, 0, -1];
  let ofRate = fixingsOf(steps[0]?.value ?? null, fixings);
  return starts.flatMap((from, index) => {
    while (movement < movements.length && movements[movement]!.date <= from) {
      balance = add(balance, movements[movement]!.sum);
      movement += 1;
    }
    while (step + 1 < steps.length && steps[step + 1]!.from! <= from) {
      step += 1;
      [ofRate, fixing] = [fixingsOf(steps[step]!.value, fixings), -1];
    }
    while (fixing + 1 < ofRate.length && ofRate[fixing + 1]!.date <= from) fixing += 1;
    const interest = steps[step]?.value;
    // Nothing accrues on a balance that was repaid in full, or on a repayment that is dated before its draw.
    if (!interest || compare(balance, '0') <= 0) return [];
    const results = resultsOf.get(interest);
    const result = results?.findLast(({ date }) => date <= from);
    return [
      {
        from,
        to: starts[index + 1] ?? asOf,
        balance,
        committed: commitments?.findLast((one) => one.from <= from)?.sum ?? null,
        tested: results && !result ? 'none' : (result?.value ?? null),
        interest,
        isDefault: steps[step]?.isDefault === true,
        fixing: ofRate[fixing] ?? null,
      },
    ];
  });
}

const difference = (a: Fraction, b: Fraction): Fraction =>
  a.denominator === b.denominator
    ? fraction(a.numerator - b.numerator, a.denominator)
    : reduceFraction(subtractFractions(a, b));

/** The exact sum. Most parts share a few denominators, so these are added first. */
export function exactTotal(parts: readonly Fraction[]): Fraction {
  const byDenominator = new Map<bigint, bigint>();
  for (const { numerator, denominator } of parts)
    byDenominator.set(denominator, (byDenominator.get(denominator) ?? 0n) + numerator);
  return [...byDenominator].reduce(
    (sumOfAll, [denominator, numerator]) => reduceFraction(addFractions(sumOfAll, fraction(numerator, denominator))),
    fraction(0n),
  );
}

/**
 * The part of a period that begins with `anchor`. The 30/360 conventions do not add up over split periods, so each part
 * is the difference of two counts from the first day of the accrual: the parts always add up to the whole.
 */
export function countPart(
  dayCount: DayCount,
  anchor: CalendarDate,
  from: CalendarDate,
  to: CalendarDate,
): CountedPeriod {
  const [before, until] = [countPeriod(dayCount, anchor, from), countPeriod(dayCount, anchor, to)];
  return {
    days: until.days - before.days,
    fraction: difference(until.fraction, before.fraction),
  };
}

/** Rounds exact parts to `digits` so that they add up to their rounded total: the largest remainders are rounded up. */
function roundParts(parts: readonly Fraction[], digits: number): { total: DecimalText; parts: DecimalText[] } {
  const scale = 10n ** BigInt(digits);
  const rounded = fractionToDecimal(exactTotal(parts), digits);
  const floors = parts.map(({ numerator, denominator }) => floorDivide(numerator * scale, denominator));
  const rest = parts.map(({ numerator, denominator }, index) => ({
    index,
    part: Number(numerator * scale - floors[index]! * denominator) / Number(denominator),
  }));
  rest.sort((a, b) => b.part - a.part || a.index - b.index);
  const left = Number(toScaled(rounded, digits) - floors.reduce((all, part) => all + part, 0n));
  for (const { index } of rest.slice(0, left)) floors[index]! += 1n;
  return { total: rounded, parts: floors.map((part) => fromScaled(part, digits)) };
}

/** Of a rate in percent. */
export const HUNDREDTH = fraction(1n, 100n);

/** The day count of the last interest terms before a day, or of the first ones. */
export function dayCountBefore(steps: readonly InterestStep[], day: CalendarDate): DayCount {
  const known = steps.filter(({ value }) => value !== null);
  const last = known.findLast(({ from }) => from === null || from < day) ?? known[0];
  return last?.value?.dayCount ?? DEFAULT_DAY_COUNT;
}

/** Simple interest on the balance in one currency: interest that is not paid bears no interest. */
function accrueIn(
  currency: string,
  {
    steps,
    fixings,
    asOf,
    ...facts
  }: {
    steps: readonly InterestStep[];
    fixings: Fixings;
    asOf: CalendarDate;
  } & PricingFacts,
  movements: readonly Movement[],
  payments: readonly Movement[],
): AccruedInterest {
  const digits = minorUnitDigits(currency);
  const dayCount = dayCountBefore(steps, asOf);
  const inOrder = movements.toSorted((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0));
  const periods = periodsOf(inOrder, steps, fixings, asOf, facts);
  const anchor = periods[0]?.from ?? null;
  const exact: Fraction[] = [];
  const segments: InterestSegment[] = [];
  let missingFrom: CalendarDate | null = null;
  for (const period of periods) {
    const { from, to, balance, interest } = period;
    const own = interest.dayCount ?? DEFAULT_DAY_COUNT;
    const applied = rateOf(period);
    if (!applied) {
      missingFrom ??= from;
      continue;
    }
    const counted = countPart(own, anchor ?? from, from, to);
    const yearly = multiplyFractions(
      multiplyFractions(decimalToFraction(balance), decimalToFraction(applied.rate)),
      HUNDREDTH,
    );
    exact.push(multiplyFractions(yearly, counted.fraction));
    segments.push({
      from,
      to,
      days: counted.days,
      yearFraction: fractionToDecimal(counted.fraction, 12),
      balance,
      carriedDays: applied.fixingDate === null ? 0 : daysBetween(from, to) - (applied.fixingDate === from ? 1 : 0),
      ...applied,
      interest: '0',
      ...(own === dayCount ? {} : { dayCount: own }),
    });
  }
  const rounded = roundParts(exact, digits);
  for (const [index, segment] of segments.entries()) segment.interest = rounded.parts[index]!;
  const accrued = missingFrom === null ? rounded.total : null;
  const paid = round(sum(payments.filter(({ date }) => date <= asOf).map((payment) => payment.sum)), digits);
  return {
    currency,
    dayCount,
    from: anchor,
    asOf,
    segments,
    accrued,
    paid,
    unpaid: accrued === null ? null : round(subtract(accrued, paid), digits),
    missingFrom,
  };
}

/** What changed the balance, and what interest was paid, by currency. */
export function movementsOf(ledger: NoteLedger): { balance: Map<string, Movement[]>; paid: Map<string, Movement[]> } {
  const balance = new Map<string, Movement[]>();
  const paid = new Map<string, Movement[]>();
  const push = (to: Map<string, Movement[]>, currency: string, movement: Movement) => {
    const known = to.get(currency);
    if (known) known.push(movement);
    else to.set(currency, [movement]);
  };
  for (const { dueDate, draws } of ledger.draws) {
    for (const { type, amounts } of draws) {
      if (!isFunded(type)) continue;
      for (const amount of amounts) push(balance, amount.currency, { date: dueDate, sum: amount.sum });
    }
  }
  for (const { cutOffDate, repayments } of ledger.repayments) {
    for (const { kind, amount } of repayments) {
      if (kind === 'principal') push(balance, amount.currency, { date: cutOffDate, sum: negate(amount.sum) });
      if (kind === 'interest') push(paid, amount.currency, { date: cutOffDate, sum: amount.sum });
    }
  }
  return { balance, paid };
}

/**
 * The interest of a note to `asOf`, by currency in alphabetical order: a draw bears interest from its due date, and
 * principal that is repaid stops on the day of the repayment.
 * @param terms.interest the terms of the whole time, or those of each day
 * @param terms.fixings of every base rate that the interest may refer to
 * @param terms.commitments of each day, for a pricing grid by utilization; null where they are unknown
 * @param terms.tests of the covenants that pricing grids name; a grid whose covenant is missing has its highest rate
 */
export function noteInterest(
  ledger: NoteLedger,
  {
    interest,
    fixings,
    asOf,
    commitments,
    tests,
  }: {
    interest: TransactionInterest | readonly InterestStep[];
    fixings: Fixings;
    asOf: CalendarDate;
    commitments?: (currency: string) => readonly BasisStep[] | null;
    tests?: TestedCovenants | undefined;
  },
): AccruedInterest[] {
  const steps: readonly InterestStep[] = 'kind' in interest ? [{ from: null, value: interest }] : interest;
  const { balance, paid } = movementsOf(ledger);
  return [...new Set([...balance.keys(), ...paid.keys()])]
    .sort()
    .map((currency) =>
      accrueIn(
        currency,
        { steps, fixings, asOf, commitments: commitments?.(currency) ?? null, tests },
        balance.get(currency) ?? [],
        paid.get(currency) ?? [],
      ),
    );
}
