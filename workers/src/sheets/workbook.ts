import { posix } from 'node:path';
import { CellTag } from '@tapeline/domain/tapes/cell-tag.ts';
import { sheetOfAnotherMonth } from '@tapeline/domain/tapes/sheet-name.ts';
import { refuseDamaged, refuseSheet, SHEET_LIMITS, type SheetLimits } from './limits.ts';
import { Markup, MarkupReader } from './markup.ts';
import { builtInFormat, isDateFormat } from './number-formats.ts';
import type { Epoch } from './raw-batch.ts';
import { SharedStringScanner } from './shared-strings.ts';
import { openZip, partName, unpack, unpackWhole, type ZipArchive, type ZipEntry } from './zip-archive.ts';

export interface Sheet {
  readonly name: string;
  /** Hidden from whoever opens the workbook; still readable by name. */
  readonly hidden: boolean;
}

export interface Workbook {
  readonly sheets: readonly Sheet[];
  readonly epoch: Epoch;
  /** Number format of each cell style (`cellXfs`), in words of Excel's format language. */
  readonly formatOfStyle: readonly string[];
  /** `CellTag.date` or `CellTag.number` of each cell style. */
  readonly tagOfStyle: Uint8Array;
  /**
   * The sheet of that name (case does not count, as in Excel); the first visible one where none is named.
   * @param isMappings the name is a mapping's, which may be of another month: the one visible sheet whose name differs by
   *   its date alone is taken for it
   * @throws Refusal badRequest whose message lists the sheets.
   */
  findSheet(name?: string, isMappings?: boolean): Sheet;
  /** Bytes of a sheet's XML, as the archive's directory has it. */
  sheetBytes(sheet: Sheet): number;
  /** The XML of a sheet as UTF-8 chunks, each good until the next one is asked for. */
  openSheet(sheet: Sheet, options?: OpenSheetOptions): AsyncGenerator<Uint8Array>;
  /** Shared strings, or the first `wanted` of them. */
  readSharedStrings(wanted?: number, signal?: AbortSignal): Promise<SharedStringScanner>;
  close(): Promise<void>;
}

export interface OpenSheetOptions {
  readonly signal?: AbortSignal | undefined;
  /** Inflates a sheet of at least so many bytes on a thread of its own; never where left out. */
  readonly threadFromBytes?: number | undefined;
}

interface Relation {
  readonly type: string;
  readonly target: string;
}

/**
 * Opens an .xlsx workbook: its directory, sheets, styles and epoch. Sheets and shared strings are read when asked for.
 * @throws Refusal badRequest, saying what to do, for anything that is not a sound, unprotected .xlsx file.
 */
export async function openWorkbook(path: string, limits: SheetLimits = SHEET_LIMITS): Promise<Workbook> {
  const archive = await openZip(path, limits);
  try {
    return await readWorkbook(archive);
  } catch (error) {
    await archive.file.close();
    throw error;
  }
}

