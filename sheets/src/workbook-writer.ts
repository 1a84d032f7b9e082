import { type ZipPart, zipStream } from './zip-writer.ts';

/** A cell of a workbook that is written: text, a number as exact decimal text, a date as YYYY-MM-DD, or nothing. */
export type WrittenCell =
  | { readonly text: string; readonly style?: CellStyle }
  | { readonly number: string; readonly format: NumberFormat; readonly style?: CellStyle }
  | { readonly date: string; readonly style?: CellStyle }
  | null;

export type CellStyle = 'plain' | 'strong' | 'title' | 'head' | 'headOfNumbers' | 'total';
/** Decimals of a number, or a percentage given in percent, or a multiple such as 1.07x. */
export type NumberFormat = { readonly digits: number } | 'percent' | 'multiple';

/** Values that a spreadsheet program offers in a column, or a kind of value that it requires there. */
export interface ColumnRule {
  /** 0-based. */
  readonly column: number;
  /** Sheet row numbers (1-based). */
  readonly rows: readonly [first: number, last: number];
  readonly allow:
    | 'date'
    | 'number'
    | 'whole'
    /** The cells of a column of another sheet; row numbers are 1-based. */
    | { readonly sheet: string; readonly column: number; readonly rows: readonly [first: number, last: number] };
  /** Shown while the cell is selected. */
  readonly prompt?: { readonly title: string; readonly text: string };
  /** Whether other values are refused, or only warned about. */
  readonly refuses: boolean;
}

/** A small sheet of a workbook: a few thousand cells at most, since all of it is in memory. */
export interface WrittenSheet {
  readonly name: string;
  /** In characters. */
  readonly widths: readonly number[];
  readonly rows: readonly (readonly WrittenCell[])[];
  /** Rows at the top that stay in view. */
  readonly frozenRows?: number;
  readonly isLandscape?: boolean;
  readonly columnRules?: readonly ColumnRule[];
  readonly showsGrid?: boolean;
}

export interface WrittenWorkbook {
  readonly title: string;
  readonly author: string;
  /** An ISO instant: the date of the file, so that the same content gives the same bytes. */
  readonly created: string;
  readonly sheets: readonly WrittenSheet[];
}

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const SHEET_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

const MOST_TEXT = 32_767;
const MOST_PROMPT_TITLE = 32;
const MOST_PROMPT = 255;
const MOST_ROWS = 1_048_576;
const MOST_COLUMNS = 16_384;
const DAY_MS = 86_400_000;
/** Day 0 of Excel's calendar; its days before 1 March 1900 are one off, because it has a 29 February 1900. */
const EPOCH_MS = Date.UTC(1899, 11, 30);
const FIRST_RELIABLE = '1900-03-01';

