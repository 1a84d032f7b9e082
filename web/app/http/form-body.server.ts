import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream as NodeReadableStream } from 'node:stream/web';
import { Busboy, type BusboyFileStream } from '@fastify/busboy';
import { isRefusal, Refusal } from '@tapeline/domain/errors/refusal.ts';
import { findUnstorableText, isStorable, refuseUnstorable, shownName } from '@tapeline/domain/wire/text.ts';
import { FieldNames, MAX_FIELDS, MAX_NAME_LENGTH } from './form-fields.ts';

/** A file in a form, with its bytes not yet read. */
export interface FormFile {
  readonly field: string;
  /** Empty if the person chose no file. */
  readonly name: string;
  readonly type: string;
  readonly data: AsyncIterable<Uint8Array>;
}

export interface FormReader {
  /** Receives a field. If it throws, reading the form stops. */
  field(name: string, value: string): void;
  /** Receives a file and must read its bytes to the end. If omitted, a form with files is refused. */
  file?(file: FormFile): Promise<void>;
}

const HEADERS_OF_PART = 20;
const HEADER_BYTES = 8 * 1024;
const MAX_FILES = 50;

const bad = (message: string, path?: string): Refusal =>
  new Refusal(
    'badRequest',
    path === undefined ? message : `${path}: ${message}`,
    path === undefined ? {} : { flags: { [path]: message } },
  );

const brokenOff = () => bad('The form was incomplete or malformed. Submit it again.');

function openParser(request: Request, maxTextBytes: number): Busboy {
  const type = request.headers.get('content-type') ?? '';
  if (!/^(application\/x-www-form-urlencoded|multipart\/form-data)\b/i.test(type)) {
    throw bad('Send the form as application/x-www-form-urlencoded or multipart/form-data');
  }
  try {
    return new Busboy({
      headers: { 'content-type': type },
      limits: {
        fieldNameSize: MAX_NAME_LENGTH + 1,
        fieldSize: maxTextBytes,
        fields: MAX_FIELDS + 1,
        files: MAX_FILES + 1,
        headerPairs: HEADERS_OF_PART,
        headerSize: HEADER_BYTES,
      },
    });
  } catch {
    throw bad('The form cannot be read: its Content-Type has no boundary');
  }
}

/**
 * Reads a form as it arrives: field by field, in the order sent, and file by file. Names and texts are checked before
 * they are passed to the reader.
 * @param maxTextBytes the limit for all fields together
 * @throws Refusal badRequest if the body is not a form, is truncated, or exceeds the parsing limits
 */
export async function readFormBody(request: Request, reader: FormReader, maxTextBytes: number): Promise<void> {
  const parser = openParser(request, maxTextBytes);
  if (!request.body) return;
  const stop = new AbortController();
  const names = new FieldNames();
  let problem: unknown = null;
  let textBytes = 0;
  let files = 0;
  let current: BusboyFileStream | null = null;
  const reading: Promise<void>[] = [];
  const fail = (error: unknown): void => {
    problem ??= error;
    stop.abort();
  };
  const check = (name: unknown): string => {
    // A part without a name cannot come from our forms.
    if (typeof name !== 'string') throw bad('A field of the form has no name');
    if (!isStorable(name)) throw refuseUnstorable([shownName(name)]);
    const found = names.take(name);
    if (found) throw bad(found.message, found.name ?? undefined);
    return name;
  };

  parser.on('field', (name, value, isNameCut, isCut) => {
    if (problem) return;
    try {
      check(name);
      textBytes += Buffer.byteLength(value);
      if (isNameCut) throw bad('The name of a field is too long');
      if (isCut || textBytes > maxTextBytes) throw bad('The form is too large. Submit less at once.');
      const place = findUnstorableText(value);
      if (place) throw refuseUnstorable([name, ...place]);
      reader.field(name, value);
    } catch (error) {
      fail(error);
    }
  });
  parser.on('file', (field, data, filename, _encoding, type) => {
    current = data;
    // Register this first, so that the reader does not report the error as its own. A reader that gives up aborts the
    // data, and reports why.
    data.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ABORT_ERR') fail(brokenOff());
    });
    files += 1;
    const name = filename ?? '';
    try {
      if (problem) throw problem;
      check(field);
      if (!isStorable(name)) throw refuseUnstorable([field]);
      if (files > MAX_FILES) throw bad(`A form has at most ${MAX_FILES} files`);
      // Browsers also send a file field that was left empty.
      if (name === '') return void data.resume();
      if (!reader.file) throw bad('must be text, not a file', field);
      reading.push(
        reader
          .file({ field, name, type, data })
          .then(() => {
            // The parser would wait for the rest of the file.
            if (data.destroyed && !data.readableEnded) throw new Error('The reader of a form left a file unread');
          })
          .catch(fail)
          .finally(() => data.resume()),
      );
    } catch (error) {
      data.resume();
      fail(error);
    }
  });

  try {
    await pipeline(Readable.fromWeb(request.body as NodeReadableStream), parser, { signal: stop.signal });
  } catch (error) {
    problem ??= isRefusal(error) ? error : brokenOff();
    (current as BusboyFileStream | null)?.destroy(problem as Error);
  }
  await Promise.all(reading);
  if (problem) throw problem;
}
