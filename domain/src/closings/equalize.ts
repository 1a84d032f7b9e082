import { Decimal } from 'decimal.js';
import type { LedgerCall } from '../capital/capital-figures.ts';
import { inSplitOrder, type SplitInvestor } from '../capital/split.ts';
import type { CalendarDate } from '../dates/calendar-date.ts';
import { type CountedPeriod, countPeriod } from '../interest/day-count.ts';
import {
  absolute,
  add,
  compare,
  type DecimalText,
  divide,
  fromScaled,
  isZero,
  max,
  min,
  multiply,
  subtract,
  sum,
} from '../money/decimal.ts';
import { splitByLargestRemainder } from '../money/shares.ts';
import type { EqualizationTerms } from './equalization-terms.ts';

type PurposeKind = LedgerCall['purposes'][number]['kind'];

/** A new investor, or the increase of a commitment. Its weight is what it commits at the closing. */
export interface Entrant extends SplitInvestor {
  /** The earlier commitment that increases; null for a new one. */
  readonly increases: string | null;
}

/** A purpose of a call that was issued before the closing. */
export interface CalledLine {
  readonly call: string;
  readonly callNumber: string;
  readonly title: string;
  readonly kind: PurposeKind;
  readonly dueDate: CalendarDate;
  /** What each earlier commitment paid for it, less what earlier closings returned. */
  readonly paid: ReadonlyMap<string, DecimalText>;
  /** What the own terms of entrants come to, for a fee by terms; the others pay at the rate that was paid. */
  readonly owed: ReadonlyMap<string, DecimalText>;
  /** The entrants that the call concerns: those of its class. */
  readonly concerns: readonly string[];
}

export interface EntrantPart {
  readonly id: string;
  readonly amount: DecimalText;
  readonly interest: DecimalText;
}

export interface EqualizedLine extends Omit<CalledLine, 'paid' | 'owed' | 'concerns'> {
  /** What all earlier investors paid. */
  readonly called: DecimalText;
  readonly days: number;
  readonly entrants: readonly EntrantPart[];
  /** What earlier commitments get back of it. */
  readonly refunds: readonly EntrantPart[];
  readonly toManager: { readonly amount: DecimalText; readonly interest: DecimalText };
}

/** One investor's position before and after. */
export interface EqualizedPosition {
  /** Of a commitment, or of a new entrant. */
  readonly id: string;
  readonly commitment: DecimalText;
  readonly added: DecimalText;
  readonly paysIn: { readonly capital: DecimalText; readonly interest: DecimalText };
  readonly receives: { readonly capital: DecimalText; readonly interest: DecimalText };
  /** What it receives less what it pays. */
  readonly net: DecimalText;
  /** Paid in for the equalized lines after the closing, without interest. */
  readonly paidIn: DecimalText;
  /** Its commitment as a percentage that it has paid in, without interest; null where it has committed nothing. */
  readonly paidPercent: DecimalText | null;
}

export interface Equalization {
  readonly lines: readonly EqualizedLine[];
  readonly positions: readonly EqualizedPosition[];
  readonly paidIn: { readonly capital: DecimalText; readonly interest: DecimalText };
  readonly returned: { readonly capital: DecimalText; readonly interest: DecimalText };
  readonly toManager: { readonly capital: DecimalText; readonly interest: DecimalText };
  /** What is paid in less what is paid out: always zero. */
  readonly difference: DecimalText;
}

const Exact = Decimal.clone({ precision: 50 });
const PERCENT_DIGITS = 2;

/** Interest on an amount from the due date of a call to the closing. None if it is due later. */
export function equalizationInterest(
  amount: DecimalText,
  terms: Pick<EqualizationTerms, 'ratePercent' | 'compounding'>,
  { fraction: { numerator, denominator } }: Pick<CountedPeriod, 'fraction'>,
  digits: number,
): DecimalText {
  if (terms.compounding === 'simple') {
    const exact = multiply(multiply(amount, terms.ratePercent), numerator.toString());
    return divide(exact, multiply('100', denominator.toString()), digits);
  }
  const years = new Exact(numerator.toString()).div(denominator.toString());
  const growth = new Exact(terms.ratePercent).div(100).plus(1).pow(years).minus(1);
  return divide(new Exact(amount).times(growth).toFixed(), '1', digits);
}

