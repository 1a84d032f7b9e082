import type { DuckDBValue } from '@duckdb/node-api';
import { floorDivide } from '@tapeline/domain/borrowing-base/exact.ts';
import type { Field } from '@tapeline/domain/filters/catalog.ts';
import { filterToDuckDb } from '@tapeline/domain/filters/duckdb.ts';
import type { Comparison, Condition, Filter, Literal } from '@tapeline/domain/filters/filter.ts';
import { toScaled } from '@tapeline/domain/money/decimal.ts';
import { codeColumn } from '@tapeline/domain/tapes/target-schema.ts';
import { quoteName } from '@tapeline/lake/lake.ts';
import type { Input, Inputs } from './inputs.ts';
import type { TapeParts } from './tape-parts.ts';

/** JavaScript expressions of 0 or 1 per row: whether a filter is true, and whether it is false. Both 0: unknown. */
export interface Truth {
  readonly isTrue: string;
  readonly isFalse: string;
}

/** Evaluated lazily: an unused part adds neither a column nor a computation. */
type LazyTruth = { readonly [part in keyof Truth]: () => string };

const NEVER = '0';
const ALWAYS = '1';
const SIGNS: Record<Comparison, string> = { eq: '===', neq: '!==', lt: '<', lte: '<=', gt: '>', gte: '>=' };
const MAX_EXACT = 2n ** 53n;

const both = (left: string, right: string): string => {
  if (left === NEVER || right === NEVER) return NEVER;
  if (left === ALWAYS) return right;
  return right === ALWAYS ? left : `(${left} & ${right})`;
};
const either = (left: string, right: string): string => {
  if (left === ALWAYS || right === ALWAYS) return ALWAYS;
  if (left === NEVER) return right;
  return right === NEVER ? left : `(${left} | ${right})`;
};
const opposite = (value: string): string => (value === NEVER ? ALWAYS : value === ALWAYS ? NEVER : `(${value} ^ 1)`);
export const logic = { both, either, opposite };

/**
 * Turns filters into JavaScript over the inputs of a row, because DuckDB takes about ten times as long for a comparison
 * and its bit. Conditions that JavaScript cannot express exactly (patterns, order of texts, instants, thresholds beyond
 * 2^53) are left to SQL, as a boolean column. The only literals in the JavaScript are finite numbers: SQL looks up
 * texts and returns their position in a list.
 */
export class Truths {
  /** `const name = expression;` per row, in dependency order. `valuesN` and `presentN` are the arrays of input N. */
  readonly lines: string[] = [];
  private readonly names = new Map<string, string>();
  private readonly texts = new Map<string, string[]>();
  private readonly parts: TapeParts;
  private readonly inputs: Inputs;

  constructor(parts: TapeParts, inputs: Inputs) {
    this.parts = parts;
    this.inputs = inputs;
  }

  isTrue(filter: Filter): string {
    return this.of(filter).isTrue();
  }

  /** 1 if the filter is neither true nor false. */
  isUnknown(filter: Filter): string {
    const truth = this.of(filter);
    return opposite(either(truth.isTrue(), truth.isFalse()));
  }

  /** 1 if the column has a value. */
  isPresent(field: Field): string {
    const { parts } = this;
    if (!parts.has(field.path)) return NEVER;
    if (!parts.mayLack(field.path)) return ALWAYS;
    const own = this.inputOf(field);
    if (own !== null) return this.presence(own);
    const code = codeColumn(field.path);
    return parts.has(code)
      ? this.presence(this.codes(field))
      : this.flag(`present ${field.path}`, () => `(${parts.column(field)} IS NOT NULL)`);
  }

  /** The integer codes of a text or flag, as written at publication. */
  codes(field: Field): Input {
    const code = codeColumn(field.path);
    return this.inputs.add(code, 'integer', this.parts.mayLack(code), () => quoteName(code), { column: code });
  }

