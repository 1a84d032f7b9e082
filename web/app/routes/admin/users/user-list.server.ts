import { listRoles } from '@tapeline/db/operations/roles/roles.ts';
import { listUsers, USERS } from '@tapeline/db/operations/users/users.ts';
import { columnsOf } from '@tapeline/domain/collections/collections.ts';
import { USER_TYPES } from '@tapeline/domain/people/actor.ts';
import { USER_STATUSES } from '@tapeline/domain/people/states.ts';
import { type FilteredSource, fieldsWith } from '../../../components/filters/filtered-list.ts';
import { rowsFrom } from '../../../components/grid/grid-list.ts';
import { userRow } from './user-rows.ts';

/** The fields that the filter bar offers, in its order. */
const FILTERED = ['name', 'email', 'organization', 'roleTitle', 'type', 'status', 'lastVisited'];

export const USER_LIST: FilteredSource = {
  table: USERS,
  columns: columnsOf('users'),
  sort: { name: 1 },
  finds: ['name', 'email', 'organization'],
  async fields(session, all) {
    const roles = await listRoles(session, { sort: { level: 1 }, limit: 200 });
    const roleTitle = [...new Set(roles.documents.map(({ title }) => title))];
    return fieldsWith({ type: USER_TYPES, status: USER_STATUSES, roleTitle })(
      session,
      FILTERED.flatMap((path) => all.find((field) => field.path === path) ?? []),
    );
  },
  load: rowsFrom(listUsers, userRow),
};
