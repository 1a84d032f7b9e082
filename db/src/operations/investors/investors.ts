import { type OnRefusal, Refusal, refuseItem } from '@tapeline/domain/errors/refusal.ts';
import type { LPCreate, LPUpdate } from '@tapeline/domain/investors/lp.schema.ts';
import { LP_TRANSITIONS, type LPStatus } from '@tapeline/domain/investors/states.ts';
import { isOutsider } from '@tapeline/domain/people/actor.ts';
import { staleRefusal } from '../../database-refusals.ts';
import { LP } from '../../entities/people.ts';
import { LegalEntity } from '../../entities/register.ts';
import { newId } from '../../ids.ts';
import type { Row } from '../../read-batch.ts';
import type { ReadSession } from '../../read-session.ts';
import type { Session } from '../../store.ts';
import { tellOfOtherEntity } from '../entities/bank-mails.ts';
import {
  entitiesById,
  entitiesNamedBy,
  PARTY_LIST,
  PARTY_SQL,
  resolveEntities,
  selectEntities,
} from '../entities/entities.ts';
import { type WithEntity, withEntity } from '../entities/parties.ts';
import { externalCodesOf } from '../external-codes.ts';
import { type ChoiceQuery, type Choices, findChoices } from '../listing/choices.ts';
import { listOf } from '../listing/define-lists.ts';
import { getDocument } from '../listing/list-documents.ts';
import { viewsOf } from '../listing/views.ts';
import { changedMetadata, createdFrom, storeChange } from '../metadata.ts';
import { requirePermission, tenantOf } from '../permission.ts';
import { warnOfEqualNames } from '../warnings.ts';
import { resolveGroup } from './groups.ts';
import { ownTaxForms, recordOf, type StoredRecord } from './investor-record.ts';

export const LPS = listOf(
  'LPs',
  {
    ...PARTY_SQL,
    'group.id': 't.group_id',
    'group.title': '(select g.title from lp_groups g where g.id = t.group_id)',
  },
  PARTY_LIST,
);

/** The visible users who act for an investor, by its own association or its group's, and those who have signed in. */
export interface LastVisitedStats {
  loggedInCount: number;
  totalUsers: number;
}

/** An investor with its entity and group embedded. Only the manager's people see why it was refused. */
export type LPView = WithEntity<LP> & {
  group: { id: string; title: string } | null;
  lastVisitedStats: LastVisitedStats;
};

/** Of the investors of a page. A user who acts for an investor in two ways counts once. */
const STATS = `
  select id, count(*)::int as "totalUsers", count(last_visited)::int as "loggedInCount" from (
    select i.id, u.id as user_id, u.last_visited from page i
      join users u on u.lp_id = i.id and u.status <> 'Removed'
    union
    select i.id, u.id, u.last_visited from users u
      cross join lateral unnest(u.lps) as named (id) join page i on i.id = named.id
      where u.lps && array(select id::text from page) and u.status <> 'Removed'
    union
    select i.id, u.id, u.last_visited from page i
      join users u on u.lp_group_id = i.group_id and u.status <> 'Removed'
  ) as acting group by id`;

const GROUPS = `
  select id, title from lp_groups where id = any (array(select group_id from page where group_id is not null))`;

function shown(
  investors: readonly LP[],
  [entityRows = [], groups = [], stats = []]: readonly Row[][],
  session: ReadSession,
): LPView[] {
  const entities = entitiesById(session, entityRows);
  const titles = new Map(groups.map(({ id, title }) => [id, String(title)]));
  const statsById = new Map(stats.map((row) => [row.id, row]));
  return investors.map((investor) => {
    const { loggedInCount = 0, totalUsers = 0 } = statsById.get(investor.id) ?? {};
    const { groupId } = investor;
    return {
      ...withEntity(investor, entities),
      kycReason: session.actor.kind === 'user' && isOutsider(session.actor.type) ? null : (investor.kycReason ?? null),
      group: groupId ? { id: groupId, title: titles.get(groupId) ?? groupId } : null,
      lastVisitedStats: { loggedInCount: Number(loggedInCount), totalUsers: Number(totalUsers) },
    };
  });
}

const { list, one: viewOf } = viewsOf(
  LPS,
  (session) => [selectEntities(session, 'array(select entity_id from page)'), GROUPS, STATS],
  shown,
);
export const listLPs = list;

/** @throws Refusal notFound */
export const getLP = async (session: Session, id: string): Promise<LPView> =>
  viewOf(session, await getDocument(session, LPS, id));

/**
 * Creates an investor of the actor's manager, and its group if the body names a new one.
 * @param body as `lpCreateSchema` returns it
 * @throws Refusal forbidden without `LPs/write`; as `resolveEntities` and `resolveGroup` do; badRequest without a manager
 */
export async function createLP(session: Session, body: LPCreate): Promise<LPView> {
  const [investor] = await addLPs(session, [body], (refusal) => {
    throw refusal;
  });
  return viewOf(session, investor!);
}

/**
 * Creates investors of one manager, as `createLP` does. With `onRefusal`, investors that are refused are left out.
 * @param bodies `code` if the investor has a number already
 * @returns an investor for each body; null for one that was left out
 */
