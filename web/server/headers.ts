import type { IncomingMessage, ServerResponse } from 'node:http';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import type { NextFunction, Request, Response } from 'express';
import helmet from 'helmet';
import { answerRefusal } from './answers.ts';
import { isAllowedOrigin } from './cors.ts';

const YEAR_SECONDS = 31_536_000;

/** Features of browsers that the product does not use, and that injected content must not use either. */
const PERMISSIONS_POLICY = [
  'accelerometer',
  'autoplay',
  'browsing-topics',
  'camera',
  'display-capture',
  'encrypted-media',
  'fullscreen',
  'geolocation',
  'gyroscope',
  'hid',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'publickey-credentials-get',
  'screen-wake-lock',
  'serial',
  'usb',
  'xr-spatial-tracking',
]
  .map((feature) => `${feature}=()`)
  .join(', ');

const nonceOf = (_request: IncomingMessage, response: ServerResponse): string =>
  `'nonce-${(response as Response).locals.nonce}'`;

/**
 * Sets the security headers of every answer. Scripts and style elements need the request's nonce. Style attributes are
 * allowed, because charts and share bars use them for their measures. `upgrade-insecure-requests` is not set, because the product
 * also runs on plain http at localhost.
 * @param publicUrl if it is https, browsers are told to use https only
 * @param connect additional origins that scripts can call: the public address of object storage, the dev server
 */
export function securityHeaders({ publicUrl, connect = [] }: { publicUrl: string; connect?: readonly string[] }) {
  const setHelmet = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        baseUri: ["'none'"],
        objectSrc: ["'none'"],
        frameSrc: ["'none'"],
        frameAncestors: ["'none'"],
        formAction: ["'self'", ...connect],
        scriptSrc: ["'self'", nonceOf],
        scriptSrcAttr: ["'none'"],
        styleSrc: ["'self'", nonceOf],
        styleSrcAttr: ["'unsafe-inline'"],
        imgSrc: ["'self'", 'data:', 'blob:'],
        fontSrc: ["'self'", 'data:'],
        connectSrc: ["'self'", ...connect],
        workerSrc: ["'self'", 'blob:'],
      },
    },
    // On plain http, browsers ignore the header, and it would be wrong.
    strictTransportSecurity: publicUrl.startsWith('https://') && { maxAge: YEAR_SECONDS, includeSubDomains: false },
    crossOriginEmbedderPolicy: false,
    referrerPolicy: { policy: 'same-origin' },
  });
  return (request: Request, response: Response, next: NextFunction) => {
    response.setHeader('Permissions-Policy', PERMISSIONS_POLICY);
    setHelmet(request, response, next);
  };
}

const UNSAFE = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

/**
 * Refuses forms and scripts of other sites, which browsers identify in a header, except for scripts of configured
 * origins. Such a call never reaches a handler.
 */
export function refuseForeignSites(corsOrigins: readonly string[]) {
  return (request: Request, response: Response, next: NextFunction) => {
    const isForeign = UNSAFE.has(request.method) && request.header('sec-fetch-site') === 'cross-site';
    if (isForeign && !isAllowedOrigin(request, corsOrigins)) {
      answerRefusal(response, new Refusal('forbidden'));
      return;
    }
    next();
  };
}
