import { type CalendarDate, fromEpochDay, isCalendarDate, toEpochDay } from '@tapeline/domain/dates/calendar-date.ts';
import { evaluateFilter } from '@tapeline/domain/filters/evaluate.ts';
import { isCurrencyCode, minorUnitDigits } from '@tapeline/domain/money/currencies.ts';
import { absolute, compare, decimalOf, multiply, round, toNumber } from '@tapeline/domain/money/decimal.ts';
import {
  type ColumnSource,
  type MappingPlan,
  type PlannedRule,
  type PlannedStep,
  remainingField,
} from '@tapeline/domain/tapes/mapping-plan.ts';
import type { Validation } from '@tapeline/domain/tapes/rule.schema.ts';
import {
  DAYS_OF_UNIT,
  KILOMETERS_OF_UNIT,
  METERS_OF_UNIT,
  NUMBER_UNIT_FACTORS,
  type Operand,
} from '@tapeline/domain/tapes/serialization.schema.ts';
import { shownNumber } from '@tapeline/domain/tapes/shown-number.ts';
import { assetStatusOf } from '@tapeline/domain/tapes/statuses.ts';
import { isOperandColumn, isOperandPrevious, type ValueKind } from '@tapeline/domain/tapes/step-kinds.ts';
import { REASONS } from '../values.ts';

/**
 * The mapping carried out row by row, in plain TypeScript: what the compiled SQL must equal. Slow and obvious on
 * purpose. Decimals are text, dates 'YYYY-MM-DD', missing is null.
 */
export type Cell =
  | { tag: 'blank' }
  | { tag: 'number'; number: number }
  | { tag: 'text'; text: string }
  | { tag: 'boolean'; boolean: boolean }
  | { tag: 'date'; serial: number }
  | { tag: 'error'; text: string };

type Plain = string | number | boolean | null;
interface Amount {
  sum: string;
  currency: string;
}
interface Term {
  value: number;
  unit: keyof typeof DAYS_OF_UNIT;
}
interface Rate {
  points: string;
  kind: string;
}
/** What stands in `data` by kind: a Cell, an Amount, a Term, a Rate, or a plain value. */
interface Held {
  kind: ValueKind;
  data: Cell | Amount | Term | Rate | Plain;
}

class Fault extends Error {}
const fail = (reason: string): never => {
  throw new Fault(reason);
};

export interface InterpreterFacts {
  readonly epoch: 1900 | 1904;
  readonly cutOffDate: CalendarDate;
  readonly primaryCurrency: string;
}

export interface InterpretedRow {
  /** Lake column to value, `row` left out; null where the row is errored. */
  readonly asset: Record<string, Plain> | null;
  readonly errors: { rule: number; reason: string }[];
}

const SPACE = /[\t\n\f\r \u00a0]/g;
const trim = (text: string): string => text.replace(/^[\t\n\f\r \u00a0]+|[\t\n\f\r \u00a0]+$/g, '');
const isBlank = (text: string): boolean => trim(text) === '';
const key = (text: string): string => trim(text).toLowerCase();

export function interpretRow(
  plan: MappingPlan,
  cells: Readonly<Record<string, Cell>>,
  facts: InterpreterFacts,
): InterpretedRow {
  const made = new Map<number, Held>();
  const outputs = new Map<number, Held>();
  const errors: { rule: number; reason: string }[] = [];
  for (const planned of plan.rules) {
    const row = new RowReader(cells, made, facts);
    let held: Held = planned.header === null ? NOTHING : { kind: 'cell', data: row.cell(planned.header) };
    let reason: string | null = null;
    for (const step of planned.steps) {
      try {
        held = row.step(step, held);
      } catch (fault) {
        if (!(fault instanceof Fault)) throw fault;
        reason ??= fault.message;
        held = { kind: step.output, data: step.output === 'cell' ? BLANK : null };
      }
    }
    if (reason === null && !planned.temporary) {
      try {
        held = fitTarget(planned, held, row);
      } catch (fault) {
        if (!(fault instanceof Fault)) throw fault;
        reason = fault.message;
        held = { ...held, data: null };
      }
    }
    if (reason === null && planned.rule.checks.includes('Mandatory') && isMissing(held)) reason = REASONS.missing;
    if (reason !== null) errors.push({ rule: planned.index + 1, reason });
    for (const validation of planned.rule.validations) {
      const broken = reason === null ? violation(validation, held) : null;
      if (broken) errors.push({ rule: planned.index + 1, reason: broken });
    }
    outputs.set(planned.index, held);
    made.set(planned.index, reason === null ? held : { kind: held.kind, data: held.kind === 'cell' ? BLANK : null });
  }
  return { asset: errors.length > 0 ? null : assetOf(plan, outputs, cells, facts), errors };
}

