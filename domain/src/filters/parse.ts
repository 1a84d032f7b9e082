import { type Flags, isRefusal, Refusal } from '../errors/refusal.ts';
import { parseWire } from '../wire/json.ts';
import type { Field, FieldCatalog } from './catalog.ts';
import { readOffset } from './cut-off.ts';
import {
  COMPARISONS,
  type Comparison,
  type Condition,
  type Filter,
  isOperator,
  joinFilters,
  type Literal,
  measureFilter,
  OPERATORS,
  type Operator,
} from './filter.ts';
import { readLike } from './like.ts';
import { readLiteral, readText, show } from './literal.ts';
import { incomparable, operatorsFor, TYPE_WORDS } from './operators.ts';
import { PatternError, parsePattern } from './pattern.ts';

/**
 * Limits: nesting depth of groups; conditions and groups; values of all lists together; regexes; characters of JSON
 * text.
 */
export const FILTER_LIMITS = {
  depth: 16,
  nodes: 1_000,
  listValues: 1_000,
  regexes: 20,
  textLength: 1_000_000,
} as const;

const MAX_FLAGS = 20;
const TOO_DEEP = `nests conditions deeper than ${FILTER_LIMITS.depth}; simplify the filter`;
const TOO_MANY = `has more than ${FILTER_LIMITS.nodes} conditions; use fewer`;

/**
 * Parses a filter: an object, or its JSON text (null, undefined and blank text pass everything). Throws Refusal
 * badRequest; its flags name the path of each error, beginning with `at`.
 */
export function parseFilter(input: unknown, catalog: FieldCatalog, at = 'filter'): Filter {
  const reader = new FilterReader(catalog);
  const filter = reader.read(input, at);
  const errors = Object.entries(reader.flags);
  const [first] = errors;
  if (first)
    throw new Refusal('badRequest', `The filter cannot be used: ${first[0]} ${first[1]}`, { flags: reader.flags });
  return filter;
}

/** Continues after an error, so that all errors are reported at once; its result is then not to be used. */
class FilterReader {
  readonly flags: Flags = {};
  private readonly catalog: FieldCatalog;
  private nodes = 0;
  private listValues = 0;
  private regexes = 0;
  /** Set when a size limit is exceeded; nothing more is read then. */
  private stopped = false;

  constructor(catalog: FieldCatalog) {
    this.catalog = catalog;
  }

  read(input: unknown, at: string): Filter {
    const filter = this.readGroup(typeof input === 'string' ? this.readJson(input, at) : (input ?? {}), at, 0);
    if (Object.keys(this.flags).length > 0) return filter;
    // Several keys of one object form a group too, which the count of written nodes does not include.
    const size = measureFilter(filter);
    if (size.depth > FILTER_LIMITS.depth) this.problem(at, TOO_DEEP);
    if (size.nodes > FILTER_LIMITS.nodes) this.problem(at, TOO_MANY);
    return filter;
  }

  private problem(path: string, reason: string): void {
    if (Object.keys(this.flags).length >= MAX_FLAGS) this.stopped = true;
    else this.flags[path] ??= reason;
  }

  private stop(path: string, reason: string): void {
    if (!this.stopped) this.flags[path] ??= reason;
    this.stopped = true;
  }

  private count(path: string): void {
    this.nodes += 1;
    if (this.nodes > FILTER_LIMITS.nodes) this.stop(path, TOO_MANY);
  }

  private readJson(text: string, at: string): unknown {
    if (text.trim() === '') return {};
    if (text.length > FILTER_LIMITS.textLength) {
      this.problem(at, `is longer than ${FILTER_LIMITS.textLength} characters`);
      return {};
    }
    try {
      return parseWire(text);
    } catch (error) {
      const issues = isRefusal(error) ? (error.issues ?? [{ path: [], message: error.message }]) : [];
      for (const { path, message } of issues) this.problem([at, ...path].join('.'), message);
      if (issues.length === 0) this.problem(at, 'is not valid JSON');
      return {};
    }
  }

  private readGroup(value: unknown, path: string, depth: number): Filter {
    if (!isPlainObject(value)) {
      this.problem(path, `must be an object of conditions, not ${show(value)}`);
      return joinFilters('and', []);
    }
    const parts: Filter[] = [];
    for (const [key, inner] of Object.entries(value)) {
      if (this.stopped) break;
      const keyPath = `${path}.${key}`;
      if (key === '$and' || key === '$or' || key === '$nor') parts.push(...this.readList(key, inner, keyPath, depth));
      else if (key === '$not') parts.push(...this.readNot(inner, keyPath, depth));
      else parts.push(...this.readField(key, inner, keyPath));
    }
    return joinFilters('and', parts);
  }

