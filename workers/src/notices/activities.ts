import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { type DueNotice, type NoticeReference, readNotices } from '@tapeline/db/operations/capital/compose-notices.ts';
import {
  claimNotices,
  type MadeNotice,
  noticeObject,
  recordNoticeProblem,
  recordNotices,
} from '@tapeline/db/operations/capital/due-notices.ts';
import { reasonOf } from '@tapeline/db/service-faults.ts';
import { type Session, systemActor } from '@tapeline/db/store.ts';
import { isRefusal } from '@tapeline/domain/errors/refusal.ts';
import { logoReader } from '@tapeline/lake/storage/logo-reader.ts';
import { objectKey } from '@tapeline/lake/storage/object-store.ts';
import type { MadeNotices, NoticeActivities } from '@tapeline/workflows/notices/activities.ts';
import type { WorkerContext } from '../context.ts';
import { currentAttempt, failureTypeOf } from '../failures.ts';
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

/**
 * Makes one batch of notices after another. Documents are locked by the transaction that records their files, so that a
 * killed worker leaves them as they were, and another one makes them.
 */
export async function makeDueNotices(context: NoticeContext, longestRunMs = LONGEST_RUN_MS): Promise<MadeNotices> {
  const { store, log } = context;
  const until = Date.now() + longestRunMs;
  const done = { made: 0, failed: 0 };
  let isMoreDue = true;
  let most = BATCH;
  while (isMoreDue && Date.now() < until) {
    const claimed: NoticeReference[] = [];
    let batch = { made: 0, failed: 1 };
    try {
      batch = await store.as(PRINTER, (session) => makeBatch(context, session, most, claimed));
    } catch (error) {
      const [notice] = claimed;
      if (!isOfData(error) || !notice) throw error;
      // One of the batch has data that cannot be read. Alone, it is known which, and the others are made.
      const isAlone = claimed.length === 1;
      most = isAlone ? BATCH : 1;
      if (!isAlone) continue;
      await store.as(PRINTER, (session) => giveUp(context, session, notice, error));
    }
    done.made += batch.made;
    done.failed += batch.failed;
    isMoreDue = batch.made + batch.failed > 0;
  }
  if (done.made + done.failed > 0) log.info(done, 'notices made');
  return { ...done, isMoreDue };
}

/** Whether trying again would not help. Wrong keys of the object storage are corrected, and the next run makes the notice. */
function isOfData(error: unknown): boolean {
  if (isRefusal(error)) return error.code !== 'serverError';
  return failureTypeOf(error, currentAttempt().attempt) === 'DataFault';
}

/** Prints a notice. Null if its data cannot be printed, which is recorded. */
async function printNotice(context: NoticeContext, session: Session, notice: DueNotice) {
  try {
    const { printed, name } = notice.compose();
    return { name, bytes: await printDocument(printed) };
  } catch (error) {
    if (!isOfData(error)) throw error;
    await giveUp(context, session, notice, error);
    return null;
  }
}

/** Records that a notice cannot be made of its data: trying again would not help. */
async function giveUp(
  { log }: NoticeContext,
  session: Session,
  { table, id }: NoticeReference,
  error: unknown,
): Promise<void> {
  log.error({ err: error, table, id }, 'a notice cannot be made of its data');
  await recordNoticeProblem(
    session,
    { table, id },
    `The file could not be made (${reasonOf(error)}). Correct the document and make the file again, or send this text to support.`,
  );
}

/** Returns how many there were to make. @param claimed receives them, also if they fail */
async function makeBatch(
  context: NoticeContext,
  session: Session,
  most: number,
  claimed: NoticeReference[],
): Promise<{ made: number; failed: number }> {
  claimed.push(...(await claimNotices(session, most)));
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
