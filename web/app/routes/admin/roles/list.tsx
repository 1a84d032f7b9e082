import { Link, useLoaderData } from '@remix-run/react';
import { activePermissions } from '@tapeline/db/operations/permissions/permissions.ts';
import { listRoles, usersPerRole } from '@tapeline/db/operations/roles/roles.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import { formatCount } from '../../../components/figures/format.ts';
import { PageHeader } from '../../../components/page/page-header.tsx';
import { Pagination } from '../../../components/page/pagination.tsx';
import { Panel } from '../../../components/page/section.tsx';
import { skipOf } from '../../../components/page/skip.ts';
import { readScreen } from '../../../http/screen.server.ts';
import { paths } from '../../../paths.ts';
import { areasOf } from '../areas.ts';
import { AreaRights, PermissionMatrix } from '../permission-matrix.tsx';

export const handle = { title: 'Roles' };

/** As many columns of the matrix as fit. */
const PAGE_LENGTH = 6;

export const loader = readScreen('roles/read', ({ db, actor, url }) =>
  db(async (session) => {
    const query = { sort: { level: 1, title: 1 }, skip: skipOf(url.searchParams), limit: PAGE_LENGTH };
    const { documents, total } = await listRoles(session, query);
    const users = await usersPerRole(
      session,
      documents.map(({ id }) => id),
    );
    return {
      total,
      groups: areasOf((await activePermissions(session)).map(({ key }) => ({ key }))),
      roles: documents.map(({ id, title, level, permissions, managerId }) => ({
        id,
        title,
        level,
        permissions,
        isShared: !managerId,
        users: users.get(id) ?? 0,
      })),
      mayWrite: can(actor, 'roles/write'),
    };
  }),
);

export default function Roles() {
  const { groups, roles, total, mayWrite } = useLoaderData<typeof loader>();
  return (
    <>
      <PageHeader
        title="Roles"
        facts={[formatCount(total, 'role'), 'what each can read and write, the most privileged first']}
        primary={mayWrite ? { label: 'New role', to: paths.newRole() } : null}
      />
      <Panel>
        <PermissionMatrix
          caption="Roles by area"
          groups={groups}
          columns={roles.map((role) => ({
            head: (
              <span className="block py-1.5">
                <Link
                  to={paths.role(role.id)}
                  className="tap-text block text-sm font-semibold text-ink hover:text-accent"
                >
                  {role.title}
                </Link>
                <span className="block font-normal">
                  Level {role.level} · {formatCount(role.users, 'user')}
                </span>
                <span className="block font-normal">{role.isShared ? 'All managers' : 'Own role'}</span>
              </span>
            ),
            cell: ({ read, write }) => (
              <AreaRights
                read={read !== null && role.permissions.includes(read.key)}
                write={write !== null && role.permissions.includes(write.key)}
              />
            ),
          }))}
        />
        <Pagination total={total} limit={PAGE_LENGTH} noun="roles" />
      </Panel>
    </>
  );
}