const NO_TIME: CountedPeriod = { days: 0, fraction: { numerator: 0n, denominator: 1n } };

/** Splits a sum by weights, to the minor unit, by largest remainder; ties to the larger weight and the lower code. */
function shared(total: DecimalText, all: readonly SplitInvestor[], digits: number): Map<string, DecimalText> {
  const order = inSplitOrder(all);
  if (order.length === 0 || isZero(total)) return new Map();
  const parts = splitByLargestRemainder(
    total,
    order.map(({ weight }) => weight),
    digits,
  );
  return new Map(order.map(({ id }, index) => [id, parts[index]!]));
}

/** What each entrant pays for a line. */
function amountsOf(
  { kind, paid, owed, concerns }: CalledLine,
  called: DecimalText,
  earlier: readonly SplitInvestor[],
  entrants: readonly Entrant[],
  digits: number,
): (entrant: Entrant) => DecimalText {
  const concerned = new Set(concerns);
  // Who paid nothing for it, because it was excused, shares nothing of it.
  const payers = earlier.filter(({ id }) => !isZero(paid.get(id) ?? '0'));
  const committed = sum(payers.map(({ weight }) => weight));
  if (kind === 'managementFee') {
    return ({ id, weight }) => {
      if (!concerned.has(id) || isZero(committed)) return '0';
      return owed.get(id) ?? divide(multiply(called, weight), committed, digits);
    };
  }
  const sharing = payers.length === 0 ? [] : [...payers, ...entrants.filter(({ id }) => concerned.has(id))];
  const parts = shared(called, sharing, digits);
  return ({ id }) => parts.get(id) ?? '0';
}

function equalizeLine(
  line: CalledLine,
  { earlier, entrants, terms, closingDate, digits }: EqualizationInput,
): EqualizedLine {
  const { paid, owed: _, concerns: __, ...shown } = line;
  const called = sum(paid.values());
  const amountOf = amountsOf(line, called, earlier, entrants, digits);
  const period = line.dueDate < closingDate ? countPeriod(terms.dayCount, line.dueDate, closingDate) : NO_TIME;
  const parts = entrants.map((entrant): EntrantPart => {
    const amount = amountOf(entrant);
    return { id: entrant.id, amount, interest: equalizationInterest(amount, terms, period, digits) };
  });
  const total = { amount: sum(parts.map(({ amount }) => amount)), interest: sum(parts.map((part) => part.interest)) };
  const isFee = line.kind === 'managementFee';
  const interestToManager = isFee && terms.feeInterestTo === 'manager';
  // What it gets back, and its interest, are in proportion to what it paid.
  const payers = earlier.map((one) => ({ ...one, weight: paid.get(one.id) ?? '0' }));
  const principal = shared(isFee ? '0' : total.amount, payers, digits);
  const interest = shared(interestToManager ? '0' : total.interest, payers, digits);
  return {
    ...shown,
    called,
    days: period.days,
    entrants: parts,
    refunds: earlier.map(({ id }) => ({ id, amount: principal.get(id) ?? '0', interest: interest.get(id) ?? '0' })),
    toManager: { amount: isFee ? total.amount : '0', interest: interestToManager ? total.interest : '0' },
  };
}

export interface EqualizationInput {
  readonly lines: readonly CalledLine[];
  /** The commitments before the closing. */
  readonly earlier: readonly SplitInvestor[];
  readonly entrants: readonly Entrant[];
  readonly terms: EqualizationTerms;
  readonly closingDate: CalendarDate;
  /** Decimals of the currency. */
  readonly digits: number;
}

const totalOf = (parts: readonly EntrantPart[]) => ({
  capital: sum(parts.map(({ amount }) => amount)),
  interest: sum(parts.map(({ interest }) => interest)),
});

