import type { Environment } from '@tapeline/db/environment.ts';
import { loadActor } from '@tapeline/db/operations/identity/load-actor.ts';
import { familyLives, rotateRefreshToken, type SignedIn, signOut } from '@tapeline/db/operations/identity/sessions.ts';
import type { CallOrigin } from '@tapeline/db/store.ts';
import { isRefusal } from '@tapeline/domain/errors/refusal.ts';
import type { UserActor } from '@tapeline/domain/people/actor.ts';
import { ACCESS_TOKEN_LIFETIME_SECONDS, issueAccessToken, readAccessToken } from './access-token.server.ts';
import type { RequestContext } from './context.ts';
import { parseCookies, writeCookie } from './cookies.server.ts';

/** Cookies ignore ports: two copies on one machine keep theirs apart by the instance's name. */
export const cookieNames = ({ instanceName }: Pick<Environment, 'instanceName'>) => ({
  access: `${instanceName}_access`,
  refresh: `${instanceName}_refresh`,
  /** The manager an admin has chosen to act for. */
  manager: `${instanceName}_manager`,
  theme: `${instanceName}_theme`,
  rail: `${instanceName}_rail`,
});

/** Who is signed in here, and by which sign-in. */
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
}

/** Remembers a sign-in that was just made. */
export async function startSession(context: RequestContext, signedIn: SignedIn): Promise<void> {
  await giveCookies(context, signedIn, new Date());
}

/** Ends the sign-in of this browser, here and in the store. */
export async function endThisSession(request: Request, context: RequestContext): Promise<void> {
  const held = parseCookies(request.headers.get('cookie'))[cookieNames(context.environment).refresh];
  if (held) await signOut(context.store, { refreshToken: held, now: new Date() });
  takeCookies(context);
}

/** By the access cookie while it lasts and its sign-in stands, else by exchanging the refresh cookie for its successor. */
async function findClaims(request: Request, context: RequestContext, now: Date) {
  const cookies = parseCookies(request.headers.get('cookie'));
  const names = cookieNames(context.environment);
  const access = cookies[names.access];
  const claims = access ? await readAccessToken(context.environment.appSecret, access, now) : null;
  if (claims && (await familyLives(context.store, claims.familyId, now))) return claims;
  const refreshToken = cookies[names.refresh];
  if (!refreshToken) return null;
  try {
    const signedIn = await rotateRefreshToken(context.store, { refreshToken, now, ...originOf(request, context) });
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
  const managerId = parseCookies(request.headers.get('cookie'))[cookieNames(context.environment).manager] ?? null;
  const actor =
    (await loadActor(context.store, claims.userId, { managerId })) ??
    // The chosen manager is gone, or was chosen by another account of this browser: fall back to one's own sight.
    (managerId ? await loadActor(context.store, claims.userId) : null);
  return actor ? { actor, familyId: claims.familyId } : null;
}

const found = new WeakMap<RequestContext, Promise<SignedInUser | null>>();

/** Who is signed in, or null. Asked once a request, however many loaders want to know. */
export function findSession(request: Request, context: RequestContext): Promise<SignedInUser | null> {
  let session = found.get(context);
  if (!session) {
    session = findSignedIn(request, context);
    found.set(context, session);
  }
  return session;
}
