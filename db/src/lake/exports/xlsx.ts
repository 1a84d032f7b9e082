import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import type { Lake } from '../lake.ts';
import { type ExportColumn, type ExportTable, exportChunks, rowBytes } from './export-table.ts';
import { type ZipPart, zipStream } from './zip-stream.ts';

/** Rows of a sheet below its head; the rest goes to further sheets. */
export const SHEET_ROWS = 1_048_575;
const MOST_SHEETS = 4;
/** A sheet's XML beyond this goes on in the next, since a part of a zip archive holds at most 4 GB. */
const SHEET_BYTES = 3 * 2 ** 30;
/** Characters a cell can hold. */
const CELL_CHARACTERS = 32_767;

/** Cell formats by index in styles.xml. */
const STYLE = { plain: 0, head: 1, date: 2, amount: 3, percent: 4 } as const;

const xmlText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** What XML cannot hold, and a carriage return, which it would lose: Excel writes these as _xHHHH_. */
const CODES = [...Array(32).keys(), 0xfffe, 0xffff].filter((code) => code !== 9 && code !== 10);
const escapeCode = (code: number): string => `_x${code.toString(16).toUpperCase().padStart(4, '0')}_`;

const SET_UP = [
  // What already looks like such an escape has its underscore escaped.
  `CREATE OR REPLACE TEMP MACRO sheet_escaped(x) AS ${CODES.reduce(
    (sql, code) => `replace(${sql}, chr(${code}), '${escapeCode(code)}')`,
    `regexp_replace(x, '_(x[0-9A-Fa-f]{4}_)', '_x005F_\\1', 'g')`,
  )}`,
  `CREATE OR REPLACE TEMP MACRO sheet_xml(x) AS
     replace(replace(replace(CASE WHEN regexp_matches(x, '[\\x00-\\x08\\x0b-\\x1f\\x{FFFE}\\x{FFFF}]|_x[0-9A-Fa-f]{4}_')
       THEN sheet_escaped(x) ELSE x END, '&', '&amp;'), '<', '&lt;'), '>', '&gt;')`,
  `CREATE OR REPLACE TEMP MACRO text_cell(cell, x) AS
     '<c r="' || cell || '" t="inlineStr"><is><t xml:space="preserve">' || sheet_xml(left(x, ${CELL_CHARACTERS})) || '</t></is></c>'`,
  `CREATE OR REPLACE TEMP MACRO number_cell(cell, style, x) AS
     '<c r="' || cell || '" s="' || style || '"><v>' || CAST(x AS VARCHAR) || '</v></c>'`,
];

/** Stands where the row's number goes; no text holds it, since it is escaped there. */
const ROW_MARK = '\u0001';

/** SQL of a cell: NULL where the value is missing. */
function cellSql({ kind, sql, type }: ExportColumn, column: number): string {
  const at = `'${lettersOf(column)}' || chr(1)`;
  if (type === 'VARCHAR') return `text_cell(${at}, ${sql})`;
  const number = (value: string, style: number): string => `number_cell(${at}, ${style}, ${value})`;
  const text = `text_cell(${at}, CAST(${sql} AS VARCHAR))`;
  switch (kind) {
    case 'boolean':
      return `'<c r="' || ${at} || '" t="b"><v>' || CAST(${sql} AS INTEGER) || '</v></c>'`;
    case 'date':
      // Days since the last of 1899; Excel counts a 29 February 1900 that there was not, and knows no earlier dates.
      return `CASE WHEN ${sql} >= DATE '1900-03-01' THEN ${number(`${sql} - DATE '1899-12-30'`, STYLE.date)} ELSE ${text} END`;
    case 'amount':
      // Excel's numbers are doubles: an amount that a double cannot hold to the last digit stays a text.
      return `CASE WHEN TRY_CAST(CAST(${sql} AS DOUBLE) AS ${type}) = ${sql} THEN ${number(sql, STYLE.amount)} ELSE ${text} END`;
    case 'percentage':
      return number(`CAST(${sql} AS DECIMAL(26,12)) * CAST(0.01 AS DECIMAL(3,2))`, STYLE.percent);
    case 'result':
      return number(sql, STYLE.amount);
    default:
      return type === 'DOUBLE'
        ? `CASE WHEN isfinite(${sql}) THEN ${number(sql, STYLE.plain)} ELSE ${text} END`
        : number(sql, STYLE.plain);
  }
}

function lettersOf(column: number): string {
  const letter = String.fromCharCode(65 + (column % 26));
  return column < 26 ? letter : lettersOf(Math.floor(column / 26) - 1) + letter;
}

