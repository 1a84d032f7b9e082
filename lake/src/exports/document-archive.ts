import { uniqueFileNames } from '@tapeline/domain/printing/file-names.ts';
import { type ZipPart, zipStream } from '@tapeline/sheets/zip-writer.ts';

export interface ArchivedDocument {
  /** Without an extension. It is made safe and unique. */
  readonly name: string;
  /** Letters and digits. */
  readonly extension: string;
  readonly content: ZipPart['content'];
}

/** A zip archive without its 64-bit form has at most 65,535 entries. */
const MAX_DOCUMENTS = 65_535;

/**
 * A zip archive of documents as a stream. Only the document that is being written is in memory, so pass a generator that
 * creates or reads one after the other. The same documents give the same bytes.
 * @throws RangeError beyond 65,535 documents
 */
export const documentArchive = (
  documents: AsyncIterable<ArchivedDocument> | Iterable<ArchivedDocument>,
): AsyncGenerator<Uint8Array, void, void> => zipStream(partsOf(documents));

async function* partsOf(
  documents: AsyncIterable<ArchivedDocument> | Iterable<ArchivedDocument>,
): AsyncGenerator<ZipPart, void, void> {
  const nameOf = uniqueFileNames();
  let count = 0;
  for await (const { name, extension, content } of documents) {
    count += 1;
    if (count > MAX_DOCUMENTS) throw new RangeError(`An archive has at most ${MAX_DOCUMENTS} documents`);
    yield { name: nameOf(name, extension), content };
  }
}
