import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { Link, useLoaderData } from '@remix-run/react';
import { columnsOf } from '@tapeline/domain/collections/collections.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import { formatCount } from '../../../components/figures/format.ts';
import { FilterBar } from '../../../components/filters/filter-bar.tsx';
import { LinkButton } from '../../../components/forms/button.tsx';
import { AssetGrid, type RowChoice } from '../../../components/grid/asset-grid.tsx';
import { Notice } from '../../../components/page/notice.tsx';
import { PageHeader } from '../../../components/page/page-header.tsx';
import { readScreen } from '../../../http/screen.server.ts';
import { paths } from '../../paths.ts';
import { MOST_CHOSEN_USERS } from './several-form.ts';
import { readUserPage } from './user-list.server.ts';
import { userRow } from './user-rows.ts';
import { UserSearch } from './user-search.tsx';

const COLUMNS = columnsOf('users');

export const meta: MetaFunction = () => [{ title: 'Users · Tapeline' }];

export const loader = (args: LoaderFunctionArgs) =>
  readScreen(args, 'users/read', async (screen) => {
    const { users, ...page } = await readUserPage(screen);
    return {
      ...page,
      rows: users.map(userRow),
      search: page.search,
      removed: screen.url.searchParams.get('removed'),
      mayWrite: can(screen.actor, 'users/write'),
    };
  });

const EDIT_SEVERAL: RowChoice = {
  to: paths.editUsers(),
  name: 'users',
  most: MOST_CHOSEN_USERS,
  label: (chosen) => (chosen === 0 ? 'Edit several' : `Edit ${formatCount(chosen, 'user')}`),
  rowLabel: (row) => `Select ${row.name}`,
};

export default function Users() {
  const { rows, total, filter, chips, fields, draft, problem, search, removed, mayWrite } =
    useLoaderData<typeof loader>();
  return (
    <>
      <PageHeader
        title="Users"
        facts={[formatCount(total, 'user')]}
        actions={
          mayWrite ? (
            <LinkButton to={paths.newUser()} tone="primary">
              Invite a user
            </LinkButton>
          ) : null
        }
      />
      {removed ? <Notice tone="good">{removed} was removed and signed out.</Notice> : null}
      {problem ? (
        <Notice tone="danger" action={<Link to={paths.users()}>Show all users</Link>}>
          This filter is not valid: it {problem}. All users are shown.
        </Notice>
      ) : null}
      <AssetGrid
        id="users"
        noun="users"
        empty="Remove a filter, or search for something else."
        source={{ list: paths.userRows(), scope: {}, format: 'json' }}
        columns={COLUMNS}
        rows={rows}
        total={total}
        filter={filter}
        tools={
          <>
            <UserSearch search={search} />
            <FilterBar chips={chips} fields={fields} draft={draft} />
          </>
        }
        rowTo={(row) => paths.user(String(row.id))}
        choice={mayWrite ? EDIT_SEVERAL : undefined}
      />
    </>
  );
}

export { ErrorScreen as ErrorBoundary } from '../../../components/page/error-screen.tsx';
