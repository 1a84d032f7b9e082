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
import { type DecimalText, decimalOf, round } from '../money/decimal.ts';
import { columnsOfFormula, type Formula } from '../tapes/formulas/formula.ts';
import { readFormula } from '../tapes/formulas/parse-formula.ts';

/** A figure that a formula reads. */
export interface FormulaFigure {
  readonly value: DecimalText;
  /** Null for a figure that is no money. */
  readonly currency: string | null;
}

/** An exact result, or the first reason why there is none. */
export type Calculated = { readonly value: Fraction; readonly currency: string | null } | { readonly missing: string };

/** The parts of the formulas of mappings that mean nothing where there is no row of a tape. */
const ONLY_ON_TAPES: readonly Formula['kind'][] = ['value', 'cutOff', 'between'];

function kindsOf(formula: Formula): Formula['kind'][] {
  switch (formula.kind) {
    case 'negate':
    case 'absolute':
    case 'round':
      return [formula.kind, ...kindsOf(formula.of)];
    case 'combine':
      return [formula.kind, ...kindsOf(formula.left), ...kindsOf(formula.right)];
    default:
      return [formula.kind];
  }
}

/** A formula of figures, such as `[60+ days past due] / [Total Relevant Pool] * 100`, or what is wrong with it. */
export function readFigureFormula(written: string): { readonly formula: Formula } | { readonly problem: string } {
  const read = readFormula(written);
  if ('problem' in read) return read;
  if (kindsOf(read.formula).some((kind) => ONLY_ON_TAPES.includes(kind))) {
    return { problem: 'The formula reads figures by their names in square brackets, and no dates or rows' };
  }
  if (columnsOfFormula(read.formula).length === 0) return { problem: 'The formula names no figure' };
  return read;
}

/** The figures that a formula names. A formula that cannot be read names none. */
export function figureNames(written: string): string[] {
  const read = readFigureFormula(written);
  return 'problem' in read ? [] : columnsOfFormula(read.formula);
}

/** The exact value of a formula. Money of two currencies is never added, and what is divided by zero is unknown. */
export function calculate(written: string, figureOf: (name: string) => FormulaFigure | null): Calculated {
  const read = readFigureFormula(written);
  return 'problem' in read ? { missing: read.problem } : calculated(read.formula, figureOf);
}

function calculated(formula: Formula, figureOf: (name: string) => FormulaFigure | null): Calculated {
  switch (formula.kind) {
    case 'number':
      return { value: decimalToFraction(decimalOf(formula.value)), currency: null };
    case 'column': {
      const figure = figureOf(formula.name);
      return figure
        ? { value: decimalToFraction(figure.value), currency: figure.currency }
        : { missing: `${formula.name} is not known` };
    }
    case 'negate':
    case 'absolute':
    case 'round': {
      const of = calculated(formula.of, figureOf);
      if ('missing' in of) return of;
      return { value: changed(formula, of.value), currency: of.currency };
    }
    case 'combine': {
      const left = calculated(formula.left, figureOf);
      if ('missing' in left) return left;
      const right = calculated(formula.right, figureOf);
      return 'missing' in right ? right : combined(formula.operation, left, right);
    }
    default:
      return { missing: 'The formula cannot be read' };
  }
}

function changed(formula: Extract<Formula, { kind: 'negate' | 'absolute' | 'round' }>, value: Fraction): Fraction {
  if (formula.kind === 'round') {
    // Far more digits than a formula can round to.
    return decimalToFraction(round(fractionToDecimal(value, 24), formula.digits));
  }
  const isBelow = value.numerator < 0n;
  return formula.kind === 'negate' || isBelow ? fraction(-value.numerator, value.denominator) : value;
}

type Known = Exclude<Calculated, { missing: string }>;

const DIFFERENT_CURRENCIES = { missing: 'The figures are in different currencies' };

function combined(
  operation: Extract<Formula, { kind: 'combine' }>['operation'],
  left: Known,
  right: Known,
): Calculated {
  if (operation === 'multiply') {
    if (left.currency !== null && right.currency !== null) return { missing: 'Two amounts of money are multiplied' };
    return {
      value: reduceFraction(multiplyFractions(left.value, right.value)),
      currency: left.currency ?? right.currency,
    };
  }
  if (operation === 'divide') {
    if (right.currency !== null && right.currency !== left.currency) return DIFFERENT_CURRENCIES;
    if (right.value.numerator === 0n) return { missing: 'A figure is divided by zero' };
    const { numerator, denominator } = right.value;
    const inverse = numerator < 0n ? fraction(-denominator, -numerator) : fraction(denominator, numerator);
    return {
      value: reduceFraction(multiplyFractions(left.value, inverse)),
      currency: right.currency === null ? left.currency : null,
    };
  }
  if (left.currency !== right.currency) return DIFFERENT_CURRENCIES;
  const { currency } = left;
  switch (operation) {
    case 'add':
      return { value: reduceFraction(addFractions(left.value, right.value)), currency };
    case 'subtract':
      return { value: reduceFraction(subtractFractions(left.value, right.value)), currency };
    case 'min':
      return compareFractions(left.value, right.value) <= 0 ? left : right;
    case 'max':
      return compareFractions(left.value, right.value) >= 0 ? left : right;
  }
}
