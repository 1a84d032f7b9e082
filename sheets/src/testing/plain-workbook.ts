import { posix } from 'node:path';
import { crc32, inflateRawSync } from 'node:zlib';
import { SaxesParser } from 'saxes';
import { CellTag } from '../cell-tag.ts';
import type { Epoch } from '../raw-batch.ts';

/**
 * A second reader of workbooks, written to be obviously correct rather than fast: complete parts in memory, a strict
 * XML parser, trees. It shares no code with the reader that it checks. It rejects anything that is not well-formed or
 * that the format does not allow.
 */
export interface PlainWorkbook {
  readonly epoch: Epoch;
  readonly sheets: readonly { readonly name: string; readonly hidden: boolean; readonly rows: PlainRows }[];
}

/** Cells that are not blank, by row and by column, both 1-based. */
export type PlainRows = Map<number, Map<number, PlainCell>>;

export interface PlainCell {
  readonly tag: number;
  readonly value: number | string | boolean;
}

interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: (Element | string)[];
}

/** @throws Error for anything that it does not accept */
export function readPlainly(bytes: Buffer): PlainWorkbook {
  const parts = unzip(bytes);
  const tree = (name: string): Element => {
    const part = parts.get(name.toLowerCase());
    if (part === undefined) throw new Error(`no part ${name}`);
    return parseXml(part);
  };
  const bookName = related(tree('_rels/.rels'), '', 'officeDocument')?.target ?? 'xl/workbook.xml';
  const book = tree(bookName);
  const folder = posix.dirname(bookName);
  const relations = tree(posix.join(folder, '_rels', `${posix.basename(bookName)}.rels`));
  const properties = childrenOf(book, 'workbookPr')[0];
  const epoch = /^(1|true|on)$/.test(properties?.attributes.date1904 ?? '') ? 1904 : 1900;
  const stylesPart = related(relations, folder, 'styles');
  const isDate = stylesPart === undefined ? [] : dateStyles(tree(stylesPart.target));
  const textsPart = related(relations, folder, 'sharedStrings');
  const texts =
    textsPart === undefined || !parts.has(textsPart.target.toLowerCase())
      ? []
      : childrenOf(root(tree(textsPart.target), 'sst'), 'si').map((item) => textOf(item));
  const sheets = childrenOf(book, 'sheets').flatMap((list) => childrenOf(list, 'sheet'));
  return {
    epoch,
    sheets: sheets.flatMap(({ attributes }) => {
      const relation = childrenOf(relations, 'Relationship').find(
        (candidate) => candidate.attributes.Id === attributes.id,
      );
      if (relation === undefined || !relation.attributes.Type?.endsWith('/worksheet')) return [];
      const sheet = tree(targetOf(folder, relation.attributes.Target ?? ''));
      const rows = readRows(root(sheet, 'worksheet'), { epoch, isDate, texts });
      return [{ name: attributes.name ?? '', hidden: /hidden/i.test(attributes.state ?? ''), rows }];
    }),
  };
}

