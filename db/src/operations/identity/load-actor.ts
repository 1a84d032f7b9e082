import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { documentAccess } from '@tapeline/domain/people/access.ts';
import type { PermissionKey, UserActor, UserType } from '@tapeline/domain/people/actor.ts';
import { ROLE_LEVELS } from '@tapeline/domain/people/role.schema.ts';
import type { ReadSession } from '../../read-session.ts';
import { type Store, SYSTEM } from '../../store.ts';
import { keepFromIdleness } from './sessions.ts';

interface ActorRow {
  id: string;
  email: string;
  firstName: string;
  lastName: string;
  type: UserType;
  isReadPrivacyAndTerms: boolean;
  isConfirmedUserDetails: boolean;
  exclusiveResources: string[];
  inclusiveResources: string[];
  ownManagerId: string | null;
  chosenManagerId: string | null;
  managerId: string | null;
  managerName: string | null;
  ownCompanyId: string | null;
  companyId: string | null;
  companyName: string | null;
  roleTitle: string | null;
  level: number | null;
  permissions: PermissionKey[] | null;
  /** For an LP, that LP and the user's others; for an LP group, its members only. */
  lps: { id: string; title: string; groupTitle: string | null }[] | null;
}

/** Everything that decides what a user can see and do, in one statement because every call runs it. */
const actorsWith = (chosenManager: '$2' | 'null') => `
  select u.id, u.email, u.first_name as "firstName", u.last_name as "lastName", u.type,
    u.is_read_privacy_and_terms as "isReadPrivacyAndTerms", u.is_confirmed_user_details as "isConfirmedUserDetails",
    u.exclusive_resources as "exclusiveResources", u.inclusive_resources as "inclusiveResources",
    u.manager_id as "ownManagerId", chosen.id as "chosenManagerId", m.id as "managerId", m.name as "managerName",
    u.company_id as "ownCompanyId", c.id as "companyId", c.name as "companyName",
    r.title as "roleTitle", r.level,
    (select array_agg(one.key order by one.id)
      from rights_of(u.type, u.role_id, u.exclusive_resources, u.inclusive_resources) as one where one.held) as permissions,
    case when u.type in ('LP', 'LPGroup') then
      (select json_agg(json_build_object('id', lp.id, 'title', lp.title,
          'groupTitle', (select g.title from lp_groups g where g.id = lp.group_id))
          order by lp.id = u.assoc #>> '{LP,id}' desc nulls last, lp.id)
        from lps lp where lp.manager_id = u.manager_id and lp.status <> 'Removed'
          and case u.type when 'LP' then lp.id = u.assoc #>> '{LP,id}' or lp.id = any (u.lps)
            else lp.group_id = u.assoc #>> '{LPGroup,id}' end)
    end as lps
  from users u
  -- Only an admin may choose; for everyone else the tenant is that of the association.
  cross join lateral (select case when u.type = 'admin' then ${chosenManager} else u.manager_id end as id) chosen
  -- Admins also reach a disabled manager, to look into its documents and to enable it again.
  left join managers m on m.id = chosen.id and (m.status = 'Active' or u.type = 'admin' and m.status <> 'Removed')
  left join companies c on c.id = u.company_id and c.status <> 'Removed'
  left join roles r on r.id = u.role_id and r.status = 'Active'`;

const ACTOR_OF_ANY_STATUS = `${actorsWith('$2')}
  where u.id = $1`;

const ACTOR = `${ACTOR_OF_ANY_STATUS} and u.status = 'Active'`;

/** The same for a user whose sign-in has not ended, with when it ends. */
const ACTOR_OF_SIGN_IN = `select actor.*, open.expires_at as "signInEndsAt" from (${ACTOR}) as actor cross join lateral (
    select max(f.expires_at) as expires_at from refresh_tokens f
    where f.family_id = $3 and f.user_id = actor.id and f.expires_at > $4 having count(*) > 0) as open`;

