import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { RequestContext } from './context.ts';
import { parseCookies, writeCookie } from './cookies.server.ts';

/** Set on any answer to a client that does not have one. Calls repeat it in `X-CSRF-Token`, forms in a hidden field. */
export const CSRF_COOKIE = 'tapeline_csrf';
const LIFETIME_SECONDS = 30 * 86_400;
const TOKEN = /^(?:session\.)?[A-Za-z0-9_-]{32,64}$/;

const given = new WeakMap<RequestContext, string>();

/**
 * Returns the token of a sign-in, which cannot be computed without the secret. Without a sign-in, the token is random.
 */
function tokenFor(context: RequestContext, familyId: string | null): string {
  if (familyId === null) return randomBytes(32).toString('base64url');
  const mac = createHmac('sha256', `csrf/${context.environment.appSecret}`).update(familyId);
  return `session.${mac.digest('base64url')}`;
}

/** Sets the token of a sign-in, or a new random one if there is none. The token changes when signing in and out. */
export function giveCsrfToken(context: RequestContext, familyId: string | null): string {
  const token = tokenFor(context, familyId);
  given.set(context, token);
  const settings = { maxAgeSeconds: LIFETIME_SECONDS, isSecure: context.isSecure, httpOnly: false };
  context.setCookie(writeCookie(CSRF_COOKIE, token, settings));
  return token;
}

/** The token that this answer sets. Undefined if the client keeps the token it has. */
export const givenCsrfToken = (context: RequestContext): string | undefined => given.get(context);

/** The token that the client sent as its cookie. Undefined if it is missing or malformed. */
export function heldCsrfToken(request: Request): string | undefined {
  const held = parseCookies(request.headers.get('cookie'))[CSRF_COOKIE];
  return held && TOKEN.test(held) ? held : undefined;
}

/**
 * The nonce that an id token of this client must have: BASE64URL(SHA-256(the client's CSRF cookie)). A client computes
 * it before it asks the identity provider, and a token that was issued to another client is of no use to it.
 */
export const nonceOf = (csrfToken: string): string => createHash('sha256').update(csrfToken).digest('base64url');

export const isBoundToSession = (token: string): boolean => token.startsWith('session.');

export const isTokenOfSession = (context: RequestContext, token: string, familyId: string): boolean =>
  isSameToken(token, tokenFor(context, familyId));

export function isSameToken(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
