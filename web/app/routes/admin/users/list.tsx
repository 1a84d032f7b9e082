import { useLoaderData } from '@remix-run/react';
import { columnsOf } from '@tapeline/domain/collections/collections.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import { formatCount } from '../../../components/figures/format.ts';
import { FilteredGrid } from '../../../components/filters/filtered-grid.tsx';
import { readFilteredList } from '../../../components/filters/filtered-list.ts';
import type { RowChoice } from '../../../components/grid/chosen-rows.tsx';
import { Notice } from '../../../components/page/notice.tsx';
import { readScreen } from '../../../http/screen.server.ts';
import { paths } from '../../../paths.ts';
import { MAX_CHOSEN_USERS } from './max-chosen-users.ts';
import { USER_LIST } from './user-list.server.ts';

const COLUMNS = columnsOf('users');

export const handle = { title: 'Users' };

export const loader = readScreen('users/read', async (screen) => ({
  page: await readFilteredList(screen, USER_LIST),
  removed: screen.url.searchParams.get('removed'),
  mayWrite: can(screen.actor, 'users/write'),
}));

const EDIT_SEVERAL: RowChoice = {
  to: paths.editUsers(),
  name: 'users',
  most: MAX_CHOSEN_USERS,
  label: (chosen) => (chosen === 0 ? 'Edit several' : `Edit ${formatCount(chosen, 'user')}`),
  rowLabel: (row) => `Select ${row.name}`,
};

export default function Users() {
  const { page, removed, mayWrite } = useLoaderData<typeof loader>();
  return (
    <FilteredGrid
      page={page}
      id="users"
      title="Users"
      noun={['user', 'users']}
      primary={mayWrite ? { label: 'Invite a user', to: paths.newUser() } : null}
      notice={removed ? <Notice tone="good">{removed} was removed and signed out.</Notice> : null}
      search={{ label: 'Find a user', placeholder: 'Name, email or organization' }}
      columns={COLUMNS}
      rowTo={paths.user}
      choice={mayWrite ? EDIT_SEVERAL : undefined}
      empty="Remove a filter, or search for something else."
    />
  );
}
