import { redirect } from '@remix-run/node';
import { recordFileReads } from '@tapeline/db/operations/activities/activities.ts';
import { readableFile } from '@tapeline/db/operations/files/readable-files.ts';
import { objectKey } from '@tapeline/lake/storage/object-store.ts';
import { readScreen } from '../../http/screen.server.ts';

/** Leads to a signed address of a file that the user can see. The address is valid for 15 minutes. */
export const loader = readScreen(null, async ({ db, params, context }) => {
  const file = await db(async (session) => {
    const found = await readableFile(session, params.id ?? '');
    await recordFileReads(session, [found.id]);
    return found;
  });
  const { bucket, key, name, type } = file;
  const address = await context.objects.signDownload({ key: objectKey(bucket, key), name, type, now: new Date() });
  return redirect(address, { headers: { 'cache-control': 'no-store' } });
});
