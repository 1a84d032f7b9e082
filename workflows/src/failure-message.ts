import { ActivityFailure, ApplicationFailure } from '@temporalio/common';
import type { FailureType } from './failures.ts';

export function failureIs(error: unknown, ...types: readonly FailureType[]): error is ApplicationFailure {
  return error instanceof ApplicationFailure && (types as readonly string[]).includes(error.type ?? '');
}

/**
 * The message for users about a failed activity. A Refusal and a fault of the data have their own; others are described.
 * @param what the failed operation as a sentence, for example "The tape could not be processed"
 */
export function messageOf(error: unknown, what: string): string {
  const cause = error instanceof ActivityFailure ? error.cause : error;
  if (failureIs(cause, 'Refusal', 'DataFault')) return cause.message;
  if (failureIs(cause, 'DiskFull')) {
    return `${what} because a disk or the object storage is full. Nothing half done was kept; free space, and try again.`;
  }
  return `${what} because of a problem on our side. Nothing half done was kept; try again, or contact the support.`;
}
