import { isAscii, isUtf8 } from 'node:buffer';
import type { ReadOptions } from './batches.ts';
import { type ByteSource, openFile } from './byte-source.ts';
import { refuseSheet } from './limits.ts';
import { firstBrokenByte, guessEncoding, guessUtf16, wholeCharacters } from './text-encoding.ts';

const CHUNK_BYTES = 1 << 20;
/** Bytes that the encoding is determined from, starting with the first chunk that is not only ASCII. */
const DECIDING_BYTES = 16 << 20;
const SAVE_AS_UTF8 =
  'Save it as UTF-8 and open that file: in Excel, choose the file type "CSV UTF-8 (Comma delimited)".';
/** Bytes that are undefined in Windows-1252. */
const UNDEFINED_1252 = [0x81, 0x8d, 0x8f, 0x90, 0x9d];
const NUL = 0;
/** Ctrl-Z, which old programs write at the end of a file. */
const SUBSTITUTE = 26;

/**
 * The file's text as UTF-8 without a byte order mark, whatever its encoding, without NUL and Ctrl-Z. Every chunk is
 * validated.
 * @throws SheetError for bytes that are invalid in the encoding, and for an encoding that is not supported
 */
export async function* readCsvText(
  path: string,
  signal?: AbortSignal,
  onRead?: ReadOptions['onRead'],
): AsyncGenerator<Uint8Array> {
  const file = await openFile(path);
  try {
    const { size } = file;
    const text = new TextReader(file);
    for (let position = 0; position < size; ) {
      signal?.throwIfAborted();
      const chunk = await file.read(position, CHUNK_BYTES);
      if (chunk.length === 0) {
        break;
      }
      const bytes = await text.read(chunk, position);
      position += chunk.length;
      onRead?.(Math.min(1, position / size));
      yield withoutControls(bytes);
    }
    yield withoutControls(await text.end());
  } finally {
    await file.close();
  }
}

class TextReader {
  private readonly file: ByteSource;
  private encoding: 'unknown' | 'utf-8' | 'windows-1252' | 'utf-16' = 'unknown';
  private decoder: TextDecoder | undefined;
  /** The start of a character whose end is in the next chunk. */
  private cut: Uint8Array = new Uint8Array(0);

  constructor(file: ByteSource) {
    this.file = file;
  }

  /** The text of the chunk at this position of the file, as UTF-8. */
  async read(chunk: Uint8Array, position: number): Promise<Uint8Array> {
    let bytes = chunk;
    if (position === 0) {
      bytes = this.open(chunk);
    }
    if (this.encoding === 'unknown') {
      if (isAscii(bytes)) {
        return bytes;
      }
      await this.decide(position + chunk.length - bytes.length);
    }
    switch (this.encoding) {
      case 'utf-16':
        return this.decode(bytes);
      case 'windows-1252':
        if (UNDEFINED_1252.some((byte) => bytes.includes(byte))) {
          const at = bytes.findIndex((byte) => UNDEFINED_1252.includes(byte));
          throw await this.refuseByte(position + chunk.length - bytes.length + at, 'Windows-1252');
        }
        return this.decode(bytes);
      default:
        return this.checkUtf8(bytes, position + chunk.length - bytes.length);
    }
  }

  /** The remainder at the end of the file. */
  async end(): Promise<Uint8Array> {
    if (this.cut.length > 0) {
      throw await this.refuseByte(this.file.size - this.cut.length, 'UTF-8');
    }
    if (this.encoding !== 'utf-16') {
      return new Uint8Array(0);
    }
    try {
      return Buffer.from(this.decoder?.decode() ?? '', 'utf8');
    } catch (error) {
      throw refuseUtf16(error);
    }
  }

  /** Detects a byte order mark. @returns the bytes after it */
  private open(bytes: Uint8Array): Uint8Array {
    const hasMark = (...mark: number[]): boolean => mark.every((byte, at) => bytes[at] === byte);
    if (hasMark(0xef, 0xbb, 0xbf)) {
      this.encoding = 'utf-8';
      return bytes.subarray(3);
    }
    const utf16 = hasMark(0xff, 0xfe) ? 'utf-16le' : hasMark(0xfe, 0xff) ? 'utf-16be' : guessUtf16(bytes);
    if (utf16 !== undefined) {
      this.encoding = 'utf-16';
      this.decoder = new TextDecoder(utf16, { fatal: true });
    }
    return bytes;
  }

  private async decide(position: number): Promise<void> {
    const bytes = await this.file.read(position, DECIDING_BYTES);
    const guess = guessEncoding(bytes, position + bytes.length >= this.file.size);
    if (guess.encoding === null) {
      const line = await this.lineAt(position + bytes.findIndex((byte) => byte >= 0x80));
      throw refuseSheet(
        guess.name === null
          ? `The file is not in UTF-8, and its encoding could not be determined (see line ${line}). ${SAVE_AS_UTF8}`
          : `The file is not in UTF-8. It looks like ${guess.name} (see line ${line}). ${SAVE_AS_UTF8}`,
      );
    }
    this.encoding = guess.encoding;
    if (guess.encoding === 'windows-1252') {
      this.decoder = new TextDecoder('windows-1252');
    }
  }

  private decode(bytes: Uint8Array): Uint8Array {
    try {
      return Buffer.from(this.decoder!.decode(bytes, { stream: true }), 'utf8');
    } catch (error) {
      throw refuseUtf16(error);
    }
  }

  private async checkUtf8(chunk: Uint8Array, position: number): Promise<Uint8Array> {
    const bytes = this.cut.length === 0 ? chunk : Buffer.concat([this.cut, chunk]);
    const start = position - this.cut.length;
    const end = wholeCharacters(bytes);
    const whole = bytes.subarray(0, end);
    if (!isUtf8(whole)) {
      throw await this.refuseByte(start + firstBrokenByte(whole), 'UTF-8');
    }
    this.cut = bytes.slice(end);
    return whole;
  }

  private async refuseByte(position: number, encoding: string): Promise<Error> {
    const line = (await this.lineAt(position)).toLocaleString('en');
    return refuseSheet(
      `Line ${line} of the file contains a byte that is not valid in ${encoding}, the encoding of the rest of the file. Correct the text there, or save the file as UTF-8, and open it again.`,
    );
  }

  /** The line (from 1) of a byte of the file. */
  private async lineAt(position: number): Promise<number> {
    let feeds = 0;
    let returns = 0;
    for (let at = 0; at < position; ) {
      const bytes = await this.file.read(at, Math.min(CHUNK_BYTES, position - at));
      for (const byte of bytes) {
        feeds += byte === 10 ? 1 : 0;
        returns += byte === 13 ? 1 : 0;
      }
      at += Math.max(1, bytes.length);
    }
    return 1 + (feeds === 0 ? returns : feeds);
  }
}

const refuseUtf16 = (cause: unknown): Error =>
  refuseSheet(`The file looks like UTF-16 but contains invalid bytes. ${SAVE_AS_UTF8}`, cause);

/** The text without the bytes that only pad or end a file. */
function withoutControls(bytes: Uint8Array): Uint8Array {
  return bytes.includes(NUL) || bytes.includes(SUBSTITUTE)
    ? bytes.filter((byte) => byte !== NUL && byte !== SUBSTITUTE)
    : bytes;
}
