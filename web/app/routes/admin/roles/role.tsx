import { redirect } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { actsForAll } from '@tapeline/db/operations/permissions/permissions.ts';
import { getRole, levelOf, updateRole } from '@tapeline/db/operations/roles/roles.ts';
import { listUsers } from '@tapeline/db/operations/users/users.ts';
import { pick } from '@tapeline/domain/documents/pick.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import { documentHistory } from '../../../commands/history.server.ts';
import { formatCount } from '../../../components/figures/format.ts';
import { LinkButton } from '../../../components/forms/button.tsx';
import { HiddenField } from '../../../components/forms/hidden-field.tsx';
import { FormActions, ScreenForm, useScreenForm } from '../../../components/forms/screen-form.tsx';
import { HistorySection } from '../../../components/history/action-list.tsx';
import { Chip } from '../../../components/page/chip.tsx';
import { EmptyState } from '../../../components/page/empty-state.tsx';
import { Notice } from '../../../components/page/notice.tsx';
import { PageHeader } from '../../../components/page/page-header.tsx';
import { named } from '../../../components/page/page-name.ts';
import { MoreLink, PanelSection } from '../../../components/page/section.tsx';
import { TableSection } from '../../../components/tables/data-table.tsx';
import { act, intent, readScreen } from '../../../http/screen.server.ts';
import { paths } from '../../../paths.ts';
import { AreaRights, PermissionMatrix } from '../permission-matrix.tsx';
import { offeredPermissions } from './offered-permissions.server.ts';
import { RoleFields } from './role-fields.tsx';
import { ROLE_LABELS, roleEditDescription, roleEditSchema } from './role-form.ts';

export const handle = named<typeof loader>(({ title }) => [title]);

const SHOWN_USERS = 50;

export const loader = readScreen('roles/read', ({ db, params, actor, url }) =>
  db(async (session) => {
    const role = await getRole(session, params.id ?? '');
    const users = can(actor, 'users/read')
      ? await listUsers(session, { filter: { role: role.id }, sort: { name: 1 }, limit: SHOWN_USERS })
      : null;
    const mayWrite = can(actor, 'roles/write');
    const isShared = !role.managerId;
    return {
      ...pick(role, 'id', 'title', 'level', 'permissions'),
      isShared,
      groups: await offeredPermissions(session),
      mayWrite,
      mayEdit: mayWrite && role.level >= levelOf(actor) && (!isShared || actsForAll(session)),
      values: {
        title: role.title,
        level: String(role.level),
        permissions: role.permissions,
        roleVersion: String(role.version),
      },
      users: users && {
        total: users.total,
        rows: users.documents.map(({ id, firstName, lastName, organization, status }) => ({
          id,
          name: `${firstName} ${lastName}`,
          organization: organization ?? 'All managers',
          status,
        })),
      },
      history: await documentHistory(session, [{ resource: 'roles', ids: [role.id] }], url.searchParams),
    };
  }),
);

export const action = act({
  save: intent({
    permission: 'roles/write',
    schema: roleEditSchema,
    async run({ roleVersion, ...form }, { db, params }) {
      const id = params.id ?? '';
      await db((session) => updateRole(session, { id, body: { ...form, version: roleVersion } }));
      return redirect(paths.role(id));
    },
  }),
});

type RolePage = ReturnType<typeof useLoaderData<typeof loader>>;

function EditRole({ role }: { role: RolePage }) {
  const answer = useActionData<typeof action>();
  const [form, fields] = useScreenForm('role', roleEditDescription, {
    lastResult: answer?.lastResult,
    defaultValue: role.values,
  });
  return (
    <ScreenForm form={form} intent="save" labels={ROLE_LABELS}>
      <HiddenField name="roleVersion" />
      <RoleFields fields={fields} groups={role.groups} />
      <FormActions submit="Save" submitting="Saving" />
    </ScreenForm>
  );
}

export default function RoleScreen() {
  const role = useLoaderData<typeof loader>();
  return (
    <>
      <PageHeader
        title={role.title}
        chip={role.isShared ? <Chip>All managers</Chip> : <Chip tone="accent">Own role</Chip>}
        facts={[
          `level ${role.level}`,
          formatCount(role.permissions.length, 'permission'),
          ...(role.users ? [formatCount(role.users.total, 'user')] : []),
        ]}
        actions={
          role.mayWrite ? <LinkButton to={paths.newRole({ from: role.id })}>Copy to a new role</LinkButton> : null
        }
      />
      {role.mayWrite && !role.mayEdit ? (
        <Notice>
          {role.isShared
            ? 'All managers share this role, so only an administrator can change it. Copy it to have one of your own.'
            : 'This role has a higher level than yours, so you cannot change it.'}
        </Notice>
      ) : null}
      {role.mayEdit ? (
        <EditRole role={role} key={role.values.roleVersion} />
      ) : (
        <PanelSection title="Permissions" className="max-w-[46rem]">
          <PermissionMatrix
            caption="Permissions of the role"
            groups={role.groups}
            columns={[
              {
                head: 'Can',
                cell: ({ read, write }) => (
                  <AreaRights
                    read={read !== null && role.permissions.includes(read.key)}
                    write={write !== null && role.permissions.includes(write.key)}
                  />
                ),
              },
            ]}
          />
        </PanelSection>
      )}
      {role.users ? (
        <TableSection
          title="Users with this role"
          note={
            role.users.rows.length < role.users.total
              ? `The first ${role.users.rows.length} of ${role.users.total}`
              : undefined
          }
          more={
            <MoreLink to={paths.users({ filter: JSON.stringify({ roleTitle: role.title }) })}>Show in users</MoreLink>
          }
          narrow="list"
          rows={role.users.rows}
          rowTo={(row) => paths.user(row.id)}
          empty={<EmptyState title="Nobody has this role yet" />}
          columns={[
            { head: 'Name', cell: (row) => row.name },
            { head: 'Organization', cell: (row) => row.organization },
            { head: 'Status', status: (row) => row.status },
          ]}
        />
      ) : null}
      {/* The changes of roles that all managers share are for admins. */}
      {role.history && role.history.total > 0 ? (
        <HistorySection history={role.history} all={{ resource: 'roles', id: role.id }} />
      ) : null}
    </>
  );
}
