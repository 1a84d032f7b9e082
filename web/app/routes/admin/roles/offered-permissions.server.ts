import { activePermissions, mayGrant } from '@tapeline/db/operations/permissions/permissions.ts';
import type { Session } from '@tapeline/db/store.ts';
import { areasOf } from '../areas.ts';

/** Every permission by area, and whether the actor can give it. */
export const offeredPermissions = async (session: Session) =>
  areasOf((await activePermissions(session)).map(({ key }) => ({ key, grantable: mayGrant(session.actor, key) })));
