import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import type { LPGroupReference, LPGroupUpdate } from '@tapeline/domain/investors/lp.schema.ts';
import { staleRefusal } from '../../database-refusals.ts';
import { LPGroup } from '../../entities/people.ts';
import { newId } from '../../ids.ts';
import type { ReadSession } from '../../read-session.ts';
import type { Session } from '../../store.ts';
import { LARGE, listOf } from '../listing/define-lists.ts';
import { getDocument, listDocuments, type Page } from '../listing/list-documents.ts';
import { createdMetadata, storeChange } from '../metadata.ts';
import { requirePermission } from '../permission.ts';

export const LP_GROUPS = listOf(
  'LPGroups',
  {
    investors: `(select count(*) from lps where lps.group_id = t.id and lps.status <> 'Removed')`,
  },
  { ...LARGE, neverNull: ['title', 'status'] },
);

/** A group and the number of its visible investors. */
export type LPGroupView = LPGroup & { investors: number };

async function withCounts(session: ReadSession, groups: readonly LPGroup[]): Promise<LPGroupView[]> {
  const rows = await session.query<{ id: string; investors: number }>(
    `select group_id as id, count(*)::int as investors from lps
     where group_id = any ($1) and status <> 'Removed' group by group_id`,
    [groups.map(({ id }) => id)],
  );
  const counts = new Map(rows.map(({ id, investors }) => [id, investors]));
  return groups.map((group) => ({ ...group, investors: counts.get(group.id) ?? 0 }));
}

export async function listLPGroups(session: ReadSession, query: unknown = {}): Promise<Page<LPGroupView>> {
  const { documents, total } = await listDocuments(session, LP_GROUPS, query);
  return { documents: await withCounts(session, documents), total };
}

/** @throws Refusal notFound */
export async function getLPGroup(session: Session, id: string): Promise<LPGroupView> {
  return (await withCounts(session, [await getDocument(session, LP_GROUPS, id)]))[0]!;
}

/**
 * The id of the group that an investor's body names. A group that is named by a new title is created.
 * @throws Refusal badRequest for a group that the manager does not have, or whose title differs from the stored one
 */
export async function resolveGroup(session: Session, managerId: string, group: LPGroupReference): Promise<string> {
  if ('id' in group) {
    const known = await session.em.findOne(LPGroup, { id: group.id, managerId, status: { $ne: 'Removed' } });
    if (!known) {
      throw new Refusal('badRequest', 'The group is not one of this manager', {
        flags: { 'group.id': 'is not a group of this manager' },
      });
    }
    if (group.title !== undefined && group.title !== known.title) {
      throw new Refusal('badRequest', 'Rename the group itself: the title applies to all of its investors', {
        flags: { 'group.title': 'differs from the stored title' },
      });
    }
    return known.id;
  }
  // Two investors that name the same new group at once join one group.
  await session.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`lp-groups/${managerId}`]);
  const [existing] = await session.query<{ id: string }>(
    `select id from lp_groups where manager_id = $1 and lower(title) = lower($2) and status <> 'Removed'`,
    [managerId, group.title],
  );
  if (existing) return existing.id;
  const created = session.em.create(LPGroup, {
    id: newId(session.now),
    managerId,
    title: group.title,
    metadata: createdMetadata(session),
  });
  await session.em.flush();
  return created.id;
}

/**
 * Renames a group.
 * @throws Refusal notFound; forbidden without `LPs/write`; badRequest if the version is stale, or if the title is
 *   another group's
 */
export async function updateLPGroup(
  session: Session,
  command: { id: string; body: LPGroupUpdate },
): Promise<LPGroupView> {
  requirePermission(session, 'LPs/write');
  const { id, body } = command;
  const group = await getDocument(session, LP_GROUPS, id);
  if (group.version !== body.version) throw staleRefusal(group, body.version);
  await session.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`lp-groups/${group.managerId}`]);
  const [other] = await session.query(
    `select from lp_groups where manager_id = $1 and lower(title) = lower($2) and status <> 'Removed' and id <> $3`,
    [group.managerId, body.title, id],
  );
  if (other) {
    throw new Refusal('badRequest', 'Another group has this title', {
      flags: { title: 'is the title of another group' },
    });
  }
  await storeChange(session, group, { title: body.title });
  return (await withCounts(session, [group]))[0]!;
}
