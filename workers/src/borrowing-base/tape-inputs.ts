import type { DuckDBDataChunk, DuckDBValue } from '@duckdb/node-api';
import type { Field } from '@tapeline/domain/filters/catalog.ts';
import { codeColumn } from '@tapeline/domain/tapes/target-schema.ts';
import { quoteName } from '@tapeline/lake/lake.ts';
import {
  type ColumnArray,
  type ColumnBlock,
  type ColumnToRead,
  readColumns,
  type TakeBlock,
  UnfamiliarParquet,
} from '@tapeline/parquet';
import type { TapeParts } from './tape-parts.ts';

/** The in-memory type of a column. A decimal is a 64-bit integer at its scale, read as two halves. */
export type InputKind = 'double' | 'integer' | 'decimal' | 'boolean';

/** A column that TypeScript reads in order to evaluate rules and compute measures. */
export interface Input {
  readonly index: number;
  readonly kind: InputKind;
  /** Whether any row may lack a value. */
  readonly nullable: boolean;
  /** Null if only SQL can compute it. */
  readonly source: InputSource | null;
}

/** A column as stored in the tape's files. */
export interface InputSource {
  readonly column: string;
  /** For a text: the input is its position in this list, starting at 1; 0 for any other or missing text. */
  readonly literals?: readonly string[];
}

const MAX_CHUNK_ROWS = 2048;
const PRESENT = new Uint8Array(MAX_CHUNK_ROWS).fill(1);

/** Returns the SQL of an input. Pushes its parameters to `values`, whose first element is `$1`. */
type Expression = (values: DuckDBValue[]) => string;

/** The columns to read in the single pass over the tape, without duplicates. */
export class TapeInputs {
  readonly parts: TapeParts;
  private readonly expressions: Expression[] = [];
  private readonly inputs: Input[] = [];
  private readonly known = new Map<string, Input>();

  constructor(parts: TapeParts) {
    this.parts = parts;
  }

  /** @param expression SQL, called after all inputs are added; the `literals` of `source` are also read only then */
  add(
    key: string,
    kind: InputKind,
    nullable: boolean,
    expression: Expression,
    source: InputSource | null = null,
  ): Input {
    const found = this.known.get(key);
    if (found !== undefined) return found;
    const input = { index: this.inputs.length, kind, nullable, source };
    this.known.set(key, input);
    this.inputs.push(input);
    this.expressions.push(expression);
    return input;
  }

  /** The integer codes of a text or flag, as written at publication. */
  codes(field: Field): Input {
    const code = codeColumn(field.path);
    return this.add(code, 'integer', this.parts.mayLack(code), () => quoteName(code), { column: code });
  }

  /** The column itself if JavaScript can read it as a number; otherwise null. */
  numberOf(field: Field): Input | null {
    const { parts } = this;
    const column = parts.column(field);
    const type = parts.type(field.path);
    const source = { column: field.path };
    const add = (kind: InputKind) => this.add(column, kind, parts.mayLack(field.path), () => column, source);
    if (field.type === 'number') {
      if (type === 'DOUBLE') return add('double');
      return this.add(column, 'double', parts.mayLack(field.path), () => `CAST(${column} AS DOUBLE)`);
    }
    if (field.type === 'decimal' && parts.decimalDigits(field.path) !== null) return add('decimal');
    if (field.type === 'date' && type === 'DATE') return add('integer');
    if (field.type === 'boolean' && type === 'BOOLEAN') return add('boolean');
    return null;
  }

  toSql(): { select: string; values: DuckDBValue[] } {
    const values: DuckDBValue[] = [];
    return { select: this.expressions.map((expression) => expression(values)).join(', '), values };
  }

  get all(): readonly Input[] {
    return this.inputs;
  }

  /** Views of a chunk: the values of every input, and 0 or 1 per row for whether the value is present. */
  reader(): ChunkReader {
    return new ChunkReader(this.inputs);
  }
}

export class ChunkReader implements ColumnBlock {
  /** Views of DuckDB's memory. A decimal has two 32-bit halves per row, low half first. */
  readonly values: ColumnArray[] = [];
  readonly present: Uint8Array[];
  private readonly inputs: readonly Input[];
  private readonly room: Uint8Array[];