  /** The column itself if JavaScript can read it as a number; otherwise null. */
  inputOf(field: Field): Input | null {
    const { parts, inputs } = this;
    const column = parts.column(field);
    const nullable = parts.mayLack(field.path);
    const type = parts.type(field.path);
    const source = { column: field.path };
    if (field.type === 'number') {
      const expression = type === 'DOUBLE' ? column : `CAST(${column} AS DOUBLE)`;
      return inputs.add(column, 'double', nullable, () => expression, type === 'DOUBLE' ? source : null);
    }
    if (field.type === 'decimal' && parts.decimalDigits(field.path) !== null) {
      return inputs.add(column, 'decimal', nullable, () => column, source);
    }
    if (field.type === 'date' && type === 'DATE') {
      return inputs.add(column, 'integer', nullable, () => column, source);
    }
    if (field.type === 'boolean' && type === 'BOOLEAN') {
      return inputs.add(column, 'boolean', nullable, () => column, source);
    }
    return null;
  }

  /** 1 if the SQL expression is true. */
  flag(key: string, sql: (values: DuckDBValue[]) => string): string {
    const input = this.inputs.add(key, 'boolean', true, sql);
    return both(this.presence(input), this.value(input));
  }

  /** 1 if the text is one of the given texts. */
  isOneOf(path: string, texts: readonly string[]): string {
    const { parts } = this;
    if (!parts.has(path) || texts.length === 0) return NEVER;
    const source = parts.type(path) === 'VARCHAR' ? { column: path, literals: texts } : null;
    const sql = (values: DuckDBValue[]): string => {
      const marks = texts.map((text) => `CAST($${values.push(text)} AS VARCHAR)`);
      return `CAST(COALESCE(${quoteName(path)} IN (${marks.join(', ')}), FALSE) AS INTEGER)`;
    };
    const key = `one of ${path} ${JSON.stringify(texts)}`;
    return this.name(key, bit(`${this.value(this.inputs.add(key, 'integer', false, sql, source))} !== 0`));
  }

  private of(filter: Filter): LazyTruth {
    if (filter.kind === 'not') {
      const inner = this.of(filter.filter);
      return { isTrue: inner.isFalse, isFalse: inner.isTrue };
    }
    if (filter.kind === 'and' || filter.kind === 'or') {
      const parts = filter.filters.map((part) => this.of(part));
      const all = (part: keyof Truth) => () => parts.map((truth) => truth[part]()).reduce(both, ALWAYS);
      const any = (part: keyof Truth) => () => parts.map((truth) => truth[part]()).reduce(either, NEVER);
      return filter.kind === 'and'
        ? { isTrue: all('isTrue'), isFalse: any('isFalse') }
        : { isTrue: any('isTrue'), isFalse: all('isFalse') };
    }
    return this.condition(filter);
  }

  private condition(condition: Condition): LazyTruth {
    const { field } = condition;
    if (condition.kind === 'exists') {
      const present = () => this.isPresent(field);
      const absent = () => opposite(this.isPresent(field));
      return condition.exists ? { isTrue: present, isFalse: absent } : { isTrue: absent, isFalse: present };
    }
    if (!this.parts.has(field.path)) return { isTrue: () => NEVER, isFalse: () => NEVER };
    const ofText = this.textTest(condition);
    if (ofText !== null) return ofText;
    const test = this.numberTest(condition);
    if (test !== null) {
      const named = () => this.name(JSON.stringify(condition), test());
      return {
        isTrue: () => both(this.isPresent(field), named()),
        isFalse: () => both(this.isPresent(field), opposite(named())),
      };
    }
    const sql = this.sqlTest(condition);
    return {
      isTrue: () => both(this.presence(sql()), this.value(sql())),
      isFalse: () => both(this.presence(sql()), opposite(this.value(sql()))),
    };
  }

  /** A comparison of numbers, dates or flags that are present. */
  private numberTest(condition: Condition): (() => string) | null {
    const { field } = condition;
    const input = condition.kind === 'compare' || condition.kind === 'list' ? this.inputOf(field) : null;
    if (input === null) return null;
    const digits = this.parts.decimalDigits(field.path);
    if (condition.kind === 'compare') {
      const bound = boundOf(condition.operator, condition.value, field, digits);
      return bound === null ? null : () => compareJs(this.value(input), condition.operator, bound);
    }
    if (condition.kind !== 'list') return null;
    const bounds = condition.values.map((value) => boundOf('eq', value, field, digits));
    if (bounds.includes(null)) return null;
    const listed = () => bounds.map((bound) => compareJs(this.value(input), 'eq', bound!)).reduce(either, NEVER);
    return condition.operator === 'in' ? listed : () => opposite(listed());
  }