const BLANK: Cell = { tag: 'blank' };
const NOTHING: Held = { kind: 'missing', data: null };
const isMissing = (held: Held): boolean =>
  held.kind === 'cell' ? (held.data as Cell).tag === 'blank' : held.data === null;

function assetOf(
  plan: MappingPlan,
  outputs: ReadonlyMap<number, Held>,
  cells: Readonly<Record<string, Cell>>,
  facts: InterpreterFacts,
): Record<string, Plain> {
  const asset: Record<string, Plain> = {};
  const byPath = new Map(plan.rules.filter((rule) => !rule.temporary).map((rule) => [rule.target.path, rule]));
  for (const field of plan.fields) {
    const rule = byPath.get(field.path);
    if (rule) {
      columnsOf(outputs.get(rule.index) ?? NOTHING).forEach((value, at) => {
        const column = field.columns[at];
        if (column) asset[column.name] = value;
      });
      for (const column of field.columns) asset[column.name] ??= null;
    }
  }
  for (const { rule, header } of plan.rules) {
    if (!rule.remainOriginCol || header === null) continue;
    asset[remainingField(header).path] = seen(cells[header] ?? BLANK, facts.epoch);
  }
  return asset;
}

function columnsOf(held: Held): Plain[] {
  if (held.data === null) return [null];
  switch (held.kind) {
    case 'amount': {
      const { sum, currency } = held.data as Amount;
      return [sum, currency];
    }
    case 'interest': {
      const { points, kind } = held.data as Rate;
      return [points, kind];
    }
    case 'term': {
      const { value, unit } = held.data as Term;
      return [value, unit, value * DAYS_OF_UNIT[unit]];
    }
    default:
      return [held.data as Plain];
  }
}

/** What a person sees in a cell; null where it is blank. */
function seen(cell: Cell, epoch: 1900 | 1904): string | null {
  switch (cell.tag) {
    case 'blank':
      return null;
    case 'number':
      return shownNumber(cell.number);
    case 'boolean':
      return String(cell.boolean);
    case 'date': {
      const date = serialDate(cell.serial, epoch);
      if (date === null) return shownNumber(cell.serial);
      const seconds = Math.round((cell.serial - Math.floor(cell.serial)) * 86400);
      const inDay = seconds >= 1 && seconds <= 86399;
      return inDay ? `${date}T${new Date(seconds * 1000).toISOString().slice(11, 19)}` : date;
    }
    case 'error':
      return cell.text;
    default:
      return isBlank(cell.text) ? null : cell.text;
  }
}

function serialDate(serial: number, epoch: 1900 | 1904): CalendarDate | null {
  const day = Math.floor(serial);
  if (epoch === 1904) return serial >= 0 && serial < 2957004 ? fromEpochDay(toEpochDay('1904-01-01') + day) : null;
  if (serial >= 61 && serial < 2958466) return fromEpochDay(day - 25569);
  return serial >= 1 && serial < 60 ? fromEpochDay(day - 25568) : null;
}

