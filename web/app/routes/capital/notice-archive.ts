import type { LoaderFunctionArgs } from '@remix-run/node';
import { noticesOfBundle } from '@tapeline/db/operations/capital/bundles.ts';
import { type ArchivedDocument, documentArchive } from '@tapeline/lake/exports/document-archive.ts';
import { type ObjectStore, objectKey } from '@tapeline/lake/storage/object-store.ts';
import { streamOf } from '../../commands/exports.server.ts';
import { readScreen } from '../../http/screen.server.ts';

/** The notices of a call or distribution that the user can see, in one zip file. */
export const loader = (args: LoaderFunctionArgs) =>
  readScreen(args, null, async ({ db, params, context, request }) => {
    const files = await db((session) => noticesOfBundle(session, params.id ?? ''));
    const body = await streamOf({ context, request }, documentArchive(documentsOf(files, context.objects)));
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
  objects: Pick<ObjectStore, 'getStream'>,
): AsyncGenerator<ArchivedDocument, void, void> {
  for (const { bucket, key, name } of files) {
    const content = await objects.getStream(objectKey(bucket, key));
    yield { name: name.replace(/\.pdf$/, ''), extension: 'pdf', content };
  }
}
