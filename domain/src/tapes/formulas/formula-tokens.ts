/** A formula that cannot be read; `message` continues “The formula”. */
export class FormulaError extends Error {}

export interface FormulaToken {
  /** `name` is a word without brackets, `column` a name within them. */
  readonly kind: 'number' | 'name' | 'column' | 'sign' | 'end';
  /** Without brackets and quotes. */
  readonly text: string;
  /** The number of its first character, from 1. */
  readonly at: number;
}

/** Maximum digits of a number: a double is exact for as many. */
const MAX_DIGITS = 15;
const SPACES = /\s+/uy;
const NUMBER = /(?:\d+(?:\.\d+)?|\.\d+)/uy;
const NAME = /[\p{L}_][\p{L}\p{M}\p{N}_]*(?:\.[\p{L}\p{N}_][\p{L}\p{M}\p{N}_]*)*/uy;
const BRACKETED = /\[(?:[^\]]|\]\])*\]/uy;
const QUOTED = /"(?:[^"]|"")*"/uy;
const SIGN = /[-+*/(),]/uy;

/** The words and signs of a formula, with `end` after the last. Throws FormulaError. */
export function readTokens(formula: string): FormulaToken[] {
  const tokens: FormulaToken[] = [];
  let at = 0;
  const take = (pattern: RegExp): string | null => {
    pattern.lastIndex = at;
    const [found] = pattern.exec(formula) ?? [];
    if (found === undefined) return null;
    at += found.length;
    return found;
  };
  const add = (kind: FormulaToken['kind'], text: string, start: number): void => {
    tokens.push({ kind, text, at: start + 1 });
  };
  for (take(SPACES); at < formula.length; take(SPACES)) {
    const start = at;
    const first = formula[at];
    if (first === '[' || first === '"')
      add('column', readColumn(take(first === '[' ? BRACKETED : QUOTED), start), start);
    else {
      const number = take(NUMBER);
      const name = number === null ? take(NAME) : null;
      const sign = number === null && name === null ? take(SIGN) : null;
      if (number !== null) add('number', checkDigits(number, start), start);
      else if (name !== null) add('name', name, start);
      else if (sign !== null) add('sign', sign, start);
      else throw unreadable(formula, at);
    }
  }
  tokens.push({ kind: 'end', text: '', at: formula.length + 1 });
  return tokens;
}

function readColumn(written: string | null, start: number): string {
  if (written === null) throw new FormulaError(`has a bracket or quote at character ${start + 1} that is not closed`);
  const close = written.at(-1) ?? '';
  const name = written.slice(1, -1).replaceAll(close + close, close);
  if (name.trim() === '') throw new FormulaError(`names no column between the brackets at character ${start + 1}`);
  return name;
}

function checkDigits(number: string, start: number): string {
  if (number.replace(/^0+|\./g, '').length <= MAX_DIGITS) return number;
  throw new FormulaError(`has a number of more than ${MAX_DIGITS} digits at character ${start + 1}`);
}

function unreadable(formula: string, at: number): FormulaError {
  const character = String.fromCodePoint(formula.codePointAt(at) ?? 0);
  const hint = character === '%' ? '; divide by 100 instead' : '';
  return new FormulaError(`cannot contain “${character}” (character ${at + 1})${hint}`);
}