function actorOf(row: ActorRow, choice: TenantChoice): UserActor | null {
  const isAdmin = row.type === 'admin';
  const named = namedManager(choice);
  if (!isAdmin && named && named !== row.ownManagerId)
    throw new Refusal('forbidden', "X-Manager-Id: you don't have permission to act for this manager");
  if (row.chosenManagerId !== null && row.managerId === null) {
    if (!isAdmin) return null;
    const flags = { 'X-Manager-Id': 'is not the id of a manager' };
    throw new Refusal('badRequest', 'X-Manager-Id is not the id of a manager', { flags });
  }
  if (row.ownCompanyId !== null && row.companyId === null) return null;
  const lps = row.lps ?? [];
  const { blocked, allowed } = documentAccess(row);
  const actor: UserActor = {
    kind: 'user',
    userId: row.id,
    email: row.email,
    firstName: row.firstName,
    lastName: row.lastName,
    type: row.type,
    roleTitle: row.roleTitle,
    level: row.level ?? ROLE_LEVELS.lowest,
    managerId: row.managerId,
    companyId: row.companyId,
    lpIds: lps.map(({ id }) => id),
    assocTitle: titleOf(row, lps),
    permissions: row.permissions ?? [],
    blockedDocuments: blocked,
    allowedDocuments: allowed,
    onboarding: [
      ...(row.isReadPrivacyAndTerms ? [] : (['privacyAndTerms'] as const)),
      ...(row.isConfirmedUserDetails ? [] : (['userDetails'] as const)),
    ],
  };
  if (!choice.lpId || lps.length === 0) return actor;
  if (!actor.lpIds.includes(choice.lpId))
    throw new Refusal('forbidden', "X-LP-Id: you don't have permission to act for this investor");
  return { ...actor, lpIds: [choice.lpId], assocTitle: lps.find(({ id }) => id === choice.lpId)?.title ?? null };
}

const namedManager = ({ managerId }: TenantChoice): string | null => managerId?.toLowerCase() || null;

function titleOf(row: ActorRow, lps: NonNullable<ActorRow['lps']>): string | null {
  if (row.type === 'company') return row.companyName;
  if (row.type === 'LP') return lps[0]?.title ?? null;
  if (row.type === 'LPGroup') return lps[0]?.groupTitle ?? null;
  return row.managerName;
}

/** Which of its user's associations a client selects. */
export interface TenantChoice {
  /** The tenant (`X-Manager-Id`); only an admin can choose freely. */
  readonly managerId?: string | null;
  /** The LP (`X-LP-Id`), to limit what a user of several LPs sees to one of them. */
  readonly lpId?: string | null;
}

/**
 * Loads the current actor of a user, with the effective permissions. Null if the user, their tenant or their company is
 * not active.
 * @throws Refusal badRequest if an admin selects a manager that does not exist; forbidden for a selection that does not
 *   belong to the user
 */
export function loadActor(store: Store, userId: string, choice: TenantChoice = {}): Promise<UserActor | null> {
  return readActor(store, ACTOR, [userId, namedManager(choice)], choice);
}

/** The same for a user who may be Pending or Disabled, to explain what they could see and do. */
export const loadActorOfAnyStatus = (store: Store, userId: string): Promise<UserActor | null> =>
  readActor(store, ACTOR_OF_ANY_STATUS, [userId, null], {});

/**
 * The same for the holder of an access token: also null if the sign-in that the token belongs to has ended. Asking counts
 * as a use of it.
 */
export async function loadSignedInActor(
  store: Store,
  { userId, familyId }: { userId: string; familyId: string },
  now: Date,
  choice: TenantChoice = {},
): Promise<UserActor | null> {
  const [row] = await store.read(SYSTEM, (session) =>
    session.query<ActorRow & { signInEndsAt: string }>(
      ACTOR_OF_SIGN_IN,
      [userId, namedManager(choice), familyId, now],
      { kept: true },
    ),
  );
  if (!row) return null;
  await keepFromIdleness(store, { familyId, expiresAt: new Date(row.signInEndsAt) }, now);
  return actorOf(row, choice);
}

/** Conditions about one or two recipients have few texts, and nearly all messages have no more. */
const MAX_KEPT_VALUES = 3;

/**
 * The current actors of all users that a condition selects, in one query: active ones, and those who are invited and have
 * not signed in yet. Users of a tenant or company that is not active are left out. Called as the program.
 * @param condition SQL about the user `u`, with bound values from $1
 */
export async function reachableActors(
  session: Pick<ReadSession, 'query'>,
  condition: string,
  values: readonly unknown[],
): Promise<UserActor[]> {
  const rows = await session.query<ActorRow>(
    `${actorsWith('null')} where u.status in ('Active', 'Pending') and (${condition}) order by u.id`,
    values,
    { kept: values.length <= MAX_KEPT_VALUES },
  );
  return rows.flatMap((row) => actorOf(row, {}) ?? []);
}

async function readActor(
  store: Store,
  sql: string,
  values: readonly unknown[],
  choice: TenantChoice,
): Promise<UserActor | null> {
  const [row] = await store.read(SYSTEM, (session) => session.query<ActorRow>(sql, values, { kept: true }));
  return row ? actorOf(row, choice) : null;
}
