import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { SheetError } from '@tapeline/sheets/sheet-error.ts';
import { readSheetTable } from '@tapeline/sheets/sheet-table.ts';
import { ONE_PIECE_LIMITS } from './read-import-file.ts';

/** A sheet of labels and amounts is small. */
const MAX_ROWS = 2_000;
const MAX_COLUMNS = 50;

/**
 * The rows of the first sheet of a small workbook as texts, with its header row.
 * @param name of the file, whose ending tells its kind
 * @throws Refusal badRequest if it cannot be read
 */
export async function readLineSheet(bytes: Uint8Array, name: string): Promise<string[][]> {
  const ending = /\.(xlsx|csv)$/i.exec(name)?.[0].toLowerCase();
  if (!ending) throw new Refusal('badRequest', 'Choose an .xlsx or .csv file');
  const folder = await mkdtemp(path.join(tmpdir(), 'lines-'));
  try {
    const file = path.join(folder, `lines${ending}`);
    await writeFile(file, bytes);
    const { columns, rows } = await readSheetTable(file, {
      maxRows: MAX_ROWS,
      maxColumns: MAX_COLUMNS,
      maxCharacters: 500,
      maxText: 1 << 20,
      limits: ONE_PIECE_LIMITS,
    });
    // Without headings, the first line is where they would be.
    return [columns.map(({ header }) => header), ...rows.map(({ cells }) => [...cells])];
  } catch (error) {
    if (!(error instanceof SheetError)) throw error;
    throw new Refusal('badRequest', error.message, { cause: error });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
