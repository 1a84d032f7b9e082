import type { TimeUnit } from '../../dates/calendar-date.ts';

/** Limits of one formula: characters, nesting of brackets and functions, and numbers, columns and operations together. */
export const FORMULA_LIMITS = { characters: 500, depth: 16, nodes: 200 } as const;

/** The nodes of all formulas of one mapping together, so that it compiles in bounded time. */
export const MAX_MAPPING_NODES = 2_000;

export type FormulaOperation = 'add' | 'subtract' | 'multiply' | 'divide' | 'min' | 'max';

/** A formula that was read. What is compared or combined is checked by `formulaType`. */
export type Formula =
  | { readonly kind: 'number'; readonly value: number }
  /** A header of the tape, or the target of an earlier rule. */
  | { readonly kind: 'column'; readonly name: string }
  /** The result of the step before. */
  | { readonly kind: 'value' }
  | { readonly kind: 'cutOff' }
  | { readonly kind: 'negate' | 'absolute'; readonly of: Formula }
  | { readonly kind: 'round'; readonly of: Formula; readonly digits: number }
  | {
      readonly kind: 'combine';
      readonly operation: FormulaOperation;
      readonly left: Formula;
      readonly right: Formula;
    }
  /** The time from one date to another. */
  | { readonly kind: 'between'; readonly from: Formula; readonly to: Formula; readonly unit: TimeUnit };

/** The parts that a part is calculated from. */
function innerFormulas(formula: Formula): readonly Formula[] {
  switch (formula.kind) {
    case 'negate':
    case 'absolute':
    case 'round':
      return [formula.of];
    case 'combine':
      return [formula.left, formula.right];
    case 'between':
      return [formula.from, formula.to];
    default:
      return [];
  }
}

export const countNodes = (formula: Formula): number =>
  innerFormulas(formula).reduce((count, inner) => count + countNodes(inner), 1);

/** The columns that a formula names, each once, in order. */
export function columnsOfFormula(formula: Formula): string[] {
  if (formula.kind === 'column') return [formula.name];
  return [...new Set(innerFormulas(formula).flatMap(columnsOfFormula))];
}
