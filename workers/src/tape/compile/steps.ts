import type { CalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { namedValue } from '@tapeline/domain/tapes/cell-reasons.ts';
import { LONGEST_TEXT, longestSearched } from '@tapeline/domain/tapes/longest-text.ts';
import type { ColumnSource, PlannedStep } from '@tapeline/domain/tapes/mapping-plan.ts';
import {
  DAYS_OF_UNIT,
  KILOMETERS_OF_UNIT,
  METERS_OF_UNIT,
  NUMBER_UNIT_FACTORS,
  type Serialization,
  type SerializationOf,
  type StepOperand,
} from '@tapeline/domain/tapes/serialization.schema.ts';
import { shownNumber } from '@tapeline/domain/tapes/shown-number.ts';
import { isOperandColumn, isOperandPrevious, literalKind } from '@tapeline/domain/tapes/step-kinds.ts';
import { blankedWhere, mayBe } from './cells.ts';
import { convertDate, convertInterest, convertPercentage, convertSum, convertTerm, firstOf } from './conversions.ts';
import { constantDigits, digitsOf, exactPart, withExact } from './exact-numbers.ts';
import type { Layers } from './layers.ts';
import { EXACT } from './macros.ts';
import { asBoolean, asKind, asNumber, asText, shownCell, unreadText } from './readings.ts';
import { type Fragment, join, NULL_TEXT, numberConstant, raw, sql, text } from './sql.ts';
import { type Compilation, MISSING, missingOf, type Outcome, part, REASONS, single, type Value } from './values.ts';

/** One step in its context. Names of the columns that it defines start with `name`. */
export interface StepContext {
  readonly compilation: Compilation;
  readonly name: string;
  readonly cutOffDate: CalendarDate;
  readonly primaryCurrency: string;
  read(source: ColumnSource): Value;
  /** A condition over columns. NULL if unknown. */
  condition(planned: PlannedStep): Fragment;
}

/** Compiles one step that transforms the running value. */
export function compileStep(context: StepContext, planned: PlannedStep, input: Value): Outcome {
  const { step } = planned;
  const { compilation, name } = context;
  switch (step.type) {
    case 'text':
      return asText(compilation, input, name);
    case 'number':
      return scaled(context, input, NUMBER_UNIT_FACTORS[step.unit]);
    case 'boolean':
      return asBoolean(compilation, input, name);
    case 'date':
      return convertDate(compilation, input, step.format, name);
    case 'percentage':
    case 'SerializedPercentage':
      return convertPercentage(compilation, input, step.scale, name);
    case 'SerializedSum': {
      const named = step.currencyColumn === undefined ? undefined : planned.columns.get(step.currencyColumn);
      return convertSum(compilation, input, name, {
        unit: step.unit,
        currency: step.currency ?? context.primaryCurrency,
        named: named && context.read(named),
        namedAs: step.currencyColumn ?? '',
      });
    }
    case 'SerializedTerm':
      return convertTerm(compilation, input, step.unit, name);
    case 'SerializedInterest':
      return convertInterest(compilation, input, step.scale, step.kind, name);
    case 'distance':
      return scaled(context, input, KILOMETERS_OF_UNIT[step.unit]);
    case 'weight':
      return scaled(context, input, METERS_OF_UNIT[step.unit]);
    case 'assetStatus':
      return toStatus(context, input);
    case 'add':
    case 'subtract':
    case 'multiply':
    case 'divide':
    case 'power':
    case 'min':
    case 'max':
      return calculate(context, planned, step, input);
    case 'absolute':
      return perNumber(
        context,
        input,
        (n) => sql`abs(${n})`,
        (digits) => sql`abs(${digits})`,
      );
    case 'negate':
      return perNumber(
        context,
        input,
        (n) => sql`(0 - ${n})`,
        (digits) => sql`(0 - ${digits})`,
      );
    case 'round':
      return perNumber(
        context,
        input,
        (n) => sql`tape_round_${step.digits}(${n})`,
        (digits) => sql`CAST(round(${digits}, ${step.digits}) AS ${EXACT})`,
      );
    case 'ifStatement':
      return decide(context, planned, step, input);
    case 'switchCase':
      return choose(context, planned, step, input);
    case 'datesDiff':
      return countDays(context, planned, step, input);
    case 'omit':
      return leaveOut(context, step, input);
    case 'concat':
      return concatenate(context, planned, step, input);
    default:
      return perText(context, step, input);
  }
}

function scaled(context: StepContext, input: Value, factor: number): Outcome {
  const read = asNumber(context.compilation, input, context.name);
  if (factor === 1) return read;
  const n = part(read.value);
  const { layers } = context.compilation;
  const product = layers.define(`${context.name}_scaled`, sql`tape_finite(${n} * ${numberConstant(factor)})`);
  const digits = exactPart(read.value);
  const exact =
    digits && layers.define(`${context.name}_scaled_exact`, sql`tape_product(${digits}, ${constantDigits(factor)})`);
  const overflow = sql`CASE WHEN ${product} IS NULL AND ${n} IS NOT NULL THEN ${text(REASONS.tooLarge)} END`;
  return { value: withExact(single('number', product), exact), error: firstOf([read.error, overflow]) };
}

/** @param changeExact the same change for exact decimal digits */
function perNumber(
  context: StepContext,
  input: Value,
  change: (n: Fragment) => Fragment,
  changeExact: (digits: Fragment) => Fragment,
): Outcome {
  const { layers } = context.compilation;
  const read = asNumber(context.compilation, input, context.name);
  const changed = layers.define(`${context.name}_result`, change(part(read.value)));
  const digits = exactPart(read.value);
  const exact = digits && layers.define(`${context.name}_exact`, changeExact(sql`tape_held(${digits})`));
  return { value: withExact(single('number', changed), exact), error: read.error };
}

/** Steps that can turn a text into an empty or blank one. */
const BLANKING: ReadonlySet<Serialization['type']> = new Set(['replaceStrings', 'slice', 'split', 'regexExtract']);

/** Steps that keep a text nonblank and free of surrounding spaces if it was so before. */
const TRIMMED_STAYS: ReadonlySet<Serialization['type']> = new Set(['trim', 'upper', 'lower']);

/** A blank text counts as missing, whether it was read or produced. */
function perText(context: StepContext, step: Serialization, input: Value): Outcome {
  const { layers } = context.compilation;
  const read = asText(context.compilation, input, context.name);
  const trimmed = read.value.trimmed === true;
  if (step.type === 'trim' && trimmed) return read;
  const fits =
    step.type === 'replaceStrings'
      ? replacedFits(context, step, part(read.value))
      : step.type === 'regexExtract'
        ? searchedFits(context, step, part(read.value))
        : null;
  const changed = layers.define(
    `${context.name}_result`,
    unlessTooLong(fits, stringSql(layers, step, part(read.value))),
  );
  const kept = BLANKING.has(step.type)
    ? layers.define(`${context.name}_kept`, sql`CASE WHEN NOT tape_blank(${changed}) THEN ${changed} END`)
    : changed;
  return {
    value: { ...single('text', kept), trimmed: trimmed && TRIMMED_STAYS.has(step.type) },
    error: firstOf([
      read.error,
      tooLong(fits, step.type === 'regexExtract' ? REASONS.longForPattern : REASONS.tooLong),
    ]),
  };
}

/**
 * The result if it fits. DuckDB evaluates a CASE branch only for the rows that take it, so an oversized text is never
 * built.
 */
const unlessTooLong = (fits: Fragment | null, made: Fragment): Fragment =>
  fits === null ? made : sql`CASE WHEN ${fits} THEN ${made} END`;

const tooLong = (fits: Fragment | null, reason: string): Fragment | null =>
  fits && sql`CASE WHEN NOT ${fits} THEN ${text(reason)} END`;

const charactersIn = (written: string): number => [...written].length;
const bytesIn = (written: string): number => Buffer.byteLength(written);

/** Whether the text is short enough after the replacements, by counting them. Null if it cannot get longer. */
function replacedFits(context: StepContext, step: SerializationOf<'replaceStrings'>, s: Fragment): Fragment | null {
  const [find = '', put = ''] = step.value;
  const found = charactersIn(find);
  const grows = charactersIn(put) - found;
  if (grows <= 0) return null;
  const surelyFits = Math.floor((LONGEST_TEXT * found) / (found + grows));
  const removed = sql`length(${s}) - length(replace(${s}, ${context.compilation.layers.literal(find)}, ''))`;
  return context.compilation.layers.define(
    `${context.name}_fits`,
    sql`CASE WHEN strlen(${s}) <= ${surelyFits} THEN true ELSE length(${s}) + (${removed}) // ${found} * ${grows} <= ${LONGEST_TEXT} END`,
  );
}

/** Whether the text is short enough to be searched for the pattern. Null if every text is. */
function searchedFits(context: StepContext, step: SerializationOf<'regexExtract'>, s: Fragment): Fragment | null {
  const longest = longestSearched(step.pattern);
  if (longest >= LONGEST_TEXT) return null;
  return context.compilation.layers.define(
    `${context.name}_fits`,
    sql`(${s} IS NULL OR strlen(${s}) <= ${longest} OR length(${s}) <= ${longest})`,
  );
}

/** Whether all parts together are short enough, by their lengths. */
function joinedFits(context: StepContext, step: SerializationOf<'concat'>, columns: readonly Fragment[]): Fragment {
  const written = step.parts.flatMap((piece) => ('text' in piece ? [piece.text] : []));
  const length = (measure: string, sizeOf: (text: string) => number): Fragment => {
    const gap = sizeOf(step.separator);
    const ofColumns = columns.map((each) => sql`coalesce(${raw(measure)}(${each}) + ${gap}, 0)`);
    const fixed = written.reduce((sum, each) => sum + sizeOf(each) + gap, -gap);
    return sql`${join(ofColumns, ' + ')} + (${fixed})`;
  };
  return context.compilation.layers.define(
    `${context.name}_fits`,
    sql`(${length('strlen', bytesIn)} <= ${LONGEST_TEXT} OR ${length('length', charactersIn)} <= ${LONGEST_TEXT})`,
  );
}

function toStatus(context: StepContext, input: Value): Outcome {
  if (input.kind === 'status') return { value: input, error: null };
  const read = asText(context.compilation, input, context.name);
  const s = part(read.value);
  const status = context.compilation.layers.define(`${context.name}_status`, sql`tape_status(${s})`);
  const unknown = unreadText(read.value, status, REASONS.notStatus);
  return { value: single('status', status), error: firstOf([read.error, unknown]) };
}

type Arithmetic = SerializationOf<'add' | 'subtract' | 'multiply' | 'divide' | 'power' | 'min' | 'max'>;

function calculate(context: StepContext, planned: PlannedStep, step: Arithmetic, input: Value): Outcome {
  const { compilation, name } = context;
  const left = asNumber(compilation, input, name);
  const { right, digits } = numberOperand(context, planned, step);
  const a = part(left.value);
  const b = part(right.value);
  const formula: Record<Arithmetic['type'], () => Fragment> = {
    add: () => sql`${a} + ${b}`,
    subtract: () => sql`${a} - ${b}`,
    multiply: () => sql`${a} * ${b}`,
    divide: () => sql`CASE WHEN ${b} <> 0 THEN ${a} / ${b} END`,
    power: () =>
      sql`CASE WHEN NOT (${a} = 0 AND ${b} < 0) AND NOT (${a} < 0 AND ${b} <> trunc(${b})) THEN pow(${a}, ${b}) END`,
    // least() and greatest() ignore a missing operand. Here a missing operand makes the result unknown.
    min: () => sql`CASE WHEN ${a} <= ${b} THEN ${a} ELSE ${b} + 0 * ${a} END`,
    max: () => sql`CASE WHEN ${a} >= ${b} THEN ${a} ELSE ${b} + 0 * ${a} END`,
  };
  const result = compilation.layers.define(`${name}_result`, sql`tape_finite(${formula[step.type]()})`);
  const reason =
    step.type === 'divide'
      ? sql`CASE WHEN ${b} = 0 THEN ${text(REASONS.divisionByZero)} ELSE ${text(REASONS.noResult)} END`
      : text(REASONS.noResult);
  const failed = sql`CASE WHEN ${result} IS NULL AND ${a} IS NOT NULL AND ${b} IS NOT NULL THEN ${reason} END`;
  // Exact digits are only computed if one side is money and the operation has a finite decimal result.
  const money = [exactPart(left.value), exactPart(right.value)].filter((each) => each !== null);
  const exactly = money.length > 0 ? EXACT_FORMULAS[step.type] : undefined;
  const exact =
    exactly &&
    compilation.layers.define(
      `${name}_exact`,
      sql`CASE WHEN coalesce(${join(money, ', ')}) IS NOT NULL THEN ${exactly(
        compilation.layers.define(`${name}_left`, sql`tape_held(${digitsOf(input, a)})`),
        compilation.layers.define(`${name}_right`, sql`tape_held(${digits})`),
      )} END`,
    );
  return {
    value: withExact(single('number', result), exact ?? null),
    error: firstOf([left.error, right.error, failed]),
  };
}

const EXACT_FORMULAS: Readonly<Partial<Record<Arithmetic['type'], (a: Fragment, b: Fragment) => Fragment>>> = {
  add: (a, b) => sql`${a} + ${b}`,
  subtract: (a, b) => sql`${a} - ${b}`,
  multiply: (a, b) => sql`tape_product(${a}, ${b})`,
  min: (a, b) => sql`CASE WHEN ${a} <= ${b} THEN ${a} WHEN ${b} < ${a} THEN ${b} END`,
  max: (a, b) => sql`CASE WHEN ${a} >= ${b} THEN ${a} WHEN ${b} > ${a} THEN ${b} END`,
};

/** The other operand and its decimal digits. */
function numberOperand(
  context: StepContext,
  planned: PlannedStep,
  step: Arithmetic,
): { right: Outcome; digits: Fragment } {
  if (step.column === undefined) {
    const value = step.value ?? 0;
    return { right: { value: single('number', numberConstant(value)), error: null }, digits: constantDigits(value) };
  }
  const source = planned.columns.get(step.column);
  const other = source ? context.read(source) : MISSING;
  const read = asNumber(context.compilation, other, `${context.name}_other`);
  return {
    right: { value: read.value, error: inColumn(context, step.column, read.error) },
    digits: digitsOf(other, part(read.value)),
  };
}

/** Adds the column's name to an error about another column. */
const inColumn = ({ compilation }: StepContext, column: string, error: Fragment | null): Fragment | null =>
  error && sql`${compilation.layers.literal(namedValue(column))} || ${error}`;

function stringSql(layers: Layers, step: Serialization, s: Fragment): Fragment {
  switch (step.type) {
    case 'trim':
      return sql`tape_trim(${s})`;
    case 'upper':
      return sql`upper(${s})`;
    case 'lower':
      return sql`lower(${s})`;
    case 'replaceStrings':
      return sql`replace(${s}, ${layers.literal(step.value[0] ?? '')}, ${layers.literal(step.value[1] ?? '')})`;
    case 'slice':
      return sliceSql(s, step.value[0] ?? 0, step.value[1]);
    case 'split': {
      const index = step.index < 0 ? step.index : step.index + 1;
      return sql`string_split(${s}, ${layers.literal(step.by)})[${index}]`;
    }
    case 'padStart':
      return sql`CASE WHEN length(${s}) >= ${step.length} THEN ${s} ELSE lpad(${s}, ${step.length}, ${layers.literal(step.fill)}) END`;
    case 'regexExtract':
      return sql`regexp_extract(${s}, ${layers.literal(enginePattern(step.pattern))}, ${step.group})`;
    default:
      throw new Error(`${step.type} is no string step`);
  }
}

/** Rewrites the pattern to use the filter language's spaces, because DuckDB's own `\s` omits the vertical tab. */
function enginePattern(pattern: string): string {
  let inClass = false;
  return pattern.replace(/\\(.)|[[\]]/gsu, (written, escaped: string | undefined) => {
    if (escaped === undefined) {
      inClass = written === '[';
      return written;
    }
    if (escaped === 's') return inClass ? '\\t-\\r ' : '[\\t-\\r ]';
    if (escaped === 'S') return inClass ? '\\x00-\\x08\\x0e-\\x1f!-\\x{10ffff}' : '[^\\t-\\r ]';
    return written;
  });
}

/** JavaScript's slice over characters. Negative positions count from the end. */
function sliceSql(s: Fragment, start: number, end: number | undefined): Fragment {
  const place = (at: number): Fragment => (at >= 0 ? raw(`${at}`) : sql`greatest(length(${s}) - ${-at}, 0)`);
  const from = place(start);
  const count = end === undefined ? sql`length(${s})` : sql`greatest(${place(end)} - ${from}, 0)`;
  return sql`substring(${s}, CAST(${from} + 1 AS BIGINT), CAST(${count} AS BIGINT))`;
}

function concatenate(
  context: StepContext,
  planned: PlannedStep,
  step: SerializationOf<'concat'>,
  input: Value,
): Outcome {
  const { compilation, name } = context;
  const first = asText(compilation, input, name);
  const errors = [first.error];
  const pieces: Fragment[] = [part(first.value)];
  const columns: Fragment[] = [part(first.value)];
  for (const [index, piece] of step.parts.entries()) {
    if ('text' in piece) {
      pieces.push(compilation.layers.literal(piece.text));
      continue;
    }
    const source = planned.columns.get(piece.column);
    const read = asText(compilation, source ? context.read(source) : MISSING, `${name}_part${index + 1}`);
    errors.push(inColumn(context, piece.column, read.error));
    pieces.push(part(read.value));
    columns.push(part(read.value));
  }
  // Missing parts are skipped. If only fixed text is left, the result is missing.
  const some = sql`coalesce(${join(columns, ', ')}) IS NOT NULL`;
  const fits = joinedFits(context, step, columns);
  const joined = sql`CASE WHEN ${some} AND ${fits} THEN concat_ws(${compilation.layers.literal(step.separator)}, ${join(pieces, ', ')}) END`;
  errors.push(sql`CASE WHEN ${some} AND NOT ${fits} THEN ${text(REASONS.tooLong)} END`);
  return { value: single('text', compilation.layers.define(`${name}_result`, joined)), error: firstOf(errors) };
}

/** The result of a branch: a literal, another column, or the input value. */
function branch(context: StepContext, planned: PlannedStep, operand: StepOperand, input: Value, name: string): Outcome {
  const { output } = planned;
  if (isOperandPrevious(operand)) return asKind(context.compilation, input, output, name);
  if (isOperandColumn(operand)) {
    const source = planned.columns.get(operand.column);
    const read = asKind(context.compilation, source ? context.read(source) : MISSING, output, name);
    return { value: read.value, error: inColumn(context, operand.column, read.error) };
  }
  return { value: literalValue(context, operand as string | number | boolean | null, output), error: null };
}

function literalValue(
  { compilation }: StepContext,
  literal: string | number | boolean | null,
  output: Value['kind'],
): Value {
  if (literal === null || (typeof literal === 'string' && isBlankText(literal))) return missingOf(output);
  const kind = literalKind(literal);
  const constant =
    typeof literal === 'number'
      ? numberConstant(literal)
      : typeof literal === 'boolean'
        ? raw(String(literal))
        : compilation.layers.literal(literal);
  return single(kind, constant);
}

/** Builds one CASE per part over the branches: the first branch whose condition is true, otherwise the last. */
function caseOf(
  context: StepContext,
  output: Value['kind'],
  branches: readonly { holds: Fragment; gives: Outcome }[],
  otherwise: Outcome,
): Outcome {
  const { compilation, name } = context;
  const parts: Record<string, Fragment> = {};
  const keys = new Set(Object.keys(missingOf(output).parts));
  if ([...branches.map(({ gives }) => gives), otherwise].some(({ value }) => value.parts.exact)) keys.add('exact');
  for (const key of keys) {
    const whens = branches.map(({ holds, gives }) => sql`WHEN ${holds} THEN ${part(gives.value, key)}`);
    const chosen = sql`CASE ${join(whens, ' ')} ELSE ${part(otherwise.value, key)} END`;
    parts[key] = compilation.layers.define(key === 'value' ? `${name}_result` : `${name}_${key.toLowerCase()}`, chosen);
  }
  const failing = branches.some(({ gives }) => gives.error) || otherwise.error;
  const reasons = branches.map(({ holds, gives }) => sql`WHEN ${holds} THEN ${gives.error ?? NULL_TEXT}`);
  return {
    value: { kind: output, parts },
    error: failing ? sql`CASE ${join(reasons, ' ')} ELSE ${otherwise.error ?? NULL_TEXT} END` : null,
  };
}

function decide(
  context: StepContext,
  planned: PlannedStep,
  step: SerializationOf<'ifStatement'>,
  input: Value,
): Outcome {
  const holds = context.compilation.layers.define(`${context.name}_holds`, context.condition(planned));
  const gives = branch(context, planned, step.then, input, `${context.name}_then`);
  const otherwise = branch(context, planned, step.else, input, `${context.name}_else`);
  return caseOf(context, planned.output, [{ holds, gives }], otherwise);
}

/** The text that switch cases and omitted values are compared with: as displayed, trimmed and in lowercase. */
function keyOf(context: StepContext, input: Value): Fragment {
  const { compilation, name } = context;
  const shown =
    input.kind === 'cell' ? shownCell(compilation, input) : part(asText(compilation, input, `${name}_text`).value);
  return compilation.layers.define(`${name}_key`, sql`tape_key(${shown})`);
}

/**
 * Matches `tape_key`: lowercases character by character, so that no character becomes two and a final sigma stays a
 * plain sigma.
 */
export const literalKey = (literal: string | number | boolean): string =>
  [...trimmed(typeof literal === 'number' ? shownNumber(literal) : String(literal))]
    .map((letter) => [...letter.toLowerCase()][0])
    .join('');

const trimmed = (written: string): string => written.replace(/^[ \t\n\f\r\u00a0]+|[ \t\n\f\r\u00a0]+$/g, '');
const isBlankText = (written: string): boolean => trimmed(written) === '';

function choose(
  context: StepContext,
  planned: PlannedStep,
  step: SerializationOf<'switchCase'>,
  input: Value,
): Outcome {
  const { name } = context;
  const key = keyOf(context, input);
  const branches = step.cases.map(({ equals, then }, index) => {
    const literals = Array.isArray(equals) ? equals : [equals];
    // A blank text is how a user writes a blank cell.
    const conditions = literals.map((literal) =>
      literal === null || literalKey(literal) === ''
        ? sql`${key} IS NULL`
        : sql`${key} = ${context.compilation.layers.literal(literalKey(literal))}`,
    );
    return {
      holds: sql`(${join(conditions, ' OR ')})`,
      gives: branch(context, planned, then, input, `${name}_case${index + 1}`),
    };
  });
  const nothing: Outcome = { value: missingOf(planned.output), error: null };
  const otherwise: Outcome =
    step.default === undefined
      ? { value: nothing.value, error: text(REASONS.noCase) }
      : branch(context, planned, step.default, input, `${name}_default`);
  // A missing value that no case names stays missing, and a sheet error stays an error.
  branches.push({ holds: sql`${key} IS NULL`, gives: nothing });
  if (input.kind === 'cell' && planned.output !== 'cell' && mayBe(input, 'error')) {
    branches.push({
      holds: sql`${part(input, 't')} = 5`,
      gives: { value: nothing.value, error: text(REASONS.sheetError) },
    });
  }
  return caseOf(context, planned.output, branches, otherwise);
}

function countDays(
  context: StepContext,
  planned: PlannedStep,
  step: SerializationOf<'datesDiff'>,
  input: Value,
): Outcome {
  const { compilation, name } = context;
  let other: Outcome = { value: single('date', raw(`DATE '${context.cutOffDate}'`)), error: null };
  if (step.column !== undefined) {
    const source = planned.columns.get(step.column);
    const read = convertDate(
      compilation,
      source ? context.read(source) : MISSING,
      planned.otherFormat ?? 'ISO',
      `${name}_other`,
    );
    other = { value: read.value, error: inColumn(context, step.column, read.error) };
  }
  const from = input.kind === 'missing' ? part(missingOf('date')) : part(input);
  const days = sql`CAST(${part(other.value)} - ${from} AS DOUBLE)`;
  const counted = step.unit === 'days' ? days : sql`${days} / ${numberConstant(DAYS_OF_UNIT[step.unit])}`;
  return { value: single('number', compilation.layers.define(`${name}_result`, counted)), error: other.error };
}

function leaveOut(context: StepContext, step: SerializationOf<'omit'>, input: Value): Outcome {
  const { compilation, name } = context;
  const key = keyOf(context, input);
  const hit = sql`(${join(
    step.values.map((literal) => sql`${key} = ${compilation.layers.literal(literalKey(literal))}`),
    ' OR ',
  )})`;
  if (input.kind === 'cell') {
    return { value: blankedWhere(input, hit, (tag) => compilation.layers.define(`${name}_t`, tag)), error: null };
  }
  const kept = (each: Fragment): Fragment => sql`CASE WHEN ${hit} THEN NULL ELSE ${each} END`;
  const digits = exactPart(input);
  const exact = digits && compilation.layers.define(`${name}_exact`, kept(digits));
  return {
    value: withExact(single(input.kind, compilation.layers.define(`${name}_result`, kept(part(input)))), exact),
    error: null,
  };
}
