import { Readable } from 'node:stream';
import { recordFileReads } from '@tapeline/db/operations/activities/activities.ts';
import { readableFile } from '@tapeline/db/operations/files/readable-files.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { kindsOfType } from '@tapeline/domain/files/file-types.ts';
import { previewOf } from '@tapeline/domain/files/previews.ts';
import { CONTENT_HEAD_BYTES, contentKind } from '@tapeline/lake/storage/content-check.ts';
import { objectKey } from '@tapeline/lake/storage/object-store.ts';
import { readScreen } from '../../http/screen.server.ts';

/**
 * The bytes of a PDF file or an image for its preview. They are sent only if they are what their media type says, and
 * with a policy that runs and loads nothing, also if somebody opens the address itself.
 */
export const loader = readScreen(null, async ({ db, params, context }) => {
  const file = await db(async (session) => {
    const found = await readableFile(session, params.id ?? '');
    if (previewOf(found) === null) throw new Refusal('notFound', 'This file has no preview. Download it');
    await recordFileReads(session, [found.id]);
    return found;
  });
  const stream = await context.objects.getStream(objectKey(file.bucket, file.key));
  const { head, rest } = await beginningOf(stream);
  const kind = contentKind(head.subarray(0, CONTENT_HEAD_BYTES));
  if (kind === null || !kindsOfType(file.type).includes(kind)) {
    stream.destroy();
    throw new Refusal('notFound', 'This file has no preview, because its content is not what its type says');
  }
  return new Response(Readable.toWeb(Readable.from(rest())) as ReadableStream, {
    headers: {
      'content-type': file.type,
      'content-length': String(file.size),
      'content-disposition': `inline; filename*=UTF-8''${encodeURIComponent(file.name)}`,
      'content-security-policy': "default-src 'none'; sandbox",
      'cache-control': 'private, no-store',
    },
  });
});

/** The first bytes of a stream, and all of it including them. */
async function beginningOf(stream: AsyncIterable<Buffer>) {
  const pieces = stream[Symbol.asyncIterator]();
  const first: Buffer[] = [];
  for (let length = 0; length < CONTENT_HEAD_BYTES; ) {
    const next = await pieces.next();
    if (next.done) break;
    first.push(Buffer.from(next.value));
    length += next.value.length;
  }
  const head = Buffer.concat(first);
  return {
    head,
    async *rest() {
      yield head;
      for (let next = await pieces.next(); !next.done; next = await pieces.next()) yield next.value;
    },
  };
}
