import type { DuckDBConnection } from '@duckdb/node-api';
import { USED_BY_ROW } from '@tapeline/domain/tapes/cell-reasons.ts';
import { ROW_COLUMN } from '@tapeline/domain/tapes/target-schema.ts';
import type { TapeFiles } from '@tapeline/lake/asset-relation.ts';
import { quoteName, quoteText, readParquet } from '@tapeline/lake/lake.ts';
import type { CompiledMapping, WholeTapeTarget } from '../tape/compile/compile.ts';
import { mapBatch } from '../tape/compile/run.ts';
import { inconsistencies, inWords, judgedRows, lateError } from '../tape/finalize.ts';
import { type OriginFacts, type OriginRow, stageOriginRows } from './raw-cells.ts';

export interface CorrectedInput {
  readonly compiled: CompiledMapping;
  /** Headers of the tape's sheet, by column index. */
  readonly headers: readonly string[];
  readonly facts: OriginFacts;
  readonly rows: readonly OriginRow[];
  /** Published parts of the tape. Their assets stay, regardless of the corrections. */
  readonly assetsPaths: readonly string[];
  readonly earlier: TapeFiles | null;
}

/** Tables that `mapCorrected` creates in the connection. */
export const CORRECTED = {
  /** The rows in the raw layout. */
  staged: 'corrected_staged',
  /** `row` and lake columns of the rows that become assets. */
  assets: 'corrected_assets',
  /** `row`, `origin` and `errors` of the rows that stay errored. */
  errored: 'corrected_errored',
} as const;

const row = quoteName(ROW_COLUMN);
const MAPPED = 'corrected_mapped';
/** Mapped rows that fail a rule, with all lake columns. */
const FAILED = `(FROM ${MAPPED} WHERE errors IS NOT NULL)`;

/**
 * Maps corrected rows with the tape's mapping and compares them with the whole tape. A row stays errored by a Unique
 * check if a published asset, or an earlier one of these rows, has the same value, and by a Consistent check if the
 * company's earlier tape had a different value. Rows that fail another rule are checked too, so that all reasons are
 * shown at once.
 */
export async function mapCorrected(
  connection: DuckDBConnection,
  { compiled, headers, facts, rows, assetsPaths, earlier }: CorrectedInput,
): Promise<{ assets: number; errored: number }> {
  await stageOriginRows(connection, rows, headers, facts, CORRECTED.staged);
  const mapped = await mapBatch(connection, compiled, CORRECTED.staged, MAPPED);
  await connection.run(`CREATE TEMP TABLE corrected_candidates AS ${mapped.assetsSql}`);
  await connection.run(`CREATE TEMP TABLE ${CORRECTED.errored} AS ${mapped.erroredSql}`);
  await connection.run(
    `CREATE TEMP TABLE corrected_late ("row" INTEGER, "rule" INTEGER, "column" VARCHAR, "target" VARCHAR, "value" VARCHAR, "reason" VARCHAR)`,
  );
  for (const field of compiled.uniqueTargets.filter(({ isNumbered }) => isNumbered)) {
    await numberCorrected(connection, field, assetsPaths);
  }
  for (const field of earlier ? compiled.consistentTargets : []) {
    if (!earlier || !field.columns.every(({ name }) => earlier.columns.includes(name))) continue;
    for (const candidates of ['corrected_candidates', judgedRows(FAILED, field)]) {
      await connection.run(`INSERT INTO corrected_late ${inconsistencies(candidates, field, earlier)}`);
    }
  }
  for (const field of compiled.uniqueTargets.filter(({ isNumbered }) => !isNumbered)) {
    await connection.run(`INSERT INTO corrected_late ${collisions(field, assetsPaths)}`);
  }
  const error = `{'rule': "rule", 'column': "column", 'target': "target", 'value': "value", 'reason': "reason"}`;
  await connection.run(
    `CREATE TEMP TABLE corrected_reasons AS SELECT "row", list(${error} ORDER BY "rule") AS errors FROM corrected_late GROUP BY "row"`,
  );
  await connection.run(
    `UPDATE ${CORRECTED.errored} e SET errors = list_concat(e.errors, l.errors) FROM corrected_reasons l WHERE l."row" = e."row"`,
  );
  const columns = ['row', ...compiled.columns.map(({ name }) => name)].map(quoteName).join(', ');
  await connection.run(
    `CREATE TEMP TABLE ${CORRECTED.assets} AS SELECT ${columns} FROM corrected_candidates WHERE ${row} NOT IN (SELECT "row" FROM corrected_late)`,
  );
  await connection.run(
    `INSERT INTO ${CORRECTED.errored} SELECT s."row", ${compiled.originJson}, l.errors FROM ${CORRECTED.staged} s
     JOIN corrected_reasons l ON l."row" = s."row" WHERE s."row" IN (SELECT ${row} FROM corrected_candidates)`,
  );
  const counted = await connection.runAndReadAll(
    `SELECT (SELECT count(*) FROM ${CORRECTED.assets}), (SELECT count(*) FROM ${CORRECTED.errored})`,
  );
  const [assets = 0, errored = 0] = (counted.getRows()[0] ?? []).map(Number);
  if (assets + errored !== rows.length)
    throw new Error(`${rows.length} rows became ${assets} assets and ${errored} errored`);
  return { assets, errored };
}

