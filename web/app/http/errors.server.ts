import { isRouteErrorResponse } from '@remix-run/react';
import { errorBodyOf } from '@tapeline/domain/errors/error-body.ts';
import { flattenIssues } from '@tapeline/domain/errors/issues.ts';
import { waitInWords } from '@tapeline/domain/errors/reason.ts';
import {
  ERROR_CATALOGUE,
  isRefusal,
  Refusal,
  type RefusalCode,
  refuseIssues,
} from '@tapeline/domain/errors/refusal.ts';
import type { FailureType } from '@tapeline/workflows/failures.ts';
import { z } from 'zod';
import type { RequestContext } from './context.ts';

/** The header that tells the client how long to wait, if the refusal specifies it. */
export const retryAfter = (refusal: Pick<Refusal, 'retryAfterSeconds'> | null): Record<string, string> =>
  refusal?.retryAfterSeconds === undefined ? {} : { 'retry-after': String(refusal.retryAfterSeconds) };

/**
 * Returns the refusal that an error is, or that a workflow or activity failed with. Null for a bug, whose message is
 * not exposed.
 */
export function asRefusal(error: unknown): Refusal | null {
  if (isRefusal(error)) return error;
  if (error instanceof z.ZodError) return refuseIssues(flattenIssues(error.issues));
  for (let cause: unknown = error, depth = 0; cause instanceof Error && depth < 8; cause = cause.cause, depth++) {
    const failure = cause as Error & { type?: string; details?: unknown[] };
    // A worker has logged it, and its message is for users.
    if (failure.type === ('DataFault' satisfies FailureType)) return new Refusal('serverError', failure.message);
    if (failure.type === ('Refusal' satisfies FailureType)) {
      const [details] = (failure.details ?? []) as [
        { code?: Refusal['code']; flags?: Refusal['flags']; issues?: Refusal['issues'] }?,
      ];
      return new Refusal(details?.code ?? 'badRequest', failure.message, {
        ...(details?.flags ? { flags: details.flags } : {}),
        ...(details?.issues ? { issues: details.issues } : {}),
      });
    }
  }
  return null;
}

/**
 * Whether an error is to be logged: a bug, or something of the server that failed. A mistake of the client is none, nor is
 * what failed because the client went away, nor what a worker has logged already.
 */
export function isOwnFault(error: unknown, isAborted: boolean): boolean {
  const isAnswer = error instanceof Response || isRouteErrorResponse(error);
  if (isAborted || (isAnswer && error.status < 500)) return false;
  return isRefusal(error) ? error.code === 'serverError' : !asRefusal(error);
}

/** Converts any thrown value to an answer of the error catalogue. A bug becomes a 502 without internal details. */
export function errorResponse(error: unknown, traceId: string, headers: Record<string, string> = {}): Response {
  const refusal = asRefusal(error) ?? new Refusal('serverError');
  return Response.json(errorBodyOf(refusal, traceId), {
    status: ERROR_CATALOGUE[refusal.code].status,
    headers: { 'cache-control': 'no-store', ...retryAfter(refusal), ...headers },
  });
}

/** An answer of the error catalogue, to be thrown from a loader or an action. The error boundary shows it. */
export const errorAnswer = (
  context: Pick<RequestContext, 'traceId'>,
  code: RefusalCode,
  message?: string,
  flags?: Record<string, string>,
  headers?: Record<string, string>,
): Response => errorResponse(new Refusal(code, message, flags ? { flags } : {}), context.traceId, headers);

/** The message of a refusal as shown on screens. API answers keep the error catalogue's "Slow down". */
export const screenMessage = ({ reason, message }: Pick<Refusal, 'reason' | 'message'>): string =>
  reason?.code === 'tooSoon' ? `Too many requests. Try again in ${waitInWords(reason.data.seconds)}.` : message;

/** A refusal as an answer of a loader or an action. The error boundary shows it. */
export const refusalAnswer = (context: Pick<RequestContext, 'traceId'>, refusal: Refusal): Response =>
  errorResponse(
    new Refusal(refusal.code, screenMessage(refusal), {
      ...(refusal.flags ? { flags: refusal.flags } : {}),
      ...(refusal.issues ? { issues: refusal.issues } : {}),
      ...(refusal.retryAfterSeconds === undefined ? {} : { retryAfterSeconds: refusal.retryAfterSeconds }),
    }),
    context.traceId,
  );