/**
 * What investors who close later pay as if they had closed first, and to whom it goes: for each purpose of each call, a
 * share by commitment with interest from its due date to the closing. The earlier investors get it back in proportion to
 * what they paid for the purpose. A management fee is the manager's: nothing of it is returned.
 */
export function equalize(input: EqualizationInput): Equalization {
  const { earlier, entrants, terms } = input;
  const lines = input.lines
    .filter(({ kind }) => kind !== 'managementFee' || terms.feesFromFirstClosing)
    .map((line) => ({ line, equalized: equalizeLine(line, input) }));
  const all = lines.map(({ equalized }) => equalized);
  const partsOf = (side: 'entrants' | 'refunds', id: string) =>
    totalOf(all.flatMap((line) => line[side].filter((part) => part.id === id)));
  const positionOf = (earlierOne: SplitInvestor | null, entrant: Entrant | null): EqualizedPosition => {
    const paysIn = entrant ? partsOf('entrants', entrant.id) : { capital: '0', interest: '0' };
    const receives = earlierOne ? partsOf('refunds', earlierOne.id) : { capital: '0', interest: '0' };
    const before = earlierOne ? sum(lines.map(({ line }) => line.paid.get(earlierOne.id) ?? '0')) : '0';
    const commitment = add(earlierOne?.weight ?? '0', entrant?.weight ?? '0');
    const paidIn = subtract(add(before, paysIn.capital), receives.capital);
    return {
      id: earlierOne?.id ?? entrant!.id,
      commitment,
      added: entrant?.weight ?? '0',
      paysIn,
      receives,
      net: subtract(add(receives.capital, receives.interest), add(paysIn.capital, paysIn.interest)),
      paidIn,
      paidPercent: isZero(commitment) ? null : divide(multiply(paidIn, '100'), commitment, PERCENT_DIGITS),
    };
  };
  const increaseOf = new Map(
    entrants.flatMap((one) => (one.increases === null ? [] : [[one.increases, one] as const])),
  );
  const paidIn = totalOf(all.flatMap((line) => line.entrants));
  const returned = totalOf(all.flatMap((line) => line.refunds));
  const toManager = {
    capital: sum(all.map((line) => line.toManager.amount)),
    interest: sum(all.map((line) => line.toManager.interest)),
  };
  const whole = ({ capital, interest }: { capital: DecimalText; interest: DecimalText }) => add(capital, interest);
  return {
    lines: all,
    positions: [
      ...inSplitOrder(entrants.filter((one) => one.increases === null)).map((one) => positionOf(null, one)),
      ...[...inSplitOrder(earlier), ...earlier.filter(({ id, weight }) => isZero(weight) && increaseOf.has(id))].map(
        (one) => positionOf(one, increaseOf.get(one.id) ?? null),
      ),
    ],
    paidIn,
    returned,
    toManager,
    difference: subtract(whole(paidIn), add(whole(returned), whole(toManager))),
  };
}

/** The lowest and the highest percentage that investors have paid of their commitments: one figure if all agree. */
export function paidRange(positions: readonly EqualizedPosition[]): { low: DecimalText; high: DecimalText } | null {
  const [first, ...others] = positions.flatMap(({ paidPercent }) => paidPercent ?? []);
  if (first === undefined) return null;
  return { low: others.reduce(min, first), high: others.reduce(max, first) };
}

/** Units by which rounding can move what one investor paid for one line: when it was called, and at the closing. */
const MAX_ROUNDED_UNITS = 3;

/** Whether everyone has paid the same part of its commitment, except for the cents of rounding. */
export function isEqualized({ lines, positions }: Pick<Equalization, 'lines' | 'positions'>, digits: number): boolean {
  const whole = sum(positions.map(({ paidIn }) => paidIn));
  const committed = sum(positions.map(({ commitment }) => commitment));
  if (isZero(committed)) return true;
  const most = fromScaled(BigInt(MAX_ROUNDED_UNITS * lines.length), digits);
  return positions.every(({ paidIn, commitment }) => {
    const fair = divide(multiply(whole, commitment), committed, digits);
    return compare(absolute(subtract(paidIn, fair)), most) <= 0;
  });
}
