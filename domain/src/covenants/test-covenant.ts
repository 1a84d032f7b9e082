import {
  addFractions,
  compareFractions,
  decimalToFraction,
  type Fraction,
  fraction,
  fractionToDecimal,
  multiplyFractions,
  reduceFraction,
  subtractFractions,
} from '../borrowing-base/exact.ts';
import type { CalendarDate } from '../dates/calendar-day.ts';
import type { ReportingPeriod } from '../dates/reporting-periods.ts';
import { type DecimalText, decimalOf } from '../money/decimal.ts';
import type { CovenantTerms } from './covenant.schema.ts';
import { calculate, type FormulaFigure, figureNames } from './covenant-formula.ts';
import type { CovenantBound, CovenantOutcome } from './covenant-labels.ts';
import { periodsOf } from './test-dates.ts';

/** Decimals of a stored figure. Whether a limit is kept is decided before rounding. */
const STORED_DIGITS = 8;
const stored = (value: Fraction): DecimalText => decimalOf(fractionToDecimal(value, STORED_DIGITS));

/** A figure that a test reads, with where it is from. */
export interface SourcedFigure extends FormulaFigure {
  /** The day that the figure is of. */
  readonly on: CalendarDate;
  /** A facility figure, or a certificate. */
  readonly source: { readonly resource: 'facilityFigures' | 'borrowingBases'; readonly id: string };
}

/** One period of a test, as it was read on its day. */
export interface TestedPeriod extends ReportingPeriod {
  readonly figures: readonly (SourcedFigure & { readonly name: string })[];
  /** Null if it is unknown. */
  readonly value: DecimalText | null;
}

/** What a test found. It is kept: data that arrive later do not change it. */
export interface TestedCovenant {
  readonly outcome: CovenantOutcome;
  /** The average over the periods, rounded to 8 decimals. */
  readonly value: DecimalText;
  readonly limit: DecimalText;
  /** How far the value is from the limit, negative beyond it. */
  readonly headroom: DecimalText;
  readonly periods: readonly TestedPeriod[];
}

/** A test that could not be made, and why. */
export interface UnknownCovenant {
  readonly outcome: null;
  readonly missing: string;
  readonly periods: readonly TestedPeriod[];
}

/** A springing test that does not apply on its date. */
export interface NotApplicable {
  readonly outcome: 'notApplicable';
  /** The figure that decides whether it applies. */
  readonly value: DecimalText;
  readonly periods: readonly TestedPeriod[];
}

/** A figure by its name, in a period. */
export type FiguresOfPeriods = (name: string, period: ReportingPeriod) => SourcedFigure | null;

type Tested = Pick<
  CovenantTerms,
  | 'formula'
  | 'unit'
  | 'currency'
  | 'bound'
  | 'steps'
  | 'frequency'
  | 'firstTest'
  | 'periods'
  | 'warningDistance'
  | 'springing'
>;

/** The limit that holds on a test date. */
export const limitOn = (steps: CovenantTerms['steps'], date: CalendarDate): DecimalText | null =>
  steps.filter(({ from }) => from <= date).at(-1)?.limit ?? null;

const headroomOf = (bound: CovenantBound, value: Fraction, limit: Fraction): Fraction =>
  bound === 'atMost' ? subtractFractions(limit, value) : subtractFractions(value, limit);

/** Makes a test of a date from what is known now. */
export function testCovenant(
  terms: Tested,
  date: CalendarDate,
  figuresOf: FiguresOfPeriods,
): TestedCovenant | UnknownCovenant | NotApplicable {
  const springs = terms.springing ? springsOn(terms, terms.springing, date, figuresOf) : null;
  if (springs && springs.outcome !== 'springs') return springs;
  const averaged = average(terms.formula, periodsOf(terms, date), figuresOf);
  const { periods } = averaged;
  if ('missing' in averaged) return { outcome: null, missing: averaged.missing, periods };
  const currency = terms.unit === 'money' ? terms.currency : null;
  if (averaged.currency !== (currency ?? null)) return { outcome: null, missing: unitProblem(terms), periods };
  const limit = limitOn(terms.steps, date);
  if (limit === null) return { outcome: null, missing: 'No limit holds on this date', periods };
  const headroom = headroomOf(terms.bound, averaged.value, decimalToFraction(limit));
  const warns =
    terms.warningDistance != null && compareFractions(headroom, decimalToFraction(terms.warningDistance)) < 0;
  return {
    outcome: headroom.numerator < 0n ? 'breached' : warns ? 'warning' : 'met',
    value: stored(averaged.value),
    limit,
    headroom: stored(headroom),
    periods,
  };
}

const unitProblem = ({ unit, currency }: Pick<Tested, 'unit' | 'currency'>): string =>
  unit === 'money' ? `The formula gives no amount in ${currency}` : 'The formula gives an amount of money';

function springsOn(
  terms: Tested,
  { formula, bound, limit }: NonNullable<Tested['springing']>,
  date: CalendarDate,
  figuresOf: FiguresOfPeriods,
): UnknownCovenant | NotApplicable | { outcome: 'springs' } {
  const read = average(formula, periodsOf({ ...terms, periods: 1 }, date), figuresOf);
  if ('missing' in read) return { outcome: null, missing: read.missing, periods: read.periods };
  const isBeyond = headroomOf(bound, read.value, decimalToFraction(limit)).numerator < 0n;
  if (isBeyond) return { outcome: 'springs' };
  return { outcome: 'notApplicable', value: stored(read.value), periods: read.periods };
}

type Averaged = { readonly periods: TestedPeriod[] } & (
  | { readonly value: Fraction; readonly currency: string | null }
  | { readonly missing: string }
);

/** The average of the values of a formula; the average is unknown if one of them is. */
function average(formula: string, periods: readonly ReportingPeriod[], figuresOf: FiguresOfPeriods): Averaged {
  const names = figureNames(formula);
  const tested: TestedPeriod[] = [];
  let total: { value: Fraction; currency: string | null } | null = null;
  let missing: string | null = null;
  for (const period of periods) {
    const known = new Map(names.map((name) => [name, figuresOf(name, period)]));
    const result = calculate(formula, (name) => known.get(name) ?? null);
    const isKnown = !('missing' in result);
    tested.push({
      ...period,
      figures: [...known].flatMap(([name, figure]) => (figure ? [{ name, ...figure }] : [])),
      value: isKnown ? stored(result.value) : null,
    });
    if (!isKnown) {
      missing ??= periods.length > 1 ? `${result.missing}, in the period to ${period.to}` : result.missing;
    } else if (total && total.currency !== result.currency) {
      missing ??= 'The periods are in different currencies';
    } else {
      const value: Fraction = total ? addFractions(total.value, result.value) : result.value;
      total = { value: reduceFraction(value), currency: result.currency };
    }
  }
  if (missing !== null || total === null) return { periods: tested, missing: missing ?? 'There is no period' };
  const value = reduceFraction(multiplyFractions(total.value, fraction(1n, BigInt(periods.length))));
  return { periods: tested, value, currency: total.currency };
}
