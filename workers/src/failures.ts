import { recordJobFailure } from '@tapeline/db/operations/jobs/job-failures.ts';
import { isServiceFault, reasonOf } from '@tapeline/db/service-faults.ts';
import { systemActor } from '@tapeline/db/store.ts';
import { isRefusal } from '@tapeline/domain/errors/refusal.ts';
import { DISK_FULL, isDiskFull } from '@tapeline/lake/storage/disk-space.ts';
import { dataFaultMessage, FAILURES, type FailureType } from '@tapeline/workflows/failures.ts';
import { Context } from '@temporalio/activity';
import { ApplicationFailure, CancelledFailure } from '@temporalio/common';
import type { WorkerContext } from './context.ts';

export interface FailedActivity {
  readonly activity: string;
  readonly type: FailureType;
  readonly error: unknown;
  /** For users. */
  readonly message: string;
}

/** Reports a failure to operators and users. Never rejects. */
export type ReportFailure = (failed: FailedActivity) => Promise<void>;

/** The attempt, and whether it is to end: whatever an activity throws then is no failure. */
export function currentAttempt(): { attempt: number; isCancelled: boolean } {
  try {
    const { info, cancellationSignal } = Context.current();
    return { attempt: info.attempt, isCancelled: cancellationSignal.aborted };
  } catch {
    return { attempt: 1, isCancelled: false };
  }
}

const isCancellation = (error: unknown): boolean =>
  error instanceof CancelledFailure || (error instanceof Error && error.name === 'AbortError');

/** Why an activity failed; null if it was cancelled. @param attempt counted from 1 */
export function failureTypeOf(error: unknown, attempt = 1): FailureType | null {
  if (isRefusal(error)) return 'Refusal';
  if (isDiskFull(error)) return 'DiskFull';
  if (isCancellation(error)) return null;
  return isServiceFault(error, attempt) ? 'ServiceFault' : 'DataFault';
}

function messageOf(type: FailureType, activity: string, error: unknown): string {
  if (type === 'DataFault') return dataFaultMessage(activity, reasonOf(error));
  if (type === 'DiskFull') return DISK_FULL;
  return error instanceof Error ? error.message : String(error);
}

/** The failure for Temporal: its type, whether it is tried again, and the message for users. */
function asFailure({ type, message, error }: FailedActivity): ApplicationFailure {
  return ApplicationFailure.create({
    message,
    type,
    nonRetryable: !FAILURES[type].isRetried,
    ...(isRefusal(error) ? { details: [{ code: error.code, flags: error.flags, issues: error.issues }] } : {}),
    ...(error instanceof Error ? { cause: error } : {}),
  });
}

type AsyncFunctions = Record<string, (input: never) => Promise<unknown>>;

/** The activities, which fail with a type of the table of failures. A failure that is not tried again is reported. */
export function withFailures<Activities extends object>(activities: Activities, report: ReportFailure): Activities {
  const wrapped: AsyncFunctions = {};
  for (const [activity, run] of Object.entries(activities as unknown as AsyncFunctions)) {
    wrapped[activity] = async (input) => {
      try {
        return await run(input);
      } catch (error) {
        const { attempt, isCancelled } = currentAttempt();
        const type = isCancelled ? null : failureTypeOf(error, attempt);
        if (type === null) throw error;
        const failed = { activity, type, error, message: messageOf(type, activity, error) };
        await report(failed);
        throw asFailure(failed);
      }
    };
  }
  return wrapped as unknown as Activities;
}

const RECORDER = systemActor('Jobs');

/** Records for administrators that a step of a job is over and why. Never rejects: the step fails with its own error. */
export async function recordFailure(
  { store, log }: Pick<WorkerContext, 'store' | 'log'>,
  { activity, job, error, message }: Omit<FailedActivity, 'type'> & { job: string },
): Promise<void> {
  log.error({ err: error, activity, job }, 'a step of a job failed and is not tried again');
  await store
    .as(RECORDER, (session) => recordJobFailure(session, { activity, job, reason: message }))
    .catch((err) => log.error({ err, activity, job }, 'the failure of a job could not be recorded'));
}

/** Does the work for all items at once. If the data of one makes it fail, does it for each apart, as `eachApart`. */
export async function togetherOrApart<Item>(
  context: Pick<WorkerContext, 'store' | 'log'>,
  activity: string,
  items: readonly Item[],
  jobOf: (item: Item) => string,
  work: (items: readonly Item[]) => Promise<void>,
): Promise<void> {
  try {
    await work(items);
  } catch (error) {
    const type = failureTypeOf(error, currentAttempt().attempt);
    if (type === null || FAILURES[type].isRetried) throw error;
    await eachApart(context, activity, items, jobOf, (item) => work([item]));
  }
}

/**
 * Does the work for each item. One whose data makes it fail is recorded and left out, so that it does not keep the others
 * from theirs; a fault of a service ends the run.
 * @param jobOf the id under which the failure of an item is listed
 */
export async function eachApart<Item>(
  context: Pick<WorkerContext, 'store' | 'log'>,
  activity: string,
  items: readonly Item[],
  jobOf: (item: Item) => string,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  for (const item of items) {
    try {
      await work(item);
    } catch (error) {
      const type = failureTypeOf(error, currentAttempt().attempt);
      if (type === null || FAILURES[type].isRetried) throw error;
      await recordFailure(context, { activity, job: jobOf(item), error, message: messageOf(type, activity, error) });
    }
  }
}
