import { measuredFields, type PreparedContract } from '@tapeline/domain/borrowing-base/prepare.ts';
import type { TapeTerms } from '@tapeline/domain/borrowing-base/publish.ts';
import type { Field } from '@tapeline/domain/filters/catalog.ts';
import { codeColumn, SEQUENCE_COLUMN } from '@tapeline/domain/tapes/target-schema.ts';
import { readBySql, readFromFiles, STRETCHES } from './input-rows.ts';
import { type Input, type InputRows, Inputs } from './inputs.ts';
import { MeasuredColumn } from './measured-columns.ts';
import type { Pairs } from './pairs.ts';
import { compileJudge, type MaskLayout } from './predicates.ts';
import type { TapeParts } from './tape-parts.ts';
import { Truths } from './truths.ts';

/** The values of every asset that the engine needs: one typed array per column, in tape order. */
export interface TapeColumns {
  readonly length: number;
  readonly layout: MaskLayout;
  readonly words: readonly Int32Array[];
  /** By path: money in the main currency, other numbers unchanged. A missing number is zero, with its mask bit set. */
  readonly measured: ReadonlyMap<string, Pairs>;
  /** By path: 0 if missing, otherwise a code starting at 1. */
  readonly codes: ReadonlyMap<string, Int32Array>;
  readonly missingRates: readonly string[];
}

/** A column of group codes that is filled from chunks in tape order. */
interface GroupColumn {
  readonly path: string;
  /** Null if the tape lacks the field: all assets are then in the group without a value. */
  readonly input: Input | null;
  readonly codes: Int32Array;
}

function planGroups(field: Field, parts: TapeParts, inputs: Inputs, truths: Truths): GroupColumn {
  const codes = new Int32Array(parts.length);
  if (!parts.has(field.path)) return { path: field.path, input: null, codes };
  if (parts.has(codeColumn(field.path))) return { path: field.path, input: truths.codes(field), codes };
  const column = parts.column(field);
  const ranks = `CASE WHEN ${column} IS NOT NULL THEN CAST(dense_rank() OVER (ORDER BY ${column}) AS INTEGER) END`;
  return { path: field.path, input: inputs.add(ranks, 'integer', true, () => ranks), codes };
}

function readGroups({ input, codes }: GroupColumn, chunk: InputRows, rows: number, sequence: Int32Array): void {
  if (input === null) return;
  const [values, present] = [chunk.values[input.index]!, chunk.present[input.index]!];
  for (let row = 0; row < rows; row += 1) {
    codes[sequence[row]!] = present[row] === 0 ? 0 : values[row]! + 1;
  }
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
  const measured: MeasuredColumn[] = [];
  for (const one of measuredFields(prepared)) {
    measured.push(await MeasuredColumn.plan(one, parts, inputs, truths, tape, missing));
  }
  const groupFields = new Map(
    prepared.concentration.flatMap((rule) => (rule.groupBy ? [[rule.groupBy.path, rule.groupBy] as const] : [])),
  );
  const groups = [...groupFields.values()].map((field) => planGroups(field, parts, inputs, truths));
  const { layout, judge } = compileJudge(prepared, inputs, truths);
  const words = Array.from({ length: layout.words }, () => new Int32Array(length));

  let read = 0;
  const take = (rows: number, block: InputRows): void => {
    read += rows;
    const sequence = block.values[sequenceInput.index] as Int32Array;
    judge(rows, sequence, block.values, block.present, words);
    for (const column of measured) column.read(block, rows, sequence);
    for (const column of groups) readGroups(column, block, rows, sequence);
  };
  if (!(await readFromFiles(parts, inputs, take))) {
    read = 0;
    // Ranks that are computed on the fly must cover the whole tape, so use a single query.
    const ranked = groups.some(({ path, input }) => input !== null && !parts.has(codeColumn(path)));
    await readBySql(parts, inputs, ranked ? 1 : STRETCHES, take);
  }
  if (read !== length) throw new Error(`${read} of the tape's ${length} assets have a place in its order`);
  for (const column of measured) column.requireCountable();
  return {
    length,
    layout,
    words,
    measured: new Map(measured.map(({ field, pairs }) => [field.path, pairs])),
    codes: new Map(groups.map(({ path, codes }) => [path, codes])),
    missingRates: [...missing].sort(),
  };
}
