import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import type { Amount } from '@tapeline/domain/money/amount.schema.ts';
import type { MappingRule } from '@tapeline/domain/tapes/rule.schema.ts';
import type { TapeFacts } from '@tapeline/domain/tapes/tape.schema.ts';
import type { CheckedFile } from '@tapeline/domain/tapes/tape-check.ts';
import { ROW_COLUMN } from '@tapeline/domain/tapes/target-schema.ts';
import type { TapeFiles } from '@tapeline/lake/asset-relation.ts';
import { quoteName, readParquet } from '@tapeline/lake/lake.ts';
import { judgedOf, tapeWarnings } from '@tapeline/lake/tape-warnings.ts';
import { fromLake } from '@tapeline/lake/values.ts';
import { pickRows } from '@tapeline/sheets/batch-file.ts';
import type { RawBatch } from '@tapeline/sheets/raw-batch.ts';
import { type CompiledMapping, compileMapping } from '../tape/compile/compile.ts';
import { findLateErrors } from '../tape/finalize.ts';
import type { MappingEngine } from '../tape/mapping-engine.ts';
import { transformRows } from '../tape/parts.ts';
import { inspectUploadedSheet, mapSheetFile, withoutRows } from '../tape/read-sheet-file.ts';
import { foundGroups } from './found-groups.ts';

export interface CheckInput {
  readonly path: string;
  /** Null for the sheet that looks most like a tape. */
  readonly sheetName: string | null;
  readonly isMappingsSheet?: boolean;
  readonly rules: readonly MappingRule[];
  readonly facts: TapeFacts;
  readonly earlier: TapeFiles | null;
  readonly batchRows: number;
}

/** What the check uses of its worker. */
export interface CheckTools {
  /** Maps one batch with an engine of one thread. */
  readonly withEngine: <T>(work: (engine: MappingEngine) => Promise<T>) => Promise<T>;
  /** A DuckDB that belongs to this check alone. */
  readonly connected: <T>(work: (connection: DuckDBConnection) => Promise<T>) => Promise<T>;
  /** For files of this check; the caller removes it. */
  readonly folder: string;
  readonly signal: AbortSignal;
  /** @param share how much of the sheet is read, 0 to 1 */
  readonly onRead?: (share: number) => void;
}

const BALANCE = 'sums.outstandingSum';
const BALANCE_CURRENCY = `${BALANCE}.currency`;

/**
 * Maps every row of a file as a tape would be, with all checks, and counts what becomes of them. It writes the columns
 * that this needs to files of its own, and stores nothing.
 * @throws Refusal if the file cannot be read, has no rows, or lacks headers that the rules read
 */
export async function checkFile(input: CheckInput, tools: CheckTools): Promise<CheckedFile> {
  const { path, sheetName, isMappingsSheet = false, rules, facts, earlier } = input;
  const { folder, signal, onRead } = tools;
  const head = await inspectUploadedSheet(path, sheetName === null ? {} : { sheetName, isMappingsSheet });
  const compiled = compileMapping(
    { rules },
    { headers: head.columns.map(({ header }) => header), epoch: head.epoch },
    facts,
  );
  const columns = checkedColumns(compiled);
  const counts = { rows: 0, blankRows: 0, errored: 0 };
  const parts: { assets: string; errored: string }[] = [];
  const map = async (batch: RawBatch): Promise<void> => {
    const files = { assets: join(folder, `assets-${batch.index}`), errored: join(folder, `errored-${batch.index}`) };
    const rowsOf = async (rowNumbers: Int32Array) => pickRows(batch, rowNumbers);
    const written = { columns, hasOrigin: false };
    const { errored } = await tools.withEngine((engine) =>
      transformRows(engine, compiled, { batch, rowsOf }, files, written),
    );
    parts.push(files);
    counts.rows += batch.rowCount;
    counts.blankRows += batch.blankRows;
    counts.errored += errored;
  };
  const options = { sheetName: head.sheetName, headerRow: head.headerRow, batchRows: input.batchRows, signal, onRead };
  await mapSheetFile(path, options, map);
  if (counts.rows === 0) throw withoutRows(head.sheetName);
  return tools.connected(async (connection) => {
    const [assetsPaths, erroredPaths] = [parts.map(({ assets }) => assets), parts.map(({ errored }) => errored)];
    const { uniqueTargets: unique, consistentTargets: consistent } = compiled;
    const late = await findLateErrors(connection, { assetsPaths, erroredPaths, unique, consistent, earlier });
    const moved = [...late.assets.values()].reduce((sum, rows) => sum + rows.length, 0);
    const candidates = readParquet(assetsPaths);
    const assets =
      moved === 0
        ? candidates
        : `(FROM ${candidates} WHERE ${quoteName(ROW_COLUMN)} NOT IN (SELECT "row" FROM late_errors))`;
    const warnings = await tapeWarnings(connection, assets, compiled.fields);
    const errored = readParquet(erroredPaths);
    return {
      sheetName: head.sheetName,
      rows: counts.rows,
      blankRows: counts.blankRows,
      assets: counts.rows - counts.errored - moved,
      errored: counts.errored + moved,
      warned: warnings.assets,
      ...(await foundGroups(connection, { compiled, rules, errored, assets, warnings })),
      balances: columns.has(BALANCE) ? await balancesOf(connection, assets) : [],
    };
  });
}

/** The lake columns that the checks over all rows, the warnings and the balance need. */
function checkedColumns({ columns, fields, judgedColumns }: CompiledMapping): ReadonlySet<string> {
  const wanted = new Set([
    BALANCE,
    BALANCE_CURRENCY,
    ...judgedColumns.map(({ name }) => name),
    ...judgedOf(fields).map(({ column }) => column),
  ]);
  return new Set(columns.map(({ name }) => name).filter((name) => wanted.has(name)));
}

async function balancesOf(connection: DuckDBConnection, assets: string): Promise<Amount[]> {
  const [sum, currency] = [quoteName(BALANCE), quoteName(BALANCE_CURRENCY)];
  const read = await connection.runAndReadAll(
    `SELECT ${currency}, sum(${sum}) AS total FROM ${assets} WHERE ${sum} IS NOT NULL GROUP BY 1 ORDER BY total DESC, 1`,
  );
  return read.getRows().map(([name, total]) => ({ sum: String(fromLake(total ?? null)), currency: String(name) }));
}
