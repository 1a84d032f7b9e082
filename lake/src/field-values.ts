import type { Field } from '@tapeline/domain/filters/catalog.ts';
import { assetRelation, knownFields, type TapeSource } from './asset-relation.ts';
import { type Lake, quoteName } from './lake.ts';
import { holdsColumn } from './tape-columns.ts';
import { fromLake } from './values.ts';

/** Values that are offered at once. */
export const MAX_VALUES = 50;

/** What a tape contains in one field, as help for writing a condition. */
export interface FieldValues {
  /** Assets with a value, and those without. */
  known: number;
  missing: number;
  /** The most frequent values; empty for a number or a date, which have a range. */
  values: { value: string; count: number }[];
  /** Distinct values that match the search, listed or not. */
  distinct: number;
  /** Smallest value, quartiles and largest value of a number or a date; null for other fields, and without a value. */
  range: { min: string; lower: string; median: string; upper: string; max: string } | null;
}

const isRanged = ({ type }: Field): boolean => type !== 'text' && type !== 'boolean';

/**
 * The values of a field over all assets of a tape, most frequent first, or the range of a number or a date.
 * @param search only values that contain this text, in any case
 * @returns null if the tape does not have the field
 */
export async function fieldValues(
  lake: Lake,
  source: TapeSource,
  field: Field,
  search = '',
): Promise<FieldValues | null> {
  if (!holdsColumn(source, field.path)) return null;
  const sources = [{ ...source, borrowingBase: null }];
  const from = assetRelation(sources, knownFields(sources));
  const column = quoteName(field.path);
  return lake.connected(async (connection) => {
    const read = async (sql: string, values: string[] = []) => (await connection.runAndReadAll(sql, values)).getRows();
    if (isRanged(field)) {
      const quantile = (share: string) => `CAST(quantile_disc(${column}, ${share}) AS VARCHAR)`;
      const [row = []] = await read(
        `SELECT count(${column}), count(*), ${['0', '0.25', '0.5', '0.75', '1'].map(quantile).join(', ')} FROM ${from}`,
      );
      const [known, all] = [Number(row[0]), Number(row[1])];
      const [min, lower, median, upper, max] = row.slice(2).map((value) => tidy(String(fromLake(value ?? null))));
      return {
        known,
        missing: all - known,
        values: [],
        distinct: 0,
        range: known === 0 || !min || !lower || !median || !upper || !max ? null : { min, lower, median, upper, max },
      };
    }
    const [counted = []] = await read(`SELECT count(${column}), count(*) FROM ${from}`);
    const rows = await read(
      `SELECT CAST(${column} AS VARCHAR) AS value, count(*) AS assets, count(*) OVER () AS found FROM ${from}
       WHERE ${column} IS NOT NULL AND contains(lower(CAST(${column} AS VARCHAR)), lower($1))
       GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT ${MAX_VALUES}`,
      [search],
    );
    const [known, all] = [Number(counted[0]), Number(counted[1])];
    return {
      known,
      missing: all - known,
      values: rows.map(([value, assets]) => ({ value: String(value), count: Number(assets) })),
      distinct: Number(rows[0]?.[2] ?? 0),
      range: null,
    };
  });
}

/** Drops zeros that only pad the scale of a decimal: 12.5000 becomes 12.5. */
const tidy = (text: string): string => (/^-?\d+\.\d+$/.test(text) ? text.replace(/\.?0+$/, '') : text);
