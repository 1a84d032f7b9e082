import { isRefusal } from '@tapeline/domain/errors/refusal.ts';
import { REFUSAL_FAILURE } from '@tapeline/workflows/queues.ts';
import { ApplicationFailure } from '@temporalio/common';

/** Expected failures cross to the workflow with their words and are never retried; all others are retried as faults. */
export function asActivityFailure(error: unknown): unknown {
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

/** The activities with their refusals made failures that Temporal understands. */
export function withFailures<Activities extends object>(activities: Activities): Activities {
  const wrapped: AsyncFunctions = {};
  for (const [name, activity] of Object.entries(activities as unknown as AsyncFunctions)) {
    wrapped[name] = async (input) => {
      try {
        return await activity(input);
      } catch (error) {
        throw asActivityFailure(error);
      }
    };
  }
  return wrapped as unknown as Activities;
}
