import type { PlannedStep } from '@tapeline/domain/tapes/planned-rule.ts';
import type { FigureOptions, SerializationOf } from '@tapeline/domain/tapes/serialization.schema.ts';
import { firstOf } from './conversions.ts';
import { constantDigits, digitsOf, exactPart, withExact } from './exact-numbers.ts';
import { EXACT } from './macros.ts';
import { asNumber, plainFigures } from './readings.ts';
import { type Fragment, join, numberConstant, sql, text } from './sql.ts';
import { inColumn, type StepContext } from './step-context.ts';
import { MISSING, type Outcome, part, REASONS, single, type Value } from './values.ts';

type Arithmetic = SerializationOf<'add' | 'subtract' | 'multiply' | 'divide' | 'power' | 'min' | 'max'>;

/** A number that arithmetic combines with another, and its decimal digits. */
export interface NumberSide {
  readonly read: Outcome;
  readonly digits: Fragment;
}

/** @param options how the value's texts write figures */
export const sideOf = (
  { compilation }: StepContext,
  value: Value,
  options: FigureOptions | undefined,
  name: string,
): NumberSide => {
  const figure = plainFigures(compilation, value, options, name);
  const read = asNumber(compilation, figure, name);
  return { read, digits: digitsOf(figure, part(read.value)) };
};

export const constantSide = (value: number): NumberSide => ({
  read: { value: single('number', numberConstant(value)), error: null },
  digits: constantDigits(value),
});

export function combineStep(context: StepContext, planned: PlannedStep, step: Arithmetic, input: Value): Outcome {
  const { name } = context;
  const left = sideOf(context, input, planned.figures.get(null), name);
  return combineNumbers(context, step.type, [left, operandOf(context, planned, step)], name);
}

/** The other operand of a step. */
function operandOf(context: StepContext, planned: PlannedStep, step: Arithmetic): NumberSide {
  if (step.column === undefined) return constantSide(step.value ?? 0);
  const source = planned.columns.get(step.column);
  const other = source ? context.read(source) : MISSING;
  const side = sideOf(context, other, planned.figures.get(step.column), `${context.name}_other`);
  return { ...side, read: { ...side.read, error: inColumn(context, step.column, side.read.error) } };
}

/** @param name of the columns that it defines */
export function combineNumbers(
  { compilation }: StepContext,
  type: Arithmetic['type'],
  [left, right]: readonly [NumberSide, NumberSide],
  name: string,
): Outcome {
  const a = part(left.read.value);
  const b = part(right.read.value);
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
  const result = compilation.layers.define(`${name}_result`, sql`tape_finite(${formula[type]()})`);
  const reason =
    type === 'divide'
      ? sql`CASE WHEN ${b} = 0 THEN ${text(REASONS.divisionByZero)} ELSE ${text(REASONS.noResult)} END`
      : text(REASONS.noResult);
  const failed = sql`CASE WHEN ${result} IS NULL AND ${a} IS NOT NULL AND ${b} IS NOT NULL THEN ${reason} END`;
  // Exact digits are only computed if one side is money and the operation has a finite decimal result.
  const money = [exactPart(left.read.value), exactPart(right.read.value)].filter((each) => each !== null);
  const exactly = money.length > 0 ? EXACT_FORMULAS[type] : undefined;
  const exact =
    exactly &&
    compilation.layers.define(
      `${name}_exact`,
      sql`CASE WHEN coalesce(${join(money, ', ')}) IS NOT NULL THEN ${exactly(
        compilation.layers.define(`${name}_left`, sql`tape_held(${left.digits})`),
        compilation.layers.define(`${name}_right`, sql`tape_held(${right.digits})`),
      )} END`,
    );
  return {
    value: withExact(single('number', result), exact ?? null),
    error: firstOf([left.read.error, right.read.error, failed]),
  };
}

const EXACT_FORMULAS: Readonly<Partial<Record<Arithmetic['type'], (a: Fragment, b: Fragment) => Fragment>>> = {
  add: (a, b) => sql`${a} + ${b}`,
  subtract: (a, b) => sql`${a} - ${b}`,
  multiply: (a, b) => sql`tape_product(${a}, ${b})`,
  min: (a, b) => sql`CASE WHEN ${a} <= ${b} THEN ${a} WHEN ${b} < ${a} THEN ${b} END`,
  max: (a, b) => sql`CASE WHEN ${a} >= ${b} THEN ${a} WHEN ${b} > ${a} THEN ${b} END`,
};

/** A change of one number. */
export interface NumberChange {
  readonly change: (n: Fragment) => Fragment;
  /** The same change of exact decimal digits. */
  readonly changeExact: (digits: Fragment) => Fragment;
}

export const ABSOLUTE: NumberChange = { change: (n) => sql`abs(${n})`, changeExact: (digits) => sql`abs(${digits})` };
export const NEGATED: NumberChange = {
  change: (n) => sql`(0 - ${n})`,
  changeExact: (digits) => sql`(0 - ${digits})`,
};
export const rounded = (places: number): NumberChange => ({
  change: (n) => sql`tape_round_${places}(${n})`,
  changeExact: (digits) => sql`CAST(round(${digits}, ${places}) AS ${EXACT})`,
});

export function changeStep(
  context: StepContext,
  { figures }: PlannedStep,
  input: Value,
  change: NumberChange,
): Outcome {
  const { compilation, name } = context;
  const read = asNumber(compilation, plainFigures(compilation, input, figures.get(null), name), name);
  return changeNumber(context, read, change, name);
}

/** @param name of the columns that it defines */
export function changeNumber(
  { compilation: { layers } }: StepContext,
  read: Outcome,
  { change, changeExact }: NumberChange,
  name: string,
): Outcome {
  const changed = layers.define(`${name}_result`, change(part(read.value)));
  const digits = exactPart(read.value);
  const exact = digits && layers.define(`${name}_exact`, changeExact(sql`tape_held(${digits})`));
  return { value: withExact(single('number', changed), exact), error: read.error };
}
