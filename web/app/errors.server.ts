import { ERROR_CATALOGUE, type Refusal, type RefusalCode } from '@tapeline/domain/errors/refusal.ts';
import type { RequestContext } from './context.ts';

/** An error as the wire says it. */
export interface ErrorBody {
  name: string;
  message: string;
  code: number;
  flags?: Record<string, string>;
  traceId: string;
}

/** An answer of the error catalogue, to be thrown from a loader or an action; the error boundary shows it. */
export function answerError(
  context: Pick<RequestContext, 'traceId'>,
  code: RefusalCode,
  message?: string,
  flags?: Record<string, string>,
): Response {
  const entry = ERROR_CATALOGUE[code];
  const body: ErrorBody = {
    name: entry.name,
    message: message ?? entry.message,
    code: entry.status,
    ...(flags ? { flags } : {}),
    traceId: context.traceId,
  };
  return Response.json(body, { status: entry.status });
}

export const answerRefusal = (context: Pick<RequestContext, 'traceId'>, refusal: Refusal): Response =>
  answerError(context, refusal.code, refusal.message, refusal.flags);