  /** Whether one more level of groups is allowed. */
  private enter(path: string, depth: number): boolean {
    this.count(path);
    if (depth >= FILTER_LIMITS.depth) this.stop(path, TOO_DEEP);
    return !this.stopped;
  }

  private readList(key: '$and' | '$or' | '$nor', value: unknown, path: string, depth: number): Filter[] {
    if (!this.enter(path, depth)) return [];
    if (!Array.isArray(value) || value.length === 0) {
      this.problem(path, `must be a list of at least one condition, not ${Array.isArray(value) ? '[]' : show(value)}`);
      return [];
    }
    const parts: Filter[] = [];
    for (const [index, inner] of value.entries()) {
      if (this.stopped) break;
      parts.push(this.readGroup(inner, `${path}.${index}`, depth + 1));
    }
    if (parts.length === 0) return [];
    const joined = joinFilters(key === '$and' ? 'and' : 'or', parts);
    return [key === '$nor' ? { kind: 'not', filter: joined } : joined];
  }

  private readNot(value: unknown, path: string, depth: number): Filter[] {
    if (!this.enter(path, depth)) return [];
    return [{ kind: 'not', filter: this.readGroup(value, path, depth + 1) }];
  }

  private readField(key: string, value: unknown, path: string): Filter[] {
    if (key.startsWith('$')) {
      this.problem(path, 'is not an operator here; the group operators are $and, $or, $nor and $not');
      return [];
    }
    const field = this.resolveField(key, path);
    if (!field) return [];
    if (!isPlainObject(value) || isOperand(value)) return this.readCondition(field, 'eq', value, path);
    const operations = this.readOperators(value, path);
    const options = operations.find((operation) => operation.name === 'options');
    if (options && !operations.some((operation) => operation.name === 'regex')) {
      this.problem(options.path, 'is only allowed with regex');
    }
    if (operations.length === 0) this.problem(path, 'must have an operator, for example {"eq": ...}');
    return operations.flatMap((operation) => {
      if (operation === options || this.stopped) return [];
      if (isOperator(operation.name)) {
        return this.readCondition(field, operation.name, operation.value, operation.path, options?.value);
      }
      this.problem(operation.path, `is not an operator; use one of ${OPERATORS.join(', ')}`);
      return [];
    });
  }

  /** The operators of one field by their plain names, each with its value and its path. */
  private readOperators(value: Record<string, unknown>, path: string) {
    const seen = new Set<string>();
    return Object.entries(value).map(([key, inner]) => {
      const plain = key.startsWith('$') ? key.slice(1) : key;
      const name = plain === 'ne' ? 'neq' : plain;
      if (seen.has(name)) this.problem(`${path}.${key}`, `repeats ${name}`);
      seen.add(name);
      return { name, value: inner, path: `${path}.${key}` };
    });
  }

  private resolveField(key: string, path: string): Field | null {
    const found = this.catalog.resolve(key);
    if ('field' in found) return found.field;
    const candidates = found.candidates.slice(0, 10).map((field) => field.path);
    if (candidates.length > 0) this.problem(path, `could be ${candidates.join(' or ')}; write the whole path`);
    else this.problem(path, 'is not a field that can be filtered by');
    return null;
  }

  private readCondition(
    field: Field,
    operator: Operator,
    value: unknown,
    path: string,
    options?: unknown,
  ): Condition[] {
    this.count(path);
    const suited = operatorsFor(field.type);
    if (!suited.includes(operator)) {
      this.problem(path, `cannot be used with ${field.label}; use one of ${suited.join(', ')}`);
      return [];
    }
    if (isOperand(value)) return this.readOperand(field, operator, value, path);
    if (operator === 'exists') {
      if (typeof value === 'boolean') return [{ kind: 'exists', field, operator, exists: value }];
      this.problem(path, `must be true or false, not ${show(value)}`);
      return [];
    }
    if (operator === 'in' || operator === 'nin') return this.readValues(field, operator, value, path);
    if (operator === 'like') return this.readLike(field, value, path);
    if (operator === 'regex') return this.readRegex(field, value, path, options);
    const literal = this.readLiteral(field, value, path);
    if (literal === null) return [];
    return [{ kind: 'compare', field, operator: operator as Comparison, value: literal }];
  }

