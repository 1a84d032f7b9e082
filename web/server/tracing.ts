import { randomBytes } from 'node:crypto';
import { httpRequests } from '@tapeline/telemetry/metrics.ts';
import { startSpan } from '@tapeline/telemetry/traces.ts';
import type { NextFunction, Request, Response } from 'express';
import type { Logger } from 'pino';

const SIGNED_PATH = '/files/objects/';

/**
 * Removes sensitive parts of a path for the log: the search part, which may contain names and emails, and signed
 * addresses, which give access to a file.
 */
export function loggedPath(originalUrl: string): string {
  const path = originalUrl.split('?', 1)[0] ?? '';
  return path.startsWith(SIGNED_PATH) ? `${SIGNED_PATH}...` : path;
}

/** What is learned about a request while it is answered. */
export interface RequestFacts {
  /** The pattern of the address, such as `/crud/funds/{id}`: it holds no ids. */
  route?: string;
  /** The user who is signed in. */
  userId?: string;
}

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
/** An address that no screen or call has. */
const NO_ROUTE = 'none';

/** Files of the screens and checks by machines are logged only in detail: they say nothing about users. */
const isRoutine = (path: string): boolean => path.startsWith('/assets/') || path === '/healthz' || path === '/readyz';

/**
 * Gives each request a trace and a nonce for its scripts. When it is answered, measures it and logs one line, which
 * holds nothing of the query string and of the body.
 * @param patternOf the pattern of an address, unless the code that answers knows it
 */
export function traceRequests(log: Logger, patternOf: (path: string) => string | undefined = () => undefined) {
  return (request: Request, response: Response, next: NextFunction) => {
    const startedAt = performance.now();
    const method = METHODS.has(request.method) ? request.method : 'other';
    const span = startSpan(method, {
      kind: 'server',
      parent: request.header('traceparent') ?? null,
      attributes: { 'http.request.method': method },
    });
    const { traceId } = span;
    const requestLog = log.child({ traceId });
    const facts: RequestFacts = {};
    response.locals.facts = facts;
    response.locals.traceId = traceId;
    response.locals.nonce = randomBytes(16).toString('base64');
    response.locals.log = requestLog;
    response.setHeader('X-Trace-Id', traceId);
    response.on('close', () => {
      const durationMs = performance.now() - startedAt;
      const { statusCode: status } = response;
      const path = loggedPath(request.originalUrl);
      const route = facts.route ?? patternOf(path) ?? NO_ROUTE;
      // A stream lasts as long as its page is open.
      if (!/^text\/event-stream/.test(String(response.getHeader('content-type')))) {
        httpRequests.record(durationMs / 1000, { method, route, status: String(status) });
      }
      span.end({
        name: `${method} ${route}`,
        attributes: { 'http.route': route, 'http.response.status_code': status },
        isFailed: status >= 500,
      });
      const line = {
        method: request.method,
        path,
        route,
        status,
        durationMs: Math.round(durationMs),
        userId: facts.userId ?? null,
        address: request.ip ?? null,
        // The client went away before it had the whole answer.
        ...(response.writableFinished ? {} : { isAborted: true }),
      };
      if (status >= 500 && path !== '/readyz') requestLog.error(line, 'answered');
      else requestLog[isRoutine(path) ? 'debug' : 'info'](line, 'answered');
    });
    span.run(() => next());
  };
}
