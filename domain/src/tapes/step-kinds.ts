import { formulaType } from './formulas/formula-type.ts';
import { parseFormula } from './formulas/parse-formula.ts';
import type { Serialization, StepLiteral, StepOperand } from './serialization.schema.ts';
import { NUMERIC, PLAIN, TEXTUAL, VALUE_KIND_WORDS, type ValueKind } from './value-kinds.ts';

export type StepOutput = { readonly kind: ValueKind } | { readonly problem: string };

/** The kinds that each step takes; any kind if omitted. */
const TAKES: Readonly<Partial<Record<Serialization['type'], readonly ValueKind[]>>> = {
  text: TEXTUAL,
  number: NUMERIC,
  boolean: [...PLAIN, 'boolean'],
  date: [...PLAIN, 'date'],
  percentage: PLAIN,
  SerializedPercentage: PLAIN,
  SerializedSum: PLAIN,
  SerializedTerm: PLAIN,
  SerializedInterest: PLAIN,
  distance: PLAIN,
  weight: PLAIN,
  assetStatus: ['cell', 'missing', 'text', 'status'],
  add: NUMERIC,
  subtract: NUMERIC,
  multiply: NUMERIC,
  divide: NUMERIC,
  power: NUMERIC,
  min: NUMERIC,
  max: NUMERIC,
  absolute: NUMERIC,
  negate: NUMERIC,
  round: NUMERIC,
  trim: TEXTUAL,
  upper: TEXTUAL,
  lower: TEXTUAL,
  replaceStrings: TEXTUAL,
  slice: TEXTUAL,
  concat: TEXTUAL,
  split: TEXTUAL,
  padStart: TEXTUAL,
  regexExtract: TEXTUAL,
  hash: TEXTUAL,
  rowNumber: TEXTUAL,
  switchCase: TEXTUAL,
  datesDiff: ['missing', 'date'],
  omit: TEXTUAL,
};

const MAKES: Readonly<Partial<Record<Serialization['type'], ValueKind>>> = {
  text: 'text',
  number: 'number',
  boolean: 'boolean',
  date: 'date',
  percentage: 'percentage',
  SerializedPercentage: 'percentage',
  SerializedSum: 'amount',
  SerializedTerm: 'term',
  SerializedInterest: 'interest',
  distance: 'number',
  weight: 'number',
  assetStatus: 'status',
  add: 'number',
  subtract: 'number',
  multiply: 'number',
  divide: 'number',
  power: 'number',
  min: 'number',
  max: 'number',
  absolute: 'number',
  negate: 'number',
  round: 'number',
  trim: 'text',
  upper: 'text',
  lower: 'text',
  replaceStrings: 'text',
  slice: 'text',
  concat: 'text',
  split: 'text',
  padStart: 'text',
  regexExtract: 'text',
  hash: 'text',
  rowNumber: 'text',
  datesDiff: 'number',
};

/**
 * The kind that a step makes of `input`, or a message that says what is wrong with it.
 * @param kindOf the kind of a column that the step names; `cell` for a header.
 */
export function stepOutput(step: Serialization, input: ValueKind, kindOf: (name: string) => ValueKind): StepOutput {
  const takes = TAKES[step.type];
  if (takes && !takes.includes(input)) {
    const hint = step.type === 'datesDiff' ? '; convert it with a date step first' : '';
    return { problem: `cannot work on ${VALUE_KIND_WORDS[input]}${hint}` };
  }
  switch (step.type) {
    case 'ifStatement':
      return unify([operandKind(step.then, input, kindOf), operandKind(step.else, input, kindOf)]);
    case 'switchCase': {
      const kinds = step.cases.map((each) => operandKind(each.then, input, kindOf));
      if (step.default !== undefined) kinds.push(operandKind(step.default, input, kindOf));
      return unify(kinds);
    }
    case 'omit':
      return { kind: input };
    case 'datesDiff': {
      if (step.column === undefined) return { kind: 'number' };
      const other = kindOf(step.column);
      return other === 'date' || other === 'cell' || other === 'missing'
        ? { kind: 'number' }
        : { problem: `"${step.column}" is ${VALUE_KIND_WORDS[other]}, not a date` };
    }
    case 'calculate': {
      const found = formulaType(parseFormula(step.formula), { input, kindOf });
      return 'problem' in found ? found : { kind: found.type };
    }
    case 'SerializedSum': {
      if (step.currencyColumn === undefined) return { kind: 'amount' };
      return readable(step.currencyColumn, kindOf, TEXTUAL, 'amount', 'text');
    }
    case 'concat': {
      for (const part of step.parts) {
        if (!('column' in part)) continue;
        const outcome = readable(part.column, kindOf, TEXTUAL, 'text', 'text');
        if ('problem' in outcome) return outcome;
      }
      return { kind: 'text' };
    }
    default: {
      if ('column' in step && step.column !== undefined) {
        return readable(step.column, kindOf, NUMERIC, 'number', 'a number');
      }
      const kind = MAKES[step.type];
      if (kind === undefined) throw new Error(`Unknown step type: ${step.type}`);
      return { kind };
    }
  }
}

function readable(
  name: string,
  kindOf: (name: string) => ValueKind,
  allowed: readonly ValueKind[],
  makes: ValueKind,
  word: string,
): StepOutput {
  const kind = kindOf(name);
  return allowed.includes(kind)
    ? { kind: makes }
    : { problem: `"${name}" is ${VALUE_KIND_WORDS[kind]}, and cannot be converted to ${word}` };
}

export const isOperandColumn = (operand: StepOperand | undefined): operand is { column: string } =>
  typeof operand === 'object' && operand !== null && 'column' in operand;
export const isOperandPrevious = (operand: StepOperand | undefined): operand is { previous: true } =>
  typeof operand === 'object' && operand !== null && 'previous' in operand;

export function literalKind(literal: StepLiteral): ValueKind {
  if (literal === null) return 'missing';
  return typeof literal === 'number' ? 'number' : typeof literal === 'boolean' ? 'boolean' : 'text';
}

function operandKind(operand: StepOperand, input: ValueKind, kindOf: (name: string) => ValueKind): ValueKind {
  if (isOperandPrevious(operand)) return input;
  if (isOperandColumn(operand)) return kindOf(operand.column);
  return literalKind(operand as StepLiteral);
}

/**
 * The common kind of the results of several branches: missing fits any kind, and a cell takes the kind of the others.
 */
function unify(kinds: readonly ValueKind[]): StepOutput {
  const distinct = [...new Set(kinds.filter((kind) => kind !== 'missing'))];
  const typed = distinct.filter((kind) => kind !== 'cell');
  const [first, second] = typed;
  if (first === undefined) return { kind: distinct.length > 0 ? 'cell' : 'missing' };
  if (second !== undefined) {
    return {
      problem: `one branch gives ${VALUE_KIND_WORDS[first]} and another ${VALUE_KIND_WORDS[second]}; use one kind for both`,
    };
  }
  if (distinct.includes('cell') && !['text', 'number', 'boolean'].includes(first)) {
    return { problem: `a branch gives a cell as read and another ${VALUE_KIND_WORDS[first]}; convert the cell first` };
  }
  return { kind: first };
}