  /**
   * Equality of texts. SQL finds the text among the field's literals, once per distinct text if Parquet has a
   * dictionary.
   */
  private textTest(condition: Condition): LazyTruth | null {
    const { field } = condition;
    if (field.type !== 'text' || this.parts.type(field.path) !== 'VARCHAR') return null;
    if (condition.kind !== 'list' && !(condition.kind === 'compare' && /^n?eq$/.test(condition.operator))) return null;
    const column = this.parts.column(field);
    const literals = this.texts.get(field.path) ?? [];
    this.texts.set(field.path, literals);
    const place = (value: Literal): number => {
      const text = String(value);
      return literals.includes(text) ? literals.indexOf(text) + 1 : literals.push(text);
    };
    const places = (condition.kind === 'list' ? condition.values : [condition.value]).map(place);
    const select = (values: DuckDBValue[]): string => {
      const marks = literals.map((text) => `CAST($${values.push(text)} AS VARCHAR)`);
      return `COALESCE(list_position([${marks.join(', ')}], ${column}), 0)`;
    };
    const listed = () => {
      if (places.length === 0) return NEVER;
      const source = { column: field.path, literals };
      const value = this.value(this.inputs.add(`place of ${column}`, 'integer', false, select, source));
      return this.name(JSON.stringify(condition), places.map((one) => bit(`${value} === ${one}`)).reduce(either));
    };
    // Positions start at 1, so that a missing text matches no entry of the list.
    const other = () => both(this.isPresent(field), opposite(listed()));
    return condition.operator === 'eq' || condition.operator === 'in'
      ? { isTrue: listed, isFalse: other }
      : { isTrue: other, isFalse: listed };
  }

  private sqlTest(condition: Condition): () => Input {
    return () =>
      this.inputs.add(JSON.stringify(condition), 'boolean', true, (values) => {
        const compiled = filterToDuckDb(condition, (of) => this.parts.column(of), values.length + 1);
        values.push(...compiled.values);
        return compiled.sql;
      });
  }

  private presence({ index, nullable }: Input): string {
    return nullable ? this.name(`p${index}`, `present${index}[row]`) : ALWAYS;
  }

  private value({ index, kind }: Input): string {
    // Beyond 2^53 this rounds, which does not change a comparison with any smaller threshold.
    const decimal = `values${index}[2 * row + 1] * 4294967296 + (values${index}[2 * row] >>> 0)`;
    return this.name(`v${index}`, kind === 'decimal' ? decimal : `values${index}[row]`);
  }

  private name(key: string, expression: string): string {
    const known = this.names.get(key);
    if (known !== undefined) return known;
    const name = `t${this.names.size}`;
    this.names.set(key, name);
    this.lines.push(`const ${name} = ${expression};`);
    return name;
  }
}

/** OR with 0 turns a boolean into a bit without a branch. `? 1 : 0` would branch, which is slow if unpredictable. */
const bit = (comparison: string): string => `((${comparison}) | 0)`;

const compareJs = (value: string, operator: Comparison, bound: number | boolean): string => {
  if (typeof bound === 'boolean') return bound ? ALWAYS : NEVER;
  return bit(`${value} ${SIGNS[operator]} ${bound}`);
};

/**
 * The number to compare the column with; a boolean if the answer is the same for all values; null if not exact in JS.
 */
function boundOf(operator: Comparison, value: Literal, field: Field, digits: number | null): number | boolean | null {
  if (field.type === 'number') return Number.isFinite(value) ? Number(value) : null;
  if (field.type === 'date') return Date.parse(`${value}T00:00:00Z`) / 86_400_000;
  if (field.type === 'boolean') return operator === 'eq' || operator === 'neq' ? Number(value) : null;
  if (digits === null) return null;
  const text = String(value);
  const places = text.split('.')[1]?.length ?? 0;
  const [numerator, denominator] = [toScaled(text, places) * 10n ** BigInt(digits), 10n ** BigInt(places)];
  const below = floorDivide(numerator, denominator);
  const between = below * denominator !== numerator;
  if (between && (operator === 'eq' || operator === 'neq')) return operator === 'neq';
  // A bound between two steps of the column is replaced by the step below it or the step above it.
  const bound = between && (operator === 'gte' || operator === 'lt') ? below + 1n : below;
  return bound > -MAX_EXACT && bound < MAX_EXACT ? Number(bound) : null;
}
