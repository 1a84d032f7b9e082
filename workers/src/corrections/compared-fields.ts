import type { DuckDBConnection } from '@duckdb/node-api';
import { ROW_COLUMN, type TargetField } from '@tapeline/domain/tapes/target-schema.ts';
import { quoteName, readParquet } from '@tapeline/lake/lake.ts';
import {
  MAX_REVIEWED_FIELDS,
  type ReviewedField,
  type ReviewedRemap,
} from '@tapeline/workflows/corrections/preview.ts';

/** Assets of one generation: files, and the fields that they have. */
export interface ComparedAssets {
  readonly paths: readonly string[];
  readonly fields: readonly TargetField[];
}

const row = quoteName(ROW_COLUMN);

/** Compares two results of mapping the same rows: which rows are assets, and in how many assets each field differs. */
export async function comparedFields(
  connection: DuckDBConnection,
  before: ComparedAssets,
  after: ComparedAssets,
): Promise<Pick<ReviewedRemap, 'becomeAssets' | 'stopBeingAssets' | 'fields' | 'moreFields'>> {
  const [was, is] = [before, after].map(({ fields }) => new Map(fields.map((field) => [field.path, field])));
  if (!was || !is) throw new Error('two generations are compared');
  const changes = [...new Map([...was, ...is])].map(([path, { label }]) => {
    const [old, made] = [was.get(path), is.get(path)];
    const change = !old ? 'added' : made ? 'changed' : 'removed';
    return { path, label, change, counted: countedSql(old, made) } as const;
  });
  const counts = changes.map(({ counted }) => `count(*) FILTER (WHERE ${counted})`);
  const read = await connection.runAndReadAll(
    `SELECT ${[`count(*) FILTER (WHERE b.${row} IS NULL)`, `count(*) FILTER (WHERE a.${row} IS NULL)`, ...counts].join(', ')}
     FROM ${readParquet(before.paths)} b FULL JOIN ${readParquet(after.paths)} a ON a.${row} = b.${row}`,
  );
  const [becomeAssets = 0, stopBeingAssets = 0, ...assets] = (read.getRows()[0] ?? []).map(Number);
  const fields = changes
    .map(({ path, label, change }, index): ReviewedField => ({ path, label, change, assets: assets[index] ?? 0 }))
    .filter(({ change, assets }) => change !== 'changed' || assets > 0)
    .sort((a, b) => b.assets - a.assets);
  return {
    becomeAssets,
    stopBeingAssets,
    fields: fields.slice(0, MAX_REVIEWED_FIELDS),
    moreFields: Math.max(0, fields.length - MAX_REVIEWED_FIELDS),
  };
}

/** Of a field of both: an asset of both has another value. Otherwise: an asset has a value. */
function countedSql(old: TargetField | undefined, made: TargetField | undefined): string {
  const valuesOf = ({ columns }: TargetField) => columns.filter(({ isNote }) => !isNote);
  const filled = (side: string, field: TargetField) =>
    valuesOf(field)
      .map(({ name }) => `${side}.${quoteName(name)} IS NOT NULL`)
      .join(' OR ');
  if (!old || !made) return old ? filled('b', old) : made ? filled('a', made) : 'false';
  const types = new Map(valuesOf(old).map(({ name, type }) => [name, type]));
  const differs = valuesOf(made).map(({ name, type }) => {
    const column = quoteName(name);
    const known = types.get(name);
    if (known === undefined) return `a.${column} IS NOT NULL`;
    // A custom field can have another type in each version.
    const value = (side: string) => (known === type ? `${side}.${column}` : `CAST(${side}.${column} AS VARCHAR)`);
    return `${value('a')} IS DISTINCT FROM ${value('b')}`;
  });
  return `a.${row} IS NOT NULL AND b.${row} IS NOT NULL AND (${differs.join(' OR ')})`;
}
