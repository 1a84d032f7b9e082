import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import {
  claimNotice,
  composeNotice,
  type DueNotice,
  type LogoReader,
  noticeObject,
  recordNotice,
  recordNoticeProblem,
} from '@tapeline/db/operations/capital/due-notices.ts';
import { resolveFile } from '@tapeline/db/operations/files/files.ts';
import { type Session, systemActor } from '@tapeline/db/store.ts';
import { isRefusal } from '@tapeline/domain/errors/refusal.ts';
import { objectKey } from '@tapeline/lake/storage/object-store.ts';
import type { MadeNotices, NoticeActivities } from '@tapeline/workflows/notices/activities.ts';
import type { WorkerContext } from '../context.ts';
import { printDocument } from '../printing/print-document.ts';

const PRINTER = systemActor('Notices');
/** A run ends before its activity would time out. The workflow starts the next one. */
const LONGEST_RUN_MS = 3 * 60_000;
/** Bytes. A larger logo is left out: the name of the manager is printed instead. */
const MOST_LOGO = 1024 * 1024;
const LOGO_TYPES = ['image/png', 'image/jpeg'];

type NoticeContext = Pick<WorkerContext, 'store' | 'objects' | 'log'>;

export const createNoticeActivities = (context: NoticeContext): NoticeActivities => ({
  makeDueNotices: () => makeDueNotices(context),
});

/** The data of a document cannot be printed: trying again would not help. */
class NoticeProblem extends Error {
  readonly notice: Pick<DueNotice, 'table' | 'id'>;
  constructor(notice: Pick<DueNotice, 'table' | 'id'>, cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.notice = notice;
  }
}

const isOfData = (error: unknown): boolean =>
  error instanceof RangeError || error instanceof TypeError || isRefusal(error);

/**
 * Makes one notice after another. A document is locked by the transaction that records its file, so that a killed
 * worker leaves it as it was, and another one makes it.
 */
export async function makeDueNotices(context: NoticeContext, longestRunMs = LONGEST_RUN_MS): Promise<MadeNotices> {
  const { store, log } = context;
  const until = Date.now() + longestRunMs;
  const done = { made: 0, failed: 0 };
  let isMoreDue = true;
  while (isMoreDue && Date.now() < until) {
    try {
      isMoreDue = await store.as(PRINTER, (session) => makeOne(context, session));
      if (isMoreDue) done.made += 1;
    } catch (error) {
      if (!(error instanceof NoticeProblem)) throw error;
      const { notice, message } = error;
      log.error({ err: error, ...notice }, 'a notice cannot be made of its data');
      await store.as(PRINTER, (session) => recordNoticeProblem(session, notice, message));
      done.failed += 1;
    }
  }
  if (done.made + done.failed > 0) log.info(done, 'notices made');
  return { ...done, isMoreDue };
}

/** Returns whether there was one to make. */
async function makeOne({ objects, log }: NoticeContext, session: Session): Promise<boolean> {
  const claimed = await claimNotice(session);
  if (!claimed) return false;
  const readLogo: LogoReader = async (key) => {
    try {
      const file = await resolveFile(session, { bucket: 'publicFiles', keyOrId: key });
      if (!LOGO_TYPES.includes(file.type) || file.size > MOST_LOGO) return null;
      return (await buffer(await objects.getStream(objectKey('publicFiles', file.key)))).toString('base64');
    } catch (error) {
      if (!isRefusal(error)) throw error;
      log.warn({ err: error, key }, 'a logo is missing, so a notice shows the name alone');
      return null;
    }
  };
  const { notice, bytes } = await composeNotice(session, claimed, readLogo)
    .then(async (composed) => ({ notice: composed, bytes: await printDocument(composed.printed) }))
    .catch((error: unknown) => {
      throw isOfData(error) ? new NoticeProblem(claimed, error) : error;
    });
  const checksum = createHash('sha256').update(bytes).digest('hex');
  const { bucket, key } = noticeObject(notice, checksum);
  await objects.putStream(objectKey(bucket, key), Readable.from([bytes]), { type: 'application/pdf' });
  await recordNotice(session, notice, { size: bytes.length, checksum });
  return true;
}