/**
 * An Excel workbook: a sheet (more where one is full) with a frozen head, dates, numbers, percentages and amounts as such.
 * Texts are texts whatever they begin with; one of more than 32,767 characters is cut there.
 * @throws Refusal badRequest before anything is written, for more rows than sheets can take
 */
export function exportXlsx(
  lake: Lake,
  table: ExportTable,
  sheetName: string,
  signal?: AbortSignal,
): AsyncGenerator<Uint8Array, void, void> {
  if (table.rows > MOST_SHEETS * SHEET_ROWS) {
    const most = (MOST_SHEETS * SHEET_ROWS).toLocaleString('en');
    throw new Refusal('badRequest', `A workbook takes at most ${most} rows; narrow the filter, or take CSV or Parquet`);
  }
  return zipStream(workbookParts(lake, table, sheetName, signal));
}

async function* workbookParts(
  lake: Lake,
  table: ExportTable,
  sheetName: string,
  signal: AbortSignal | undefined,
): AsyncGenerator<ZipPart, void, void> {
  const cells = table.columns.map((column, index) => `coalesce(${cellSql(column, index)}, '')`);
  const chunks = exportChunks(lake, table, `encode(concat(${cells.join(', ')}))`, { setUp: SET_UP, signal });
  const sheets: string[] = [];
  try {
    let chunk = await chunks.next();
    // The first sheet is written even where there are no rows.
    do {
      sheets.push(sheets.length === 0 ? sheetName : `${sheetName} ${sheets.length + 1}`);
      yield { name: `xl/worksheets/sheet${sheets.length}.xml`, content: sheet() };
    } while (!chunk.done);

    /** Rows until the sheet is full; a chunk that does not go in whole begins the next. */
    async function* sheet(): AsyncGenerator<Uint8Array, void, void> {
      yield Buffer.from(sheetStart(table.columns));
      let [rows, bytes] = [1, 0];
      while (!chunk.done && rows - 1 + chunk.value.rowCount <= SHEET_ROWS && bytes < SHEET_BYTES) {
        let xml = '';
        for (const row of rowBytes(chunk.value)) {
          rows += 1;
          const written = DECODER.decode(row).replaceAll(ROW_MARK, String(rows));
          xml += `<row r="${rows}">${written}</row>`;
        }
        const piece = Buffer.from(xml);
        bytes += piece.length;
        yield piece;
        chunk = await chunks.next();
      }
      yield Buffer.from('</sheetData></worksheet>');
    }
  } finally {
    await chunks.return();
  }
  for (const [name, content] of Object.entries(fixedParts(sheets))) yield { name, content: [Buffer.from(content)] };
}

const DECODER = new TextDecoder();
const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const SHEET_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

function sheetStart(columns: readonly ExportColumn[]): string {
  const widths = columns.map(({ label, kind }, index) => {
    const characters = Math.max(label.length + 2, kind === 'text' ? 14 : 12);
    return `<col min="${index + 1}" max="${index + 1}" width="${characters}" customWidth="1"/>`;
  });
  const heads = columns.map(
    ({ label }, index) =>
      `<c r="${lettersOf(index)}1" s="${STYLE.head}" t="inlineStr"><is><t>${xmlText(label)}</t></is></c>`,
  );
  return `${XML}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>${widths.join('')}</cols><sheetData><row r="1">${heads.join('')}</row>`;
}

function fixedParts(sheets: readonly string[]): Record<string, string> {
  const override = (part: string, type: string): string =>
    `<Override PartName="/${part}" ContentType="${SHEET_TYPE}.${type}+xml"/>`;
  return {
    'xl/styles.xml': `${XML}<styleSheet xmlns="${MAIN}"><numFmts count="3"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/><numFmt numFmtId="165" formatCode="#,##0.00##"/><numFmt numFmtId="166" formatCode="0.00##%"/></numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="5"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/><xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="165" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="166" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/></cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`,
    'xl/workbook.xml': `${XML}<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><sheets>${sheets.map((name, index) => `<sheet name="${xmlText(name)}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`).join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `${XML}<Relationships xmlns="${PACKAGE}/relationships">${sheets.map((_, index) => `<Relationship Id="rId${index + 1}" Type="${RELATIONS}/worksheet" Target="worksheets/sheet${index + 1}.xml"/>`).join('')}<Relationship Id="rId${sheets.length + 1}" Type="${RELATIONS}/styles" Target="styles.xml"/></Relationships>`,
    '_rels/.rels': `${XML}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${RELATIONS}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    '[Content_Types].xml': `${XML}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${override('xl/workbook.xml', 'sheet.main')}${override('xl/styles.xml', 'styles')}${sheets.map((_, index) => override(`xl/worksheets/sheet${index + 1}.xml`, 'worksheet')).join('')}</Types>`,
  };
}
