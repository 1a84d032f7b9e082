import type { PlannedStep } from '@tapeline/domain/tapes/planned-rule.ts';
import {
  type FigureOptions,
  KILOMETERS_OF_UNIT,
  METERS_OF_UNIT,
  NUMBER_UNIT_FACTORS,
  type SerializationOf,
} from '@tapeline/domain/tapes/serialization.schema.ts';
import { ROW_COLUMN } from '@tapeline/domain/tapes/target-schema.ts';
import { quoteName } from '@tapeline/lake/lake.ts';
import { ABSOLUTE, changeStep, combineStep, NEGATED, rounded } from './arithmetic-steps.ts';
import { blankedWhere } from './cells.ts';
import { convertDate, convertInterest, convertPercentage, convertSum, convertTerm, firstOf } from './conversions.ts';
import { choose, decide, keyOf, literalKey } from './decision-steps.ts';
import { constantDigits, exactPart, withExact } from './exact-numbers.ts';
import { calculateStep, timeBetween } from './formula-steps.ts';
import { asBoolean, asNumber, asText, plainFigures, unreadText } from './readings.ts';
import { column, type Fragment, join, numberConstant, raw, sql, text } from './sql.ts';
import { inColumn, type StepContext } from './step-context.ts';
import { concatenate, perText } from './text-steps.ts';
import { MISSING, missingOf, type Outcome, part, REASONS, single, type Value } from './values.ts';

/** Compiles one step that transforms the running value. */
export function compileStep(context: StepContext, planned: PlannedStep, input: Value): Outcome {
  const { step } = planned;
  const { compilation, name } = context;
  const figure = (options: FigureOptions): Value => plainFigures(compilation, input, options, name);
  switch (step.type) {
    case 'text':
      return asText(compilation, input, name);
    case 'number':
      return scaled(context, figure(step), NUMBER_UNIT_FACTORS[step.unit]);
    case 'boolean':
      return asBoolean(compilation, input, name);
    case 'date':
      return convertDate(compilation, input, step, name);
    case 'percentage':
    case 'SerializedPercentage':
      return convertPercentage(compilation, figure(step), step.scale, name);
    case 'SerializedSum': {
      const named = step.currencyColumn === undefined ? undefined : planned.columns.get(step.currencyColumn);
      return convertSum(compilation, figure(step), name, {
        unit: step.unit,
        currency: step.currency ?? context.primaryCurrency,
        named: named && context.read(named),
        namedAs: step.currencyColumn ?? '',
      });
    }
    case 'SerializedTerm':
      return convertTerm(compilation, input, step, name);
    case 'SerializedInterest':
      return convertInterest(compilation, figure(step), step.scale, step.kind, name);
    case 'distance':
      return scaled(context, figure(step), KILOMETERS_OF_UNIT[step.unit]);
    case 'weight':
      return scaled(context, figure(step), METERS_OF_UNIT[step.unit]);
    case 'assetStatus':
      return toStatus(context, input);
    case 'add':
    case 'subtract':
    case 'multiply':
    case 'divide':
    case 'power':
    case 'min':
    case 'max':
      return combineStep(context, planned, step, input);
    case 'calculate':
      return calculateStep(context, planned, input);
    case 'absolute':
      return changeStep(context, planned, input, ABSOLUTE);
    case 'negate':
      return changeStep(context, planned, input, NEGATED);
    case 'round':
      return changeStep(context, planned, input, rounded(step.digits));
    case 'rowNumber':
      return orRowNumber(context, input);
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

/** The row's number is in the key that every layer passes on. */
const ROW = column(quoteName(ROW_COLUMN), 'rows');

function orRowNumber({ compilation, name }: StepContext, input: Value): Outcome {
  const read = asText(compilation, input, name);
  const s = part(read.value);
  const isMissing = read.value.trimmed ? sql`${s} IS NULL` : sql`${s} IS NULL OR tape_blank(${s})`;
  const made = sql`CASE WHEN ${isMissing} THEN concat('row ', ${ROW}) ELSE ${s} END`;
  return {
    value: { ...single('text', compilation.layers.define(`${name}_row`, made)), trimmed: read.value.trimmed === true },
    error: read.error,
  };
}

function toStatus(context: StepContext, input: Value): Outcome {
  if (input.kind === 'status') return { value: input, error: null };
  const read = asText(context.compilation, input, context.name);
  const s = part(read.value);
  const status = context.compilation.layers.define(`${context.name}_status`, sql`tape_status(${s})`);
  const unknown = unreadText(read.value, status, REASONS.notStatus);
  return { value: single('status', status), error: firstOf([read.error, unknown]) };
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
      planned.otherDate ?? { format: 'ISO' },
      `${name}_other`,
    );
    other = { value: read.value, error: inColumn(context, step.column, read.error) };
  }
  const from = input.kind === 'missing' ? part(missingOf('date')) : part(input);
  const counted = timeBetween(from, part(other.value), step.unit);
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
