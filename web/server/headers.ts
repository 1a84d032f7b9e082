import type { NextFunction, Request, Response } from 'express';
import helmet from 'helmet';

/**
 * Security headers of every answer. Scripts run only with the request's nonce; styles may be inline, since charts, share bars and the grid
 * set them on elements. No `upgrade-insecure-requests`: the product is also run on plain http at localhost.
 * @param connect further origins that scripts may call: the public address of object storage, the dev server
 */
export function securityHeaders(connect: readonly string[] = []) {
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        baseUri: ["'none'"],
        objectSrc: ["'none'"],
        frameAncestors: ["'none'"],
        formAction: ["'self'", ...connect],
        scriptSrc: ["'self'", (_request, response) => `'nonce-${(response as Response).locals.nonce}'`],
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:', 'blob:'],
        fontSrc: ["'self'", 'data:'],
        connectSrc: ["'self'", ...connect],
        workerSrc: ["'self'", 'blob:'],
      },
    },
    // Told by the proxy that ends TLS, which knows whether there is one.
    strictTransportSecurity: false,
    crossOriginEmbedderPolicy: false,
    referrerPolicy: { policy: 'same-origin' },
  });
}

const UNSAFE = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

/** A browser says when a form or script of another site calls us; such a call never reaches a handler. */
export function refuseForeignSites(request: Request, response: Response, next: NextFunction) {
  if (UNSAFE.has(request.method) && request.header('sec-fetch-site') === 'cross-site') {
    response.status(403).json({
      name: 'Forbidden',
      message: 'You are not allowed to access this route',
      code: 403,
      traceId: response.locals.traceId,
    });
    return;
  }
  next();
}