/** The digits of a number as written: percent signs and spaces gone, commas only in groups of three. */
export function digitsOf(text: string): string | null {
  const bare = text.replaceAll('%', '').replace(SPACE, '');
  if (/^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,3})?$/.test(bare)) return bare;
  return /^[+-]?\d{1,3}(,\d{3})+(\.\d*)?$/.test(bare) ? bare.replaceAll(',', '') : null;
}

function parseNumber(text: string): number | null {
  const digits = digitsOf(text);
  if (digits === null) return null;
  const value = Number(digits);
  return Number.isFinite(value) ? value : null;
}

/** Decimal text of written digits: `+1.` is 1, `.5` is 0.5. */
const exactOf = (digits: string): string =>
  decimalOf(
    digits
      .replace(/^\+/, '')
      .replace(/\.(?=$|e)/i, '')
      .replace(/^(-?)\./, '$10.'),
  );

function roundedDecimal(exact: string, digits: number, integerDigits: number): string {
  const rounded = round(exact, digits);
  if (compare(absolute(rounded), `1${'0'.repeat(integerDigits)}`) >= 0) fail(REASONS.tooLarge);
  return rounded;
}

class RowReader {
  readonly #cells: Readonly<Record<string, Cell>>;
  readonly #made: ReadonlyMap<number, Held>;
  readonly #facts: InterpreterFacts;

  constructor(cells: Readonly<Record<string, Cell>>, made: ReadonlyMap<number, Held>, facts: InterpreterFacts) {
    this.#cells = cells;
    this.#made = made;
    this.#facts = facts;
  }

  cell(header: string): Cell {
    return this.#cells[header] ?? BLANK;
  }

