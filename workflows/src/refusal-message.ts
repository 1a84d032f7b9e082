import { ActivityFailure, ApplicationFailure } from '@temporalio/common';
import { REFUSAL_FAILURE } from './queues.ts';

/**
 * What a person is told of a failed activity: the refusal's own words, or for a fault that is ours a plain sentence.
 * @param what is not there now: "The tape could not be processed"
 */
export function messageOf(error: unknown, what: string): string {
  const cause = error instanceof ActivityFailure ? error.cause : error;
  if (cause instanceof ApplicationFailure && cause.type === REFUSAL_FAILURE) return cause.message;
  return `${what} because of a fault on our side. Nothing half done was kept; try again, or contact the support.`;
}
