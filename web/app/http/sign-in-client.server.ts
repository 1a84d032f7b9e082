import type { Environment } from '@tapeline/db/environment.ts';
import { newToken } from '@tapeline/db/operations/identity/secrets.ts';
import type { RequestContext } from './context.ts';
import { parseCookies, writeCookie } from './cookies.server.ts';
import { cookieNames } from './session.server.ts';

// Longer than the lifetime of a code and its limits, so that they are not lost if the page stays open.
const LIFETIME_SECONDS = 3600;
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/** Limits are ten times as high outside production, where demonstrations and tests share an address. */
export const limitFactorOf = ({ nodeEnv }: Pick<Environment, 'nodeEnv'>): number => (nodeEnv === 'production' ? 1 : 10);

/** The token that binds sign-in codes to this browser or client. Null if it has never requested a code. */
export function clientTokenOf(request: Request, context: RequestContext): string | null {
  const held = parseCookies(request.headers.get('cookie'))[cookieNames(context.environment).client];
  return held && TOKEN.test(held) ? held : null;
}

/** Returns the same token, creating one if the client has none. Extends its cookie by another hour. */
export function giveClientToken(request: Request, context: RequestContext): string {
  const token = clientTokenOf(request, context) ?? newToken();
  const settings = { maxAgeSeconds: LIFETIME_SECONDS, isSecure: context.isSecure };
  context.setCookie(writeCookie(cookieNames(context.environment).client, token, settings));
  return token;
}