/** Characters that XML cannot contain, with some that it only discourages. */
const FORBIDDEN = /[^\P{Cc}\t\n\r]|[\ufffe\uffff]/gu;
const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const xmlText = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(FORBIDDEN, '')
    // What looks like an escape of Excel must not be read as one.
    .replaceAll(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_')
    .replaceAll(/[&<>"]/g, (character) => ENTITIES[character] ?? character);

function lettersOf(column: number): string {
  let letters = '';
  for (let rest = column + 1; rest > 0; rest = Math.floor((rest - 1) / 26)) {
    letters = String.fromCharCode(65 + ((rest - 1) % 26)) + letters;
  }
  return letters;
}

function formatCode(format: NumberFormat): string {
  if (format === 'percent') return '0.00##"%"';
  if (format === 'multiple') return '0.00"x"';
  return `#,##0${format.digits > 0 ? `.${'0'.repeat(format.digits)}` : ''}`;
}

/** Collects the styles that the cells use, each once. */
class Styles {
  private readonly formats: string[] = [];
  private readonly styles = new Map<string, { id: number; format: string | null; style: CellStyle }>();

  constructor() {
    this.of(null, 'plain');
  }

  of(format: string | null, style: CellStyle): number {
    if (format !== null && !this.formats.includes(format)) this.formats.push(format);
    const key = JSON.stringify([format, style]);
    const known = this.styles.get(key);
    if (known) return known.id;
    const id = this.styles.size;
    this.styles.set(key, { id, format, style });
    return id;
  }

  xml(): string {
    const formats = this.formats.map(
      (code, index) => `<numFmt numFmtId="${164 + index}" formatCode="${xmlText(code)}"/>`,
    );
    const fonts = { plain: 0, strong: 1, title: 2, head: 1, headOfNumbers: 1, total: 1 };
    const borders = { plain: 0, strong: 0, title: 0, head: 1, headOfNumbers: 1, total: 2 };
    const cells = [...this.styles.values()].map(({ format, style }) => {
      const id = format === null ? 0 : 164 + this.formats.indexOf(format);
      const right = style === 'headOfNumbers' ? '<alignment horizontal="right"/>' : '';
      return `<xf numFmtId="${id}" fontId="${fonts[style]}" fillId="0" borderId="${borders[style]}" xfId="0" applyNumberFormat="1" applyFont="1" applyBorder="1" applyAlignment="1">${right}</xf>`;
    });
    const side = (name: string, style: string | null) =>
      style === null ? `<${name}/>` : `<${name} style="${style}"><color auto="1"/></${name}>`;
    const border = (top: string | null, bottom: string | null) =>
      `<border><left/><right/>${side('top', top)}${side('bottom', bottom)}<diagonal/></border>`;
    const numFmts = formats.length > 0 ? `<numFmts count="${formats.length}">${formats.join('')}</numFmts>` : '';
    return `${XML}<styleSheet xmlns="${MAIN}">${numFmts}<fonts count="3"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="16"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="3">${border(null, null)}${border(null, 'thin')}${border('thin', 'medium')}</borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="${cells.length}">${cells.join('')}</cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`;
  }
}

function cellXml(cell: WrittenCell, reference: string, styles: Styles): string {
  if (cell === null) return '';
  const { style = 'plain' } = cell;
  if ('text' in cell) {
    const text = xmlText(cell.text.slice(0, MOST_TEXT));
    return `<c r="${reference}" s="${styles.of(null, style)}" t="inlineStr"><is><t xml:space="preserve">${text}</t></is></c>`;
  }
  if ('date' in cell) {
    if (cell.date < FIRST_RELIABLE) return cellXml({ text: cell.date, style }, reference, styles);
    const serial = Math.round((Date.parse(`${cell.date}T00:00:00Z`) - EPOCH_MS) / DAY_MS);
    return `<c r="${reference}" s="${styles.of('yyyy\\-mm\\-dd', style)}"><v>${serial}</v></c>`;
  }
  if (!/^-?\d+(\.\d+)?$/.test(cell.number)) throw new RangeError(`${cell.number} is not a decimal`);
  return `<c r="${reference}" s="${styles.of(formatCode(cell.format), style)}"><v>${cell.number}</v></c>`;
}

/** The name of a sheet within a formula. */
const quotedName = (name: string): string => `'${name.replaceAll("'", "''")}'`;

function ruleXml({ column, rows: [first, last], allow, prompt, refuses }: ColumnRule): string {
  const range = `${lettersOf(column)}${first}:${lettersOf(column)}${last}`;
  const shown = prompt
    ? ` showInputMessage="1" promptTitle="${xmlText(prompt.title.slice(0, MOST_PROMPT_TITLE))}" prompt="${xmlText(prompt.text.slice(0, MOST_PROMPT))}"`
    : '';
  const common = `sqref="${range}" allowBlank="1" showErrorMessage="1" errorStyle="${refuses ? 'stop' : 'warning'}"${shown}`;
  if (allow === 'date')
    return `<dataValidation type="date" operator="greaterThanOrEqual" ${common}><formula1>1</formula1></dataValidation>`;
  if (allow === 'number' || allow === 'whole')
    return `<dataValidation type="${allow === 'whole' ? 'whole' : 'decimal'}" operator="between" ${common}><formula1>-1E+300</formula1><formula2>1E+300</formula2></dataValidation>`;
  const [from, to] = allow.rows;
  const letters = lettersOf(allow.column);
  const list = xmlText(`${quotedName(allow.sheet)}!$${letters}$${from}:$${letters}$${to}`);
  return `<dataValidation type="list" ${common}><formula1>${list}</formula1></dataValidation>`;
}

function sheetXml(sheet: WrittenSheet, styles: Styles): string {
  const columns = sheet.widths.map(
    (width, index) => `<col min="${index + 1}" max="${index + 1}" width="${width}" customWidth="1"/>`,
  );
  const rows = sheet.rows.map((cells, row) => {
    const written = cells.map((cell, column) => cellXml(cell, `${lettersOf(column)}${row + 1}`, styles));
    return `<row r="${row + 1}">${written.join('')}</row>`;
  });
  const { frozenRows = 0 } = sheet;
  const pane =
    frozenRows > 0
      ? `<pane ySplit="${frozenRows}" topLeftCell="A${frozenRows + 1}" activePane="bottomLeft" state="frozen"/>`
      : '';
  const { columnRules = [], showsGrid = false } = sheet;
  const rules =
    columnRules.length > 0
      ? `<dataValidations count="${columnRules.length}">${columnRules.map(ruleXml).join('')}</dataValidations>`
      : '';
  return `${XML}<worksheet xmlns="${MAIN}"><sheetPr><pageSetUpPr fitToPage="1"/></sheetPr><sheetViews><sheetView showGridLines="${showsGrid ? 1 : 0}" workbookViewId="0">${pane}</sheetView></sheetViews>${columns.length > 0 ? `<cols>${columns.join('')}</cols>` : ''}<sheetData>${rows.join('')}</sheetData>${rules}<pageSetup paperSize="9" orientation="${sheet.isLandscape ? 'landscape' : 'portrait'}" fitToWidth="1" fitToHeight="0"/></worksheet>`;
}

function checkSheets(sheets: readonly WrittenSheet[]): void {
  if (sheets.length === 0) throw new RangeError('A workbook has at least one sheet');
  const names = new Set(sheets.map(({ name }) => name.toLowerCase()));
  if (names.size < sheets.length) throw new RangeError('Two sheets have the same name');
  for (const { name, rows } of sheets) {
    if (name.length < 1 || name.length > 31 || /[[\]:*?/\\]|^'|'$/.test(name)) {
      throw new RangeError(`${name} is not the name of a sheet`);
    }
    if (rows.length > MOST_ROWS || rows.some((row) => row.length > MOST_COLUMNS)) {
      throw new RangeError('A sheet has at most 1,048,576 rows and 16,384 columns');
    }
  }
}

/**
 * Writes a small workbook (.xlsx). Numbers keep all their digits in the file; spreadsheet programs calculate with 15 of
 * them. Text stays text, whatever it begins with. The same workbook gives the same bytes.
 * @throws RangeError for a name that no sheet can have, and for a number that is not a decimal
 */
export async function writeWorkbook(workbook: WrittenWorkbook): Promise<Buffer> {
  const { sheets, title, author, created } = workbook;
  checkSheets(sheets);
  const styles = new Styles();
  const written = sheets.map((sheet) => sheetXml(sheet, styles));
  const numbers = sheets.map((_, index) => index + 1);
  const override = (part: string, type: string): string =>
    `<Override PartName="/${part}" ContentType="${SHEET_TYPE}.${type}+xml"/>`;
  const relation = (id: number, type: string, target: string): string =>
    `<Relationship Id="rId${id}" Type="${type}" Target="${target}"/>`;
  const parts: Record<string, string> = {
    '[Content_Types].xml': `${XML}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${override('xl/workbook.xml', 'sheet.main')}${override('xl/styles.xml', 'styles')}${numbers.map((number) => override(`xl/worksheets/sheet${number}.xml`, 'worksheet')).join('')}<Override PartName="/docProps/core.xml" ContentType="application/vnd.openxmlformats-package.core-properties+xml"/></Types>`,
    '_rels/.rels': `${XML}<Relationships xmlns="${PACKAGE}/relationships">${relation(1, `${RELATIONS}/officeDocument`, 'xl/workbook.xml')}${relation(2, `${PACKAGE}/relationships/metadata/core-properties`, 'docProps/core.xml')}</Relationships>`,
    'docProps/core.xml': `${XML}<cp:coreProperties xmlns:cp="${PACKAGE}/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><dc:title>${xmlText(title)}</dc:title><dc:creator>${xmlText(author)}</dc:creator><dcterms:created xsi:type="dcterms:W3CDTF">${new Date(created).toISOString()}</dcterms:created></cp:coreProperties>`,
    'xl/workbook.xml': `${XML}<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><sheets>${sheets.map(({ name }, index) => `<sheet name="${xmlText(name)}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`).join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `${XML}<Relationships xmlns="${PACKAGE}/relationships">${numbers.map((number) => relation(number, `${RELATIONS}/worksheet`, `worksheets/sheet${number}.xml`)).join('')}${relation(sheets.length + 1, `${RELATIONS}/styles`, 'styles.xml')}</Relationships>`,
    ...Object.fromEntries(written.map((xml, index) => [`xl/worksheets/sheet${index + 1}.xml`, xml])),
    'xl/styles.xml': styles.xml(),
  };
  const zipped = zipStream(
    Object.entries(parts).map(([name, xml]): ZipPart => ({ name, content: [Buffer.from(xml)] })),
    6,
  );
  const chunks: Uint8Array[] = [];
  for await (const chunk of zipped) chunks.push(chunk);
  return Buffer.concat(chunks);
}