  #read(planned: PlannedStep, name: string): Held {
    const source = planned.columns.get(name) as ColumnSource;
    if (source.from === 'origin') return { kind: 'cell', data: this.cell(source.header) };
    return this.#made.get(source.rule) ?? NOTHING;
  }

  /** Reads another column; what is wrong there is said of it by name. */
  #other<T>(planned: PlannedStep, name: string, read: (held: Held) => T): T {
    try {
      return read(this.#read(planned, name));
    } catch (fault) {
      if (fault instanceof Fault) return fail(`the value of "${name}" ${fault.message}`);
      throw fault;
    }
  }

  text(held: Held): string | null {
    if (held.data === null) return null;
    if (held.kind === 'cell') {
      const cell = held.data as Cell;
      return cell.tag === 'error' ? fail(REASONS.sheetError) : seen(cell, this.#facts.epoch);
    }
    return held.kind === 'number' ? shownNumber(held.data as number) : String(held.data);
  }

  number(held: Held): number | null {
    if (held.data === null) return null;
    switch (held.kind) {
      case 'number':
        return held.data as number;
      case 'text': {
        const text = held.data as string;
        return isBlank(text) ? null : (parseNumber(text) ?? fail(REASONS.notNumber));
      }
      case 'amount':
        return toNumber((held.data as Amount).sum);
      case 'interest':
        return toNumber((held.data as Rate).points);
      case 'percentage':
        return toNumber(held.data as string);
      case 'term':
        return (held.data as Term).value;
      default:
        return this.#cellNumber(held.data as Cell);
    }
  }

  #cellNumber(cell: Cell): number | null {
    switch (cell.tag) {
      case 'blank':
        return null;
      case 'number':
        return Number.isFinite(cell.number) ? cell.number : fail(REASONS.tooLarge);
      case 'text':
        return isBlank(cell.text) ? null : (parseNumber(cell.text) ?? fail(REASONS.notNumber));
      case 'boolean':
        return fail(REASONS.booleanNotNumber);
      case 'date':
        return fail(REASONS.dateNotNumber);
      default:
        return fail(REASONS.sheetError);
    }
  }

  boolean(held: Held): boolean | null {
    if (held.data === null) return null;
    if (held.kind === 'boolean') return held.data as boolean;
    if (held.kind === 'number') return held.data === 1;
    const truth = (text: string): boolean | null =>
      isBlank(text) ? null : ['1', 'y', 'yes', 'true', 'positive'].includes(text.replace(SPACE, '').toLowerCase());
    if (held.kind !== 'cell') return truth(held.data as string);
    const cell = held.data as Cell;
    if (cell.tag === 'blank') return null;
    if (cell.tag === 'number') return cell.number === 1;
    if (cell.tag === 'boolean') return cell.boolean;
    if (cell.tag === 'text') return truth(cell.text);
    return fail(cell.tag === 'date' ? REASONS.notBoolean : REASONS.sheetError);
  }

  date(held: Held, format: string): CalendarDate | null {
    if (held.data === null || held.kind === 'date') return held.data as CalendarDate | null;
    const { epoch } = this.#facts;
    const reason = format === 'excel' ? REASONS.notSerial : REASONS.notDate;
    const ofNumber = (value: number): CalendarDate => {
      if (format === 'excel') return serialDate(value, epoch) ?? fail(reason);
      if (!format.startsWith('timestamp')) return fail(reason);
      const day = Math.floor(value / (format === 'timestampSeconds' ? 86400 : 86400000));
      return day >= -719162 && day < 2932897 ? fromEpochDay(day) : fail(reason);
    };
    const ofText = (text: string): CalendarDate | null => {
      if (isBlank(text)) return null;
      const bare = trim(text);
      if (format === 'ISO') {
        const date = /^(\d{4}-\d{2}-\d{2})([T ].*)?$/.exec(bare)?.[1];
        return isCalendarDate(date) ? date : fail(reason);
      }
      if (format === 'american') {
        const [, month = '', day = '', year] = /^(\d{1,2})\/(\d{1,2})\/(\d{4})( .*)?$/.exec(bare) ?? [];
        const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
        return isCalendarDate(date) ? date : fail(reason);
      }
      const number = parseNumber(text);
      return number === null ? fail(reason) : ofNumber(number);
    };
    if (held.kind === 'number') return ofNumber(held.data as number);
    if (held.kind !== 'cell') return ofText(held.data as string);
    const cell = held.data as Cell;
    if (cell.tag === 'blank') return null;
    if (cell.tag === 'date') return serialDate(cell.serial, epoch) ?? fail(reason);
    if (cell.tag === 'text') return ofText(cell.text);
    if (cell.tag === 'number') return ofNumber(cell.number);
    return fail(cell.tag === 'error' ? REASONS.sheetError : reason);
  }

  /** Exact decimal text: a text's own digits, or the 15 digits a person sees of a number. */
  #exact(held: Held): { exact: string; percentSign: boolean } | null {
    if (held.data === null) return null;
    const cell = held.kind === 'cell' ? (held.data as Cell) : null;
    const text = cell?.tag === 'text' ? cell.text : held.kind === 'text' ? (held.data as string) : null;
    if (text !== null) {
      if (isBlank(text)) return null;
      const digits = digitsOf(text);
      return { exact: exactOf(digits ?? fail(REASONS.notNumber)), percentSign: text.includes('%') };
    }
    const number = this.number(held);
    return number === null ? null : { exact: decimalOf(shownNumber(number)), percentSign: false };
  }

  points(held: Held, scale: string): string | null {
    const read = this.#exact(held);
    if (read === null) return null;
    const inPoints = scale === 'zeroTo1' && !read.percentSign ? multiply(round(read.exact, 10), '100') : read.exact;
    return roundedDecimal(inPoints, 8, 10);
  }

  sum(held: Held, factor: number, currency: string): string | null {
    const digits = minorUnitDigits(currency);
    if (factor === 1) {
      const read = this.#exact(held);
      return read && round(roundedDecimal(read.exact, digits, 14), 4);
    }
    const number = this.number(held);
    if (number === null) return null;
    const product = number * factor;
    if (!Number.isFinite(product)) return fail(REASONS.tooLarge);
    return round(roundedDecimal(decimalOf(shownNumber(product)), digits, 14), 4);
  }

  term(held: Held, unit: keyof typeof DAYS_OF_UNIT): Term | null {
    const cell = held.kind === 'cell' ? (held.data as Cell) : null;
    const text = cell?.tag === 'text' ? cell.text : held.kind === 'text' ? (held.data as string | null) : null;
    if (text === null || isBlank(text)) {
      const value = text === null ? this.number(held) : null;
      return value === null ? null : { value, unit };
    }
    const named = /(day|week|month|quarter|year)s?[\t\n\f\r \u00a0]*$/i.exec(text);
    const value = parseNumber(named ? text.slice(0, named.index) : text);
    if (value === null) return fail(REASONS.notNumber);
    return { value, unit: named ? (`${named[1]?.toLowerCase()}s` as Term['unit']) : unit };
  }

  step(planned: PlannedStep, held: Held): Held {
    const { step } = planned;
    const text = (change: (value: string) => string | null): Held => {
      const value = this.text(held);
      return { kind: 'text', data: value === null ? null : change(value) };
    };
    const number = (change: (value: number) => number): Held => {
      const value = this.number(held);
      return { kind: 'number', data: value === null ? null : change(value) };
    };
    const finite = (value: number, reason: string): number => (Number.isFinite(value) ? value : fail(reason));
    switch (step.type) {
      case 'text':
        return text((value) => value);
      case 'number':
        return number((value) => finite(value * NUMBER_UNIT_FACTORS[step.unit], REASONS.tooLarge));
      case 'distance':
        return number((value) => finite(value * KILOMETERS_OF_UNIT[step.unit], REASONS.tooLarge));
      case 'weight':
        return number((value) => finite(value * METERS_OF_UNIT[step.unit], REASONS.tooLarge));
      case 'boolean':
        return { kind: 'boolean', data: this.boolean(held) };
      case 'date':
        return { kind: 'date', data: this.date(held, step.format) };
      case 'percentage':
      case 'SerializedPercentage':
        return { kind: 'percentage', data: this.points(held, step.scale) };
      case 'SerializedInterest': {
        const points = this.points(held, step.scale);
        if (points !== null && compare(points, '0') < 0) fail(REASONS.negativeRate);
        return { kind: 'interest', data: points === null ? null : { points, kind: step.kind } };
      }
      case 'SerializedSum':
        return { kind: 'amount', data: this.#amount(planned, held) };
      case 'SerializedTerm':
        return { kind: 'term', data: this.term(held, step.unit) };
      case 'assetStatus':
        return { kind: 'status', data: statusOf(this.text(held)) };
      case 'absolute':
        return number(Math.abs);
      case 'negate':
        return number((value) => 0 - value);
      case 'round':
        return number((value) =>
          Math.abs(value) >= 1e15 ? value : toNumber(round(decimalOf(shownNumber(value)), step.digits, 'halfUp')),
        );
      case 'add':
      case 'subtract':
      case 'multiply':
      case 'divide':
      case 'power':
      case 'min':
      case 'max': {
        const left = this.number(held);
        const { column } = step;
        const right =
          column === undefined ? (step.value ?? 0) : this.#other(planned, column, (other) => this.number(other));
        if (left === null || right === null) return { kind: 'number', data: null };
        if (step.type === 'divide' && right === 0) fail(REASONS.divisionByZero);
        const results = {
          add: left + right,
          subtract: left - right,
          multiply: left * right,
          divide: left / right,
          power: left ** right,
          min: Math.min(left, right),
          max: Math.max(left, right),
        };
        return { kind: 'number', data: finite(results[step.type], REASONS.noResult) };
      }
      case 'trim':
        return text(trim);
      case 'upper':
        return text((value) => value.toUpperCase());
      case 'lower':
        return text((value) => value.toLowerCase());
      case 'replaceStrings':
        return text((value) => value.replaceAll(step.value[0] ?? '', () => step.value[1] ?? ''));
      case 'slice':
        return text((value) => [...value].slice(step.value[0], step.value[1]).join(''));
      case 'split':
        return text((value) => value.split(step.by).at(step.index) ?? null);
      case 'padStart':
        return text((value) => value.padStart(step.length, step.fill));
      case 'regexExtract':
        return text((value) => new RegExp(step.pattern).exec(value)?.[step.group] || null);
      case 'concat': {
        const pieces: (string | null)[] = [this.text(held)];
        let some = pieces[0] !== null;
        for (const part of step.parts) {
          const piece = 'text' in part ? part.text : this.#other(planned, part.column, (other) => this.text(other));
          some ||= 'column' in part && piece !== null;
          pieces.push(piece);
        }
        return { kind: 'text', data: some ? pieces.filter((piece) => piece !== null).join(step.separator) : null };
      }
      case 'ifStatement':
        return this.#operand(planned, this.#holds(planned) ? step.then : step.else, held);
      case 'switchCase': {
        const shown = this.#key(held);
        for (const { equals, then } of step.cases) {
          const literals = Array.isArray(equals) ? equals : [equals];
          if (literals.some((each) => (each === null ? shown === null : keyOfLiteral(each) === shown))) {
            return this.#operand(planned, then, held);
          }
        }
        if (shown === null) return { kind: planned.output, data: planned.output === 'cell' ? BLANK : null };
        const isError = held.kind === 'cell' && (held.data as Cell).tag === 'error';
        if (isError && planned.output !== 'cell') return fail(REASONS.sheetError);
        return step.default === undefined ? fail(REASONS.noCase) : this.#operand(planned, step.default, held);
      }
      case 'datesDiff': {
        const from = held.data as CalendarDate | null;
        const { column } = step;
        const to =
          column === undefined
            ? this.#facts.cutOffDate
            : this.#other(planned, column, (other) => this.date(other, 'ISO'));
        if (from === null || to === null) return { kind: 'number', data: null };
        return { kind: 'number', data: (toEpochDay(to) - toEpochDay(from)) / DAYS_OF_UNIT[step.unit] };
      }
      case 'omit': {
        const shown = this.#key(held);
        const hit = shown !== null && step.values.some((each) => keyOfLiteral(each) === shown);
        return hit ? { kind: held.kind, data: held.kind === 'cell' ? BLANK : null } : held;
      }
    }
  }

  #key(held: Held): string | null {
    const isError = held.kind === 'cell' && (held.data as Cell).tag === 'error';
    const shown = isError ? (held.data as { text: string }).text : this.text(held);
    return shown === null ? null : key(shown);
  }

  #amount(planned: PlannedStep, held: Held): Amount | null {
    const { step } = planned;
    if (step.type !== 'SerializedSum') throw new Error('An amount is made by SerializedSum');
    let currency = step.currency ?? this.#facts.primaryCurrency;
    let fault: string | null = null;
    if (step.currencyColumn !== undefined) {
      const name = step.currencyColumn;
      try {
        const stated = this.#other(planned, name, (other) => this.text(other));
        if (stated !== null && !isBlank(stated)) currency = trim(stated).toUpperCase();
        if (!isCurrencyCode(currency)) fail(`the value of "${name}" ${REASONS.notCurrency}`);
      } catch (error) {
        if (!(error instanceof Fault)) throw error;
        fault = error.message;
        currency = 'USD';
      }
    }
    const sum = this.sum(held, NUMBER_UNIT_FACTORS[step.unit], currency);
    if (fault !== null) return fail(fault);
    return sum === null ? null : { sum, currency };
  }

  #operand(planned: PlannedStep, operand: Operand, held: Held): Held {
    if (isOperandPrevious(operand)) return this.#as(held, planned.output);
    if (isOperandColumn(operand))
      return this.#other(planned, operand.column, (other) => this.#as(other, planned.output));
    if (operand === null && planned.output === 'cell') return { kind: 'cell', data: BLANK };
    return { kind: planned.output, data: operand as Plain };
  }

  #as(held: Held, kind: ValueKind): Held {
    if (held.kind === kind) return held;
    if (kind === 'text') return { kind, data: this.text(held) };
    if (kind === 'number') return { kind, data: this.number(held) };
    if (kind === 'boolean') return { kind, data: this.boolean(held) };
    return { kind, data: kind === 'cell' ? BLANK : null };
  }

  #holds(planned: PlannedStep): boolean {
    if (!planned.filter) throw new Error('An ifStatement was planned without its filter');
    return (
      evaluateFilter(planned.filter, (field) => {
        const quietly = <T>(read: () => T): T | null => {
          try {
            return read();
          } catch (fault) {
            if (fault instanceof Fault) return null;
            throw fault;
          }
        };
        if (field.path.startsWith('origin.')) {
          const cell = this.cell(field.path.slice('origin.'.length));
          const held: Held = { kind: 'cell', data: cell };
          if (field.type === 'number') return quietly(() => this.number(held));
          if (field.type === 'boolean') return quietly(() => this.boolean(held));
          return seen(cell, this.#facts.epoch);
        }
        const [, rule, part] = field.path.split('.');
        const held = this.#made.get(Number(rule)) ?? NOTHING;
        if (held.kind === 'cell') return seen(held.data as Cell, this.#facts.epoch);
        const columns = columnsOf(held);
        const value = columns[part === undefined ? 0 : part === 'days' ? 2 : 1] ?? null;
        return value;
      }) === true
    );
  }
}

