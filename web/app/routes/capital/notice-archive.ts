import { Readable } from 'node:stream';
import { recordFileReads } from '@tapeline/db/operations/activities/activities.ts';
import { noticesOfHeader } from '@tapeline/db/operations/capital/calls-and-distributions.ts';
import { type ArchivedDocument, documentArchive } from '@tapeline/lake/exports/document-archive.ts';
import { type ObjectStore, objectKey } from '@tapeline/lake/storage/object-store.ts';
import { streamOf } from '../../commands/exports.server.ts';
import { readScreen } from '../../http/screen.server.ts';
import { printedList } from './list-of-all.server.ts';

/** The notices of a call or distribution that the user can see, in one zip file; for managers with the list of all. */
export const loader = readScreen(null, async (screen) => {
  const { db, params, context, request, actor } = screen;
  const id = params.id ?? '';
  const files = await db(async (session) => {
    const found = await noticesOfHeader(session, id);
    await recordFileReads(
      session,
      found.map((file) => file.id),
    );
    return found;
  });
  const list = actor.lpIds.length > 0 ? null : await printedList(screen, id);
  const body = await streamOf({ context, request }, documentArchive(documentsOf(files, list, context.objects)));
  return new Response(body, {
    headers: {
      'content-type': 'application/zip',
      'content-disposition': 'attachment; filename="notices.zip"',
      'cache-control': 'no-store',
    },
  });
});

/** Reads one notice after the other, while it is written. */
async function* documentsOf(
  files: readonly { bucket: string; key: string; name: string }[],
  list: { name: string; bytes: Uint8Array } | null,
  objects: Pick<ObjectStore, 'getStream'>,
): AsyncGenerator<ArchivedDocument, void, void> {
  if (list) yield { name: list.name, extension: 'pdf', content: Readable.from([list.bytes]) };
  for (const { bucket, key, name } of files) {
    const content = await objects.getStream(objectKey(bucket, key));
    yield { name: name.replace(/\.pdf$/, ''), extension: 'pdf', content };
  }
}
