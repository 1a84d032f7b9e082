import { redirect } from '@remix-run/node';
import { Link, useActionData, useLoaderData } from '@remix-run/react';
import { updateUsers } from '@tapeline/db/operations/users/change-users.ts';
import { formatCount } from '../../../components/figures/format.ts';
import { FilterBar } from '../../../components/filters/filter-bar.tsx';
import { readFilteredList } from '../../../components/filters/filtered-list.ts';
import { ListSearch } from '../../../components/filters/list-search.tsx';
import { SelectField } from '../../../components/forms/fields.tsx';
import { FormActions, ScreenForm, useScreenForm } from '../../../components/forms/screen-form.tsx';
import type { GridRow } from '../../../components/grid/arrow-page.ts';
import { EmptyState } from '../../../components/page/empty-state.tsx';
import { Notice } from '../../../components/page/notice.tsx';
import { PageHeader } from '../../../components/page/page-header.tsx';
import { named } from '../../../components/page/page-name.ts';
import { Pagination } from '../../../components/page/pagination.tsx';
import { Panel } from '../../../components/page/section.tsx';
import { DataTable } from '../../../components/tables/data-table.tsx';
import { act, intent, readScreen } from '../../../http/screen.server.ts';
import { paths } from '../../../paths.ts';
import { namedUsers, severalUsersDescription, severalUsersSchema } from './several-form.ts';
import { roleChoices } from './user-choices.server.ts';
import { USER_LIST } from './user-list.server.ts';

export const handle = named('Edit several', 'Edit several users');

const PAGE_LENGTH = 100;
const LABELS = { users: 'Users', role: 'Role', status: 'Status' };

export const loader = readScreen('users/write', async (screen) => {
  const ids = namedUsers(screen.url.searchParams);
  const limit = Math.max(PAGE_LENGTH, ids.length);
  const page = await readFilteredList(screen, USER_LIST, {
    limit,
    fields: ['version'],
    conditions: ids.length > 0 ? [{ id: { in: ids } }] : [],
  });
  return {
    ...page,
    limit,
    areNamed: ids.length > 0,
    roles: await screen.db((session) => roleChoices(session)),
    done: Number(screen.url.searchParams.get('done') ?? 0),
  };
});

export const action = act({
  change: intent({
    permission: 'users/write',
    schema: severalUsersSchema,
    async run({ users, role, status }, { db, url }) {
      const items = users.map((user) => ({ ...user, ...(role ? { role } : {}), ...(status ? { status } : {}) }));
      await db((session) => updateUsers(session, items));
      return redirect(paths.editUsers({ filter: url.searchParams.get('filter') ?? undefined, done: items.length }));
    },
  }),
});

/** A user as its checkbox names it: the version tells whether it changed since it was shown. */
const choiceOf = (row: GridRow): string => `${row.id}/${row.version}`;

/** Users with a checkbox each, and what changes for all that are chosen. Works without JavaScript. */
export default function SeveralUsers() {
  const {
    rows,
    total,
    limit,
    areNamed,
    roles,
    chips,
    fields: filterFields,
    draft,
    find,
    done,
  } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const [form, fields] = useScreenForm('several', severalUsersDescription, {
    lastResult: answer?.lastResult,
    defaultValue: { users: areNamed ? rows.map(choiceOf) : [] },
    shouldValidate: 'onSubmit',
  });
  const chosen = [fields.users.initialValue].flat();
  return (
    <>
      <PageHeader title="Edit several users" facts={[formatCount(total, 'user')]} />
      {done > 0 ? <Notice tone="good">{formatCount(done, 'user')} changed.</Notice> : null}
      {areNamed ? (
        <p className="mb-3 text-sm">
          <Link to={paths.editUsers()} className="text-accent hover:underline">
            Choose from all users
          </Link>
        </p>
      ) : (
        <div className="mb-3 flex flex-wrap items-center gap-2">
          <ListSearch find={find} label="Find a user" placeholder="Name, email or organization" />
          <FilterBar chips={chips} fields={filterFields} draft={draft} />
        </div>
      )}
      <ScreenForm form={form} intent="change" labels={LABELS}>
        <Panel className="grid max-w-[46rem] gap-4 p-4 sm:grid-cols-2">
          <SelectField field={fields.role} label="Role" choices={roles} empty="Do not change" />
          <SelectField
            field={fields.status}
            label="Status"
            choices={[
              { value: 'Active', label: 'Active' },
              { value: 'Disabled', label: 'Disabled' },
            ]}
            empty="Do not change"
          />
        </Panel>
        <fieldset id={fields.users.id} className="min-w-0" aria-describedby={fields.users.errorId}>
          <legend className="sr-only">Users</legend>
          {fields.users.errors ? (
            <p id={fields.users.errorId} className="mb-2 text-xs text-danger">
              {fields.users.errors[0]}
            </p>
          ) : null}
          <Panel>
            <DataTable
              narrow="list"
              caption="Users to edit"
              rows={rows}
              rowKey={(row) => String(row.id)}
              empty={<EmptyState title="No users found">Search for something else.</EmptyState>}
              columns={[
                {
                  head: 'Name',
                  cell: (row) => (
                    <label className="flex items-center gap-2 max-sm:min-h-10">
                      <input
                        type="checkbox"
                        name={fields.users.name}
                        value={choiceOf(row)}
                        defaultChecked={chosen.includes(choiceOf(row))}
                        className="size-4 accent-accent"
                      />
                      {row.name}
                    </label>
                  ),
                },
                { head: 'Email', cell: (row) => row.email },
                { head: 'Organization', cell: (row) => row.organization },
                { head: 'Role', cell: (row) => row.roleTitle },
                { head: 'Status', status: (row) => String(row.status) },
              ]}
            />
            <Pagination total={total} limit={limit} noun="users" />
          </Panel>
        </fieldset>
        <FormActions submit="Change the chosen users" submitting="Changing" cancelTo={paths.users()} />
      </ScreenForm>
    </>
  );
}
