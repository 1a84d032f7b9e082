import type { DuckDBConnection } from '@duckdb/node-api';
import { pickRows, readBatchFile, readBatchRows } from '../sheets/batch-file.ts';
import { stageBatch } from '../sheets/stage-batch.ts';
import { describeBatch } from './batch-facts.ts';
import type { CompiledMapping } from './compile/compile.ts';
import type { MappingEngine } from './mapping-engine.ts';
import { originTexts } from './origin-texts.ts';

/**
 * Maps a staged batch file into its candidate parts: the rows that are assets so far, and the errored ones. Only the
 * columns that the mapping reads are opened, and all of them for the errored rows alone. The same batch gives the same
 * bytes.
 * @returns how many rows went where.
 */
export async function transformPart(
  engine: MappingEngine,
  compiled: CompiledMapping,
  staged: string,
  files: { assets: string; errored: string },
): Promise<{ assets: number; errored: number }> {
  const batch = await readBatchFile(staged, compiled.usedColumns);
  const described = describeBatch(batch, compiled.usedColumns);
  const errored = await engine.writeAssets(compiled, batch, files.assets, described);
  const rowNumbers = Int32Array.from(errored);
  const rows = errored.length === 0 ? pickRows(batch, rowNumbers) : await readBatchRows(staged, rowNumbers);
  await engine.writeErrored(compiled, rows, originTexts(rows, compiled.sheet), files.errored, described.facts);
  return { assets: batch.rowCount - errored.length, errored: errored.length };
}

/** Writes the rows with these sheet row numbers (ascending) of a staged batch file into a new table in the raw layout. */
export async function stageRows(
  connection: DuckDBConnection,
  staged: string,
  rowNumbers: readonly number[],
  tableName: string,
): Promise<void> {
  await stageBatch(connection, await readBatchRows(staged, Int32Array.from(rowNumbers)), tableName);
}