/** The unpacked files of a zip, by their names in lower case. */
export function unzip(bytes: Buffer): Map<string, Buffer> {
  let end = bytes.length - 22;
  while (end >= 0 && bytes.readUInt32LE(end) !== 0x06054b50) end -= 1;
  if (end < 0) throw new Error('no zip directory');
  const parts = new Map<string, Buffer>();
  let at = bytes.readUInt32LE(end + 16);
  for (let entry = 0; entry < bytes.readUInt16LE(end + 10); entry += 1) {
    if (bytes.readUInt32LE(at) !== 0x02014b50) throw new Error('no zip directory entry');
    const method = bytes.readUInt16LE(at + 10);
    const checksum = bytes.readUInt32LE(at + 16);
    const packed = bytes.readUInt32LE(at + 20);
    const nameBytes = bytes.readUInt16LE(at + 28);
    const header = bytes.readUInt32LE(at + 42);
    const name = bytes.toString('utf8', at + 46, at + 46 + nameBytes);
    const start = header + 30 + bytes.readUInt16LE(header + 26) + bytes.readUInt16LE(header + 28);
    const content = bytes.subarray(start, start + packed);
    if (method !== 0 && method !== 8) throw new Error('an unknown compression');
    const part = method === 0 ? content : inflateRawSync(content, { maxOutputLength: 64 << 20 });
    if (crc32(part) !== checksum) throw new Error('a wrong checksum');
    parts.set(name.toLowerCase(), part);
    at += 46 + nameBytes + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  return parts;
}

function parseXml(bytes: Buffer): Element {
  const text = new TextDecoder().decode(bytes);
  const parser = new SaxesParser();
  const top: Element = { name: '', attributes: {}, children: [] };
  const open = [top];
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('doctype', () => {
    throw new Error('a document type declaration');
  });
  parser.on('opentag', ({ name, attributes }) => {
    const element = {
      name: localName(name),
      attributes: Object.fromEntries(Object.entries(attributes).map(([key, value]) => [localName(key), value])),
      children: [],
    };
    open.at(-1)!.children.push(element);
    open.push(element);
  });
  parser.on('closetag', () => void open.pop());
  const add = (piece: string) => void open.at(-1)!.children.push(piece);
  parser.on('text', add);
  parser.on('cdata', add);
  parser.write(text).close();
  return top.children.find((child) => typeof child !== 'string')!;
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1);

function root(element: Element, name: string): Element {
  if (element.name !== name) throw new Error(`${element.name} instead of ${name}`);
  return element;
}

const childrenOf = (element: Element, name: string): Element[] =>
  element.children.filter((child): child is Element => typeof child !== 'string' && child.name === name);

const targetOf = (folder: string, target: string): string =>
  target.startsWith('/') ? target.slice(1) : posix.join(folder, target);

function related(relations: Element, folder: string, type: string): { target: string } | undefined {
  const found = childrenOf(relations, 'Relationship').find((relation) =>
    relation.attributes.Type?.endsWith(`/${type}`),
  );
  return found === undefined ? undefined : { target: targetOf(folder, found.attributes.Target ?? '') };
}

/**
 * Whether each cell style shows a date. Only for the formats of the test files: a day, month, year, hour or second
 * outside quotes.
 */
function dateStyles(styles: Element): boolean[] {
  const formats = new Map<number, string>();
  for (const { attributes } of childrenOf(root(styles, 'styleSheet'), 'numFmts').flatMap((list) =>
    childrenOf(list, 'numFmt'),
  )) {
    formats.set(Number(attributes.numFmtId), attributes.formatCode ?? 'General');
  }
  return childrenOf(styles, 'cellXfs')
    .flatMap((list) => childrenOf(list, 'xf'))
    .map(({ attributes }) => {
      const id = Number(attributes.numFmtId ?? 0);
      const format = formats.get(id);
      if (format === undefined) {
        return (id >= 14 && id <= 22) || id === 45 || id === 47 || (id >= 27 && id <= 36) || (id >= 50 && id <= 58);
      }
      const section = format.replace(/"[^"]*"?|\\.|_.|\*./g, '').split(';')[0]!;
      return (
        !/\[[hms]+\]/i.test(section) &&
        !/^\s*general\s*$/i.test(section) &&
        /[dmyhs]/i.test(section.replace(/\[[^\]]*\]?/g, ''))
      );
    });
}

/** The text of a string item: its `t`, and those of its runs, without its phonetic guides. */
function textOf(item: Element): string {
  return withoutEscapes(
    item.children
      .map((child) => {
        if (typeof child === 'string' || child.name === 'phoneticPr' || child.name === 'rPh') return '';
        if (child.name === 'r') return childrenOf(child, 't').map(contentOf).join('');
        if (child.name === 't') return contentOf(child);
        throw new Error(`${child.name} in a text`);
      })
      .join(''),
  );
}

function contentOf(element: Element): string {
  return element.children
    .map((child) => {
      if (typeof child !== 'string') throw new Error(`${child.name} in ${element.name}`);
      return child;
    })
    .join('');
}

const withoutEscapes = (text: string): string =>
  text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16)));

interface Book {
  readonly epoch: Epoch;
  readonly isDate: readonly boolean[];
  readonly texts: readonly string[];
}

function readRows(sheet: Element, book: Book): PlainRows {
  const rows: PlainRows = new Map();
  let last = 0;
  for (const row of childrenOf(sheet, 'sheetData').flatMap((data) => elementsOf(data, 'row'))) {
    const stated = row.attributes.r;
    if (stated !== undefined && !/^\s*\d+\s*$/.test(stated)) throw new Error(`row ${stated}`);
    last = stated === undefined ? last + 1 : Number(stated);
    if (rows.has(last)) throw new Error(`row ${last} twice`);
    const cells = new Map<number, PlainCell>();
    let column = 0;
    for (const cell of elementsOf(row, 'c')) {
      column = cell.attributes.r === undefined ? column + 1 : columnOf(cell.attributes.r, last);
      const read = readCell(cell, book);
      if (read !== undefined) cells.set(column, read);
    }
    rows.set(last, cells);
  }
  return rows;
}

