import { isRefusal, Refusal } from '@tapeline/domain/errors/refusal.ts';
import { bearerClaims, hasBearer } from './authentication.server.ts';
import type { RequestContext } from './context.ts';
import {
  giveCsrfToken,
  givenCsrfToken,
  heldCsrfToken,
  isBoundToSession,
  isSameToken,
  isTokenOfSession,
} from './csrf-token.server.ts';
import { refusalAnswer } from './errors.server.ts';
import { type FormFile, readFormBody } from './form-body.server.ts';
import { findSession } from './session.server.ts';

export const CSRF_FIELD = 'csrf';

/** Returns the sign-in that the call belongs to, from its access token or its cookies. */
async function familyOf(request: Request, context: RequestContext): Promise<string | null> {
  if (hasBearer(request)) return (await bearerClaims(request, context, new Date()))?.familyId ?? null;
  return (await findSession(request, context))?.familyId ?? null;
}

/** Returns the client's token. Replaces it if it is missing or does not belong to the client's sign-in. */
export async function csrfTokenOf(request: Request, context: RequestContext): Promise<string> {
  const given = givenCsrfToken(context);
  if (given) return given;
  const held = heldCsrfToken(request);
  const familyId = await familyOf(request, context);
  const isGood = held && (familyId ? isTokenOfSession(context, held, familyId) : !isBoundToSession(held));
  // Looking up the sign-in may have ended it, which also sets a token.
  return isGood ? held : (givenCsrfToken(context) ?? giveCsrfToken(context, familyId));
}

/**
 * Returns a function that checks whether a submitted token equals the cookie. The cookie must belong to this sign-in: a
 * page of another site or another sign-in may set a cookie, but it cannot compute the token. An access token in a
 * header authenticates the caller by itself, so the token from before signing in is accepted with it. A token of
 * another sign-in is never accepted.
 */
export async function csrfMatcher(request: Request, context: RequestContext): Promise<(sent: unknown) => boolean> {
  const held = heldCsrfToken(request);
  if (!held || !(await isUsable(held, request, context))) return () => false;
  return (sent) => typeof sent === 'string' && isSameToken(held, sent);
}

async function isUsable(held: string, request: Request, context: RequestContext): Promise<boolean> {
  if (hasBearer(request) && !isBoundToSession(held)) return true;
  const familyId = await familyOf(request, context);
  return familyId === null || isTokenOfSession(context, held, familyId);
}

const TOO_OLD = 'This form has expired. Go back, reload the page and submit it again.';

/** How much of a form is read before its token arrives. The token is the first field of every form. */
const BEFORE_TOKEN_BYTES = 64 * 1024;

/** Limits of a screen's form, if the usual megabyte of fields is too small. */
export interface FormLimits {
  /** Largest body as sent. Percent-encoding takes three bytes for one. */
  readonly maxBytes?: number;
  /**
   * Receives the form's files one after the other, and must read each to its end. If omitted, forms with files are
   * refused.
   */
  readonly onFile?: (file: FormFile) => Promise<void>;
}

const USUAL_FORM_BYTES = 1024 * 1024;
/** For forms that contain a document: a mapping of 300 rules, 25 rows of a wide sheet, 1,000 exceptions of a rule. */
export const LARGE_FORM_BYTES = 16 * 1024 * 1024;

/**
 * Reads the form of a request and checks that its token matches the cookie. Every action reads its form through this
 * function (or through `act`, which calls it). Names and texts are checked before they are parsed, and nothing beyond
 * the usual size is read before the token has been checked.
 * @throws a 403 answer if the token does not match: the page was open for very long, or another site made the form; a
 *   400 answer if the body is not a form, or not one of ours
 */
export async function readForm(request: Request, context: RequestContext, limits: FormLimits = {}): Promise<FormData> {
  const { maxBytes = USUAL_FORM_BYTES, onFile } = limits;
  const maxTextBytes = onFile ? USUAL_FORM_BYTES : maxBytes;
  const form = new FormData();
  const matches = await csrfMatcher(request, context);
  const header = request.headers.get('x-csrf-token');
  let isOurs = false;
  let bytes = 0;
  const confirm = (sent: string | null) => {
    isOurs = matches(sent);
    if (!isOurs) throw new Refusal('forbidden', TOO_OLD);
    if (limits.maxBytes) context.allowBody(limits.maxBytes);
  };
  try {
    if (header !== null) confirm(header);
    await readFormBody(
      request,
      {
        field(name, value) {
          if (name === CSRF_FIELD) return confirm(value);
          bytes += name.length + value.length;
          if (!isOurs && bytes > BEFORE_TOKEN_BYTES) throw new Refusal('forbidden', TOO_OLD);
          form.append(name, value);
        },
        ...(onFile
          ? {
              file(file) {
                // Do not accept a file before the token has been checked.
                if (!isOurs) throw new Refusal('forbidden', TOO_OLD);
                return onFile(file);
              },
            }
          : {}),
      },
      maxTextBytes,
    );
    if (!isOurs) throw new Refusal('forbidden', TOO_OLD);
  } catch (error) {
    if (isRefusal(error)) throw refusalAnswer(context, error);
    throw error;
  }
  return form;
}
