import { redirect } from '@remix-run/node';
import { getDraw } from '@tapeline/db/operations/draws/draw-views.ts';
import { resolveFile } from '@tapeline/db/operations/files/files.ts';
import { DRAW_FILES } from '@tapeline/domain/draws/attachments.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { objectKey } from '@tapeline/lake/storage/object-store.ts';
import { readScreen } from '../../../http/screen.server.ts';

/** Downloads a file of a draw request, by its index in the list. */
export const loader = readScreen('transactionDraw/read', async ({ db, params, context }) => {
  const file = await db(async (session) => {
    const draw = await getDraw(session, params.id ?? '');
    const attachment = draw.attachments[Number(params.index)];
    if (!attachment) throw new Refusal('notFound');
    return resolveFile(session, { bucket: DRAW_FILES.bucket, keyOrId: attachment.key });
  });
  const { bucket, key, name, type } = file;
  return redirect(await context.objects.signDownload({ key: objectKey(bucket, key), name, type, now: new Date() }));
});
