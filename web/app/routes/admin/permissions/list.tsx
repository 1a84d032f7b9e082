import { Link, useLoaderData } from '@remix-run/react';
import { activePermissions, actsForAll } from '@tapeline/db/operations/permissions/permissions.ts';
import { can, USER_TYPE_LABELS } from '@tapeline/domain/people/actor.ts';
import { formatCount } from '../../../components/figures/format.ts';
import { PageHeader } from '../../../components/page/page-header.tsx';
import { Panel } from '../../../components/page/section.tsx';
import { readScreen } from '../../../http/screen.server.ts';
import { paths } from '../../../paths.ts';
import { areasOf } from '../areas.ts';
import { PermissionMatrix } from '../permission-matrix.tsx';

export const handle = { title: 'Permissions' };

export const loader = readScreen('roles/read', ({ db, actor }) =>
  db(async (session) => {
    const permissions = await activePermissions(session);
    return {
      total: permissions.length,
      groups: areasOf(
        permissions.map(({ id, key, title, allowed }) => ({
          id,
          key,
          title,
          types: allowed.map((type) => USER_TYPE_LABELS[type]).join(', '),
        })),
      ),
      mayWrite: can(actor, 'roles/write') && actsForAll(session),
    };
  }),
);

export default function Permissions() {
  const { groups, total, mayWrite } = useLoaderData<typeof loader>();
  const cell = (permission: { id: string; title: string; types: string } | null) =>
    permission === null ? (
      <span className="text-ink-3">
        <span aria-hidden="true">–</span>
        <span className="sr-only">does not exist</span>
      </span>
    ) : mayWrite ? (
      <Link to={paths.permission(permission.id)} className="tap-text text-accent hover:underline">
        {permission.types}
        <span className="sr-only"> can hold {permission.title}</span>
      </Link>
    ) : (
      permission.types
    );
  return (
    <>
      <PageHeader
        title="Permissions"
        facts={[formatCount(total, 'permission'), 'which types of users can ever hold each, whatever their role']}
        primary={mayWrite ? { label: 'New permission', to: paths.newPermission() } : null}
      />
      <Panel>
        <PermissionMatrix
          caption="Permissions by area"
          groups={groups}
          columns={[
            { head: 'Read', cell: ({ read }) => cell(read) },
            { head: 'Write', cell: ({ write }) => cell(write) },
          ]}
        />
      </Panel>
    </>
  );
}
