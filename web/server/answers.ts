import { type ErrorBody, errorBodyOf } from '@tapeline/domain/errors/error-body.ts';
import type { Refusal } from '@tapeline/domain/errors/refusal.ts';
import type { Response } from 'express';

/** Answers with the error catalogue's body. */
export function answerRefusal(response: Response, refusal: Refusal): void {
  send(response, errorBodyOf(refusal, response.locals.traceId));
}

/** Like `answerRefusal`, for a status that has no entry of its own in the catalogue. */
export function answerError(response: Response, error: { name: string; status: number; message: string }): void {
  const { name, status, message } = error;
  send(response, { name, message, code: status, traceId: response.locals.traceId });
}

function send(response: Response, body: ErrorBody): void {
  response.status(body.code).setHeader('Cache-Control', 'no-store').json(body);
}
