import { countNodes } from '@tapeline/domain/tapes/formulas/formula.ts';
import { LONGEST_TEXT } from '@tapeline/domain/tapes/longest-text.ts';
import type { MappingPlan } from '@tapeline/domain/tapes/mapping-plan.ts';
import type { ColumnSource, PlannedStep } from '@tapeline/domain/tapes/planned-rule.ts';
import type { StepOperand } from '@tapeline/domain/tapes/serialization.schema.ts';
import { isOperandColumn, isOperandPrevious } from '@tapeline/domain/tapes/step-kinds.ts';
import { LONGEST_QUOTE } from './mapping-compiler.ts';

/** Maximum length of a character in UTF-8. */
const CHARACTER_BYTES = 4;
/**
 * Upper bound for a value that is not text, the text of a number or date, and the overhead that DuckDB stores with each
 * value.
 */
const SMALL_BYTES = 64;
/** Size of DuckDB's entry for one text in a list. */
const ENTRY_BYTES = 16;
const MAX_BYTES = LONGEST_TEXT * CHARACTER_BYTES;

const bytesIn = (text: string): number => Buffer.byteLength(text);

/**
 * An upper bound for the bytes that a mapping allocates for one row: the texts of every step, and the errors of every
 * rule. DuckDB's memory limit does not count the texts of the rows that it is processing, so the number of rows that
 * are mapped at once is chosen to fit a budget.
 * @param longest length in bytes of the longest text of a column of the sheet
 */
export function rowBytes(plan: MappingPlan, longest: (header: string) => number): number {
  const made = new Map<number, number>();
  const columnBytes = (source: ColumnSource | undefined): number => {
    if (source === undefined) return 0;
    return source.from === 'origin' ? longest(source.header) + SMALL_BYTES : (made.get(source.rule) ?? SMALL_BYTES);
  };
  let total = 0;
  for (const { index, rule, header, steps } of plan.rules) {
    let running = header === null ? 0 : columnBytes({ from: 'origin', header });
    for (const planned of steps) {
      const result = Math.min(MAX_BYTES, resultBytes(planned, running, columnBytes));
      // The result, the input as read for the step, and the intermediate values of the step.
      total += result + running + passingBytes(planned, running) + SMALL_BYTES;
      running = result;
    }
    made.set(index, running);
    const reasons = 1 + rule.validations.length;
    total += running + reasons * (2 * Math.min(running, LONGEST_QUOTE * CHARACTER_BYTES) + SMALL_BYTES);
    if (rule.remainOriginCol && header !== null) total += longest(header);
  }
  return total;
}

function resultBytes(
  { step, columns }: PlannedStep,
  input: number,
  columnBytes: (source: ColumnSource | undefined) => number,
): number {
  const ofOperand = (operand: StepOperand | undefined): number => {
    if (isOperandPrevious(operand)) return input;
    if (isOperandColumn(operand)) return columnBytes(columns.get(operand.column));
    return typeof operand === 'string' ? bytesIn(operand) : SMALL_BYTES;
  };
  switch (step.type) {
    case 'replaceStrings': {
      const [find = '', put = ''] = step.value;
      const found = bytesIn(find);
      return input + Math.floor(input / found) * Math.max(0, bytesIn(put) - found);
    }
    case 'concat': {
      const parts = step.parts.map((part) =>
        'text' in part ? bytesIn(part.text) : columnBytes(columns.get(part.column)),
      );
      return parts.reduce((sum, bytes) => sum + bytes + bytesIn(step.separator), input);
    }
    case 'padStart':
      return Math.max(input, step.length * CHARACTER_BYTES);
    case 'ifStatement':
      return Math.max(ofOperand(step.then), ofOperand(step.else));
    case 'switchCase':
      return Math.max(ofOperand(step.default), ...step.cases.map((each) => ofOperand(each.then)));
    case 'text':
    case 'trim':
    case 'upper':
    case 'lower':
    case 'slice':
    case 'split':
    case 'regexExtract':
    case 'rowNumber':
    case 'omit':
      return Math.max(input, SMALL_BYTES);
    default:
      return SMALL_BYTES;
  }
}

/** Bytes of the intermediate values that a step creates in addition to its result. */
function passingBytes({ step, formula }: PlannedStep, input: number): number {
  if (formula) return countNodes(formula.formula) * SMALL_BYTES;
  return step.type === 'split' ? Math.ceil(input / bytesIn(step.by)) * ENTRY_BYTES + input : 0;
}

/** Budget in bytes for the rows that are mapped at once. */
const BYTES_AT_ONCE = 256 * 2 ** 20;

/** How many rows of this size in bytes are mapped at once. */
export const rowsAtOnce = (bytes: number, budget = BYTES_AT_ONCE): number =>
  Math.max(1, Math.floor(budget / Math.max(1, bytes)));
