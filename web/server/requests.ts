import type { Environment } from '@tapeline/db/environment.ts';
import { tooSoon } from '@tapeline/domain/errors/refusal.ts';
import { findUnstorableText, isStorable, refuseUnstorable, shownName } from '@tapeline/domain/wire/text.ts';
import type { NextFunction, Request, Response } from 'express';
import { rateLimit } from 'express-rate-limit';
import { answerError, answerRefusal } from './answers.ts';

/** The calls and screens of signing in, which are open to everyone. */
export const SIGN_IN_PATHS = /^\/(auth|login)(?=[/.]|$)/;

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** Refuses unsupported methods. Some of them cannot even be passed on to Remix. */
export function refuseOtherMethods(request: Request, response: Response, next: NextFunction) {
  if (METHODS.includes(request.method)) return next();
  response.setHeader('Allow', METHODS.join(', '));
  answerError(response, { name: 'BadRequest', status: 405, message: `Nothing here answers ${request.method}` });
}

/**
 * Refuses addresses that contain a text that cannot be stored, in the path or in a parameter (including inside JSON).
 */
export function refuseUnstorableAddresses(request: Request, response: Response, next: NextFunction) {
  const [path = '', search = ''] = request.originalUrl.split(/\?(.*)/s);
  if (/%00/.test(path)) return answerRefusal(response, refuseUnstorable(['path']));
  if (!search.includes('%') && !search.includes('\\')) return next();
  for (const [name, value] of new URLSearchParams(search)) {
    const place = isStorable(name) ? findUnstorableText(value) : [];
    if (place) return answerRefusal(response, refuseUnstorable([shownName(name), ...place]));
  }
  next();
}

const MINUTE_MS = 60_000;
const CALLS_A_MINUTE = 120;
/** Outside production, many people and tests call from one machine. */
const LOOSER_OUTSIDE_PRODUCTION = 10;

/** Limits the sign-in calls of one network address, before any body is read. Limits per account are checked later. */
export function limitSignInCalls({ nodeEnv }: Pick<Environment, 'nodeEnv'>) {
  return rateLimit({
    windowMs: MINUTE_MS,
    limit: CALLS_A_MINUTE * (nodeEnv === 'production' ? 1 : LOOSER_OUTSIDE_PRODUCTION),
    skip: (request) => request.method === 'GET' || request.method === 'HEAD',
    standardHeaders: 'draft-8',
    legacyHeaders: false,
    // An untrusted caller can send these headers, which is not a configuration error on our side.
    validate: { xForwardedForHeader: false, forwardedHeader: false },
    handler: (request, response) => {
      const { resetTime } = (request as Request & { rateLimit: { resetTime?: Date } }).rateLimit;
      answerRefusal(response, tooSoon(resetTime ? (resetTime.getTime() - Date.now()) / 1000 : MINUTE_MS / 1000));
    },
  });
}
