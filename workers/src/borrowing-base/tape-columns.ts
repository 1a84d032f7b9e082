import { type Measured, measuredFields, type PreparedContract } from '@tapeline/domain/borrowing-base/prepare.ts';
import type { TapeTerms } from '@tapeline/domain/borrowing-base/publish.ts';
import type { Field } from '@tapeline/domain/filters/catalog.ts';
import { codeColumn, SEQUENCE_COLUMN } from '@tapeline/domain/tapes/target-schema.ts';
import { readBySql, STRETCHES } from './input-rows.ts';
import { type Input, Inputs } from './inputs.ts';
import { type MeasuredPlan, planMeasured, requireCountable } from './measured-columns.ts';
import type { Pairs } from './pairs.ts';
import { compileJudge, type MaskLayout } from './predicates.ts';
import { readOnThreads } from './read-on-threads.ts';
import type { StatusCounts, StatusPlan, StatusTargets } from './status-tallies.ts';
import type { TapeParts } from './tape-parts.ts';
import { makeTargets, RowTaker } from './tape-reading.ts';
import { Truths } from './truths.ts';

/** The values of every asset that the engine needs: one typed array per column, in tape order. */
export interface TapeColumns extends StatusTargets {
  readonly length: number;
  readonly layout: MaskLayout;
  readonly words: readonly Int32Array[];
  /** By path: money in the main currency, other numbers unchanged. A missing number is zero, with its mask bit set. */
  readonly measured: ReadonlyMap<string, Pairs>;
  /** By path: 0 if missing, otherwise a code starting at 1. */
  readonly codes: ReadonlyMap<string, Int32Array>;
  readonly missingRates: readonly string[];
  /** The sums of each thread that has read a part of the tape. */
  readonly counts: readonly StatusCounts[];
}

/** @returns the input with the codes of a field's groups; null if the tape lacks the field, as all assets then do */
function planGroups(field: Field, parts: TapeParts, inputs: Inputs, truths: Truths): Input | null {
  if (!parts.has(field.path)) return null;
  if (parts.has(codeColumn(field.path))) return truths.codes(field);
  const column = parts.column(field);
  const ranks = `CASE WHEN ${column} IS NOT NULL THEN CAST(dense_rank() OVER (ORDER BY ${column}) AS INTEGER) END`;
  return inputs.add(ranks, 'integer', true, () => ranks);
}

function planStatuses(prepared: PreparedContract, layout: MaskLayout, measured: readonly Measured[]): StatusPlan {
  const { path } = prepared.outstanding.field;
  return {
    scopes: layout.scopes,
    eligibility: layout.eligibility,
    performance: layout.performance,
    cases: prepared.cases.map(({ scope }, at) => ({ scope, position: layout.cases[at] ?? null })),
    outstanding: measured.findIndex(({ field }) => field.path === path),
    lacking: layout.missing.get(path)!,
  };
}

/**
 * Reads the tape in one pass: TypeScript evaluates the rules and computes the measures from the columns that the
 * contract uses. DuckDB does not guarantee an order, so each row is written at its sequenceIndex.
 */
export async function readTapeColumns(
  parts: TapeParts,
  prepared: PreparedContract,
  tape: TapeTerms,
): Promise<TapeColumns> {
  const { length } = parts;
  const inputs = new Inputs();
  const sequenceColumn = `CAST(${parts.named(SEQUENCE_COLUMN)} AS INTEGER)`;
  const sequenceInput = inputs.add(sequenceColumn, 'integer', false, () => sequenceColumn, {
    column: SEQUENCE_COLUMN,
  });
  const truths = new Truths(parts, inputs);
  const missing = new Set<string>();
  const measuredColumns = measuredFields(prepared);
  const measured: MeasuredPlan[] = [];
  for (const one of measuredColumns) measured.push(await planMeasured(one, parts, inputs, truths, tape, missing));
  const groupFields = new Map(
    prepared.concentration.flatMap((rule) => (rule.groupBy ? [[rule.groupBy.path, rule.groupBy] as const] : [])),
  );
  const groupInputs = [...groupFields.values()].map((field) => planGroups(field, parts, inputs, truths));
  const { layout, judge } = compileJudge(prepared, inputs, truths);
  const plan = {
    files: parts.files,
    inputs: inputs.all,
    sequence: sequenceInput.index,
    judge,
    measured,
    groups: groupInputs.map((input) => input?.index ?? null),
    statuses: planStatuses(prepared, layout, measuredColumns),
  };
  const targets = makeTargets(plan, layout.words, length);
  let read = await readOnThreads(plan, targets, length);
  if (read === null) {
    const taker = new RowTaker(plan, targets);
    // Ranks that are computed on the fly must cover the whole tape, so use a single query.
    const ranked = [...groupFields.keys()].some((path) => parts.has(path) && !parts.has(codeColumn(path)));
    await readBySql(parts, inputs, ranked ? 1 : STRETCHES, taker.take);
    read = [taker.read];
  }
  const total = read.reduce((sum, { rows }) => sum + rows, 0);
  if (total !== length) throw new Error(`${total} of the tape's ${length} assets have a place in its order`);
  for (const [at, { field }] of measuredColumns.entries()) requireCountable(field, targets.measured[at]!);
  return {
    length,
    layout,
    words: targets.words,
    measured: new Map(measuredColumns.map(({ field }, at) => [field.path, targets.measured[at]!])),
    codes: new Map([...groupFields.keys()].map((path, at) => [path, targets.codes[at]!])),
    missingRates: [...missing].sort(),
    status: targets.status,
    scope: targets.scope,
    rateCase: targets.rateCase,
    counts: read.map(({ counts }) => counts),
  };
}
