import { isIP } from 'node:net';
import type { Environment } from '@tapeline/db/environment.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import type { NextFunction, Request, Response } from 'express';
import type { Logger } from 'pino';
import { answerRefusal } from './answers.ts';

const HOST = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(:\d{1,5})?$/i;

/** Whether a trusted proxy sent the request. */
function trustsSender(request: Request): boolean {
  const trusts = request.app.get('trust proxy fn') as (address: string | undefined, hop: number) => boolean;
  return trusts(request.socket.remoteAddress, 0);
}

/** Returns the requested host with its port, as sent by the client or a trusted proxy. */
export function hostOf(request: Request): string {
  const forwarded = trustsSender(request) ? request.header('x-forwarded-host')?.split(',', 1)[0]?.trim() : undefined;
  return forwarded || (request.header('host') ?? '');
}

/**
 * Logs once that the caller's address from a proxy is ignored. All people behind a proxy that is not trusted count as
 * one caller to the limits of sign-ins.
 */
export function reportIgnoredProxy(log: Pick<Logger, 'warn'>) {
  let isReported = false;
  return (request: Request, _response: Response, next: NextFunction) => {
    const { remoteAddress } = request.socket;
    if (!isReported && request.header('x-forwarded-for') !== undefined && !trustsSender(request)) {
      isReported = true;
      log.warn(
        `X-Forwarded-For from ${remoteAddress} is ignored. If this is a proxy of yours, list its address in TRUSTED_PROXIES.`,
      );
    }
    next();
  };
}

/** Whether a host name is one of ours outside production. A foreign site can only use its own host name. */
export function isOwnHost(hostname: string, environment: Pick<Environment, 'host' | 'publicUrl'>): boolean {
  const name = hostname.replace(/^\[|\]$/g, '').toLowerCase();
  return (
    isIP(name) > 0 ||
    name === 'localhost' ||
    name.endsWith('.localhost') ||
    name === environment.host.toLowerCase() ||
    name === new URL(environment.publicUrl).hostname
  );
}

/**
 * Refuses requests with an invalid host, and outside production those for another host name. Otherwise a foreign site
 * could point its name to this machine (DNS rebinding) and read the mailbox through a visitor's browser.
 */
export function refuseForeignHosts(environment: Pick<Environment, 'host' | 'publicUrl' | 'nodeEnv'>) {
  return (request: Request, response: Response, next: NextFunction) => {
    const host = hostOf(request);
    const url = HOST.test(host) ? URL.parse(`http://${host}/`) : null;
    if (!url) return answerRefusal(response, new Refusal('badRequest', 'The Host header is not a host name'));
    if (environment.nodeEnv !== 'production' && !isOwnHost(url.hostname, environment)) {
      const message = `Tapeline is not served at ${url.hostname}. Open ${environment.publicUrl}, or set PUBLIC_URL to the address you use`;
      return answerRefusal(response, new Refusal('badRequest', message));
    }
    next();
  };
}
