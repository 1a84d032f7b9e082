import type { DuckDBConnection } from '@duckdb/node-api';
import { quoteName, quoteText, readParquet } from '@tapeline/db/lake/lake.ts';
import { ROW_COLUMN } from '@tapeline/domain/tapes/target-schema.ts';
import type { CompiledMapping, SettledTarget } from '../tape/compile/compile.ts';
import { mapBatch } from '../tape/compile/run.ts';
import { type EarlierTape, inconsistencies, inWords, lateError } from '../tape/settle.ts';
import { type OriginFacts, type OriginRow, stageOriginRows } from './raw-cells.ts';

export interface CorrectedInput {
  readonly compiled: CompiledMapping;
  /** Headers of the tape's sheet, by column index. */
  readonly headers: readonly string[];
  readonly facts: OriginFacts;
  /** The corrected rows, whole. */
  readonly rows: readonly OriginRow[];
  /** Published parts of the tape; their assets stay, whatever is corrected. */
  readonly assetsPaths: readonly string[];
  readonly earlier: EarlierTape | null;
}

/** Tables of the connection that `mapCorrected` leaves. */
export const CORRECTED = {
  /** The rows in the raw layout. */
  staged: 'corrected_staged',
  /** `row` and lake columns of those that become assets. */
  assets: 'corrected_assets',
  /** `row`, `origin`, `errors` of those that stay errored. */
  errored: 'corrected_errored',
} as const;

const row = quoteName(ROW_COLUMN);

/**
 * Maps corrected rows by the tape's mapping and settles them: a value that a published asset has already, or an earlier one
 * of these rows, stays errored by a Unique check, and what the company's earlier tape said stays by a Consistent one.
 */
export async function mapCorrected(
  connection: DuckDBConnection,
  { compiled, headers, facts, rows, assetsPaths, earlier }: CorrectedInput,
): Promise<{ assets: number; errored: number }> {
  await stageOriginRows(connection, rows, headers, facts, CORRECTED.staged);
  const mapped = await mapBatch(connection, compiled, CORRECTED.staged, 'corrected_mapped');
  await connection.run(`CREATE TEMP TABLE corrected_candidates AS ${mapped.assetsSql}`);
  await connection.run(`CREATE TEMP TABLE ${CORRECTED.errored} AS ${mapped.erroredSql}`);
  await connection.run(
    `CREATE TEMP TABLE corrected_late ("row" INTEGER, "rule" INTEGER, "column" VARCHAR, "target" VARCHAR, "value" VARCHAR, "reason" VARCHAR)`,
  );
  for (const field of compiled.uniqueTargets) {
    await connection.run(`INSERT INTO corrected_late ${collisions(field, assetsPaths)}`);
  }
  for (const field of earlier ? compiled.consistentTargets : []) {
    if (!earlier || !field.columns.every(({ name }) => earlier.columns.has(name))) continue;
    await connection.run(`INSERT INTO corrected_late ${inconsistencies('corrected_candidates', field, earlier)}`);
  }
  const columns = ['row', ...compiled.columns.map(({ name }) => name)].map(quoteName).join(', ');
  await connection.run(
    `CREATE TEMP TABLE ${CORRECTED.assets} AS SELECT ${columns} FROM corrected_candidates WHERE ${row} NOT IN (SELECT "row" FROM corrected_late)`,
  );
  const error = `{'rule': "rule", 'column': "column", 'target': "target", 'value': "value", 'reason': "reason"}`;
  await connection.run(
    `INSERT INTO ${CORRECTED.errored} SELECT s."row", ${compiled.originJson}, l.errors FROM ${CORRECTED.staged} s
     JOIN (SELECT "row", list(${error} ORDER BY "rule") AS errors FROM corrected_late GROUP BY "row") l ON l."row" = s."row"`,
  );
  const counted = await connection.runAndReadAll(
    `SELECT (SELECT count(*) FROM ${CORRECTED.assets}), (SELECT count(*) FROM ${CORRECTED.errored})`,
  );
  const [assets = 0, errored = 0] = (counted.getRows()[0] ?? []).map(Number);
  if (assets + errored !== rows.length)
    throw new Error(`${rows.length} rows became ${assets} assets and ${errored} errored`);
  return { assets, errored };
}

/** A published asset keeps its value wherever it stands; among the corrected rows the first one does. */
function collisions(field: SettledTarget, assetsPaths: readonly string[]): string {
  const value = (side: string) =>
    field.columns.length === 1 ? `${side}.${quoteName(field.path)}` : inWords(side, field);
  const isThere = (side: string) => `${side}.${quoteName(field.path)} IS NOT NULL`;
  const said = inWords('a', field);
  const reason = `concat(${quoteText(`${field.label} `)}, ${said}, ' is already used by row ', d.holder)`;
  const values = `SELECT ${value('c')} FROM corrected_candidates c WHERE ${isThere('c')}`;
  return `SELECT a.${row}, ${lateError(field, said, reason)}
    FROM corrected_candidates a
    JOIN (
      SELECT v, CASE WHEN min(published) IS NULL THEN min(candidate) ELSE min(published) END AS holder, min(published) IS NOT NULL AS is_published
      FROM (
        SELECT ${value('p')} AS v, p.${row} AS published, NULL::INTEGER AS candidate FROM ${readParquet(assetsPaths)} p WHERE ${isThere('p')} AND ${value('p')} IN (${values})
        UNION ALL SELECT ${value('c')}, NULL, c.${row} FROM corrected_candidates c WHERE ${isThere('c')}
      ) GROUP BY 1
    ) d ON ${isThere('a')} AND d.v = ${value('a')} AND (d.is_published OR a.${row} > d.holder)`;
}