  /** A comparison with another field, or with a date relative to the cut-off date. */
  private readOperand(field: Field, operator: Operator, value: Record<string, unknown>, path: string): Condition[] {
    const [[key, inner] = []] = Object.entries(value);
    const at = `${path}.${key}`;
    if (!isComparison(operator)) {
      this.problem(at, `cannot be used with ${operator}; use one of ${COMPARISONS.join(', ')}`);
      return [];
    }
    return key === '$cutOff'
      ? this.readCutOff(field, operator, inner, at)
      : this.readOtherField(field, operator, inner, at);
  }

  private readOtherField(field: Field, operator: Comparison, name: unknown, path: string): Condition[] {
    if (typeof name !== 'string') {
      this.problem(path, `must be the path of a field, not ${show(name)}`);
      return [];
    }
    const other = this.resolveField(name, path);
    if (!other) return [];
    const problem = incomparable(field, other);
    if (problem === null) return [{ kind: 'compareField', field, operator, other }];
    this.problem(path, problem);
    return [];
  }

  private readCutOff(field: Field, operator: Comparison, value: unknown, path: string): Condition[] {
    const { cutOff } = this.catalog;
    const reading = readOffset(value);
    if (!cutOff) this.problem(path, 'cannot be used here: only assets of a loan tape have a cut-off date');
    else if (field.type !== 'date') this.problem(path, `is a date, and ${field.label} is ${TYPE_WORDS[field.type]}`);
    else if (field.isList) this.problem(path, `cannot be compared with ${field.label}, which is a list`);
    else if ('problem' in reading) this.problem(path, reading.problem);
    else return [{ kind: 'compareCutOff', field, operator, offset: reading.offset, cutOff }];
    return [];
  }

  private readLiteral(field: Field, value: unknown, path: string): Literal | null {
    if (value === null) {
      this.problem(path, 'has no value to compare with; add one, or use {"exists": false} to find missing values');
      return null;
    }
    if (Array.isArray(value)) {
      this.problem(path, 'must be one value; for several use {"in": [...]}');
      return null;
    }
    const reading = readLiteral(field.type, value);
    if ('literal' in reading) return reading.literal;
    this.problem(path, reading.problem);
    return null;
  }

  private readValues(field: Field, operator: 'in' | 'nin', value: unknown, path: string): Condition[] {
    if (!Array.isArray(value)) {
      this.problem(path, `must be a list of values, not ${show(value)}`);
      return [];
    }
    this.listValues += value.length;
    if (this.listValues > FILTER_LIMITS.listValues) {
      this.stop(path, `takes the filter’s lists over ${FILTER_LIMITS.listValues} values; use fewer`);
      return [];
    }
    const literals = value.map((entry, index) => this.readLiteral(field, entry, `${path}.${index}`));
    const values = [...new Set(literals.filter((literal) => literal !== null))];
    return [{ kind: 'list', field, operator, values }];
  }

  private readLike(field: Field, value: unknown, path: string): Condition[] {
    const pattern = this.readPatternText(value, path, (text) => readLike(text));
    return pattern === null ? [] : [{ kind: 'like', field, operator: 'like', pattern }];
  }

  private readRegex(field: Field, value: unknown, path: string, options: unknown): Condition[] {
    if (options !== undefined && options !== 'i' && options !== '') {
      this.problem(path.replace(/\$?regex$/, 'options'), `may only be "i", not ${show(options)}`);
    }
    this.regexes += 1;
    if (this.regexes > FILTER_LIMITS.regexes) this.stop(path, `exceeds the limit of ${FILTER_LIMITS.regexes} regexes`);
    const ignoreCase = options === 'i';
    const pattern = this.readPatternText(value, path, (text) => parsePattern(text, ignoreCase));
    return pattern === null ? [] : [{ kind: 'regex', field, operator: 'regex', pattern, ignoreCase }];
  }

  private readPatternText(value: unknown, path: string, check: (text: string) => unknown): string | null {
    const reading = readText(value);
    if ('problem' in reading) {
      this.problem(path, reading.problem);
      return null;
    }
    try {
      check(reading.literal);
      return reading.literal;
    } catch (error) {
      if (!(error instanceof PatternError)) throw error;
      this.problem(path, error.message);
      return null;
    }
  }
}

/** `{ "$field": ... }` or `{ "$cutOff": ... }`, in place of a literal. */
function isOperand(value: unknown): value is Record<string, unknown> {
  if (!isPlainObject(value)) return false;
  const keys = Object.keys(value);
  return keys.length === 1 && (keys[0] === '$field' || keys[0] === '$cutOff');
}

const isComparison = (operator: Operator): operator is Comparison =>
  (COMPARISONS as readonly Operator[]).includes(operator);

function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (value === null || typeof value !== 'object') return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
