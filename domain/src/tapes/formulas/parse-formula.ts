import { DAYS_PER, type TimeUnit } from '../../dates/calendar-date.ts';
import { FORMULA_LIMITS, type Formula, type FormulaOperation } from './formula.ts';
import { FormulaError, type FormulaToken, readTokens } from './formula-tokens.ts';

const SUMS: Readonly<Record<string, FormulaOperation>> = { '+': 'add', '-': 'subtract' };
const PRODUCTS: Readonly<Record<string, FormulaOperation>> = { '*': 'multiply', '/': 'divide' };
const UNITS = Object.keys(DAYS_PER) as TimeUnit[];
const MAX_ROUND_DIGITS = 8;

/**
 * Reads a formula such as `balance / [Appraised value] * 100` or `cutOff - [Last paid] in days`.
 * @throws FormulaError that says what is wrong and where
 */
export function parseFormula(formula: string): Formula {
  if (formula.length > FORMULA_LIMITS.characters) {
    throw new FormulaError(`is longer than ${FORMULA_LIMITS.characters} characters`);
  }
  return new FormulaReader(readTokens(formula)).readWhole();
}

/** The formula, or what is wrong with it. */
export function readFormula(written: string): { readonly formula: Formula } | { readonly problem: string } {
  try {
    return { formula: parseFormula(written) };
  } catch (error) {
    if (error instanceof FormulaError) return { problem: `The formula ${error.message}` };
    throw error;
  }
}

class FormulaReader {
  private readonly tokens: readonly FormulaToken[];
  private index = 0;
  private nodes = 0;

  constructor(tokens: readonly FormulaToken[]) {
    this.tokens = tokens;
  }

  readWhole(): Formula {
    const formula = this.readExpression(0);
    const next = this.peek();
    if (next.kind !== 'end') throw new FormulaError(`needs an operation before ${named(next)}`);
    return formula;
  }

  private peek(): FormulaToken {
    return this.tokens[this.index] as FormulaToken;
  }

  private isSign(text: string): boolean {
    const { kind, text: found } = this.peek();
    return kind === 'sign' && found === text;
  }

  private take(sign: string): boolean {
    if (!this.isSign(sign)) return false;
    this.index += 1;
    return true;
  }

  private need(sign: string): void {
    if (this.take(sign)) return;
    const found = this.peek();
    throw new FormulaError(
      found.kind === 'end' ? `needs a “${sign}” at its end` : `needs a “${sign}” before ${named(found)}`,
    );
  }

  private node(formula: Formula): Formula {
    this.nodes += 1;
    if (this.nodes > FORMULA_LIMITS.nodes) {
      throw new FormulaError(`has more than ${FORMULA_LIMITS.nodes} numbers, columns and operations`);
    }
    return formula;
  }

  /** A sum, and the unit after the difference of two dates. */
  private readExpression(depth: number): Formula {
    checkDepth(depth);
    const sum = this.readChain(SUMS, () => this.readChain(PRODUCTS, () => this.readOperand(depth)));
    const next = this.peek();
    if (next.kind !== 'name' || next.text !== 'in') return sum;
    this.index += 1;
    const { kind, text } = this.peek();
    const unit = UNITS.find((one) => kind === 'name' && one === text);
    if (!unit) throw new FormulaError(`needs days, weeks, months, quarters or years after “in”`);
    this.index += 1;
    if (sum.kind !== 'combine' || sum.operation !== 'subtract') {
      throw new FormulaError(`can have “in ${unit}” only after the difference of two dates`);
    }
    // The difference was counted as a node; it is this one.
    return { kind: 'between', from: sum.right, to: sum.left, unit };
  }

  private readChain(operations: Readonly<Record<string, FormulaOperation>>, readPart: () => Formula): Formula {
    let left = readPart();
    for (;;) {
      const { kind, text } = this.peek();
      const operation = kind === 'sign' ? operations[text] : undefined;
      if (!operation) return left;
      this.index += 1;
      left = this.node({ kind: 'combine', operation, left, right: readPart() });
    }
  }

  private readOperand(depth: number): Formula {
    const token = this.peek();
    this.index += 1;
    if (token.kind === 'number') return this.node({ kind: 'number', value: Number(token.text) });
    if (token.kind === 'column') return this.node({ kind: 'column', name: token.text });
    if (token.kind === 'name') return this.readName(token, depth);
    if (token.kind === 'sign' && token.text === '-') {
      checkDepth(depth + 1);
      return this.node({ kind: 'negate', of: this.readOperand(depth + 1) });
    }
    if (token.kind === 'sign' && token.text === '(') {
      const inner = this.readExpression(depth + 1);
      this.need(')');
      return inner;
    }
    this.index -= 1;
    throw new FormulaError(
      token.kind === 'end'
        ? 'needs a number or a column at its end'
        : `needs a number or a column before ${named(token)}`,
    );
  }

  private readName({ text }: FormulaToken, depth: number): Formula {
    if (this.isSign('(')) return this.readFunction(text, depth);
    if (text === 'value' || text === 'cutOff') return this.node({ kind: text });
    return this.node({ kind: 'column', name: text });
  }

  private readFunction(name: string, depth: number): Formula {
    this.need('(');
    const first = this.readExpression(depth + 1);
    switch (name) {
      case 'abs':
        this.need(')');
        return this.node({ kind: 'absolute', of: first });
      case 'round': {
        const digits = this.take(',') ? this.readDigits() : 0;
        this.need(')');
        return this.node({ kind: 'round', of: first, digits });
      }
      case 'min':
      case 'max': {
        let found = first;
        this.need(',');
        do {
          found = this.node({ kind: 'combine', operation: name, left: found, right: this.readExpression(depth + 1) });
        } while (this.take(','));
        this.need(')');
        return found;
      }
      default:
        throw new FormulaError(`has no function “${name}”; use min, max, round or abs`);
    }
  }

  private readDigits(): number {
    const { kind, text } = this.peek();
    this.index += 1;
    const digits = kind === 'number' ? Number(text) : Number.NaN;
    if (Number.isInteger(digits) && digits <= MAX_ROUND_DIGITS) return digits;
    throw new FormulaError(`can round to 0 to ${MAX_ROUND_DIGITS} decimal places, as in round(balance, 2)`);
  }
}

function checkDepth(depth: number): void {
  if (depth <= FORMULA_LIMITS.depth) return;
  throw new FormulaError(`nests brackets and functions deeper than ${FORMULA_LIMITS.depth}`);
}

const named = ({ text, at }: FormulaToken): string => `“${text}” (character ${at})`;