  constructor(inputs: readonly Input[]) {
    this.inputs = inputs;
    this.present = inputs.map(() => PRESENT);
    this.room = inputs.map(({ nullable }) => new Uint8Array(nullable ? MAX_CHUNK_ROWS : 0));
  }

  read(chunk: DuckDBDataChunk, rows: number): void {
    for (const { index, kind, nullable } of this.inputs) {
      const vector = chunk.getColumnVector(index) as unknown as Vector;
      this.values[index] = valuesOf(vector, kind, rows);
      const bits = vector.validity.data;
      if (bits !== null && !nullable) throw new Error('a column lacks values that its statistics said it has');
      this.present[index] = bits === null ? PRESENT : spread(bits, this.room[index]!, rows);
    }
  }
}

/** The internals of the vectors of DuckDB's client. Reading values one by one through its API is slow. */
interface Vector {
  readonly items?: Float64Array | Int32Array;
  readonly dataView?: DataView;
  readonly validity: { readonly data: BigUint64Array | null };
}

function valuesOf({ items, dataView }: Vector, kind: InputKind, rows: number): ColumnArray {
  if (kind === 'double' && items instanceof Float64Array) return items;
  if (kind === 'integer' && items instanceof Int32Array) return items;
  if (kind === 'decimal' && dataView) return new Int32Array(dataView.buffer, dataView.byteOffset, rows * 2);
  if (kind === 'boolean' && dataView) return new Uint8Array(dataView.buffer, dataView.byteOffset, rows);
  throw new Error(`a column came out of DuckDB as another type than ${kind}`);
}

/** Expands one bit per row to one byte per row. */
function spread(bits: BigUint64Array, bytes: Uint8Array, rows: number): Uint8Array {
  const source = new Uint8Array(bits.buffer, bits.byteOffset, bits.byteLength);
  for (let row = 0; row < rows; row += 1) bytes[row] = (source[row >> 3]! >> (row & 7)) & 1;
  return bytes;
}

/** Number of queries, each over a range of the tape: while TypeScript processes one range, DuckDB reads the next. */
export const STRETCHES = 5;

/**
 * Reads the inputs directly from the tape's files, one row group at a time.
 * @param claim the next row group to read. Several threads that share it read each row group once
 * @returns false if an input is computed by SQL, or if only DuckDB can read the files. The caller must then read all
 *   rows by SQL, including those already passed to `take`
 */
export async function readFromFiles(
  paths: readonly string[],
  inputs: readonly Input[],
  take: TakeBlock,
  claim: () => number,
): Promise<boolean> {
  const columns = inputs.flatMap(({ kind, nullable, source }): ColumnToRead[] => {
    if (source === null) return [];
    const { column: name, literals } = source;
    return [literals ? { name, kind: 'listed', literals, isOptional: nullable } : { name, kind, isOptional: nullable }];
  });
  if (columns.length < inputs.length) return false;
  try {
    await readColumns(paths, columns, take, claim);
    return true;
  } catch (error) {
    if (error instanceof UnfamiliarParquet) return false;
    throw error;
  }
}

/** Reads the inputs with at most `count` SQL queries, in whatever order DuckDB returns the rows. */
export async function readBySql(inputs: TapeInputs, count: number, take: TakeBlock): Promise<void> {
  const { parts } = inputs;
  const reader = inputs.reader();
  const { select, values } = inputs.toSql();
  const stretches = parts.length === 0 ? [] : count === 1 ? [parts.from] : parts.stretches(count);
  const run = (from: string | undefined) =>
    from === undefined ? null : parts.run(`SELECT ${select} FROM ${from}`, values);
  let next = run(stretches[0]);
  for (const [at] of stretches.entries()) {
    const result = await next!;
    next = run(stretches[at + 1]);
    next?.catch(() => undefined);
    let fetching = result.fetchChunk();
    for (;;) {
      const chunk = await fetching;
      if (chunk === null || chunk.rowCount === 0) break;
      fetching = result.fetchChunk();
      reader.read(chunk, chunk.rowCount);
      take(chunk.rowCount, reader);
    }
  }
}
