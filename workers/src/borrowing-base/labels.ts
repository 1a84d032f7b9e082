import type { Field } from '@tapeline/domain/filters/catalog.ts';
import { SEQUENCE_COLUMN } from '@tapeline/domain/tapes/target-schema.ts';
import { readTexts, UnfamiliarParquet } from '@tapeline/parquet';
import { isShared, onSecondThread } from './second-thread.ts';
import type { TapeParts } from './tape-parts.ts';

/** Reads a field's texts at tape positions. */
type Read = (field: Field, positions: readonly number[]) => Promise<ReadonlyMap<number, string | null>>;

interface FieldLabels {
  readonly asked: Set<number>;
  readonly found: Map<number, string | null>;
  pending: Promise<unknown>;
}

/** Texts of groups by tape position. Reads each text once, in the background of the calculation. */
export class Labels {
  private readonly read: Read;
  private readonly fields = new Map<string, FieldLabels>();

  constructor(read: Read) {
    this.read = read;
  }

  /** Starts to read the texts that have not been requested before. */
  ask(field: Field, positions: readonly number[]): void {
    const labels = this.of(field);
    const wanted = [...new Set(positions)].filter((position) => !labels.asked.has(position));
    if (wanted.length === 0) return;
    for (const position of wanted) labels.asked.add(position);
    const reading = this.read(field, wanted).then((found) => {
      for (const position of wanted) labels.found.set(position, found.get(position) ?? null);
    });
    labels.pending = Promise.all([labels.pending, reading]);
    // `get` awaits the labels. If the calculation fails for another reason, a rejection must not be left unhandled.
    labels.pending.catch(() => undefined);
  }

  /** Returns the field's labels at these positions and at all positions requested before. */
  async get(field: Field, positions: readonly number[]): Promise<ReadonlyMap<number, string | null>> {
    this.ask(field, positions);
    const labels = this.of(field);
    await labels.pending;
    return labels.found;
  }

  private of(field: Field): FieldLabels {
    const known = this.fields.get(field.path);
    if (known !== undefined) return known;
    const labels = { asked: new Set<number>(), found: new Map<number, string | null>(), pending: Promise.resolve() };
    this.fields.set(field.path, labels);
    return labels;
  }
}

/**
 * Reads the texts of a field at tape positions, formatted as group labels. For a large tape the second thread does, while
 * this one goes on with the rules.
 * @param minSharedRows this thread alone reads a smaller tape
 */
export async function readLabels(
  parts: TapeParts,
  field: Field,
  positions: readonly number[],
  minSharedRows?: number,
): Promise<ReadonlyMap<number, string | null>> {
  if (positions.length === 0) return new Map();
  const { files, length } = parts;
  if (parts.type(field.path) === 'VARCHAR') {
    const texts = await (isShared(length, minSharedRows)
      ? onSecondThread({ kind: 'texts', files, column: field.path, positions, length })
      : readTextLabels(files, field.path, positions, length));
    if (texts !== null) return texts;
  }
  return parts.labels(field, positions);
}

/**
 * Reads the texts of a column at tape positions from the pages of the tape's files, as far as they are needed: groups
 * are named by their first asset, which is often in the first row group. DuckDB would read the whole column.
 * @param length the number of assets of the tape
 * @returns null if only DuckDB can read the column
 */
export async function readTextLabels(
  paths: readonly string[],
  column: string,
  positions: readonly number[],
  length: number,
): Promise<Map<number, string | null> | null> {
  try {
    return await readTexts(paths, { number: SEQUENCE_COLUMN, text: column }, positions, length);
  } catch (error) {
    if (error instanceof UnfamiliarParquet) return null;
    throw error;
  }
}
