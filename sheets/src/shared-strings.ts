import { isUtf8 } from 'node:buffer';
import { ChunkWindow } from './chunk-window.ts';
import { checkTextLength, MAX_TEXT_BYTES, refuseDamaged, refuseLongText, refuseSheet, SHEET_LIMITS } from './limits.ts';
import { decodeEscapes, Markup, MarkupReader } from './markup.ts';
import { TextArena } from './text-arena.ts';

/**
 * Collects the text of a string item (`si` or `is`): its `t` and those of its runs, without the phonetic guides. Used
 * for shared and inline strings.
 */
export class StringItemReader {
  private readonly markup = new MarkupReader();
  text = '';

  /**
   * Continues after the opening tag named `closing` to the end of its closing tag; the text is then in `text`.
   * @returns the position after it, or -1 if it does not end before the limit
   * @throws SheetError for content that no string item has
   */
  read(bytes: Uint8Array, position: number, limit: number, closing: string): number {
    const markup = this.markup.over(bytes, limit);
    let text = '';
    let inText = false;
    let inRun = false;
    let next = position;
    for (let at = markup.read(next); at !== -1; at = markup.read(next)) {
      next = at;
      if (inText) {
        text += markup.content;
        if (text.length > MAX_TEXT_BYTES) {
          throw refuseLongText();
        }
        if (markup.kind === Markup.close && markup.is('t')) {
          inText = false;
        } else if (markup.kind <= Markup.empty) {
          markup.refuse();
        }
        continue;
      }
      markup.refuseText();
      if (markup.kind === Markup.open) {
        if (markup.is('t')) {
          inText = true;
        } else if (markup.is('r') && !inRun) {
          inRun = true;
        } else if (markup.is('rPr') || markup.is('rPh') || markup.is('phoneticPr')) {
          next = markup.skip(at);
          if (next === -1) {
            return -1;
          }
        } else {
          markup.refuse();
        }
      } else if (markup.kind === Markup.close) {
        if (inRun && markup.is('r')) {
          inRun = false;
        } else if (!inRun && markup.is(closing)) {
          this.text = decodeEscapes(checkTextLength(text));
          return at;
        } else {
          markup.refuse();
        }
      }
    }
    return -1;
  }
}

/** Memory of a text besides its bytes. */
const OFFSET_BYTES = 4;
const PRESERVE = Buffer.from(' xml:space="preserve"');

function startsWith(bytes: Uint8Array, at: number, text: Uint8Array): boolean {
  for (let index = 0; index < text.length; index += 1) {
    if (bytes[at + index] !== text[index]) {
      return false;
    }
  }
  return true;
}

/** Reads `xl/sharedStrings.xml` into an arena, chunk by chunk. */
export class SharedStringScanner extends ChunkWindow {
  readonly arena: TextArena;
  /** Whether any string is empty: cells that refer to it are blank. */
  hasEmpty = false;
  private readonly wanted: number;
  private readonly markup = new MarkupReader();
  private readonly item = new StringItemReader();
  private ended = false;
  private blanks: Uint8Array | undefined;
  private lookedAt = 0;

  /** @param wanted stop after this many strings */
  constructor(wanted = Number.POSITIVE_INFINITY) {
    super('A text of the workbook', SHEET_LIMITS.sharedStringPieceBytes);
    this.wanted = wanted;
    this.arena = new TextArena({ bytes: 64 << 10 });
  }

  /** Which strings are blank (1), by code; undefined if none is. Each is examined once. */
  get blankCodes(): Uint8Array | undefined {
    for (; this.lookedAt < this.arena.count; this.lookedAt += 1) {
      if (this.arena.isBlank(this.lookedAt)) {
        this.blanks ??= new Uint8Array(this.arena.count);
        this.blanks[this.lookedAt] = 1;
      }
    }
    return this.blanks;
  }

  get hasEnough(): boolean {
    return this.arena.count >= this.wanted;
  }

