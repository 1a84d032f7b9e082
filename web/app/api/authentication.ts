import { loadActor } from '@tapeline/db/operations/identity/load-actor.ts';
import { familyLives } from '@tapeline/db/operations/identity/sessions.ts';
import type { UserActor } from '@tapeline/domain/people/actor.ts';
import { readAccessToken } from '../access-token.server.ts';
import type { RequestContext } from '../context.ts';
import { findSession } from '../session.server.ts';

const bearerOf = (request: Request): string | undefined =>
  /^Bearer (.+)$/i.exec(request.headers.get('authorization') ?? '')?.[1];

/** The sign-in that the call's access token names; null where it brings none that is good. */
export async function bearerFamily(request: Request, context: RequestContext, now: Date): Promise<string | null> {
  const bearer = bearerOf(request);
  const claims = bearer ? await readAccessToken(context.environment.appSecret, bearer, now) : null;
  return claims?.familyId ?? null;
}

/**
 * Who calls: by the access token of the Authorization header, or by the cookies of a signed-in browser.
 * `X-Manager-Id` and `X-LP-Id` choose the tenant; one that is not the caller's makes nobody of them.
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
  if (!claims || !(await familyLives(context.store, claims.familyId, now))) return null;
  return loadActor(context.store, claims.userId, choice);
}
