import { posix } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { CellTag } from './cell-tag.ts';
import { refuseDamaged, refuseSheet, SHEET_LIMITS, type SheetLimits } from './limits.ts';
import { MAX_DEPTH, Markup, MarkupReader } from './markup.ts';
import { builtInFormat, isDateFormat } from './number-formats.ts';
import type { Epoch } from './raw-batch.ts';
import { SharedStringScanner } from './shared-strings.ts';
import { SheetNotFoundError } from './sheet-error.ts';
import { sheetWithOtherDate } from './sheet-name.ts';
import { openZip, partName, unpack, unpackWhole, type ZipArchive, type ZipEntry } from './zip-archive.ts';

export interface Sheet {
  readonly name: string;
  /** Hidden in spreadsheet programs; still readable by name. */
  readonly hidden: boolean;
}

export interface Workbook {
  readonly sheets: readonly Sheet[];
  readonly epoch: Epoch;
  /** Number format of each cell style (`cellXfs`), in Excel's format language. */
  readonly formatOfStyle: readonly string[];
  /** `CellTag.date` or `CellTag.number` of each cell style. */
  readonly tagOfStyle: Uint8Array;
  /**
   * The sheet with this name (case-insensitive, as in Excel), or the first visible one if none is given.
   * @param ignoreDates also accept the only visible sheet whose name differs just by its date
   * @throws SheetNotFoundError
   */
  findSheet(name?: string, ignoreDates?: boolean): Sheet;
  /** Bytes of a sheet's XML, according to the archive's directory. */
  sheetBytes(sheet: Sheet): number;
  /** The XML of a sheet as UTF-8 chunks, each valid until the next one is requested. */
  openSheet(sheet: Sheet, options?: OpenSheetOptions): AsyncGenerator<Uint8Array>;
  /** Shared strings, or the first `wanted` of them. */
  readSharedStrings(wanted?: number, signal?: AbortSignal): Promise<SharedStringScanner>;
  close(): Promise<void>;
}

export interface OpenSheetOptions {
  readonly signal?: AbortSignal | undefined;
  /** Sheets of at least this many bytes are inflated on a separate thread; never if omitted. */
  readonly threadFromBytes?: number | undefined;
}

interface Relation {
  readonly type: string;
  readonly target: string;
}

/**
 * Opens an .xlsx workbook: its directory, sheets, styles and epoch. Sheets and shared strings are read on demand.
 * @throws SheetError that says what to do, for anything that is not a valid, unprotected .xlsx file
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
    throw refuseSheet('This is a binary workbook (.xlsb). Open it in Excel, save it as .xlsx and open that file.');
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
    throw refuseSheet('The workbook has no worksheet. Choose a workbook with the data on a worksheet.');
  }
  const stylesEntry = related('styles');
  if (stylesEntry === undefined && [...relations.values()].some((relation) => relation.type === 'styles')) {
    // without it every date would be read as a number
    throw refuseDamaged('the part that says which cells are dates is missing');
  }
  const formatOfStyle = stylesEntry === undefined ? [] : await readStyles(archive, stylesEntry);
  const stringsEntry = related('sharedStrings');

  return {
    sheets,
    epoch,
    formatOfStyle,
    tagOfStyle: tagsOf(formatOfStyle),
    findSheet(name, ignoreDates = false) {
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
      if (ignoreDates) {
        const visible = sheets.filter(({ hidden }) => !hidden);
        const renamed = sheetWithOtherDate(
          name,
          visible.map((sheet) => sheet.name),
        );
        if (renamed !== null) {
          return visible.find((sheet) => sheet.name === renamed)!;
        }
      }
      const list = sheets.map((sheet) => `"${sheet.name}"${sheet.hidden ? ' (hidden)' : ''}`).join(', ');
      throw new SheetNotFoundError(`The workbook has no sheet "${name}". Its sheets are: ${list}.`);
    },
    sheetBytes: (sheet) => parts.get(sheet)?.unpackedBytes ?? 0,
    openSheet(sheet, options) {
      const entry = parts.get(sheet);
      if (entry === undefined) {
        throw new Error(`sheet ${sheet.name} does not belong to this workbook`);
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

/** A zip file that is not an .xlsx file: names its kind if that is known. */
function refuseForeign(archive: ZipArchive): Error {
  if (archive.entries.has('xl/workbook.bin')) {
    return refuseSheet('This is a binary workbook (.xlsb). Open it in Excel, save it as .xlsx and open that file.');
  }
  if (archive.entries.has('content.xml')) {
    return refuseSheet('This is an OpenDocument file (.ods). Open it, save it as .xlsx and open that file.');
  }
  return refuseSheet('This is a zip file but not an Excel workbook. Choose the .xlsx file itself.');
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
      throw refuseDamaged(`the relation ${id} occurs twice`);
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

/** The tag of a number in each style. Many styles may share one long format. */
function tagsOf(formats: readonly string[]): Uint8Array {
  const tags = new Map<string, CellTag>();
  return Uint8Array.from(formats, (format) => {
    const tag = tags.get(format) ?? (isDateFormat(format) ? CellTag.date : CellTag.number);
    tags.set(format, tag);
    return tag;
  });
}

/** Bytes of XML between pauses that let other work run. */
const PAUSE_BYTES = 1 << 20;

/** Visits every tag of a part whose root element has this name. */
async function eachTag(
  archive: ZipArchive,
  entry: ZipEntry,
  root: string,
  visit: (markup: MarkupReader) => void,
): Promise<void> {
  const bytes = toUtf8(await unpackWhole(archive, entry, archive.limits.otherPartBytes));
  const markup = new MarkupReader().over(bytes, bytes.length);
  const open: string[] = [];
  let hasRoot = false;
  let end = startOf(bytes);
  let pausedAt = 0;
  for (let at = markup.read(end); at !== -1; at = markup.read(at)) {
    end = at;
    if (at - pausedAt > PAUSE_BYTES) {
      pausedAt = at;
      await setImmediate();
    }
    if (open.length === 0) {
      markup.refuseText();
    } else {
      markup.checkText();
    }
    if (markup.kind > Markup.empty) {
      continue;
    }
    if (open.length === 0 && (hasRoot || !markup.is(root))) {
      throw refuseDamaged(`the part ${entry.name} has unexpected content`);
    }
    hasRoot = true;
    if (markup.kind === Markup.open) {
      if (open.push(markup.name) > MAX_DEPTH) {
        markup.refuse();
      }
    } else if (markup.kind === Markup.close && open.pop() !== markup.name) {
      markup.refuse();
    }
    visit(markup);
  }
  if (!hasRoot) {
    throw refuseDamaged(`the part ${entry.name} is empty`);
  }
  if (open.length > 0 || bytes.subarray(end).some((byte) => byte > 32)) {
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
      `The workbook uses the encoding ${declared}, which Excel never uses. Save it again in Excel and open the new file.`,
    );
  }
  return 'utf-8';
}

/** Where the XML begins, after a byte order mark. */
function startOf(bytes: Uint8Array): number {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
}

function toUtf8(bytes: Buffer): Uint8Array {
  const encoding = encodingOf(bytes);
  return encoding === 'utf-8' ? bytes : Buffer.from(new TextDecoder(encoding).decode(bytes), 'utf8');
}

/** XML may be in UTF-16; the scanners only read UTF-8. */
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
