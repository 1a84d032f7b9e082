import { redirect } from '@remix-run/node';
import { readableFileOf } from '@tapeline/db/operations/files/readable-files.ts';
import { getTape } from '@tapeline/db/operations/tapes/tapes.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { objectKey } from '@tapeline/lake/storage/object-store.ts';
import { readScreen } from '../../../http/screen.server.ts';

/** Downloads a document that is kept with a tape, by its index in the list. */
export const loader = readScreen('assets/read', async ({ db, params, context }) => {
  const file = await db(async (session) => {
    const tape = await getTape(session, params.id ?? '');
    const attachment = tape.otherAttachments[Number(params.index)];
    if (!attachment) throw new Refusal('notFound');
    return readableFileOf(session, { bucket: 'loanTapes', keyOrId: attachment.key });
  });
  const { bucket, key, name, type } = file;
  return redirect(await context.objects.signDownload({ key: objectKey(bucket, key), name, type, now: new Date() }));
});
