import { loadActor, type TenantChoice } from '@tapeline/db/operations/identity/load-actor.ts';
import type { UserActor } from '@tapeline/domain/people/actor.ts';
import type { RequestContext } from './context.ts';
import { writeCookie } from './cookies.server.ts';
import { cookieNames } from './session.server.ts';

const YEAR_SECONDS = 365 * 86_400;

/** Whether the user can choose: an admin, or an investor's user with several investors. */
export const canChoose = (actor: UserActor, choice: TenantChoice): boolean =>
  actor.type === 'admin' || actor.lpIds.length > 1 || (actor.lpIds.length === 1 && choice.lpId === actor.lpIds[0]);

/** The user without the choice: as an admin of all managers, or with all of their investors. */
export async function withoutChoice(context: RequestContext, actor: UserActor): Promise<UserActor> {
  return (await loadActor(context.store, actor.userId)) ?? actor;
}

/**
 * Keeps the choice in this browser; null removes it.
 * @throws Refusal if the user cannot act for it
 */
export async function choose(context: RequestContext, actor: UserActor, id: string | null): Promise<void> {
  const names = cookieNames(context.environment);
  const isAdmin = actor.type === 'admin';
  if (id !== null) await loadActor(context.store, actor.userId, isAdmin ? { managerId: id } : { lpId: id });
  const settings = { maxAgeSeconds: id === null ? 0 : YEAR_SECONDS, isSecure: context.isSecure };
  context.setCookie(writeCookie(isAdmin ? names.manager : names.investor, id ?? '', settings));
}