export async function addLPs(
  session: Session,
  bodies: readonly (LPCreate & { code?: number })[],
  onRefusal?: OnRefusal,
): Promise<(LP | null)[]> {
  requirePermission(session, 'LPs/write');
  const managerId = await tenantOf(session, bodies[0]?.manager);
  const known = await entitiesNamedBy(
    session,
    managerId,
    bodies.map(({ entity }) => entity),
  );
  const requireFree = await externalCodesOf(session, 'lps', {
    managerId,
    codes: bodies.map(({ externalCode }) => externalCode),
  });
  const resolved: ({ entityId: string | undefined; groupId: string | null; record: StoredRecord } | null)[] = [];
  for (const [index, body] of bodies.entries()) {
    const { entity, group, externalCode } = body;
    try {
      requireFree(externalCode);
      const banks = entity.kind === 'new' ? entity.entity.banks : known.get(entity.id)?.banks;
      const record = await recordOf(session, body, banks ?? []);
      const options = { known, flush: false };
      const [entityId] = await resolveEntities(session, managerId, [entity], () => 'entity', options);
      resolved.push({ entityId, groupId: group ? await resolveGroup(session, managerId, group) : null, record });
    } catch (error) {
      resolved.push(refuseItem(error, index, onRefusal));
    }
  }
  // An entity that is added after its investor would rename it, which takes minutes for thousands of them.
  await session.em.flush();
  const created = bodies.map((body, index) => {
    const { title, code, domains, externalCode } = body;
    const of = resolved[index];
    return of
      ? session.em.create(LP, {
          id: newId(session.now),
          managerId,
          ...(code === undefined ? {} : { code }),
          title,
          entityId: of.entityId!,
          domains,
          groupId: of.groupId,
          externalCode: externalCode || null,
          ...of.record,
          metadata: createdFrom(session, body),
        })
      : null;
  });
  await session.em.flush();
  await ownTaxForms(
    session,
    created.flatMap((investor) => investor ?? []),
  );
  await warnOfEqualNames(
    session,
    'LPs',
    created.flatMap((investor) => investor?.id ?? []),
  );
  return created;
}

/** Removes investors (soft delete) that nothing refers to. @throws Refusal badRequest if a document does */
export async function removeLPs(session: Session, ids: readonly string[]): Promise<void> {
  requirePermission(session, 'LPs/write');
  const [used] = await session.query<{ title: string }>(
    `select l.title from lps l where l.id = any ($1) and (
       exists (select from lp_commitments c where c.investor_lp_id = l.id and c.status <> 'Removed')
       or exists (select from capital_accounts a where a.investor_lp_id = l.id and a.status <> 'Removed')
       or exists (select from users u where u.lp_id = l.id and u.status <> 'Removed')
       or l.id::text in (select unnest(u.lps) from users u where u.status <> 'Removed'))
     order by l.code limit 1`,
    [[...ids]],
  );
  if (used) {
    throw new Refusal('badRequest', `${used.title} has commitments, statements or users. Remove them first`);
  }
  const investors = await session.em.find(LP, { id: { $in: [...ids] }, status: { $ne: 'Removed' } });
  for (const investor of investors) {
    LP_TRANSITIONS.require(investor.status as LPStatus, 'Removed');
    investor.status = 'Removed';
    investor.metadata = changedMetadata(session, investor.metadata);
  }
  await session.em.flush();
}

/** Changes an investor. @throws Refusal notFound; as `createLP` does; badRequest if the version is stale */
export async function updateLP(session: Session, command: { id: string; body: LPUpdate }): Promise<LPView> {
  requirePermission(session, 'LPs/write');
  const { id, body } = command;
  const investor = await getDocument(session, LPS, id);
  if (investor.version !== body.version) throw staleRefusal(investor, body.version);
  if (body.status !== undefined && body.status !== investor.status) {
    LP_TRANSITIONS.require(investor.status as LPStatus, body.status);
    investor.status = body.status;
  }
  const { managerId } = investor;
  const { externalCode = investor.externalCode } = body;
  (await externalCodesOf(session, 'lps', { managerId, codes: [externalCode], except: id }))(externalCode);
  const [entityId] = await resolveEntities(session, managerId, [body.entity], () => 'entity');
  const before = investor.entityId;
  const formerTitle = investor.title;
  const { banks } = await session.em.findOneOrFail(LegalEntity, { id: entityId! });
  session.em.assign(investor, await recordOf(session, body, banks, investor));
  await storeChange(session, investor, {
    title: body.title,
    entityId: entityId!,
    domains: body.domains,
    externalCode: externalCode || null,
    groupId: body.group ? await resolveGroup(session, investor.managerId, body.group) : null,
  });
  const { title: name, entityId: after, version } = investor;
  await ownTaxForms(session, [investor]);
  await warnOfEqualNames(session, 'LPs', [id], formerTitle);
  await tellOfOtherEntity(session, { resource: 'LPs', id, name, version, before, after });
  return viewOf(session, investor);
}

/** A page of a manager's investors for a picker, by title. */
export const lpChoices = (
  session: ReadSession,
  managerId: string,
  query: ChoiceQuery = {},
): Promise<Choices<{ id: string; name: string }>> =>
  findChoices(session, query, {
    read: 'LPs/read',
    columns: 't.id, t.title as name',
    offered: `lps t where t.status <> 'Removed' and t.manager_id = $1`,
    values: [managerId],
  });
