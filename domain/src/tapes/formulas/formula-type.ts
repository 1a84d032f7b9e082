import { NUMERIC, VALUE_KIND_WORDS, type ValueKind } from '../value-kinds.ts';
import type { Formula } from './formula.ts';

export type FormulaType = 'number' | 'date';

const DATES: readonly ValueKind[] = ['date', 'cell', 'missing'];
const WANTS_UNIT = 'write the unit after the difference of two dates, for example “in days”';

/** What a formula calculates with: the kind of each column that it names, and of the result of the step before. */
export interface FormulaInputs {
  readonly input: ValueKind;
  kindOf(name: string): ValueKind;
}

/**
 * The type of a formula's result, or why it cannot be calculated. A cell is read as its position requires: as a date
 * beside a date, as a number elsewhere.
 */
export function formulaType(formula: Formula, inputs: FormulaInputs): { type: FormulaType } | { problem: string } {
  const type = knownType(formula, inputs) ?? 'number';
  const problem = problemOf(formula, type, inputs);
  return problem === null ? { type } : { problem };
}

/** The type of a part wherever it is used; null if its columns can be read as either. */
function knownType(formula: Formula, inputs: FormulaInputs): FormulaType | null {
  if (formula.kind === 'cutOff') return 'date';
  if (formula.kind === 'column' || formula.kind === 'value') {
    const kind = kindOf(formula, inputs);
    return kind === 'date' ? 'date' : DATES.includes(kind) ? null : 'number';
  }
  if (formula.kind !== 'combine') return 'number';
  const types = [knownType(formula.left, inputs), knownType(formula.right, inputs)];
  if (formula.operation !== 'min' && formula.operation !== 'max') return 'number';
  return types.includes('date') ? 'date' : (types[0] ?? types[1] ?? null);
}

const kindOf = (formula: Extract<Formula, { kind: 'column' | 'value' }>, { input, kindOf: of }: FormulaInputs) =>
  formula.kind === 'value' ? input : of(formula.name);

function problemOf(formula: Formula, wanted: FormulaType, inputs: FormulaInputs): string | null {
  switch (formula.kind) {
    case 'column':
    case 'value': {
      const kind = kindOf(formula, inputs);
      if (formula.kind === 'value' && kind === 'missing')
        return '“value” is the result of the step before; there is none';
      if ((wanted === 'date' ? DATES : NUMERIC).includes(kind)) return null;
      const name = formula.kind === 'value' ? '“value”' : `“${formula.name}”`;
      if (wanted === 'date') return `${name} is ${VALUE_KIND_WORDS[kind]}, not a date`;
      return kind === 'date'
        ? `${name} is a date; ${WANTS_UNIT}`
        : `${name} is ${VALUE_KIND_WORDS[kind]}, not a number`;
    }
    case 'cutOff':
      return wanted === 'date' ? null : `“cutOff” is a date; ${WANTS_UNIT}`;
    case 'between':
      return wanted === 'date'
        ? 'a date is needed, not a number'
        : (problemOf(formula.from, 'date', inputs) ?? problemOf(formula.to, 'date', inputs));
    case 'combine': {
      const isChoice = formula.operation === 'min' || formula.operation === 'max';
      if (wanted === 'date' && !isChoice) return 'a date is needed, not a number';
      return problemOf(formula.left, wanted, inputs) ?? problemOf(formula.right, wanted, inputs);
    }
    case 'number':
      return wanted === 'date' ? `${formula.value} is a number, not a date` : null;
    default:
      return wanted === 'date' ? 'a date is needed, not a number' : problemOf(formula.of, 'number', inputs);
  }
}
