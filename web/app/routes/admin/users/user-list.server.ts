import { redirect } from '@remix-run/node';
import { listRoles } from '@tapeline/db/operations/roles/roles.ts';
import { listUsers, USERS } from '@tapeline/db/operations/users/users.ts';
import type { Session } from '@tapeline/db/store.ts';
import { columnsOf } from '@tapeline/domain/collections/collections.ts';
import type { Field } from '@tapeline/domain/filters/catalog.ts';
import { USER_TYPES } from '@tapeline/domain/people/actor.ts';
import { USER_STATUSES } from '@tapeline/domain/people/states.ts';
import { joinDraft, viewFilter } from '../../../components/filters/filter-view.ts';
import { FIRST_ROWS, readSort } from '../../../components/grid/grid-columns.ts';
import { skipOf } from '../../../components/page/skip.ts';
import type { Screen } from '../../../http/screen.server.ts';

const COLUMNS = columnsOf('users');

const FILTERED = ['name', 'email', 'organization', 'roleTitle', 'type', 'status', 'lastVisited'];

/** The fields that the filter bar offers, with their values. */
async function filterFields(session: Session): Promise<Field[]> {
  const roles = await listRoles(session, { sort: { level: 1 }, limit: 200 });
  const values: Record<string, readonly string[]> = {
    type: USER_TYPES,
    status: USER_STATUSES,
    roleTitle: [...new Set(roles.documents.map(({ title }) => title))],
  };
  return FILTERED.flatMap((path) => {
    const found = USERS.catalog.resolve(path);
    if (!('field' in found)) return [];
    const offered = values[path];
    return [offered ? { ...found.field, values: offered } : found.field];
  });
}

/** What was searched for: part of a name, an email or an organization. */
const searchCondition = (search: string) => ({
  $or: ['name', 'email', 'organization'].map((path) => ({ [path]: { like: search } })),
});

/**
 * A page of the users, as the address filters, searches and sorts them.
 * @param options.ids only these users
 */
export async function readUserPage(
  { url, db }: Screen,
  { limit = FIRST_ROWS, ids = [] }: { limit?: number; ids?: readonly string[] } = {},
) {
  const joined = joinDraft(url.searchParams, USERS.catalog);
  if (joined && 'goTo' in joined) throw redirect(`${url.pathname}?${joined.goTo}`);
  const view = viewFilter(url.searchParams.get('filter'), USERS.catalog);
  const search = (url.searchParams.get('find') ?? '').trim().slice(0, 200);
  const filter: Record<string, unknown> = {
    $and: [
      ...(view.text ? [JSON.parse(view.text)] : []),
      ...(search ? [searchCondition(search)] : []),
      ...(ids.length > 0 ? [{ id: { in: ids } }] : []),
    ],
  };
  const isFiltered = (filter.$and as unknown[]).length > 0;
  return db(async (session) => {
    const sort = readSort(url.searchParams.get('sort'), COLUMNS);
    const found = await listUsers(session, {
      ...(isFiltered ? { filter } : {}),
      ...(Object.keys(sort).length > 0 ? { sort } : { sort: { name: 1 } }),
      skip: skipOf(url.searchParams),
      limit,
    });
    return {
      users: found.documents,
      total: found.total,
      search,
      filter: isFiltered ? JSON.stringify(filter) : null,
      chips: view.chips,
      problem: view.problem,
      draft: joined && 'draft' in joined ? joined.draft : null,
      fields: await filterFields(session),
    };
  });
}
