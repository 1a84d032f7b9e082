import { type ErrorBody, errorBodyOf } from '@tapeline/domain/errors/error-body.ts';
import { isRefusal, Refusal } from '@tapeline/domain/errors/refusal.ts';
import type { NextFunction, Request, Response } from 'express';
import type { Logger } from 'pino';

/** Answers with the error catalogue's body. */
export function answerRefusal(response: Response, refusal: Refusal): void {
  send(response, errorBodyOf(refusal, response.locals.traceId));
}

/** Like `answerRefusal`, for a status that has no entry of its own in the catalogue. */
export function answerError(response: Response, error: { name: string; status: number; message: string }): void {
  const { name, status, message } = error;
  send(response, { name, message, code: status, traceId: response.locals.traceId });
}

/**
 * Answers what no screen and no call has answered. An error is only logged as one if it is ours: neither a request that
 * cannot be read, nor one whose sender went away before it had the whole answer.
 */
export function answerErrors(log: Logger) {
  // Express knows a handler of errors by its four parameters.
  return (error: unknown, _request: Request, response: Response, next: NextFunction) => {
    if (isRefusal(error) && !response.headersSent) return answerRefusal(response, error);
    const status = (error as { status?: number }).status ?? 502;
    const isAborted = response.destroyed && !response.writableFinished;
    if (status >= 500)
      log[isAborted ? 'debug' : 'error']({ traceId: response.locals.traceId, err: error }, 'unhandled error');
    if (response.headersSent) return next(error);
    if (status >= 500) return answerRefusal(response, new Refusal('serverError'));
    if (status === 404) return answerRefusal(response, new Refusal('notFound'));
    answerError(response, { name: 'BadRequest', status, message: 'The request cannot be read' });
  };
}

function send(response: Response, body: ErrorBody): void {
  response.status(body.code).setHeader('Cache-Control', 'no-store').json(body);
}
