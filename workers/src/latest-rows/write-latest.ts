import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { maxBytesOf, tooLarge } from '@tapeline/domain/files/buckets.ts';
import type { LatestRowCounts, LoanMonthColumns } from '@tapeline/domain/tapes/latest-rows/latest-rows.schema.ts';
import { pickRows } from '@tapeline/sheets/batch-file.ts';
import { copyRows } from '@tapeline/sheets/copy-rows.ts';
import type { InspectedSheet } from '@tapeline/sheets/inspect-sheet.ts';
import type { RawBatch } from '@tapeline/sheets/raw-batch.ts';
import { sheetNotices } from '../preview/sheet-head.ts';
import { inspectUploadedSheet } from '../tape/read-sheet-file.ts';
import { findLatest, type ReadFrom, readBatches } from './find-latest.ts';

const BUCKET = 'loanTapes';

interface WriteTo {
  readonly path: string;
  /** Called with the share that is read, 0 to 1, while rows are chosen and while they are written. */
  readonly onChosen?: (share: number) => void;
  readonly onWritten?: (share: number) => void;
}

/**
 * Writes the latest row of each loan to a new file. The sheet is read twice, so that only the ids, the months and the
 * numbers of its rows are in memory.
 * @throws Refusal badRequest as `findLatest`, and for a new file that is too large or whose header would not be found
 */
export async function writeLatest(
  from: Omit<ReadFrom, 'onRead'> & { readonly sheet: InspectedSheet },
  input: LoanMonthColumns & { readonly upTo: string | null },
  { path, onChosen, onWritten }: WriteTo,
): Promise<{ counts: LatestRowCounts; notices: string[] }> {
  const { rowNumbers, counts, facts } = await findLatest({ ...from, onRead: onChosen }, input);
  const rows = pickedBatches({ ...from, onRead: onWritten }, rowNumbers);
  await pipeline(withinSize(copyRows(from.sheet, rows)), createWriteStream(path), { signal: from.signal });
  await requireSameColumns(path, from.sheet);
  return { counts, notices: sheetNotices(facts, 0, false) };
}

/** The rows with these numbers, batch by batch. @param rowNumbers ascending */
async function* pickedBatches(from: ReadFrom, rowNumbers: Int32Array): AsyncGenerator<RawBatch> {
  let next = 0;
  for await (const batch of readBatches(from)) {
    const last = batch.rowNumbers[batch.rowCount - 1] ?? 0;
    const start = next;
    while (next < rowNumbers.length && rowNumbers[next]! <= last) next += 1;
    if (next > start) yield pickRows(batch, rowNumbers.subarray(start, next));
  }
}

/** @throws Refusal badRequest for more bytes than an uploaded tape can have */
async function* withinSize(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const piece of content) {
    bytes += piece.length;
    if (bytes > maxBytesOf({ bucket: BUCKET })) {
      throw new Refusal(
        'badRequest',
        `${tooLarge({ bucket: BUCKET })}, and the latest rows need more. Split the file.`,
      );
    }
    yield piece;
  }
}

/** The header is found by what is below it, which is less in the new file. @throws Refusal if it would be another one */
async function requireSameColumns(path: string, { sheetName, columns }: InspectedSheet): Promise<void> {
  const headersOf = (sheet: Pick<InspectedSheet, 'columns'>) =>
    JSON.stringify(sheet.columns.map(({ header }) => header));
  const written = await inspectUploadedSheet(path);
  if (headersOf(written) === headersOf({ columns })) return;
  throw new Refusal(
    'badRequest',
    `The header of the sheet ${sheetName} would not be found above these rows. Filter the sheet by month in a spreadsheet program, and upload the remaining rows.`,
  );
}
