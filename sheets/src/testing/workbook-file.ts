import { writeFileSync } from 'node:fs';
import type { ReadOptions } from '../batches.ts';
import { CellTag } from '../cell-tag.ts';
import { type RawBatch, readCell, type SheetHead } from '../raw-batch.ts';
import { readSheetBatches } from '../read-sheet.ts';
import { NO_FACTS, type SheetFacts } from '../sheet-facts.ts';
import { sharedStringsXml, sheetXml, type WorkbookParts, workbookParts } from '../workbook-parts.ts';
import { ZipWriter } from '../zip-writer.ts';
import { temporaryPath } from './temporary-path.ts';

export interface HandMade extends Partial<WorkbookParts> {
  /** XML inside `sheetData` of the first sheet. */
  readonly rows?: string;
  /** The whole XML of the first sheet, if `rows` is not enough. */
  readonly sheet?: string | Uint8Array;
  /** `<si>` items. */
  readonly strings?: readonly string[];
  /** Parts to add or replace by name; null omits one. */
  readonly parts?: Record<string, string | Uint8Array | null>;
  readonly level?: number;
}

/** Writes a workbook by hand, to test forms of XML that no library writes. */
export async function writeWorkbook(made: HandMade): Promise<string> {
  const path = temporaryPath('.xlsx');
  const parts: Record<string, string | Uint8Array | null> = {
    ...workbookParts({
      sheets: made.sheets ?? [{ name: 'Tape' }],
      sharedStrings: made.strings !== undefined,
      ...(made.formats ? { formats: made.formats } : {}),
      ...(made.date1904 ? { date1904: true } : {}),
    }),
    'xl/worksheets/sheet1.xml': made.sheet ?? sheetXml(made.rows ?? ''),
    ...(made.strings ? { 'xl/sharedStrings.xml': sharedStringsXml(made.strings) } : {}),
    ...made.parts,
  };
  const writer = await ZipWriter.create(path);
  for (const [name, content] of Object.entries(parts)) {
    if (content !== null) {
      await writer.add(name, [content], made.level);
    }
  }
  await writer.finish();
  return path;
}

export function writeFile(ending: string, content: string | Uint8Array): string {
  const path = temporaryPath(ending);
  writeFileSync(path, content);
  return path;
}

export interface ReadSheet {
  readonly head: SheetHead;
  readonly rowNumbers: number[];
  /** Cells as plain values, by row. */
  readonly rows: (number | string | boolean | null)[][];
  readonly tags: number[][];
  readonly blankRows: number;
  /** Rows with more fields than the header. */
  readonly misfits: (readonly [number, string])[];
  readonly facts: SheetFacts;
  readonly batches: RawBatch[];
}

/** Reads a whole (small) sheet into rows of plain values. */
export async function readRows(path: string, options: ReadOptions = {}): Promise<ReadSheet> {
  let head: SheetHead | undefined;
  let facts = NO_FACTS;
  const batches: RawBatch[] = [];
  const callbacks = { onHead: (found: SheetHead) => (head = found), onFacts: (found: SheetFacts) => (facts = found) };
  for await (const batch of readSheetBatches(path, { ...options, ...callbacks })) {
    batches.push(batch);
  }
  const read = {
    head: head!,
    rowNumbers: [] as number[],
    rows: [] as ReadSheet['rows'],
    tags: [] as number[][],
    batches,
  };
  let blankRows = 0;
  for (const batch of batches) {
    blankRows += batch.blankRows;
    for (let row = 0; row < batch.rowCount; row += 1) {
      read.rowNumbers.push(batch.rowNumbers[row]!);
      read.rows.push(batch.columns.map((_, column) => readCell(batch, column, row)));
      read.tags.push(batch.columns.map((column) => column.tags[row] ?? CellTag.blank));
    }
  }
  return { ...read, blankRows, facts, misfits: batches.flatMap(({ misfits }) => [...misfits]) };
}
