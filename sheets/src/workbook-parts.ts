const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

/** Number formats that cells of a written workbook may use; a cell's `s` is the index in this list. */
export interface WorkbookParts {
  readonly sheets: readonly { readonly name: string; readonly state?: 'hidden' | 'veryHidden' }[];
  /** Format of each cell style; style 0 is General. */
  readonly formats?: readonly string[];
  readonly date1904?: boolean;
  readonly sharedStrings?: boolean;
}

/** The parts of a workbook besides its sheets (`xl/worksheets/sheet1.xml` ...) and shared strings, by name. */
export function workbookParts(parts: WorkbookParts): Record<string, string> {
  const formats = parts.formats ?? ['General'];
  const sheetRelations = parts.sheets.map(
    (_, index) =>
      `<Relationship Id="rId${index + 1}" Type="${RELATIONS}/worksheet" Target="worksheets/sheet${index + 1}.xml"/>`,
  );
  const after = parts.sheets.length;
  return {
    '[Content_Types].xml': `${HEAD}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/>${parts.sheets
      .map(
        (_, index) =>
          `<Override PartName="/xl/worksheets/sheet${index + 1}.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/>`,
      )
      .join(
        '',
      )}<Override PartName="/xl/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.styles+xml"/>${
      parts.sharedStrings
        ? '<Override PartName="/xl/sharedStrings.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sharedStrings+xml"/>'
        : ''
    }</Types>`,
    '_rels/.rels': `${HEAD}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${RELATIONS}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `${HEAD}<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><workbookPr${parts.date1904 ? ' date1904="1"' : ''}/><sheets>${parts.sheets
      .map(
        (sheet, index) =>
          `<sheet name="${escapeXml(sheet.name)}" sheetId="${index + 1}"${sheet.state ? ` state="${sheet.state}"` : ''} r:id="rId${index + 1}"/>`,
      )
      .join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `${HEAD}<Relationships xmlns="${PACKAGE}/relationships">${sheetRelations.join('')}<Relationship Id="rId${after + 1}" Type="${RELATIONS}/styles" Target="styles.xml"/>${
      parts.sharedStrings
        ? `<Relationship Id="rId${after + 2}" Type="${RELATIONS}/sharedStrings" Target="sharedStrings.xml"/>`
        : ''
    }</Relationships>`,
    'xl/styles.xml': `${HEAD}<styleSheet xmlns="${MAIN}"><numFmts count="${formats.length}">${formats
      .map((format, index) => `<numFmt numFmtId="${200 + index}" formatCode="${escapeXml(format)}"/>`)
      .join(
        '',
      )}</numFmts><fonts count="1"><font/></fonts><fills count="1"><fill/></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="${formats.length}">${formats
      .map((_, index) => `<xf numFmtId="${index === 0 ? 0 : 200 + index}" applyNumberFormat="1"/>`)
      .join('')}</cellXfs></styleSheet>`,
  };
}

export function sheetXml(rows: string): string {
  return `${HEAD}<worksheet xmlns="${MAIN}"><sheetData>${rows}</sheetData></worksheet>`;
}

export const SHEET_START = `${HEAD}<worksheet xmlns="${MAIN}"><sheetData>`;
export const SHEET_END = '</sheetData></worksheet>';

export function sharedStringsXml(items: readonly string[]): string {
  return `${HEAD}<sst xmlns="${MAIN}" uniqueCount="${items.length}">${items.join('')}</sst>`;
}

/** Escapes text for XML content or attributes. */
export function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

/** Letters of a 0-based column: 0 is A, 16383 is XFD. */
export function columnLetters(column: number): string {
  let letters = '';
  for (let rest = column + 1; rest > 0; rest = Math.floor((rest - 1) / 26)) {
    letters = String.fromCharCode(65 + ((rest - 1) % 26)) + letters;
  }
  return letters;
}
