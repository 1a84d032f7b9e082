import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { type DueNotice, readNotices } from '@tapeline/db/operations/capital/compose-notices.ts';
import {
  claimNotices,
  type MadeNotice,
  noticeObject,
  recordNoticeProblem,
  recordNotices,
} from '@tapeline/db/operations/capital/due-notices.ts';
import { type Session, systemActor } from '@tapeline/db/store.ts';
import { isRefusal } from '@tapeline/domain/errors/refusal.ts';
import { logoReader } from '@tapeline/lake/storage/logo-reader.ts';
import { objectKey } from '@tapeline/lake/storage/object-store.ts';
import type { MadeNotices, NoticeActivities } from '@tapeline/workflows/notices/activities.ts';
import type { WorkerContext } from '../context.ts';
import { printDocument } from '../printing/print-document.ts';

const PRINTER = systemActor('Notices');
/** A run ends before its activity would time out. The workflow starts the next one. */
const LONGEST_RUN_MS = 3 * 60_000;

type NoticeContext = Pick<WorkerContext, 'store' | 'objects' | 'log'>;

export const createNoticeActivities = (context: NoticeContext): NoticeActivities => ({
  makeDueNotices: () => makeDueNotices(context),
});

/** Notices that one transaction makes. What is lost when a worker is killed, and made again. */
const BATCH = 8;

/** Whether the data of a document cannot be printed: trying again would not help. */
const isOfData = (error: unknown): boolean =>
  error instanceof RangeError || error instanceof TypeError || isRefusal(error);

/**
 * Makes one batch of notices after another. Documents are locked by the transaction that records their files, so that a
 * killed worker leaves them as they were, and another one makes them.
 */
export async function makeDueNotices(context: NoticeContext, longestRunMs = LONGEST_RUN_MS): Promise<MadeNotices> {
  const { store, log } = context;
  const until = Date.now() + longestRunMs;
  const done = { made: 0, failed: 0 };
  let isMoreDue = true;
  while (isMoreDue && Date.now() < until) {
    const batch = await store.as(PRINTER, (session) => makeBatch(context, session));
    done.made += batch.made;
    done.failed += batch.failed;
    isMoreDue = batch.made + batch.failed > 0;
  }
  if (done.made + done.failed > 0) log.info(done, 'notices made');
  return { ...done, isMoreDue };
}

/** Prints a notice. Null if its data cannot be printed, which is recorded. */
async function printNotice({ log }: NoticeContext, session: Session, notice: DueNotice) {
  try {
    const { printed, name } = notice.compose();
    return { name, bytes: await printDocument(printed) };
  } catch (error) {
    if (!isOfData(error)) throw error;
    const { table, id } = notice;
    log.error({ err: error, table, id }, 'a notice cannot be made of its data');
    await recordNoticeProblem(session, notice, error instanceof Error ? error.message : String(error));
    return null;
  }
}

/** Returns how many there were to make. */
async function makeBatch(context: NoticeContext, session: Session): Promise<{ made: number; failed: number }> {
  const claimed = await claimNotices(session, BATCH);
  const notices = await readNotices(session, claimed, logoReader(session, context));
  const made: MadeNotice[] = [];
  for (const notice of notices) {
    const printed = await printNotice(context, session, notice);
    if (!printed) continue;
    const { name, bytes } = printed;
    const checksum = createHash('sha256').update(bytes).digest('hex');
    const { bucket, key } = noticeObject(notice, checksum);
    await context.objects.putStream(objectKey(bucket, key), Readable.from([bytes]), { type: 'application/pdf' });
    made.push({ notice, name, size: bytes.length, checksum });
  }
  await recordNotices(session, made);
  return { made: made.length, failed: notices.length - made.length };
}
