import type { StepOperand } from './serialization.schema.ts';

/**
 * How the forms write values of steps: as a user would type them, in quotes if they could be mistaken for something
 * else.
 */
export const OPERAND_HINT =
  'Text or a number · {Column} for another column · (as it is) · (missing) · "quotes" for text that looks like a number';

const MISSING = '(missing)';
const AS_IT_IS = '(as it is)';
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i;
/** Whether a text needs no quotes. A text with line breaks is quoted, because JSON escapes keep it on one line. */
const isPlain = (text: string): boolean =>
  text !== '' &&
  text.trim() === text &&
  !/[\n\r]/.test(text) &&
  !NUMBER.test(text) &&
  text !== 'true' &&
  text !== 'false' &&
  text !== MISSING &&
  text !== AS_IT_IS &&
  !text.startsWith('"') &&
  !(text.startsWith('{') && text.endsWith('}'));

/** An operand as a form field shows it. A value that is not an operand is shown as JSON. */
export function writeOperand(operand: unknown): string {
  if (operand === undefined) return '';
  if (operand === null) return MISSING;
  if (typeof operand === 'string') return isPlain(operand) ? operand : JSON.stringify(operand);
  if (typeof operand === 'object') {
    if ('previous' in operand) return AS_IT_IS;
    if ('column' in operand && typeof operand.column === 'string') return `{${operand.column}}`;
  }
  return JSON.stringify(operand);
}

/** The value that a field's text stands for. Undefined if the text is empty. */
export function readOperand(written: string): StepOperand | undefined {
  const text = written.trim();
  if (text === '') return undefined;
  if (text === MISSING) return null;
  if (text === AS_IT_IS) return { previous: true };
  if (text === 'true' || text === 'false') return text === 'true';
  if (NUMBER.test(text)) return Number(text);
  if (text.startsWith('{') && text.endsWith('}')) return { column: text.slice(1, -1) };
  if (text.startsWith('"')) {
    try {
      const value: unknown = JSON.parse(text);
      if (typeof value === 'string') return value;
    } catch {
      // A text that begins with a quote but is not valid JSON is taken literally.
    }
  }
  return text;
}

export const writeLines = (values: unknown): string =>
  (Array.isArray(values) ? values : values === undefined ? [] : [values]).map(writeOperand).join('\n');

export const readLines = (text: string): StepOperand[] =>
  text.split(/\r?\n/).flatMap((line) => {
    const operand = readOperand(line);
    return operand === undefined ? [] : [operand];
  });
