import type { CallOrigin } from '@tapeline/db/changed-by.ts';
import type { Environment } from '@tapeline/db/environment.ts';
import { loadActor, type TenantChoice } from '@tapeline/db/operations/identity/load-actor.ts';
import { familyLives, rotateRefreshToken, type SignedIn, signOut } from '@tapeline/db/operations/identity/sessions.ts';
import { OWNERSHIP_TOKEN_LIFETIME_MS } from '@tapeline/db/operations/identity/sign-in-codes.ts';
import { isRefusal } from '@tapeline/domain/errors/refusal.ts';
import type { UserActor } from '@tapeline/domain/people/actor.ts';
import { ACCESS_TOKEN_LIFETIME_SECONDS, issueAccessToken, readAccessToken } from './access-token.server.ts';
import type { RequestContext } from './context.ts';
import { parseCookies, writeCookie } from './cookies.server.ts';
import { giveCsrfToken } from './csrf-token.server.ts';
import { logSessionEvent } from './sign-in-log.server.ts';

/** Cookies ignore ports, so the instance's name keeps the cookies of two copies on one machine apart. */
export const cookieNames = ({ instanceName }: Pick<Environment, 'instanceName'>) => ({
  access: `${instanceName}_access`,
  refresh: `${instanceName}_refresh`,
  /** Binds sign-in codes to the browser or client that asked for them. */
  client: `${instanceName}_client`,
  /** The proof of an invited person's email, until they have signed up. */
  ownership: `${instanceName}_ownership`,
  /** What the redirect to the identity provider has to return with. */
  external: `${instanceName}_external`,
  /** The manager that an admin has chosen to act for. */
  manager: `${instanceName}_manager`,
  /** The investor that a user of several investors has chosen to act for. */
  investor: `${instanceName}_investor`,
  /** The saved filter that narrows dashboards and lists. */
  groupFilter: `${instanceName}_filter`,
  theme: `${instanceName}_theme`,
  rail: `${instanceName}_rail`,
  /** The managers whose first steps were put away. */
  firstSteps: `${instanceName}_first_steps`,
});

/** The user who is signed in, and their sign-in. */
export interface SignedInUser {
  readonly actor: UserActor;
  readonly familyId: string;
}

/** A request's caller, for the history and the list of sessions. */
export const originOf = (request: Request, context: RequestContext): CallOrigin => ({
  agent: request.headers.get('user-agent'),
  ip: context.clientAddress,
  locale: request.headers.get('accept-language')?.split(',')[0] ?? null,
});

async function giveCookies(context: RequestContext, signedIn: SignedIn, now: Date): Promise<void> {
  const names = cookieNames(context.environment);
  const { isSecure } = context;
  const token = await issueAccessToken(context.environment.appSecret, signedIn, now);
  context.setCookie(writeCookie(names.access, token, { maxAgeSeconds: ACCESS_TOKEN_LIFETIME_SECONDS, isSecure }));
  const maxAgeSeconds = Math.floor((signedIn.expiresAt.getTime() - now.getTime()) / 1000);
  context.setCookie(writeCookie(names.refresh, signedIn.refreshToken, { maxAgeSeconds, isSecure }));
}

function takeCookies(context: RequestContext): void {
  const { access, refresh } = cookieNames(context.environment);
  for (const name of [access, refresh]) {
    context.setCookie(writeCookie(name, '', { maxAgeSeconds: 0, isSecure: context.isSecure }));
  }
  giveCsrfToken(context, null);
}

/** Stores a new sign-in in this browser's cookies. */
export async function startSession(context: RequestContext, signedIn: SignedIn): Promise<void> {
  await giveCookies(context, signedIn, new Date());
  giveCsrfToken(context, signedIn.familyId);
}

/** Ends the sign-in of this browser, in the browser and in the store. */
export async function endThisSession(request: Request, context: RequestContext): Promise<void> {
  const held = parseCookies(request.headers.get('cookie'))[cookieNames(context.environment).refresh];
  if (held) await signOut(context.store, { refreshToken: held, now: new Date() });
  takeCookies(context);
}

/**
 * Exchanges a refresh token for its successor.
 * @throws Refusal unauthorized
 */
export function renewSession(request: Request, context: RequestContext, refreshToken: string): Promise<SignedIn> {
  return rotateRefreshToken(context.store, {
    refreshToken,
    now: new Date(),
    onReuse: (ended) => logSessionEvent(context, 'refresh token reused', ended),
    ...originOf(request, context),
  });
}

/**
 * Uses the access cookie while it is valid and its sign-in is active. Otherwise exchanges the refresh cookie for a new
 * one.
 */
async function findClaims(request: Request, context: RequestContext, now: Date) {
  const cookies = parseCookies(request.headers.get('cookie'));
  const names = cookieNames(context.environment);
  const access = cookies[names.access];
  const claims = access ? await readAccessToken(context.environment.appSecret, access, now) : null;
  if (claims && (await familyLives(context.store, claims, now))) return claims;
  const refreshToken = cookies[names.refresh];
  if (!refreshToken) return null;
  try {
    const signedIn = await renewSession(request, context, refreshToken);
    await giveCookies(context, signedIn, now);
    return { userId: signedIn.userId, familyId: signedIn.familyId };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    takeCookies(context);
    return null;
  }
}

async function findSignedIn(request: Request, context: RequestContext): Promise<SignedInUser | null> {
  const claims = await findClaims(request, context, new Date());
  if (!claims) return null;
  const choice = heldChoice(request, context);
  const actor = await loadActor(context.store, claims.userId, choice).catch((error) => {
    if (!isRefusal(error) || !(choice.managerId || choice.lpId)) throw error;
    // What was chosen was removed, or was chosen by another account in this browser.
    return loadActor(context.store, claims.userId);
  });
  if (!actor) return null;
  context.facts.userId = actor.userId;
  return { actor, familyId: claims.familyId };
}

/** Whom the user of this browser has chosen to act for: a manager, or one of several investors. */
export function heldChoice(request: Request, context: RequestContext): TenantChoice {
  const cookies = parseCookies(request.headers.get('cookie'));
  const names = cookieNames(context.environment);
  return { managerId: cookies[names.manager] ?? null, lpId: cookies[names.investor] ?? null };
}

const found = new WeakMap<RequestContext, Promise<SignedInUser | null>>();

/** Returns the signed-in user, or null. Looked up only once per request, even if several loaders call it. */
export function findSession(request: Request, context: RequestContext): Promise<SignedInUser | null> {
  let session = found.get(context);
  if (!session) {
    session = findSignedIn(request, context);
    found.set(context, session);
  }
  return session;
}

const OWNERSHIP_SECONDS = OWNERSHIP_TOKEN_LIFETIME_MS / 1000;

/** Keeps the proof of an invited person's email in this browser until they have signed up. Null removes it. */
export function keepOwnershipToken(context: RequestContext, token: string | null): void {
  const settings = { maxAgeSeconds: token === null ? 0 : OWNERSHIP_SECONDS, isSecure: context.isSecure };
  context.setCookie(writeCookie(cookieNames(context.environment).ownership, token ?? '', settings));
}

export const heldOwnershipToken = (request: Request, context: RequestContext): string | undefined =>
  parseCookies(request.headers.get('cookie'))[cookieNames(context.environment).ownership];