async function readWorkbook(archive: ZipArchive): Promise<Workbook> {
  const rootRelations = await readRelations(archive, '');
  const bookPart =
    [...rootRelations.values()].find((relation) => relation.type === 'officeDocument')?.target ?? 'xl/workbook.xml';
  const bookEntry = archive.entries.get(bookPart);
  if (bookEntry === undefined) {
    throw refuseForeign(archive);
  }
  if (bookPart.endsWith('.bin')) {
    throw refuseSheet('This is a binary workbook (.xlsb). Open it in Excel, save it as .xlsx and upload it again.');
  }
  const relations = await readRelations(archive, bookPart);
  const related = (type: string): ZipEntry | undefined => {
    const relation = [...relations.values()].find((candidate) => candidate.type === type);
    return relation === undefined ? undefined : archive.entries.get(relation.target);
  };

  let epoch: Epoch = 1900;
  const parts = new Map<Sheet, ZipEntry>();
  await eachTag(archive, bookEntry, 'workbook', (markup) => {
    if (markup.is('workbookPr') && /^(1|true|on)$/.test(markup.attribute('date1904') ?? '')) {
      epoch = 1904;
    } else if (markup.is('sheet')) {
      const relation = relations.get(markup.attribute('id') ?? '');
      const entry = relation === undefined ? undefined : archive.entries.get(relation.target);
      const name = markup.attribute('name');
      if (name !== undefined && relation?.type === 'worksheet') {
        if (entry === undefined) {
          throw refuseDamaged(`the sheet "${name}" is missing`);
        }
        parts.set({ name, hidden: /hidden/i.test(markup.attribute('state') ?? '') }, entry);
      }
    }
  });
  const sheets = [...parts.keys()];
  if (sheets.length === 0) {
    throw refuseSheet('The workbook has no worksheet. Upload a workbook with the tape on a sheet.');
  }
  const stylesEntry = related('styles');
  if (stylesEntry === undefined && [...relations.values()].some((relation) => relation.type === 'styles')) {
    // without it every date would be taken for a number
    throw refuseDamaged('the part that says which cells are dates is missing');
  }
  const formatOfStyle = stylesEntry === undefined ? [] : await readStyles(archive, stylesEntry);
  const stringsEntry = related('sharedStrings');

  return {
    sheets,
    epoch,
    formatOfStyle,
    tagOfStyle: Uint8Array.from(formatOfStyle, (format) => (isDateFormat(format) ? CellTag.date : CellTag.number)),
    findSheet(name, isMappings = false) {
      if (name === undefined) {
        return sheets.find((sheet) => !sheet.hidden) ?? sheets[0]!;
      }
      const wanted = name.trim().toLowerCase();
      const found =
        sheets.find((sheet) => sheet.name === name) ??
        sheets.find((sheet) => sheet.name.trim().toLowerCase() === wanted);
      if (found !== undefined) {
        return found;
      }
      if (isMappings) {
        const visible = sheets.filter(({ hidden }) => !hidden);
        const renamed = sheetOfAnotherMonth(
          name,
          visible.map((sheet) => sheet.name),
        );
        if (renamed !== null) {
          return visible.find((sheet) => sheet.name === renamed)!;
        }
      }
      const list = sheets.map((sheet) => `"${sheet.name}"${sheet.hidden ? ' (hidden)' : ''}`).join(', ');
      const next = isMappings
        ? ` The mapping reads "${name}": name the sheet to read when you upload the tape, or change it in the mapping.`
        : '';
      throw refuseSheet(`There is no sheet "${name}" in the workbook. Its sheets are: ${list}.${next}`);
    },
    sheetBytes: (sheet) => parts.get(sheet)?.unpackedBytes ?? 0,
    openSheet(sheet, options) {
      const entry = parts.get(sheet);
      if (entry === undefined) {
        throw new Error(`sheet ${sheet.name} is not of this workbook`);
      }
      return readUtf8(unpack(archive, entry, { maxBytes: archive.limits.sheetBytes, ...options }));
    },
    async readSharedStrings(wanted, signal) {
      const scanner = new SharedStringScanner(wanted);
      if (stringsEntry === undefined) {
        return scanner;
      }
      const options = { maxBytes: archive.limits.sharedStringBytes, signal };
      for await (const chunk of readUtf8(unpack(archive, stringsEntry, options))) {
        scanner.feed(chunk);
        if (scanner.hasEnough) {
          return scanner;
        }
      }
      scanner.end();
      return scanner;
    },
    close: () => archive.file.close(),
  };
}

/** A zip file that is no .xlsx: says what it is where that is known. */
function refuseForeign(archive: ZipArchive): Error {
  if (archive.entries.has('xl/workbook.bin')) {
    return refuseSheet('This is a binary workbook (.xlsb). Open it in Excel, save it as .xlsx and upload it again.');
  }
  if (archive.entries.has('content.xml')) {
    return refuseSheet('This is an OpenDocument file (.ods). Open it, save it as .xlsx and upload it again.');
  }
  return refuseSheet('This is a zip file but not an Excel workbook. Upload the .xlsx file itself.');
}

async function readRelations(archive: ZipArchive, part: string): Promise<Map<string, Relation>> {
  const folder = posix.dirname(part);
  const entry = archive.entries.get(partName(posix.join(folder, '_rels', `${posix.basename(part)}.rels`)));
  const relations = new Map<string, Relation>();
  if (entry === undefined) {
    return relations;
  }
  await eachTag(archive, entry, 'Relationships', (markup) => {
    if (!markup.is('Relationship') || markup.attribute('TargetMode') === 'External') {
      return;
    }
    const target = markup.attribute('Target') ?? '';
    const type = markup.attribute('Type') ?? '';
    const id = markup.attribute('Id') ?? '';
    if (relations.has(id)) {
      throw refuseDamaged(`the relation ${id} is there twice`);
    }
    relations.set(id, {
      type: type.slice(type.lastIndexOf('/') + 1),
      target: partName(target.startsWith('/') ? target : posix.join(folder, target)),
    });
  });
  return relations;
}