const keyOfLiteral = (literal: string | number | boolean): string =>
  key(typeof literal === 'number' ? shownNumber(literal) : String(literal));

function statusOf(text: string | null): string | null {
  if (text === null || isBlank(text)) return null;
  return assetStatusOf(text) ?? fail(REASONS.notStatus);
}

function fitTarget(planned: PlannedRule, held: Held, row: RowReader): Held {
  const text = (): string | null => {
    const value = held.data as string | null;
    return value === null || isBlank(value) ? null : trim(value);
  };
  if (held.kind === 'missing') return held;
  switch (planned.target.kind) {
    case 'assetStatus':
      return held.kind === 'status' ? held : { kind: 'status', data: statusOf(held.data as string | null) };
    case 'assetType': {
      const value = text()?.toLowerCase() ?? null;
      return value === null || value === 'loan' || value === 'investment'
        ? { kind: 'text', data: value }
        : fail(REASONS.notAssetType);
    }
    case 'currency': {
      const value = text()?.toUpperCase() ?? null;
      return value === null || isCurrencyCode(value) ? { kind: 'text', data: value } : fail(REASONS.notCurrency);
    }
    case 'text':
      return held.kind === 'cell' ? { kind: 'text', data: row.text(held) } : held;
    case 'number':
      return { kind: 'number', data: row.number(held) };
    default:
      return held;
  }
}

