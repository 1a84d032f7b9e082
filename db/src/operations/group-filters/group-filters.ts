import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import {
  type GroupFilterCreate,
  type GroupFilterUpdate,
  MAX_FILTERS,
} from '@tapeline/domain/group-filters/group-filter.schema.ts';
import { can, type PermissionKey } from '@tapeline/domain/people/actor.ts';
import { staleRefusal } from '../../database-refusals.ts';
import { GroupFilter } from '../../entities/chats.ts';
import { newId } from '../../ids.ts';
import type { ReadSession } from '../../read-session.ts';
import type { Session } from '../../store.ts';
import { userOf } from '../chats/chats.ts';
import { defineListable } from '../listing/define-lists.ts';
import { getDocument, listDocuments, type Page } from '../listing/list-documents.ts';
import { changedMetadata, createdMetadata } from '../metadata.ts';

export const GROUP_FILTERS = defineListable(GroupFilter, 'group_filters', [
  ['title', 'Title', 'text', 't.title'],
  ['filters.funds', 'Number of funds', 'number', 'cardinality(t.fund_ids)'],
  ['filters.investors', 'Number of investors', 'number', 'cardinality(t.investor_ids)'],
]);

/** A page of the user's own saved filters. */
export const listGroupFilters = (session: ReadSession, query: unknown = {}): Promise<Page<GroupFilter>> =>
  listDocuments(session, GROUP_FILTERS, query);

/** @throws Refusal notFound, also for the filter of another user */
export const getGroupFilter = (session: Session, id: string): Promise<GroupFilter> =>
  getDocument(session, GROUP_FILTERS, id);

/** The ids without repeats. @throws Refusal badRequest (flags) for one that the actor cannot read */
async function visibleIds(
  session: Session,
  { filters }: GroupFilterCreate,
): Promise<Pick<GroupFilter, 'fundIds' | 'investorIds'>> {
  const fundIds = [...new Set(filters.funds)];
  const investorIds = [...new Set(filters.investors)];
  const readable = (read: PermissionKey, ids: string[]): string[] => (can(session.actor, read) ? ids : []);
  const [funds = [], investors = []] = await session.queries([
    {
      sql: `select id from funds t where id = any ($1) and status <> 'Removed'`,
      values: [readable('funds/read', fundIds)],
    },
    {
      sql: `select id from lps t where id = any ($1) and status <> 'Removed'
        union select id from funds t where id = any ($2) and status <> 'Removed'`,
      values: [readable('LPs/read', investorIds), readable('funds/read', investorIds)],
    },
  ]);
  const flags: Record<string, string> = {};
  const check = (name: string, ids: readonly string[], rows: readonly { id?: unknown }[], what: string) => {
    const seen = new Set(rows.map(({ id }) => id));
    for (const [index, id] of ids.entries())
      if (!seen.has(id)) flags[`filters.${name}.${index}`] = `is not the id of ${what}`;
  };
  check('funds', fundIds, funds, 'a fund');
  check('investors', investorIds, investors, 'an investor');
  if (Object.keys(flags).length > 0) {
    throw new Refusal('badRequest', 'A fund or an investor of the filter does not exist', { flags });
  }
  return { fundIds, investorIds };
}

/**
 * Saves a selection of funds and investors.
 * @throws Refusal badRequest for an id that the user cannot see, or too many filters
 */
export async function createGroupFilter(session: Session, body: GroupFilterCreate): Promise<GroupFilter> {
  const [own] = await session.query<{ count: number }>('select count(*)::int as count from group_filters t');
  if (own && own.count >= MAX_FILTERS) {
    throw new Refusal('badRequest', `A user has at most ${MAX_FILTERS} saved filters. Delete one first.`);
  }
  const filter = session.em.create(GroupFilter, {
    id: newId(session.now),
    ...userOf(session),
    title: body.title,
    ...(await visibleIds(session, body)),
    metadata: createdMetadata(session),
  });
  await session.em.flush();
  return filter;
}

/** @throws Refusal notFound; as `createGroupFilter` does; badRequest if the version is stale */
export async function updateGroupFilter(
  session: Session,
  { id, body }: { id: string; body: GroupFilterUpdate },
): Promise<GroupFilter> {
  const filter = await getGroupFilter(session, id);
  if (filter.version !== body.version) throw staleRefusal(filter, body.version);
  Object.assign(filter, { title: body.title, ...(await visibleIds(session, body)) });
  filter.metadata = changedMetadata(session, filter.metadata);
  await session.em.flush();
  return filter;
}

/** Deletes a saved filter for good. @throws Refusal notFound */
export async function removeGroupFilter(session: Session, id: string): Promise<void> {
  await session.em.remove(await getGroupFilter(session, id)).flush();
}
