import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { columnLetters, SHEET_NAMESPACE, workbookParts, XML_HEAD, xmlText } from '@tapeline/sheets/workbook-parts.ts';
import { type ZipPart, zipStream } from '@tapeline/sheets/zip-writer.ts';
import type { Lake } from '../lake.ts';
import { packedSelect } from './chunk-columns.ts';
import { type ExportColumn, type ExportPace, type ExportTable, exportChunks } from './export-table.ts';
import { createSharedTexts, type SharedTexts } from './shared-texts.ts';
import { createSheetRows, STYLE } from './sheet-rows.ts';
import { GROWTH, hasOuterSpace, writeText } from './sheet-text.ts';

/** Rows of a sheet below its header; further rows go to the next sheet. */
export const SHEET_ROWS = 1_048_575;
const MAX_SHEETS = 4;
/** XML beyond this continues on the next sheet, since a part of a zip archive holds at most 4 GB. */
const SHEET_BYTES = 3 * 2 ** 30;

/**
 * An Excel workbook: a sheet (more if one is full) with a frozen header, and typed dates, numbers, percentages and
 * amounts. Texts stay texts, whatever they begin with; texts of more than 32,767 characters are cut.
 */
export const exportXlsx = (
  lake: Lake,
  table: ExportTable,
  sheetName: string,
  pace: ExportPace = {},
): AsyncGenerator<Uint8Array, void, void> => zipStream(zipParts(lake, table, sheetName, pace));

/** @throws Refusal badRequest if there are more rows than the sheets of a workbook can hold */
export function refuseLongWorkbook({ rows }: ExportTable): void {
  if (rows <= MAX_SHEETS * SHEET_ROWS) return;
  const most = (MAX_SHEETS * SHEET_ROWS).toLocaleString('en');
  throw new Refusal(
    'badRequest',
    `A workbook holds at most ${most} rows. Narrow the filter, or export as CSV or Parquet.`,
  );
}

async function* zipParts(
  lake: Lake,
  table: ExportTable,
  sheetName: string,
  pace: ExportPace,
): AsyncGenerator<ZipPart, void, void> {
  const texts = createSharedTexts();
  const sheetRows = createSheetRows(table.columns, texts);
  const chunks = exportChunks(lake, table, packedSelect(table.columns), pace);
  const sheets: string[] = [];
  try {
    let chunk = await chunks.next();
    // The first sheet is written even if there are no rows.
    do {
      sheets.push(sheets.length === 0 ? sheetName : `${sheetName} ${sheets.length + 1}`);
      yield { name: `xl/worksheets/sheet${sheets.length}.xml`, content: sheet() };
    } while (!chunk.done);

    /** Writes rows until the sheet is full; a chunk that does not fit as a whole goes to the next sheet. */
    async function* sheet(): AsyncGenerator<Uint8Array, void, void> {
      yield Buffer.from(sheetStart(table.columns));
      let [rows, bytes] = [1, 0];
      while (!chunk.done && rows - 1 + chunk.value.rowCount <= SHEET_ROWS && bytes < SHEET_BYTES) {
        for (const piece of sheetRows.pieces(chunk.value, rows + 1)) {
          bytes += piece.length;
          yield piece;
        }
        rows += chunk.value.rowCount;
        chunk = await chunks.next();
      }
      yield Buffer.from('</sheetData></worksheet>');
    }
  } finally {
    await chunks.return();
  }
  yield { name: 'xl/sharedStrings.xml', content: sharedStrings(texts) };
  const parts = workbookParts({ sheets: sheets.map((name) => ({ name })), styles: STYLES, sharedStrings: true });
  for (const [name, content] of Object.entries(parts)) yield { name, content: [Buffer.from(content)] };
}

/** The table of shared texts, which is complete once the last cell is written. */
function* sharedStrings(texts: SharedTexts): Generator<Uint8Array> {
  yield Buffer.from(`${XML_HEAD}<sst xmlns="${SHEET_NAMESPACE}">`);
  let pieces: Uint8Array[] = [];
  for (const text of texts.texts()) {
    const space = hasOuterSpace(text, 0, text.length) ? ' xml:space="preserve"' : '';
    const written = new Uint8Array(GROWTH * text.length);
    const end = writeText(written, 0, text, 0, text.length);
    pieces.push(Buffer.from(`<si><t${space}>`), written.subarray(0, end), Buffer.from('</t></si>'));
    if (pieces.length < 3000) continue;
    yield Buffer.concat(pieces);
    pieces = [];
  }
  yield Buffer.concat([...pieces, Buffer.from('</sst>')]);
}

function sheetStart(columns: readonly ExportColumn[]): string {
  const widths = columns.map(({ label, kind, characters = kind === 'text' ? 14 : 12 }, index) => {
    const width = Math.max(label.length + 2, characters);
    return `<col min="${index + 1}" max="${index + 1}" width="${width}" customWidth="1"/>`;
  });
  const heads = columns.map(
    ({ label }, index) =>
      `<c r="${columnLetters(index)}1" s="${STYLE.head}" t="inlineStr"><is><t>${xmlText(label)}</t></is></c>`,
  );
  return `${XML_HEAD}<worksheet xmlns="${SHEET_NAMESPACE}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>${widths.join('')}</cols><sheetData><row r="1">${heads.join('')}</row>`;
}

/** Dates, amounts and percentages; the head is bold. */
const STYLES = `${XML_HEAD}<styleSheet xmlns="${SHEET_NAMESPACE}"><numFmts count="3"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/><numFmt numFmtId="165" formatCode="#,##0.00##"/><numFmt numFmtId="166" formatCode="0.00##%"/></numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="5"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/><xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="165" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="166" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/></cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`;
