import { crc32, deflateRawSync, inflateRawSync } from 'node:zlib';
import { DEFLATED, directoryOf, localHeader, STORED, type ZipRecord } from '../zip-writer.ts';

/** A seeded stream of integers below a bound (mulberry32): the same seed, the same stream. */
export type Dice = (below: number) => number;

export function diceOf(seed: number): Dice {
  let state = seed | 0;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296) * below);
  };
}

/** One part of a zip file, and the false values that its headers are to have. */
export interface Part {
  name: string;
  content: Buffer;
  level: number;
  lies?: Partial<Record<'method' | 'flags' | 'crc' | 'packedBytes' | 'unpackedBytes' | 'offset', number>>;
}

/** The parts of a valid zip file. */
export function partsOf(bytes: Buffer): Part[] {
  const end = bytes.lastIndexOf(Buffer.from('504b0506', 'hex'));
  const parts: Part[] = [];
  let at = bytes.readUInt32LE(end + 16);
  for (let entry = 0; entry < bytes.readUInt16LE(end + 10); entry += 1) {
    const nameBytes = bytes.readUInt16LE(at + 28);
    const header = bytes.readUInt32LE(at + 42);
    const start = header + 30 + bytes.readUInt16LE(header + 26) + bytes.readUInt16LE(header + 28);
    const packed = bytes.subarray(start, start + bytes.readUInt32LE(at + 20));
    const isPacked = bytes.readUInt16LE(at + 10) === 8;
    const content = isPacked ? inflateRawSync(packed) : packed;
    parts.push({ name: bytes.toString('utf8', at + 46, at + 46 + nameBytes), content, level: isPacked ? 1 : 0 });
    at += 46 + nameBytes + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  return parts;
}

/** A zip archive of the parts, whose headers repeat the lies. */
export function zip(parts: readonly Part[]): Buffer {
  const pieces: Buffer[] = [];
  const records: ZipRecord[] = [];
  let at = 0;
  for (const { name, content, level, lies = {} } of parts) {
    const packed = level === 0 ? content : deflateRawSync(content, { level });
    const record: ZipRecord = {
      name: Buffer.from(name),
      flags: (lies.flags ?? 0) & 0xffff,
      method: (lies.method ?? (level === 0 ? STORED : DEFLATED)) & 0xffff,
      crc: (lies.crc ?? crc32(content)) >>> 0,
      packedBytes: (lies.packedBytes ?? packed.length) >>> 0,
      unpackedBytes: (lies.unpackedBytes ?? content.length) >>> 0,
      offset: (lies.offset ?? at) >>> 0,
    };
    const header = localHeader(record);
    pieces.push(header, packed);
    records.push(record);
    at += header.length + packed.length;
  }
  return Buffer.concat([...pieces, directoryOf(records, at)]);
}

/** A valid workbook that mutations start from. */
export interface Source {
  readonly name: string;
  readonly bytes: Buffer;
}

type Mutation = (source: Source, sources: readonly Source[], dice: Dice) => Buffer;

const NUMBERS = [
  '0',
  '-1',
  '1',
  '2',
  '60',
  '16385',
  '1048577',
  '4294967296',
  '99999999999',
  '1e309',
  '1E-400',
  'NaN',
  '',
];
const SNIPPETS = [
  '<',
  '>',
  '"',
  "'",
  '&',
  '&#0;',
  '&#x110000;',
  '&amp;',
  '&lol;',
  ']]>',
  '<![CDATA[',
  '<!--',
  '-->',
  '<!DOCTYPE x>',
  '<?x?>',
  '/>',
  '</row>',
  '<row>',
  '<row r="',
  '<row r="7"/>',
  '</c>',
  '<c>',
  '<c r="A1"',
  '<c r="XFE3"/>',
  '</v>',
  '<v>',
  '<v/>',
  '<is><t>x</t></is>',
  '<f>1</f>',
  '</sheetData>',
  '</worksheet>',
  '<si/>',
  '<si><t/></si>',
  '</si>',
  '</t>',
  '<r>',
  '_x0000_',
  '_x005F_',
  ' t="s"',
  ' t="b"',
  ' t="str"',
  ' t="inlineStr"',
  ' s="9"',
  ' r="B2"',
  '\0',
  '\ufffe',
  '\r\n',
  '\u00a0',
];

const pick = <T>(list: readonly T[], dice: Dice): T => list[dice(list.length)]!;

/** Bytes of the zip file itself: names, sizes, checksums, packed data. */
const changeBytes: Mutation = ({ bytes }, _, dice) => {
  const changed = Buffer.from(bytes);
  for (let change = 0; change <= dice(4); change += 1) {
    changed[dice(changed.length)] = dice(256);
  }
  return changed;
};

/** The directory at the end, where every byte matters. */
const changeDirectory: Mutation = ({ bytes }, _, dice) => {
  const changed = Buffer.from(bytes);
  const start = changed.indexOf(Buffer.from('504b0102', 'hex'));
  for (let change = 0; change <= dice(3); change += 1) {
    changed[start + dice(changed.length - start)] = pick([0, 1, 8, 0x7f, 0x80, 0xff, dice(256)], dice);
  }
  return changed;
};

const truncate: Mutation = ({ bytes }, _, dice) => bytes.subarray(0, dice(bytes.length));

/** The beginning of one file and the end of another. */
const splice: Mutation = ({ bytes }, sources, dice) => {
  const other = pick(sources, dice).bytes;
  return Buffer.concat([bytes.subarray(0, dice(bytes.length)), other.subarray(dice(other.length))]);
};

/** Headers with false values. */
const lie: Mutation = ({ bytes }, _, dice) => {
  const parts = partsOf(bytes);
  const part = pick(parts, dice);
  const field = pick(['method', 'flags', 'crc', 'packedBytes', 'unpackedBytes', 'offset'] as const, dice);
  const truth = field === 'unpackedBytes' ? part.content.length : dice(100);
  part.lies = { [field]: pick([0, 1, 8, 12, truth - 1, truth + 1, 0x7fffffff, 0xfffffffe, 0xffffffff], dice) };
  return zip(parts);
};

/** Parts omitted, duplicated, renamed, or taken from another file. */
const exchangeParts: Mutation = ({ bytes }, sources, dice) => {
  const parts = partsOf(bytes);
  const at = dice(parts.length);
  const part = parts[at]!;
  switch (dice(4)) {
    case 0:
      parts.splice(at, 1);
      break;
    case 1:
      parts.push({ ...part });
      break;
    case 2:
      part.name = pick(parts, dice).name;
      break;
    default: {
      const others = partsOf(pick(sources, dice).bytes);
      part.content = (others.find(({ name }) => name === part.name) ?? pick(others, dice)).content;
    }
  }
  return zip(parts);
};

/** A part that the reader reads, mostly the sheet. */
function readPart(parts: readonly Part[], dice: Dice): Part {
  const read = parts.filter(({ name }) => /sheet\d*\.xml$|sharedStrings|styles|workbook\.xml|rels$/.test(name));
  const sheets = read.filter(({ name }) => /sheet\d*\.xml$/.test(name));
  return pick(dice(3) > 0 && sheets.length > 0 ? sheets : read, dice);
}

/** The XML of a part, with a correct checksum. */
const changeXml: Mutation = ({ bytes }, sources, dice) => {
  const parts = partsOf(bytes);
  const part = readPart(parts, dice);
  let xml = part.content.toString('utf8');
  // One change that may break the XML, or several that do not: if it is broken, nothing else explains the outcome.
  if (dice(3) === 0) {
    xml = changeText(xml, sources, dice);
    part.content = Buffer.from(xml);
  } else if (dice(10) === 0) {
    part.content = Buffer.from(xml);
    part.content[dice(part.content.length)] = dice(256);
  } else {
    for (let change = 0; change <= dice(3); change += 1) {
      xml = changeValue(xml, dice);
    }
    part.content = Buffer.from(xml);
  }
  part.level = dice(3);
  return zip(parts);
};

/** Replaces a number or a word in the XML: mostly still a workbook, but a different one. */
function changeValue(xml: string, dice: Dice): string {
  const values = [...xml.matchAll(dice(2) === 0 ? /(?<=>)[^<]+(?=<)/g : /(?<==")[^"<]*(?=")|\d+(?=<)/g)];
  const found = values.length === 0 ? undefined : pick(values, dice);
  if (found === undefined) return xml;
  const other = dice(3) === 0 ? pick(values, dice)[0] : pick(NUMBERS, dice);
  return xml.slice(0, found.index) + other + xml.slice(found.index + found[0].length);
}

function changeText(xml: string, sources: readonly Source[], dice: Dice): string {
  const at = dice(xml.length);
  const length = dice(4) === 0 ? dice(400) : dice(12);
  switch (dice(7)) {
    case 0:
      return xml.slice(0, at) + pick(SNIPPETS, dice) + xml.slice(at);
    case 1:
      return xml.slice(0, at) + pick(SNIPPETS, dice) + xml.slice(at + length);
    case 2:
      return xml.slice(0, at) + xml.slice(at + length);
    case 3:
      return xml.slice(0, at) + xml.slice(at, at + length) + xml.slice(at);
    case 4: {
      // whole elements and attributes are moved
      const pieces = xml.split(dice(2) === 0 ? /(?=<)/ : /(?<=>)|(?= \w+=)/);
      const [one, other] = [dice(pieces.length), dice(pieces.length)];
      [pieces[one], pieces[other]] = [pieces[other]!, pieces[one]!];
      return pieces.join('');
    }
    case 5: {
      const others = partsOf(pick(sources, dice).bytes);
      const other = readPart(others, dice).content.toString('utf8');
      return xml.slice(0, at) + other.slice(dice(other.length));
    }
    default:
      return (
        xml.slice(0, at) +
        String.fromCharCode(pick([9, 10, 32, 34, 38, 39, 47, 60, 61, 62, dice(128), dice(0xd7ff)], dice)) +
        xml.slice(at + 1)
      );
  }
}

const MUTATIONS: readonly Mutation[] = [
  changeXml,
  changeXml,
  changeXml,
  changeXml,
  changeBytes,
  changeDirectory,
  truncate,
  splice,
  lie,
  exchangeParts,
];

/** The file of this number: the same seed and number always give the same file. */
export function mutate(sources: readonly Source[], seed: number, index: number): { source: Source; bytes: Buffer } {
  const dice = diceOf(Math.imul(seed, 0x9e3779b1) ^ Math.imul(index + 1, 0x85ebca6b));
  const source = pick(sources, dice);
  return { source, bytes: pick(MUTATIONS, dice)(source, sources, dice) };
}
