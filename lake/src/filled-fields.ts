import type { FilledField } from '@tapeline/domain/tapes/data-dictionary.ts';
import { shownFieldValue } from '@tapeline/domain/tapes/shown-field-value.ts';
import { SEQUENCE_COLUMN, type TargetField } from '@tapeline/domain/tapes/target-schema.ts';
import { heldFields, type TapeSource } from './asset-relation.ts';
import { type Lake, quoteName, readParquet } from './lake.ts';
import { fromLake, type LakeValue } from './values.ts';

const columnOf = ({ path }: TargetField): string => quoteName(path);

/**
 * What every field of a tape has: the assets with a value, all assets, and the first value as an example, by the field's
 * path. Reads each column once. A field that the tape does not have is not there.
 */
export async function filledFields(
  lake: Lake,
  source: TapeSource,
  signal?: AbortSignal,
): Promise<ReadonlyMap<string, FilledField>> {
  const held = new Set(source.columns);
  const fields = heldFields([source]).filter(({ path }) => held.has(path));
  if (fields.length === 0 || source.paths.length === 0) return new Map();
  const from = readParquet(source.paths);
  return lake.connected(async (connection) => {
    const read = async (sql: string): Promise<LakeValue[][]> =>
      (await connection.runAndReadAll(sql)).getRows().map((row) => row.map((value) => fromLake(value)));
    const counts = fields.flatMap((field) => [
      `count(${columnOf(field)})`,
      `min(${quoteName(SEQUENCE_COLUMN)}) FILTER (WHERE ${columnOf(field)} IS NOT NULL)`,
    ]);
    const [[all, ...counted] = []] = await read(`SELECT count(*), ${counts.join(', ')} FROM ${from}`);
    const firsts = fields.map((_, index) => counted[2 * index + 1] ?? null);
    const rows = [...new Set(firsts.filter((first) => first !== null))].map(Number);
    const columns = fields.flatMap((field) => field.columns.flatMap(({ name }) => (held.has(name) ? name : [])));
    const examples =
      rows.length === 0
        ? []
        : await read(
            `SELECT ${[SEQUENCE_COLUMN, ...columns].map(quoteName).join(', ')} FROM ${from}
             WHERE ${quoteName(SEQUENCE_COLUMN)} IN (${rows.join(', ')})`,
          );
    const exampleOf = (field: TargetField, first: LakeValue): string | null => {
      const row = examples.find(([sequence]) => first !== null && sequence === first);
      return row ? shownFieldValue(field, (name) => row[columns.indexOf(name) + 1] ?? null) : null;
    };
    return new Map(
      fields.map((field, index) => [
        field.path,
        {
          filled: Number(counted[2 * index] ?? 0),
          assets: Number(all ?? 0),
          example: exampleOf(field, firsts[index] ?? null),
        },
      ]),
    );
  }, signal);
}
