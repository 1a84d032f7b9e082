import { type Measured, measuredFields, type PreparedContract } from '@tapeline/domain/borrowing-base/prepare.ts';
import type { TapeTerms } from '@tapeline/domain/borrowing-base/publish.ts';
import type { Field } from '@tapeline/domain/filters/catalog.ts';
import { codeColumn, SEQUENCE_COLUMN } from '@tapeline/domain/tapes/target-schema.ts';
import { type AnswerLayout, planAnswers } from './answers.ts';
import { AssetReader, makeTargets, type ReadingTargets } from './asset-reader.ts';
import { AssetTests } from './asset-tests.ts';
import { groupingsOf, readParentCodes } from './groups.ts';
import { type MeasuredPlan, planMeasured, requireCountable } from './measured-columns.ts';
import { type PoolCounts, type PoolPlan, PoolSorter, type TapeColumns } from './pools.ts';
import { readOnThreads } from './second-thread.ts';
import { type Input, readBySql, STRETCHES, TapeInputs } from './tape-inputs.ts';
import type { TapeParts } from './tape-parts.ts';
import { failWholeGroups } from './whole-groups.ts';

/** @returns the input with the codes of a field's groups; null if the tape lacks the field, as all assets then do */
function planGroups(field: Field, inputs: TapeInputs): Input | null {
  const { parts } = inputs;
  if (!parts.has(field.path)) return null;
  if (parts.has(codeColumn(field.path))) return inputs.codes(field);
  const column = parts.column(field);
  const ranks = `CASE WHEN ${column} IS NOT NULL THEN CAST(dense_rank() OVER (ORDER BY ${column}) AS INTEGER) END`;
  return inputs.add(ranks, 'integer', true, () => ranks);
}

function planPools(prepared: PreparedContract, layout: AnswerLayout, measured: readonly Measured[]): PoolPlan {
  const { path } = prepared.outstanding.field;
  return {
    scopes: layout.scopes,
    eligibility: layout.eligibility,
    performance: layout.performance,
    cases: prepared.cases.map(({ scope }, at) => ({ scope, answer: layout.cases[at] ?? null })),
    outstanding: measured.findIndex(({ field }) => field.path === path),
    lacking: layout.missing.get(path)!,
  };
}

/** Sorts some of the assets that are read. @param positions of these assets */
function sortAgain(plan: PoolPlan, targets: ReadingTargets, positions: Int32Array): PoolCounts {
  const sorter = new PoolSorter(plan, targets.words, targets.measured, targets);
  sorter.take(positions.length, positions, true);
  return sorter.counts;
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
  const inputs = new TapeInputs(parts);
  const sequenceColumn = `CAST(${parts.named(SEQUENCE_COLUMN)} AS INTEGER)`;
  const sequenceInput = inputs.add(sequenceColumn, 'integer', false, () => sequenceColumn, {
    column: SEQUENCE_COLUMN,
  });
  const missing = new Set<string>();
  const measuredColumns = measuredFields(prepared);
  const measured: MeasuredPlan[] = [];
  for (const one of measuredColumns) measured.push(await planMeasured(one, inputs, tape, missing));
  const groupings = groupingsOf(prepared);
  const groupFields = new Map(
    [...groupings].flatMap(([key, { field, parent }]) => (parent === null ? [[key, field] as const] : [])),
  );
  const groupInputs = [...groupFields.values()].map((field) => planGroups(field, inputs));
  const { layout, plan: answers } = planAnswers(prepared, new AssetTests(inputs));
  const pools = planPools(prepared, layout, measuredColumns);
  const plan = {
    files: parts.files,
    inputs: inputs.all,
    sequence: sequenceInput.index,
    answers,
    measured,
    groups: groupInputs.map((input) => input?.index ?? null),
    // The answers about whole groups are known only once all assets are read. Until then every asset passes them.
    pools: {
      ...pools,
      eligibility: pools.eligibility.map((answer, at) => (prepared.eligibility[at]!.wholeGroup ? null : answer)),
    },
  };
  const targets = makeTargets(plan, layout.words, length);
  let read = await readOnThreads(plan, targets, length);
  if (read === null) {
    const reader = new AssetReader(plan, targets);
    // Ranks that are computed on the fly must cover the whole tape, so use a single query.
    const ranked = [...groupFields.keys()].some((path) => parts.has(path) && !parts.has(codeColumn(path)));
    await readBySql(inputs, ranked ? 1 : STRETCHES, reader.take);
    read = [reader.read];
  }
  const total = read.reduce((sum, { rows }) => sum + rows, 0);
  if (total !== length) throw new Error(`${total} of the tape's ${length} assets have a place in its order`);
  for (const [at, { field }] of measuredColumns.entries()) requireCountable(field, targets.measured[at]!);
  const codes = new Map([...groupFields.keys()].map((path, at) => [path, targets.codes[at]!]));
  for (const [key, grouping] of groupings) {
    if (grouping.parent !== null) codes.set(key, await readParentCodes(parts, grouping));
  }
  const outstanding = targets.measured[plan.pools.outstanding]!;
  const { measured: wholeGroups, failed } = failWholeGroups(prepared, {
    layout,
    words: targets.words,
    scope: targets.scope,
    outstanding,
    codes,
  });
  const readCounts = read.map(({ counts }) => counts);
  // Few assets fail with their group: they alone are sorted again. The order matters, as each time writes their status.
  const countedBefore = failed.length === 0 ? [] : [sortAgain(plan.pools, targets, failed)];
  const counts = failed.length === 0 ? readCounts : [...readCounts, sortAgain(pools, targets, failed)];
  return {
    length,
    layout,
    wholeGroups,
    words: targets.words,
    measured: new Map(measuredColumns.map(({ field }, at) => [field.path, targets.measured[at]!])),
    codes,
    missingRates: [...missing].sort(),
    status: targets.status,
    scope: targets.scope,
    rateCase: targets.rateCase,
    counts,
    countedBefore,
  };
}
