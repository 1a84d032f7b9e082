import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { correctionColumns, DOWNLOAD_COLUMNS, withoutGuard } from '@tapeline/domain/tapes/correction-file.ts';
import {
  type OriginCell,
  type RowCorrection,
  shownOrigin,
  typedCell,
} from '@tapeline/domain/tapes/corrections.schema.ts';
import { CellTag } from '@tapeline/sheets/cell-tag.ts';
import { serialToIso } from '@tapeline/sheets/date-serial.ts';
import type { Epoch, RawBatch, SheetHead } from '@tapeline/sheets/raw-batch.ts';
import { readSheetFile } from '../tape/read-sheet-file.ts';
import type { OriginRow } from './raw-cells.ts';

/** Maximum number of rows in a correction file. */
const MAX_ROWS = 100_000;

/** A row of a correction file: its sheet row number, and its cells by the headers of the file. */
interface FileRow {
  readonly row: number;
  readonly cells: ReadonlyMap<string, OriginCell>;
}

/**
 * Reads a file of corrected rows in the format of the errored-rows download: the sheet's row number, and columns with
 * the tape's headers. Rows without any changed cell are skipped.
 * @param originOf returns the current errored rows with these numbers
 * @throws Refusal badRequest if the file has another format, names rows that are not errored, or changes nothing
 */
export async function readCorrectionFile(
  path: string,
  originOf: (rows: readonly number[]) => Promise<readonly OriginRow[]>,
  isCsv: boolean,
): Promise<RowCorrection[]> {
  const { headers, rows } = await readRows(path);
  const origins = new Map((await originOf(rows.map(({ row }) => row))).map(({ row, origin }) => [row, origin]));
  const unknown = rows.filter(({ row }) => !origins.has(row)).map(({ row }) => row);
  if (unknown.length > 0) {
    throw new Refusal(
      'badRequest',
      `These rows of the file are not errored rows of the tape: ${unknown.slice(0, 10).join(', ')}${unknown.length > 10 ? ' and more' : ''}. Download the errored rows again.`,
    );
  }
  const known = new Set([...origins.values()].flatMap((origin) => Object.keys(origin)));
  const foreign = headers.filter((header) => !known.has(header));
  if (foreign.length > 0) {
    throw new Refusal(
      'badRequest',
      `The tape does not have the columns ${foreign
        .slice(0, 10)
        .map((header) => `"${header}"`)
        .join(', ')}. Keep the headers as they were downloaded.`,
    );
  }
  const corrections = rows.flatMap(({ row, cells }): RowCorrection[] => {
    const origin = origins.get(row) ?? {};
    const changed = [...cells].flatMap(([header, cell]): [string, OriginCell][] => {
      const before = origin[header] ?? null;
      const after = asTyped(cell, before, isCsv);
      return after === before ? [] : [[header, after]];
    });
    return changed.length === 0 ? [] : [{ row, cells: Object.fromEntries(changed) }];
  });
  if (corrections.length === 0) {
    throw new Refusal('badRequest', 'The file does not change any cell.');
  }
  return corrections.sort((a, b) => a.row - b.row);
}

/**
 * Interprets a cell of the file that replaces `before`. Numbers and dates keep their type; texts are parsed as typed.
 */
function asTyped(cell: OriginCell, before: OriginCell, isCsv: boolean): OriginCell {
  const shown = shownOrigin(cell);
  // The same number can be written in several ways.
  if (typeof before === 'number' && shown.trim() !== '' && Number(shown) === before) return before;
  if (typeof cell === 'string' || cell === null || isCsv) return typedCell(shown, before, isCsv);
  return shown === shownOrigin(before) ? before : cell;
}

async function readRows(path: string): Promise<{ headers: string[]; rows: FileRow[] }> {
  let head: SheetHead | undefined;
  const rows: FileRow[] = [];
  const seen = new Set<number>();
  let headers = new Map<number, string>() as ReadonlyMap<number, string>;
  const options = {
    headerRow: 1,
    onHead: (found: SheetHead) => {
      head = found;
    },
  };
  for await (const batch of readSheetFile(path, options)) {
    const { columns, epoch } = head as SheetHead;
    const found = correctionColumns(columns.map(({ header }) => header));
    if (!found) throw withoutRows();
    headers = found.headers;
    const names = [...headers.values()];
    const doubled = names.find((header, at) => names.indexOf(header) !== at);
    if (doubled !== undefined) throw new Refusal('badRequest', `More than one column is named "${doubled}".`);
    for (let at = 0; at < batch.rowCount; at += 1) {
      const row = Number(readOrigin(batch, found.row, at, epoch));
      if (!Number.isSafeInteger(row) || row < 1) throw withoutRows();
      if (seen.has(row)) throw new Refusal('badRequest', `Row ${row} appears in the file twice.`);
      if (rows.length >= MAX_ROWS) {
        throw new Refusal(
          'badRequest',
          `A file takes at most ${MAX_ROWS} rows. Correct the tape itself and upload it again.`,
        );
      }
      seen.add(row);
      const cells = [...headers].map(([index, header]): [string, OriginCell] => [
        header,
        readOrigin(batch, index, at, epoch),
      ]);
      rows.push({ row, cells: new Map(cells) });
    }
  }
  if (rows.length === 0) throw new Refusal('badRequest', 'The file has no rows.');
  return { headers: [...headers.values()], rows };
}

const withoutRows = () =>
  new Refusal(
    'badRequest',
    `The column "${DOWNLOAD_COLUMNS.row[0]}" must contain the tape’s row number in every row. Download the errored rows and correct that file.`,
  );

/** Converts a cell to its form in the origin data. */
function readOrigin(batch: RawBatch, column: number, at: number, epoch: Epoch): OriginCell {
  const cells = batch.columns[column];
  const value = cells?.values[at] ?? 0;
  switch (cells?.tags[at]) {
    case CellTag.text:
    case CellTag.error:
      return withoutGuard(batch.texts.text(value));
    case CellTag.boolean:
      return value !== 0;
    case CellTag.date:
      return serialToIso(value, epoch)?.replace(' ', 'T') ?? value;
    case CellTag.number:
      return value;
    default:
      return null;
  }
}
