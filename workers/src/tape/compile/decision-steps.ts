import type { PlannedStep } from '@tapeline/domain/tapes/planned-rule.ts';
import type { SerializationOf, StepOperand } from '@tapeline/domain/tapes/serialization.schema.ts';
import { isOperandColumn, isOperandPrevious, literalKind } from '@tapeline/domain/tapes/step-kinds.ts';
import { shownNumber } from '@tapeline/sheets/shown-number.ts';
import { mayBe } from './cells.ts';
import { asKind, asText, shownCell } from './readings.ts';
import { type Fragment, join, NULL_TEXT, numberConstant, raw, sql, text } from './sql.ts';
import { inColumn, type StepContext } from './step-context.ts';
import { MISSING, missingOf, type Outcome, part, REASONS, single, type Value } from './values.ts';

/** The result of a branch: a literal, another column, or the input value. */
function branch(context: StepContext, planned: PlannedStep, operand: StepOperand, input: Value, name: string): Outcome {
  const { output, figures } = planned;
  if (isOperandPrevious(operand)) return asKind(context.compilation, input, output, figures.get(null), name);
  if (isOperandColumn(operand)) {
    const source = planned.columns.get(operand.column);
    const other = source ? context.read(source) : MISSING;
    const read = asKind(context.compilation, other, output, figures.get(operand.column), name);
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

export function decide(
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
export function keyOf(context: StepContext, input: Value): Fragment {
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

export function choose(
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