async function readStyles(archive: ZipArchive, entry: ZipEntry): Promise<string[]> {
  const custom = new Map<number, string>();
  const ids: number[] = [];
  let isInFormats = false;
  let isInCellStyles = false;
  await eachTag(archive, entry, 'styleSheet', (markup) => {
    if (markup.is('cellXfs')) {
      isInCellStyles = markup.kind === Markup.open;
    } else if (markup.is('numFmts')) {
      isInFormats = markup.kind === Markup.open;
    } else if (markup.kind !== Markup.close && isInFormats && markup.is('numFmt')) {
      custom.set(Number(markup.attribute('numFmtId')), markup.attribute('formatCode') ?? 'General');
    } else if (markup.kind !== Markup.close && isInCellStyles && markup.is('xf')) {
      ids.push(Number(markup.attribute('numFmtId') ?? '0'));
    }
  });
  return ids.map((id) => custom.get(id) ?? builtInFormat(id));
}

/** Visits every tag of a part whose outermost element is the one named. */
async function eachTag(
  archive: ZipArchive,
  entry: ZipEntry,
  root: string,
  visit: (markup: MarkupReader) => void,
): Promise<void> {
  const bytes = toUtf8(await unpackWhole(archive, entry, archive.limits.otherPartBytes));
  const markup = new MarkupReader().over(bytes, bytes.length);
  const open: string[] = [];
  for (let at = markup.read(startOf(bytes)); at !== -1; at = markup.read(at)) {
    if (open.length === 0) {
      markup.refuseText();
    } else {
      markup.checkText();
    }
    if (markup.kind > Markup.empty) {
      continue;
    }
    if (open.length === 0 && !markup.is(root)) {
      throw refuseDamaged(`the part ${entry.name} holds something else than it should`);
    }
    if (markup.kind === Markup.open) {
      open.push(markup.name);
    } else if (markup.kind === Markup.close && open.pop() !== markup.name) {
      markup.refuse();
    }
    visit(markup);
  }
  if (open.length > 0) {
    throw refuseDamaged(`the part ${entry.name} ends too early`);
  }
}

const DECLARATION =
  /^(?:\xef\xbb\xbf)?<\?xml\s+version\s*=\s*(["'])1\.\d\1(?:\s+encoding\s*=\s*["']([\w.-]+)["'])?(?:\s+standalone\s*=\s*["'](?:yes|no)["'])?\s*\?>/;

type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be';

function encodingOf(start: Uint8Array): Encoding {
  if ((start[0] === 0xff && start[1] === 0xfe) || (start[0] === 60 && start[1] === 0)) {
    return 'utf-16le';
  }
  if ((start[0] === 0xfe && start[1] === 0xff) || (start[0] === 0 && start[1] === 60)) {
    return 'utf-16be';
  }
  const text = Buffer.from(start.buffer, start.byteOffset, Math.min(200, start.length)).toString('latin1');
  const declaration = DECLARATION.exec(text);
  if (declaration === null && /^(?:\xef\xbb\xbf)?<\?xml\s/.test(text)) {
    throw refuseDamaged(`the XML of a part begins with "${text.slice(0, 60)}"`);
  }
  const declared = declaration?.[2];
  if (declared !== undefined && !/^(utf-?8|us-ascii|ascii)$/i.test(declared)) {
    throw refuseSheet(
      `The workbook is written in the encoding ${declared}, which Excel never uses. Save it again in Excel and upload the new file.`,
    );
  }
  return 'utf-8';
}

/** Where the XML begins, behind a mark of its byte order. */
function startOf(bytes: Uint8Array): number {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
}

function toUtf8(bytes: Buffer): Uint8Array {
  const encoding = encodingOf(bytes);
  return encoding === 'utf-8' ? bytes : Buffer.from(new TextDecoder(encoding).decode(bytes), 'utf8');
}

/** XML may come as UTF-16; the scanners read UTF-8 only. */
async function* readUtf8(chunks: AsyncGenerator<Buffer>): AsyncGenerator<Uint8Array> {
  let decoder: TextDecoder | undefined;
  let isFirst = true;
  for await (const chunk of chunks) {
    if (isFirst) {
      isFirst = false;
      const encoding = encodingOf(chunk);
      decoder = encoding === 'utf-8' ? undefined : new TextDecoder(encoding);
      if (decoder === undefined) {
        yield chunk.subarray(startOf(chunk));
        continue;
      }
    }
    yield decoder === undefined ? chunk : Buffer.from(decoder.decode(chunk, { stream: true }), 'utf8');
  }
}
