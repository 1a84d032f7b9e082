import { ActivityFailure, ApplicationFailure } from '@temporalio/common';
import { DISK_FULL_FAILURE, REFUSAL_FAILURE } from './queues.ts';

/**
 * The message for users about a failed activity: the message of a Refusal, or a generic sentence for an internal error.
 * @param what the failed operation as a sentence, for example "The tape could not be processed"
 */
export function messageOf(error: unknown, what: string): string {
  const cause = error instanceof ActivityFailure ? error.cause : error;
  if (cause instanceof ApplicationFailure && cause.type === REFUSAL_FAILURE) return cause.message;
  if (cause instanceof ApplicationFailure && cause.type === DISK_FULL_FAILURE) {
    return `${what} because a disk or the object storage is full. Nothing half done was kept; free space, and try again.`;
  }
  return `${what} because of a problem on our side. Nothing half done was kept; try again, or contact the support.`;
}
