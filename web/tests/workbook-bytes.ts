import { crc32, deflateRawSync } from 'node:zlib';

/** An entry of a zip file. `declaredBytes` overrides its uncompressed size with a false value. */
export interface ZipPart {
  name: string;
  content: Uint8Array | string;
  declaredBytes?: number;
}

/** A zip file of deflated entries. */
export function zipBytes(parts: readonly ZipPart[]): Buffer {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const part of parts) {
    const name = Buffer.from(part.name);
    const content = Buffer.from(part.content);
    const packed = deflateRawSync(content, { level: 9 });
    const facts = Buffer.alloc(26);
    facts.writeUInt16LE(20, 0);
    facts.writeUInt16LE(8, 4);
    facts.writeUInt32LE(crc32(content), 10);
    facts.writeUInt32LE(packed.length, 14);
    facts.writeUInt32LE(part.declaredBytes ?? content.length, 18);
    facts.writeUInt16LE(name.length, 22);
    const file = Buffer.concat([Buffer.from('504b0304', 'hex'), facts, name, packed]);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([Buffer.from('504b01021400', 'hex'), facts, place, name]));
    files.push(file);
    offset += file.length;
  }
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(parts.length, 8);
  end.writeUInt16LE(parts.length, 10);
  end.writeUInt32LE(Buffer.concat(directory).length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...files, ...directory, end]);
}

const escapeXml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
const columnName = (index: number): string =>
  (index >= 26 ? columnName(Math.floor(index / 26) - 1) : '') + String.fromCharCode(65 + (index % 26));

/** XML of a sheet: numbers as numbers, text inline, null as a missing cell. */
export function sheetXml(rows: readonly (readonly (string | number | null)[])[]): string {
  const cells = (row: readonly (string | number | null)[], at: number) =>
    row
      .map((cell, index) => {
        const place = `${columnName(index)}${at + 1}`;
        if (cell === null) return '';
        return typeof cell === 'number'
          ? `<c r="${place}"><v>${cell}</v></c>`
          : `<c r="${place}" t="inlineStr"><is><t>${escapeXml(cell)}</t></is></c>`;
      })
      .join('');
  const body = rows.map((row, at) => `<row r="${at + 1}">${cells(row, at)}</row>`).join('');
  return `<?xml version="1.0"?><worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>${body}</sheetData></worksheet>`;
}

interface SheetPart {
  name: string;
  xml: string | Uint8Array;
  declaredBytes?: number;
}

/** A workbook with sheets of the given XML. */
export function workbookBytes(...sheets: readonly SheetPart[]): Buffer {
  const office = 'http://schemas.openxmlformats.org';
  const relations = `${office}/officeDocument/2006/relationships`;
  const main = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
  const each = (write: (sheet: SheetPart, number: number) => string) =>
    sheets.map((sheet, index) => write(sheet, index + 1)).join('');
  return zipBytes([
    {
      name: '[Content_Types].xml',
      content: `<Types xmlns="${office}/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${main}.sheet.main+xml"/>${each((_, number) => `<Override PartName="/xl/worksheets/sheet${number}.xml" ContentType="${main}.worksheet+xml"/>`)}</Types>`,
    },
    {
      name: '_rels/.rels',
      content: `<Relationships xmlns="${office}/package/2006/relationships"><Relationship Id="rId1" Type="${relations}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    },
    {
      name: 'xl/workbook.xml',
      content: `<workbook xmlns="${office}/spreadsheetml/2006/main" xmlns:r="${relations}"><sheets>${each(({ name }, number) => `<sheet name="${escapeXml(name)}" sheetId="${number}" r:id="rId${number}"/>`)}</sheets></workbook>`,
    },
    {
      name: 'xl/_rels/workbook.xml.rels',
      content: `<Relationships xmlns="${office}/package/2006/relationships">${each((_, number) => `<Relationship Id="rId${number}" Type="${relations}/worksheet" Target="worksheets/sheet${number}.xml"/>`)}</Relationships>`,
    },
    ...sheets.map(({ xml, declaredBytes }, index) => ({
      name: `xl/worksheets/sheet${index + 1}.xml`,
      content: xml,
      ...(declaredBytes === undefined ? {} : { declaredBytes }),
    })),
  ]);
}
