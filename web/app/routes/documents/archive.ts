import type { StoredFile } from '@tapeline/db/entities/records.ts';
import { recordFileReads } from '@tapeline/db/operations/activities/activities.ts';
import { filesByIds } from '@tapeline/db/operations/files/files.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { nameParts } from '@tapeline/domain/files/previews.ts';
import { type ArchivedDocument, documentArchive } from '@tapeline/lake/exports/document-archive.ts';
import { type ObjectStore, objectKey } from '@tapeline/lake/storage/object-store.ts';
import { streamOf } from '../../commands/exports.server.ts';
import { readScreen } from '../../http/screen.server.ts';
import { type DocumentKind, KIND_NAMES } from './document-table.tsx';
import { findDocuments, ownerOf } from './documents.server.ts';

const MAX_DOCUMENTS = 1_000;
const MAX_BYTES = 2 * 1024 ** 3;

/** The documents of a list that the user can see, in one zip file. */
export const loader = readScreen(null, async ({ db, url, context, request, actor }) => {
  const files = await db(async (session) => {
    const asked = url.searchParams.get('kind') ?? '';
    const kind = Object.hasOwn(KIND_NAMES, asked) ? (asked as DocumentKind) : null;
    const { documents, total } = await findDocuments(session, ownerOf(url, actor), {
      skip: 0,
      limit: MAX_DOCUMENTS,
      kind,
    });
    if (total > MAX_DOCUMENTS) throw tooMuch(`${total} documents`);
    const found = await filesByIds(
      session,
      documents.flatMap(({ file }) => (file ? [file.id] : [])),
    );
    if (found.length === 0) throw new Refusal('notFound', 'There are no files to download yet');
    if (found.reduce((sum, { size }) => sum + size, 0) > MAX_BYTES) throw tooMuch('more than 2 GB');
    await recordFileReads(
      session,
      found.map(({ id }) => id),
    );
    return found;
  });
  const body = await streamOf({ context, request }, documentArchive(contentsOf(files, context.objects)));
  return new Response(body, {
    headers: {
      'content-type': 'application/zip',
      'content-disposition': 'attachment; filename="documents.zip"',
      'cache-control': 'private, no-store',
    },
  });
});

const tooMuch = (what: string) =>
  new Refusal('badRequest', `These are ${what}. A zip file takes up to 1,000 documents and 2 GB: choose one kind`);

/** Reads one file after the other, while it is written. */
async function* contentsOf(
  files: readonly StoredFile[],
  objects: Pick<ObjectStore, 'getStream'>,
): AsyncGenerator<ArchivedDocument, void, void> {
  for (const file of files) {
    yield { ...nameParts(file), content: await objects.getStream(objectKey(file.bucket, file.key)) };
  }
}
