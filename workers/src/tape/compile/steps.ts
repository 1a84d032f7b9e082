import type { PlannedStep } from '@tapeline/domain/tapes/mapping-plan.ts';
import {
  DAYS_OF_UNIT,
  KILOMETERS_OF_UNIT,
  METERS_OF_UNIT,
  NUMBER_UNIT_FACTORS,
  type SerializationOf,
} from '@tapeline/domain/tapes/serialization.schema.ts';
import { blankedWhere } from './cells.ts';
import { convertDate, convertInterest, convertPercentage, convertSum, convertTerm, firstOf } from './conversions.ts';
import { choose, decide, keyOf, literalKey } from './decision-steps.ts';
import { constantDigits, digitsOf, exactPart, withExact } from './exact-numbers.ts';
import { EXACT } from './macros.ts';
import { asBoolean, asNumber, asText, unreadText } from './readings.ts';
import { type Fragment, join, numberConstant, raw, sql, text } from './sql.ts';
import { inColumn, type StepContext } from './step-context.ts';
import { concatenate, perText } from './text-steps.ts';
import { MISSING, missingOf, type Outcome, part, REASONS, single, type Value } from './values.ts';

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
