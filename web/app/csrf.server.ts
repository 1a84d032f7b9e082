import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { RequestContext } from './context.ts';
import { parseCookies, writeCookie } from './cookies.server.ts';
import { answerError } from './errors.server.ts';

/** Set on any answer to a client without one; calls repeat it in `X-CSRF-Token`, forms in a hidden field. */
export const CSRF_COOKIE = 'tapeline_csrf';
export const CSRF_FIELD = 'csrf';
const TOKEN = /^[A-Za-z0-9_-]{32,64}$/;
const LIFETIME_SECONDS = 30 * 86_400;

const given = new WeakMap<RequestContext, string>();

/** The client's token, made and set as a cookie where it has none yet. */
export function csrfTokenOf(request: Request, context: RequestContext): string {
  const held = parseCookies(request.headers.get('cookie'))[CSRF_COOKIE];
  if (held && TOKEN.test(held)) return held;
  let token = given.get(context);
  if (!token) {
    token = randomBytes(32).toString('base64url');
    given.set(context, token);
    context.setCookie(
      writeCookie(CSRF_COOKIE, token, { maxAgeSeconds: LIFETIME_SECONDS, isSecure: context.isSecure, httpOnly: false }),
    );
  }
  return token;
}

/** Whether what was sent equals the cookie; both must be there. */
export function csrfTokenMatches(cookieHeader: string | null | undefined, sent: unknown): boolean {
  const held = parseCookies(cookieHeader)[CSRF_COOKIE];
  if (!held || !TOKEN.test(held) || typeof sent !== 'string') return false;
  const [a, b] = [Buffer.from(held), Buffer.from(sent)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/**
 * The form of a request, once its token was found to be the cookie's. Every action reads its form through this (or through `act`, which does).
 * @throws a 403 answer where it is not: the page was open for very long, or another site made the form
 */
export async function readForm(request: Request, context: RequestContext): Promise<FormData> {
  const form = await request.formData();
  const sent = form.get(CSRF_FIELD) ?? request.headers.get('x-csrf-token');
  if (!csrfTokenMatches(request.headers.get('cookie'), sent)) {
    throw answerError(
      context,
      'forbidden',
      'This form is too old to be sent. Go back, reload the page and send it again.',
    );
  }
  form.delete(CSRF_FIELD);
  return form;
}
