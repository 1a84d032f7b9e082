import { columnLetters, SHEET_NAMESPACE, workbookParts, XML_HEAD, xmlText } from './workbook-parts.ts';
import { type ZipPart, zipStream } from './zip-writer.ts';

/**
 * A cell of a workbook that is written: text, a number as exact decimal text, a date as YYYY-MM-DD, or nothing. A number
 * can have the formula that spreadsheet programs calculate it by, without "=": it shows the number until they do.
 */
export type WrittenCell =
  | { readonly text: string; readonly style?: CellStyle }
  | { readonly number: string; readonly format: NumberFormat; readonly style?: CellStyle; readonly formula?: string }
  | { readonly date: string; readonly style?: CellStyle }
  | null;

export type CellStyle = 'plain' | 'strong' | 'title' | 'head' | 'headOfNumbers' | 'total';
/** Decimals of a number, or a percentage given in percent, or a multiple such as 1.07x, or a format in Excel's words. */
export type NumberFormat = { readonly digits: number } | { readonly code: string } | 'percent' | 'multiple';

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

const MAX_TEXT = 32_767;
const MAX_PROMPT_TITLE = 32;
const MAX_PROMPT = 255;
const MAX_ROWS = 1_048_576;
const MAX_COLUMNS = 16_384;
const DAY_MS = 86_400_000;
/** Day 0 of Excel's calendar; its days before 1 March 1900 are one off, because it has a 29 February 1900. */
const EPOCH_MS = Date.UTC(1899, 11, 30);
const FIRST_RELIABLE = '1900-03-01';

function formatCode(format: NumberFormat): string {
  if (format === 'percent') return '0.00##"%"';
  if (format === 'multiple') return '0.00"x"';
  if ('code' in format) return format.code;
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
    return `${XML_HEAD}<styleSheet xmlns="${SHEET_NAMESPACE}">${numFmts}<fonts count="3"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="16"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="3">${border(null, null)}${border(null, 'thin')}${border('thin', 'medium')}</borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="${cells.length}">${cells.join('')}</cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`;
  }
}

function cellXml(cell: WrittenCell, reference: string, styles: Styles): string {
  if (cell === null) return '';
  const { style = 'plain' } = cell;
  if ('text' in cell) {
    const text = xmlText(cell.text.slice(0, MAX_TEXT));
    return `<c r="${reference}" s="${styles.of(null, style)}" t="inlineStr"><is><t xml:space="preserve">${text}</t></is></c>`;
  }
  if ('date' in cell) {
    if (cell.date < FIRST_RELIABLE) return cellXml({ text: cell.date, style }, reference, styles);
    const serial = Math.round((Date.parse(`${cell.date}T00:00:00Z`) - EPOCH_MS) / DAY_MS);
    return `<c r="${reference}" s="${styles.of('yyyy\\-mm\\-dd', style)}"><v>${serial}</v></c>`;
  }
  if (!/^-?\d+(\.\d+)?$/.test(cell.number)) throw new RangeError(`${cell.number} is not a decimal`);
  const formula = cell.formula === undefined ? '' : `<f>${xmlText(cell.formula)}</f>`;
  return `<c r="${reference}" s="${styles.of(formatCode(cell.format), style)}">${formula}<v>${cell.number}</v></c>`;
}

/** The name of a sheet within a formula. */
const quotedName = (name: string): string => `'${name.replaceAll("'", "''")}'`;

function ruleXml({ column, rows: [first, last], allow, prompt, refuses }: ColumnRule): string {
  const range = `${columnLetters(column)}${first}:${columnLetters(column)}${last}`;
  const shown = prompt
    ? ` showInputMessage="1" promptTitle="${xmlText(prompt.title.slice(0, MAX_PROMPT_TITLE))}" prompt="${xmlText(prompt.text.slice(0, MAX_PROMPT))}"`
    : '';
  const common = `sqref="${range}" allowBlank="1" showErrorMessage="1" errorStyle="${refuses ? 'stop' : 'warning'}"${shown}`;
  if (allow === 'date')
    return `<dataValidation type="date" operator="greaterThanOrEqual" ${common}><formula1>1</formula1></dataValidation>`;
  if (allow === 'number' || allow === 'whole')
    return `<dataValidation type="${allow === 'whole' ? 'whole' : 'decimal'}" operator="between" ${common}><formula1>-1E+300</formula1><formula2>1E+300</formula2></dataValidation>`;
  const [from, to] = allow.rows;
  const letters = columnLetters(allow.column);
  const list = xmlText(`${quotedName(allow.sheet)}!$${letters}$${from}:$${letters}$${to}`);
  return `<dataValidation type="list" ${common}><formula1>${list}</formula1></dataValidation>`;
}

function sheetXml(sheet: WrittenSheet, styles: Styles): string {
  const columns = sheet.widths.map(
    (width, index) => `<col min="${index + 1}" max="${index + 1}" width="${width}" customWidth="1"/>`,
  );
  const rows = sheet.rows.map((cells, row) => {
    const written = cells.map((cell, column) => cellXml(cell, `${columnLetters(column)}${row + 1}`, styles));
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
  return `${XML_HEAD}<worksheet xmlns="${SHEET_NAMESPACE}"><sheetPr><pageSetUpPr fitToPage="1"/></sheetPr><sheetViews><sheetView showGridLines="${showsGrid ? 1 : 0}" workbookViewId="0">${pane}</sheetView></sheetViews>${columns.length > 0 ? `<cols>${columns.join('')}</cols>` : ''}<sheetData>${rows.join('')}</sheetData>${rules}<pageSetup paperSize="9" orientation="${sheet.isLandscape ? 'landscape' : 'portrait'}" fitToWidth="1" fitToHeight="0"/></worksheet>`;
}

function checkSheets(sheets: readonly WrittenSheet[]): void {
  if (sheets.length === 0) throw new RangeError('A workbook has at least one sheet');
  const names = new Set(sheets.map(({ name }) => name.toLowerCase()));
  if (names.size < sheets.length) throw new RangeError('Two sheets have the same name');
  for (const { name, rows } of sheets) {
    if (name.length < 1 || name.length > 31 || /[[\]:*?/\\]|^'|'$/.test(name)) {
      throw new RangeError(`${name} is not the name of a sheet`);
    }
    if (rows.length > MAX_ROWS || rows.some((row) => row.length > MAX_COLUMNS)) {
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
  const parts: Record<string, string> = {
    ...workbookParts({
      sheets: sheets.map(({ name }) => ({ name })),
      styles: styles.xml(),
      properties: { title, author, created: new Date(created) },
    }),
    ...Object.fromEntries(written.map((xml, index) => [`xl/worksheets/sheet${index + 1}.xml`, xml])),
  };
  const zipped = zipStream(
    Object.entries(parts).map(([name, xml]): ZipPart => ({ name, content: [Buffer.from(xml)] })),
    6,
  );
  const chunks: Uint8Array[] = [];
  for await (const chunk of zipped) chunks.push(chunk);
  return Buffer.concat(chunks);
}