/** Values as numbered, and the value before its number. */
const UNNUMBERED = "' [(]([0-9]+)[)]$'";

/**
 * Gives each corrected row whose value another row has the lowest number that is free. What is published keeps its numbers.
 */
async function numberCorrected(
  connection: DuckDBConnection,
  field: WholeTapeTarget,
  assetsPaths: readonly string[],
): Promise<void> {
  const value = quoteName(field.path);
  const corrected = 'corrected_candidates';
  const found = await connection.runAndReadAll(
    `SELECT ${row}, ${value} FROM ${corrected} WHERE ${value} IS NOT NULL ORDER BY ${row}`,
  );
  const taken = await connection.runAndReadAll(
    `SELECT ${value} FROM ${readParquet(assetsPaths)} WHERE ${value} IN (SELECT ${value} FROM ${corrected})
       OR regexp_replace(${value}, ${UNNUMBERED}, '') IN (SELECT ${value} FROM ${corrected})`,
  );
  const used = new Set(taken.getRows().map(([text]) => String(text)));
  await connection.run('CREATE OR REPLACE TEMP TABLE corrected_numbers ("row" INTEGER, "value" VARCHAR)');
  const appender = await connection.createAppender('corrected_numbers');
  const next = new Map<string, number>();
  for (const [at, text] of found.getRows()) {
    const read = String(text);
    let nth = next.get(read) ?? 1;
    const made = () => (nth === 1 ? read : `${read} (${nth})`);
    while (used.has(made())) nth += 1;
    used.add(made());
    next.set(read, nth + 1);
    if (nth === 1) continue;
    appender.appendInteger(Number(at));
    appender.appendVarchar(made());
    appender.endRow();
  }
  appender.closeSync();
  await connection.run(
    `UPDATE ${corrected} c SET ${value} = n."value" FROM corrected_numbers n WHERE n."row" = c.${row}`,
  );
}

/**
 * A published asset keeps its value wherever it is in the sheet. Among the corrected rows, the first one without other
 * errors gets it.
 */
function collisions(field: WholeTapeTarget, assetsPaths: readonly string[]): string {
  const value = (side: string) =>
    field.columns.length === 1 ? `${side}.${quoteName(field.path)}` : inWords(side, field);
  const isThere = (side: string) => `${side}.${quoteName(field.path)} IS NOT NULL`;
  const shown = inWords('a', field);
  const reason = `concat(${quoteText(`${field.label} `)}, ${shown}, ${quoteText(USED_BY_ROW)}, d.holder)`;
  const columns = field.columns.map(({ name }) => quoteName(name)).join(', ');
  const rows = `(SELECT ${row}, ${columns}, ${row} NOT IN (SELECT "row" FROM corrected_late) AS holds FROM corrected_candidates
    UNION ALL SELECT ${row}, ${columns}, false FROM ${judgedRows(FAILED, field)})`;
  const values = `SELECT ${value('c')} FROM ${rows} c WHERE ${isThere('c')}`;
  return `SELECT a.${row}, ${lateError(field, shown, reason)}
    FROM ${rows} a
    JOIN (
      SELECT v, CASE WHEN min(published) IS NULL THEN min(candidate) ELSE min(published) END AS holder, min(published) IS NOT NULL AS is_published
      FROM (
        SELECT ${value('p')} AS v, p.${row} AS published, NULL::INTEGER AS candidate FROM ${readParquet(assetsPaths)} p WHERE ${isThere('p')} AND ${value('p')} IN (${values})
        UNION ALL SELECT ${value('c')}, NULL, c.${row} FROM ${rows} c WHERE ${isThere('c')} AND c.holds
      ) GROUP BY 1
    ) d ON ${isThere('a')} AND d.v = ${value('a')} AND (d.is_published OR a.${row} <> d.holder)`;
}
