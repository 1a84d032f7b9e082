import { isRefusal } from '@tapeline/domain/errors/refusal.ts';
import { DISK_FULL, isDiskFull } from '@tapeline/lake/storage/disk-space.ts';
import { DISK_FULL_FAILURE, REFUSAL_FAILURE } from '@tapeline/workflows/queues.ts';
import { ApplicationFailure } from '@temporalio/common';

/** Reports to operators and users that an activity met a full disk. */
export type ReportDiskFull = (activity: string, error: unknown) => Promise<void>;

/** Expected failures keep their message in the workflow and are never retried; all others are retried. */
export function asActivityFailure(error: unknown): unknown {
  if (isDiskFull(error)) {
    return ApplicationFailure.create({ message: DISK_FULL, type: DISK_FULL_FAILURE, cause: error as Error });
  }
  if (!isRefusal(error)) return error;
  return ApplicationFailure.create({
    message: error.message,
    type: REFUSAL_FAILURE,
    nonRetryable: true,
    details: [{ code: error.code, flags: error.flags, issues: error.issues }],
    cause: error,
  });
}

type AsyncFunctions = Record<string, (input: never) => Promise<unknown>>;

/** The activities with their refusals converted to Temporal failures. */
export function withFailures<Activities extends object>(
  activities: Activities,
  reportDiskFull: ReportDiskFull,
): Activities {
  const wrapped: AsyncFunctions = {};
  for (const [name, activity] of Object.entries(activities as unknown as AsyncFunctions)) {
    wrapped[name] = async (input) => {
      try {
        return await activity(input);
      } catch (error) {
        if (isDiskFull(error)) await reportDiskFull(name, error);
        throw asActivityFailure(error);
      }
    };
  }
  return wrapped as unknown as Activities;
}
