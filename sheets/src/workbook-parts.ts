/** The namespace of the parts of a workbook, and how each of them begins. */
export const SHEET_NAMESPACE = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
export const XML_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const SHEET_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** What a workbook consists of besides the cells of its sheets. */
export interface WorkbookParts {
  readonly sheets: readonly { readonly name: string; readonly state?: 'hidden' | 'veryHidden' }[];
  /** Number format of each cell style: a cell's `s` is the index in this list, and style 0 is General. */
  readonly formats?: readonly string[];
  /** The styles as XML, instead of number formats alone. */
  readonly styles?: string;
  readonly date1904?: boolean;
  readonly sharedStrings?: boolean;
  /** What programs show about the file. */
  readonly properties?: { readonly title: string; readonly author: string; readonly created: Date };
}

const relationship = (id: number, type: string, target: string): string =>
  `<Relationship Id="rId${id}" Type="${type}" Target="${target}"/>`;
const relationships = (...each: string[]): string =>
  `${XML_HEAD}<Relationships xmlns="${PACKAGE}/relationships">${each.join('')}</Relationships>`;
const override = (part: string, type: string): string =>
  `<Override PartName="/${part}" ContentType="${SHEET_TYPE}.${type}+xml"/>`;

function stylesOf(formats: readonly string[]): string {
  const codes = formats.map((format, index) => `<numFmt numFmtId="${200 + index}" formatCode="${escapeXml(format)}"/>`);
  const cells = formats.map((_, index) => `<xf numFmtId="${index === 0 ? 0 : 200 + index}" applyNumberFormat="1"/>`);
  return `${XML_HEAD}<styleSheet xmlns="${SHEET_NAMESPACE}"><numFmts count="${formats.length}">${codes.join('')}</numFmts><fonts count="1"><font/></fonts><fills count="1"><fill/></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="${formats.length}">${cells.join('')}</cellXfs></styleSheet>`;
}

const propertiesXml = ({ title, author, created }: NonNullable<WorkbookParts['properties']>): string =>
  `${XML_HEAD}<cp:coreProperties xmlns:cp="${PACKAGE}/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><dc:title>${xmlText(title)}</dc:title><dc:creator>${xmlText(author)}</dc:creator><dcterms:created xsi:type="dcterms:W3CDTF">${created.toISOString()}</dcterms:created></cp:coreProperties>`;

/** The parts of a workbook besides its sheets (`xl/worksheets/sheet1.xml` ...) and shared strings, by name. */
export function workbookParts(parts: WorkbookParts): Record<string, string> {
  const { sheets, formats = ['General'], styles = stylesOf(formats), date1904, sharedStrings, properties } = parts;
  const numbers = sheets.map((_, index) => index + 1);
  const after = sheets.length;
  const named = sheets.map(
    ({ name, state }, index) =>
      `<sheet name="${xmlText(name)}" sheetId="${index + 1}"${state ? ` state="${state}"` : ''} r:id="rId${index + 1}"/>`,
  );
  const types = [
    override('xl/workbook.xml', 'sheet.main'),
    ...numbers.map((number) => override(`xl/worksheets/sheet${number}.xml`, 'worksheet')),
    override('xl/styles.xml', 'styles'),
    ...(sharedStrings ? [override('xl/sharedStrings.xml', 'sharedStrings')] : []),
    ...(properties
      ? [
          '<Override PartName="/docProps/core.xml" ContentType="application/vnd.openxmlformats-package.core-properties+xml"/>',
        ]
      : []),
  ];
  return {
    '[Content_Types].xml': `${XML_HEAD}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${types.join('')}</Types>`,
    '_rels/.rels': relationships(
      relationship(1, `${RELATIONS}/officeDocument`, 'xl/workbook.xml'),
      properties ? relationship(2, `${PACKAGE}/relationships/metadata/core-properties`, 'docProps/core.xml') : '',
    ),
    ...(properties ? { 'docProps/core.xml': propertiesXml(properties) } : {}),
    'xl/workbook.xml': `${XML_HEAD}<workbook xmlns="${SHEET_NAMESPACE}" xmlns:r="${RELATIONS}"><workbookPr${date1904 ? ' date1904="1"' : ''}/><sheets>${named.join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relationships(
      ...numbers.map((number) => relationship(number, `${RELATIONS}/worksheet`, `worksheets/sheet${number}.xml`)),
      relationship(after + 1, `${RELATIONS}/styles`, 'styles.xml'),
      sharedStrings ? relationship(after + 2, `${RELATIONS}/sharedStrings`, 'sharedStrings.xml') : '',
    ),
    'xl/styles.xml': styles,
  };
}

export function sheetXml(rows: string): string {
  return `${XML_HEAD}<worksheet xmlns="${SHEET_NAMESPACE}"><sheetData>${rows}</sheetData></worksheet>`;
}

export const SHEET_START = `${XML_HEAD}<worksheet xmlns="${SHEET_NAMESPACE}"><sheetData>`;
export const SHEET_END = '</sheetData></worksheet>';

export function sharedStringsXml(items: readonly string[]): string {
  return `${XML_HEAD}<sst xmlns="${SHEET_NAMESPACE}" uniqueCount="${items.length}">${items.join('')}</sst>`;
}

/** Characters that XML cannot contain, with some that it only discourages. */
const FORBIDDEN = /[^\P{Cc}\t\n\r]|[\ufffe\uffff]/gu;
const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Escapes text for XML content or attributes. */
export const escapeXml = (text: string): string =>
  text.replaceAll(/[&<>"]/g, (character) => ENTITIES[character] ?? character);

/**
 * Escapes any text for a workbook: what XML cannot contain is left out, and what looks like an escape of Excel is not read as
 * one.
 */
export const xmlText = (text: string): string =>
  escapeXml(
    text
      .toWellFormed()
      .replaceAll(FORBIDDEN, '')
      .replaceAll(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_'),
  );

/** Letters of a 0-based column: 0 is A, 16383 is XFD. */
export function columnLetters(column: number): string {
  let letters = '';
  for (let rest = column + 1; rest > 0; rest = Math.floor((rest - 1) / 26)) {
    letters = String.fromCharCode(65 + ((rest - 1) % 26)) + letters;
  }
  return letters;
}
