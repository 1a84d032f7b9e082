import { loadActor, loadSignedInActor } from '@tapeline/db/operations/identity/load-actor.ts';
import type { UserActor } from '@tapeline/domain/people/actor.ts';
import { type AccessClaims, readAccessToken } from './access-token.server.ts';
import type { RequestContext } from './context.ts';
import { findSession } from './session.server.ts';

const bearerOf = (request: Request): string | undefined =>
  /^Bearer (.+)$/i.exec(request.headers.get('authorization') ?? '')?.[1];

/** Whether the call carries an access token, valid or not. */
export const hasBearer = (request: Request): boolean => bearerOf(request) !== undefined;

/** Returns the claims of the call's access token. Null if there is no token, or if it is not ours or has expired. */
export async function bearerClaims(request: Request, context: RequestContext, now: Date): Promise<AccessClaims | null> {
  const bearer = bearerOf(request);
  return bearer ? readAccessToken(context.environment.appSecret, bearer, now) : null;
}

/**
 * Identifies the caller by the access token of the Authorization header, or by the cookies of a signed-in browser.
 * `X-Manager-Id` and `X-LP-Id` choose whom the caller acts for.
 * @throws Refusal if the caller is not allowed to act for them
 */
export async function authenticate(request: Request, context: RequestContext): Promise<UserActor | null> {
  const choice = { managerId: request.headers.get('x-manager-id'), lpId: request.headers.get('x-lp-id') };
  const bearer = bearerOf(request);
  if (!bearer) {
    const session = await findSession(request, context);
    if (!session || (!choice.managerId && !choice.lpId)) return session?.actor ?? null;
    return loadActor(context.store, session.actor.userId, choice);
  }
  const now = new Date();
  const claims = await readAccessToken(context.environment.appSecret, bearer, now);
  const actor = claims && (await loadSignedInActor(context.store, claims, now, choice));
  if (actor) context.facts.userId = actor.userId;
  return actor;
}