  /** @throws SheetError if the part ends before its root element does, and before the requested number of texts */
  end(): void {
    this.finish();
    // With the requested number of texts reached, the root's end may be the next thing or far away.
    if (!this.ended && !this.hasEnough) {
      throw refuseDamaged('its table of texts ends too early');
    }
    const { bytes, usedBytes } = this.arena;
    if (!isUtf8(bytes.subarray(0, usedBytes))) {
      throw refuseDamaged('a text is not valid UTF-8');
    }
  }

  protected override scan(bytes: Uint8Array, start: number, limit: number): number {
    const { arena } = this;
    if (arena.usedBytes + arena.count * OFFSET_BYTES > SHEET_LIMITS.sharedStringMemory) {
      throw refuseSheet(
        `The workbook holds more than ${SHEET_LIMITS.sharedStringMemory >> 20} MB of distinct text. Remove unnecessary columns, or save the sheet as .csv, and open that file.`,
      );
    }
    // A text is never longer than its XML, so one reservation is enough for the whole chunk.
    arena.reserve(limit - start + 128);
    let target = arena.bytes;
    let at = start;
    while (at < limit && at < this.handover && arena.count < this.wanted) {
      // <si><t>plain</t></si>, with or without xml:space="preserve"
      if (
        bytes[at] === 60 &&
        bytes[at + 1] === 115 &&
        bytes[at + 2] === 105 &&
        bytes[at + 3] === 62 &&
        bytes[at + 4] === 60 &&
        bytes[at + 5] === 116
      ) {
        let from = at + 6;
        if (bytes[from] === 32 && startsWith(bytes, from, PRESERVE)) {
          from += PRESERVE.length;
        }
        if (bytes[from] === 62) {
          from += 1;
          let to = arena.usedBytes;
          let byte = 0;
          while (from < limit) {
            byte = bytes[from]!;
            if (byte === 60 || byte === 38 || byte < 32 || (byte === 95 && bytes[from + 1] === 120)) {
              break;
            }
            target[to] = byte;
            to += 1;
            from += 1;
          }
          if (
            byte === 60 &&
            from < limit &&
            bytes[from + 1] === 47 &&
            bytes[from + 2] === 116 &&
            bytes[from + 3] === 62 &&
            bytes[from + 4] === 60 &&
            bytes[from + 5] === 47 &&
            bytes[from + 6] === 115 &&
            bytes[from + 7] === 105 &&
            bytes[from + 8] === 62
          ) {
            if (to === arena.usedBytes) {
              this.hasEmpty = true;
            } else if (to - arena.usedBytes > MAX_TEXT_BYTES) {
              throw refuseLongText();
            }
            arena.commit(to);
            at = from + 9;
            continue;
          }
        }
      }
      const next = this.scanSlowly(bytes, at, limit);
      if (next === -1) {
        return at;
      }
      target = arena.bytes;
      at = next;
    }
    return at;
  }

  private scanSlowly(bytes: Uint8Array, position: number, limit: number): number {
    const markup = this.markup.over(bytes, limit);
    const at = markup.read(position);
    if (at === -1) {
      return -1;
    }
    markup.refuseText();
    if (markup.kind > Markup.empty) {
      return at;
    }
    if (markup.is('si') && markup.kind === Markup.empty) {
      this.hasEmpty = true;
      this.arena.addText('');
    } else if (markup.is('si') && markup.kind === Markup.open) {
      const end = this.item.read(bytes, at, limit, 'si');
      if (end !== -1) {
        this.hasEmpty ||= this.item.text === '';
        this.arena.addText(this.item.text);
        this.arena.reserve(limit - end + 128);
      }
      return end;
    } else if (markup.is('sst')) {
      this.ended = markup.kind !== Markup.open;
    } else if (markup.is('extLst') && markup.kind === Markup.open) {
      return markup.skip(at);
    } else if (markup.kind !== Markup.empty) {
      markup.refuse();
    }
    return at;
  }
}
