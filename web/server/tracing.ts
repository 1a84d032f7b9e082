import { randomBytes } from 'node:crypto';
import type { NextFunction, Request, Response } from 'express';
import type { Logger } from 'pino';

const TRACEPARENT = /^00-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}$/;

/** Returns the caller's W3C trace id if it sent one, otherwise a new one: 32 hex digits. */
export function traceIdOf(traceparent: string | undefined): string {
  const given = traceparent ? TRACEPARENT.exec(traceparent)?.[1] : undefined;
  return given && !/^0+$/.test(given) ? given : randomBytes(16).toString('hex');
}

const SIGNED_PATH = '/files/objects/';

/**
 * Removes sensitive parts of a path for the log: the search part, which may contain names and emails, and signed
 * addresses, which give access to a file.
 */
export function loggedPath(originalUrl: string): string {
  const path = originalUrl.split('?', 1)[0] ?? '';
  return path.startsWith(SIGNED_PATH) ? `${SIGNED_PATH}...` : path;
}

/** Gives each request a trace id and a nonce for its scripts, and logs one line when it is answered. */
export function traceRequests(log: Logger) {
  return (request: Request, response: Response, next: NextFunction) => {
    const startedAt = process.hrtime.bigint();
    const traceId = traceIdOf(request.header('traceparent'));
    const requestLog = log.child({ traceId });
    response.locals.traceId = traceId;
    response.locals.nonce = randomBytes(16).toString('base64');
    response.locals.log = requestLog;
    response.setHeader('X-Trace-Id', traceId);
    response.on('close', () => {
      const durationMs = Number(process.hrtime.bigint() - startedAt) / 1e6;
      const path = loggedPath(request.originalUrl);
      const line = {
        method: request.method,
        path,
        status: response.statusCode,
        durationMs: Math.round(durationMs),
      };
      if (response.statusCode >= 500) requestLog.error(line, 'answered');
      else requestLog[path.startsWith('/assets/') ? 'debug' : 'info'](line, 'answered');
    });
    next();
  };
}
