import type { NextFunction, Request, Response } from 'express';

/** The calls that scripts of other origins can make, if the origin is configured. Screens are never among them. */
const API_PATHS = /^\/(auth|crud|files|LTP)(?=\/|$)|^\/openapi\.json$/;
const ALLOWED_HEADERS =
  'Authorization, Content-Type, Idempotency-Key, X-CSRF-Token, X-Manager-Id, X-LP-Id, Traceparent';
const EXPOSED_HEADERS = 'X-Docs-Count, X-Access-Token-Expiration-Seconds, X-CSRF-Token, X-Trace-Id, Retry-After';
const PREFLIGHT_SECONDS = 600;

/** Whether the call comes from a script of a configured origin, and is one that it can make. */
export function isAllowedOrigin(request: Request, origins: readonly string[]): boolean {
  const origin = request.header('origin');
  return origin !== undefined && origins.includes(origin) && API_PATHS.test(request.path);
}

/** Lets scripts of the configured origins call the API. Without configured origins, no answer has a CORS header. */
export function allowOrigins(origins: readonly string[]) {
  return (request: Request, response: Response, next: NextFunction) => {
    if (origins.length === 0) return next();
    response.vary('Origin');
    if (!isAllowedOrigin(request, origins)) return next();
    response.setHeader('Access-Control-Allow-Origin', request.header('origin') as string);
    response.setHeader('Access-Control-Allow-Credentials', 'true');
    response.setHeader('Access-Control-Expose-Headers', EXPOSED_HEADERS);
    if (request.method !== 'OPTIONS' || !request.header('access-control-request-method')) return next();
    response.setHeader('Access-Control-Allow-Methods', 'GET, POST, PUT, DELETE');
    response.setHeader('Access-Control-Allow-Headers', ALLOWED_HEADERS);
    response.setHeader('Access-Control-Max-Age', String(PREFLIGHT_SECONDS));
    response.status(204).end();
  };
}
