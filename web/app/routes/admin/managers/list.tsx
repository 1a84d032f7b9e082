import { useLoaderData } from '@remix-run/react';
import { listManagers } from '@tapeline/db/operations/managers/managers.ts';
import { columnsOf } from '@tapeline/domain/collections/collections.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import { rowsFrom } from '../../../components/grid/grid-list.ts';
import { OrganizationList } from '../../../components/organizations/organization-grid.tsx';
import { firstRows } from '../../../components/organizations/organization-list.ts';
import { readScreen } from '../../../http/screen.server.ts';
import { paths } from '../../../paths.ts';

const COLUMNS = columnsOf('managers');

export const handle = { title: 'Managers' };

export const loader = readScreen('managers/read', async (screen) => ({
  mayWrite: can(screen.actor, 'managers/write') && screen.actor.managerId === null,
  found: await firstRows(screen, { columns: COLUMNS, sort: { 'entity.name': 1 }, load: rowsFrom(listManagers) }),
}));

export default function Managers() {
  const { found, mayWrite } = useLoaderData<typeof loader>();
  return (
    <OrganizationList
      id="managers"
      title="Managers"
      noun={['manager', 'managers']}
      primary={mayWrite ? { label: 'New manager', to: paths.newManager() } : null}
      list="/crud/managers"
      columns={COLUMNS}
      found={found}
      rowTo={paths.manager}
      empty="A manager has its own borrowers, investors, funds and users. Create the first one."
    />
  );
}