function elementsOf(element: Element, name: string): Element[] {
  for (const child of element.children) {
    if (typeof child === 'string' ? child.trim() !== '' : child.name !== name) {
      throw new Error(`${typeof child === 'string' ? 'text' : child.name} in ${element.name}`);
    }
  }
  return childrenOf(element, name);
}

function columnOf(reference: string, row: number): number {
  const [, letters, number] = /^\s*\$?([A-Z]{1,3})\$?(\d+)\s*$/i.exec(reference) ?? [];
  if (letters === undefined || Number(number) !== row) throw new Error(`the reference ${reference}`);
  return [...letters.toUpperCase()].reduce((column, letter) => column * 26 + letter.charCodeAt(0) - 64, 0);
}

function readCell(cell: Element, book: Book): PlainCell | undefined {
  const known = ['f', 'v', 'is', 'extLst'];
  const names = cell.children.flatMap((child) => {
    if (typeof child !== 'string') return [child.name];
    if (child.trim() !== '') throw new Error('text in a cell');
    return [];
  });
  if (names.some((name) => !known.includes(name)) || new Set(names).size !== names.length) {
    throw new Error(`a cell of ${names.join(', ')}`);
  }
  const type = cell.attributes.t?.trim() ?? 'n';
  const [inline] = childrenOf(cell, 'is');
  const [element] = childrenOf(cell, 'v');
  const raw = element === undefined ? undefined : contentOf(element);
  if (type === 'inlineStr' || (inline !== undefined && raw === undefined)) {
    return shown(CellTag.text, inline === undefined ? withoutEscapes(raw ?? '') : textOf(inline));
  }
  if (raw === undefined) return undefined;
  const value = raw.trim();
  switch (type) {
    case 's': {
      if (value === '') return undefined;
      const text = /^\d+$/.test(value) ? book.texts[Number(value)] : undefined;
      if (text === undefined) throw new Error(`no shared string ${value}`);
      return shown(CellTag.text, text);
    }
    case 'str':
      return shown(CellTag.text, withoutEscapes(raw));
    case 'e':
      return { tag: CellTag.error, value: value === '' ? '#VALUE!' : value };
    case 'b':
      if (!/^(|0|1|true|false)$/.test(value)) throw new Error(`the boolean ${value}`);
      return value === '' ? undefined : { tag: CellTag.boolean, value: value === '1' || value === 'true' };
    case 'n': {
      if (value === '') return undefined;
      if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(value)) return shown(CellTag.text, raw);
      const style = cell.attributes.s?.trim() || '0';
      if (!/^\d+$/.test(style)) throw new Error(`the style ${style}`);
      return { tag: book.isDate[Number(style)] ? CellTag.date : CellTag.number, value: Number(value) };
    }
    case 'd': {
      const serial = serialOf(value, book.epoch);
      return serial === undefined ? shown(CellTag.text, raw) : { tag: CellTag.date, value: serial };
    }
    default:
      throw new Error(`the cell type ${type}`);
  }
}

function shown(tag: number, text: string): PlainCell | undefined {
  if (text.includes('\ufffd')) throw new Error('bytes that are not text');
  return text === '' ? undefined : { tag, value: text };
}

/** Days since day zero, as Excel counts them: the 1900 system is one day behind before March 1900. */
function serialOf(iso: string, epoch: Epoch): number | undefined {
  const [, hour, minute, second = '0'] = /^T?(\d{2}):(\d{2})(?::(\d{2}(?:\.\d+)?))?Z?$/.exec(iso) ?? [];
  if (hour !== undefined) {
    const isTime = Number(hour) < 24 && Number(minute) < 60 && Number(second) < 60;
    return isTime ? (Number(hour) * 3600 + Number(minute) * 60 + Number(second)) / 86_400 : undefined;
  }
  if (!/^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?Z?)?$/.test(iso)) return undefined;
  const midnight = new Date(`${iso.slice(0, 10)}T00:00:00Z`);
  const isReal = !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(iso.slice(0, 10));
  const days = (midnight.getTime() - Date.UTC(1904, 0, 1)) / 86_400_000 + (epoch === 1904 ? 0 : 1462);
  const serial = epoch === 1900 && days <= 60 ? days - 1 : days;
  if (!isReal || serial < 0) return undefined;
  const [hours = 0, minutes = 0, seconds = 0] = iso.slice(11).replace('Z', '').split(':').map(Number);
  return serial + (hours * 3600 + minutes * 60 + seconds) / 86_400;
}
