import { Readable } from 'node:stream';
import { resolveFile } from '@tapeline/db/operations/files/files.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { isImageType, MAX_IMAGE_BYTES } from '@tapeline/domain/files/images.ts';
import { objectKey } from '@tapeline/lake/storage/object-store.ts';
import { readScreen } from '../../http/screen.server.ts';

/** A logo or icon (`?key=`), sent by the product itself: pages load images from no other origin. */
export const loader = readScreen(null, async ({ db, url, context }) => {
  const keyOrId = (url.searchParams.get('key') ?? '').slice(0, 700);
  const file = await db((session) => resolveFile(session, { bucket: 'publicFiles', keyOrId }));
  if (!isImageType(file.type) || file.size > MAX_IMAGE_BYTES) throw new Refusal('notFound');
  const content = await context.objects.getStream(objectKey(file.bucket, file.key));
  return new Response(Readable.toWeb(content) as ReadableStream, {
    headers: {
      'content-type': file.type,
      'content-length': String(file.size),
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, max-age=3600',
    },
  });
});
