import { newId } from '../../ids.ts';
import type { ReadSession } from '../../read-session.ts';
import { asProgram, type Session } from '../../store.ts';

/** A step of a job that failed and is not tried again. */
export interface JobFailureView {
  readonly id: string;
  /** The step, as workers name it: "sendDueMail". */
  readonly activity: string;
  /** The id of the job, without its instance: "draw/64b…", or of a scheduled run: "mail". */
  readonly job: string;
  /** What failed, why, and what to do. */
  readonly reason: string;
  /** How often it failed like this. */
  readonly times: number;
  /** ISO 8601. */
  readonly firstAt: string;
  readonly lastAt: string;
}

/** Failures are removed this long after they were last seen. */
export const KEPT_DAYS = 30;
const MAX_REASON = 1000;
const MAX_LISTED = 200;

const COLUMNS = `id, activity, job, reason, times, to_json(first_at) #>> '{}' as "firstAt", to_json(last_at) #>> '{}' as "lastAt"`;

/** Records a failure, or that one came again. Called as the program. */
export async function recordJobFailure(
  session: Session,
  failure: Pick<JobFailureView, 'activity' | 'job' | 'reason'>,
): Promise<void> {
  const { activity, job, reason } = failure;
  await session.query(
    `insert into job_failures (id, activity, job, reason, first_at, last_at) values ($1, $2, $3, $4, $5, $5)
     on conflict (activity, job, md5(reason)) do update set times = job_failures.times + 1, last_at = excluded.last_at`,
    [newId(session.now), activity.slice(0, 100), job.slice(0, 300), reason.slice(0, MAX_REASON), session.now],
  );
  await session.query(`delete from job_failures where last_at < now() - interval '${KEPT_DAYS} days'`);
}

/** Forgets the failures of those steps of a job that have succeeded since. Called as the program. */
export async function forgetJobFailures(session: Session, job: string, activities: readonly string[]): Promise<void> {
  await session.query('delete from job_failures where job = $1 and activity = any ($2)', [job, activities]);
}

/** The failures of the last days, the latest first. Only administrators see them. */
export const listJobFailures = (session: ReadSession): Promise<JobFailureView[]> =>
  session.query(`select ${COLUMNS} from job_failures order by last_at desc, id limit ${MAX_LISTED}`);

/** How many failures came within the last hour. Called as the program. */
export async function countRecentFailures(session: ReadSession): Promise<number> {
  const [row] = await session.query<{ count: number }>(
    `select count(*)::integer as count from job_failures where last_at > $1::timestamptz - interval '1 hour'`,
    [session.now],
  );
  return row?.count ?? 0;
}

/**
 * Why one of the jobs last failed; null if none did. Called as the program: the caller has checked that the user sees the
 * jobs' document.
 * @param activities only these steps; default: all
 */
export async function findJobFailure(
  session: ReadSession,
  jobs: readonly string[],
  activities: readonly string[] | null = null,
): Promise<JobFailureView | null> {
  const [failure] = await session.query<JobFailureView>(
    `select ${COLUMNS} from job_failures where job = any ($1) and ($2::text[] is null or activity = any ($2))
     order by last_at desc, id limit 1`,
    [jobs, activities],
    { kept: true },
  );
  return failure ?? null;
}

/** The same within the actor's transaction. */
export const jobFailureOf = (
  session: Session,
  jobs: readonly string[],
  activities: readonly string[] | null = null,
): Promise<JobFailureView | null> => asProgram(session, () => findJobFailure(session, jobs, activities));
