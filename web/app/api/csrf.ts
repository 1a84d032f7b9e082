import { randomBytes, timingSafeEqual } from 'node:crypto';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { readCookie } from './cookies.ts';

/** The cookie a client reads to send its value back: as X-CSRF-Token by API, as the field `csrf` in a form. */
export const CSRF_COOKIE = 'tapeline_csrf';
export const CSRF_HEADER = 'x-csrf-token';

/** The token the client holds, where it is one we could have made. */
export function csrfTokenOf(request: Request): string | null {
  const token = readCookie(request, CSRF_COOKIE);
  return token && /^[A-Za-z0-9_-]{32}$/.test(token) ? token : null;
}

export const newCsrfToken = (): string => randomBytes(24).toString('base64url');

export function csrfCookie(token: string, isSecure: boolean): string {
  const secure = isSecure ? '; Secure' : '';
  return `${CSRF_COOKIE}=${token}; Path=/; SameSite=Lax; Max-Age=31536000${secure}`;
}

/** A Set-Cookie for a client without a token; null for one that has it. */
export function csrfCookieFor(request: Request, isSecure: boolean): string | null {
  return csrfTokenOf(request) ? null : csrfCookie(newCsrfToken(), isSecure);
}

/** Double submit: what is sent must equal the cookie. @throws Refusal forbidden */
export function checkCsrf(request: Request, sent: string | null = request.headers.get(CSRF_HEADER)): void {
  const token = csrfTokenOf(request);
  const same =
    token !== null &&
    sent !== null &&
    sent.length === token.length &&
    timingSafeEqual(Buffer.from(sent), Buffer.from(token));
  if (!same) {
    throw new Refusal('forbidden', `Send the value of the cookie ${CSRF_COOKIE} as the header X-CSRF-Token`);
  }
}