function violation(validation: Validation, held: Held): string | null {
  const [value] = columnsOf(held);
  if (value === null || value === undefined) return null;
  const decimal = (): string => (typeof value === 'number' ? decimalOf(value) : String(value));
  const text = String(value);
  switch (validation.kind) {
    case 'minNumber':
      return compare(decimal(), decimalOf(validation.value)) < 0 ? `is below ${validation.value}` : null;
    case 'maxNumber':
      return compare(decimal(), decimalOf(validation.value)) > 0 ? `is above ${validation.value}` : null;
    case 'minDate':
      return text < validation.value ? `is before ${validation.value}` : null;
    case 'maxDate':
      return text > validation.value ? `is after ${validation.value}` : null;
    case 'notContains':
      return text.includes(validation.value) ? `contains "${validation.value}"` : null;
    case 'mustContains':
      return text.includes(validation.value) ? null : `does not contain "${validation.value}"`;
    case 'mustBeTrue':
      return value === true ? null : 'is not true';
    case 'mustBeFalse':
      return value === false ? null : 'is not false';
    case 'minLength':
      return [...text].length < validation.value ? `is shorter than ${validation.value}` : null;
    case 'maxLength':
      return [...text].length > validation.value ? `is longer than ${validation.value}` : null;
  }
}
