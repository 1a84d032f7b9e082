import { shownNumber } from '@tapeline/sheets/shown-number.ts';
import type { Formula, FormulaOperation } from './formula.ts';

const WORDS: Readonly<Record<Exclude<FormulaOperation, 'min' | 'max'>, string>> = {
  add: 'plus',
  subtract: 'minus',
  multiply: 'times',
  divide: 'divided by',
};

/** A formula as a sentence: "balance divided by appraised, times 100", "the days from Last paid to the cut-off date". */
export function formulaToSentence(formula: Formula): string {
  const written = describe(formula);
  return written.charAt(0).toUpperCase() + written.slice(1);
}

function describe(formula: Formula): string {
  switch (formula.kind) {
    case 'number':
      return shownNumber(formula.value);
    case 'column':
      return formula.name;
    case 'value':
      return 'the value';
    case 'cutOff':
      return 'the cut-off date';
    case 'negate':
      return `minus ${describePart(formula.of)}`;
    case 'absolute':
      return `${describePart(formula.of)} without its sign`;
    case 'round':
      return `${describePart(formula.of)} rounded to ${placesOf(formula.digits)}`;
    case 'between':
      return `the ${formula.unit} from ${describePart(formula.from)} to ${describePart(formula.to)}`;
    case 'combine':
      return describeCombination(formula);
  }
}

const placesOf = (digits: number): string =>
  digits === 0 ? 'a whole number' : `${digits} decimal ${digits === 1 ? 'place' : 'places'}`;

/** In brackets if it reads as several words joined. */
const describePart = (formula: Formula): string =>
  ['number', 'column', 'value', 'cutOff'].includes(formula.kind) ? describe(formula) : `(${describe(formula)})`;

type Combination = Extract<Formula, { kind: 'combine' }>;

function describeCombination(formula: Combination): string {
  const { operation, left, right } = formula;
  if (operation === 'min' || operation === 'max') {
    const parts = partsOf(formula, operation).map(describePart);
    const word = operation === 'min' ? 'smallest' : 'largest';
    return `the ${word} of ${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
  }
  // A chain is read from left to right, with a comma where the order would be unclear.
  const isChain = left.kind === 'combine' && left.operation !== 'min' && left.operation !== 'max';
  const isSame = isChain && isSum(left.operation) === isSum(operation);
  const before = isChain && (isSame || isSum(operation)) ? describe(left) : describePart(left);
  return `${before}${isSame && !isSum(operation) ? ',' : ''} ${WORDS[operation]} ${describePart(right)}`;
}

const isSum = (operation: FormulaOperation): boolean => operation === 'add' || operation === 'subtract';

/** `min(a, b, c)` is read as the smaller of two, twice. */
function partsOf(formula: Formula, operation: 'min' | 'max'): Formula[] {
  if (formula.kind !== 'combine' || formula.operation !== operation) return [formula];
  return [...partsOf(formula.left, operation), formula.right];
}
