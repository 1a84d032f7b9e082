import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { listManagers } from '@tapeline/db/operations/managers/managers.ts';
import { columnsOf } from '@tapeline/domain/collections/collections.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import { formatCount } from '../../../components/figures/format.ts';
import { LinkButton } from '../../../components/forms/button.tsx';
import { OrganizationGrid } from '../../../components/organizations/organization-grid.tsx';
import { firstRows } from '../../../components/organizations/organization-list.ts';
import { PageHeader } from '../../../components/page/page-header.tsx';
import { readScreen } from '../../../http/screen.server.ts';
import { paths } from '../../paths.ts';

const COLUMNS = columnsOf('managers');

export const meta: MetaFunction = () => [{ title: 'Managers · Tapeline' }];

export const loader = (args: LoaderFunctionArgs) =>
  readScreen(args, 'managers/read', async (screen) => ({
    mayWrite: can(screen.actor, 'managers/write') && screen.actor.managerId === null,
    found: await firstRows(screen, COLUMNS, listManagers),
  }));

export default function Managers() {
  const { found, mayWrite } = useLoaderData<typeof loader>();
  return (
    <>
      <PageHeader
        title="Managers"
        facts={[formatCount(found.total, 'manager', 'managers')]}
        actions={
          mayWrite ? (
            <LinkButton to={paths.newManager()} tone="primary">
              New manager
            </LinkButton>
          ) : null
        }
      />
      <OrganizationGrid
        id="managers"
        list="/crud/managers"
        columns={COLUMNS}
        noun="managers"
        found={found}
        rowTo={paths.manager}
        empty="A manager has its own companies, investors, funds and users. Create the first one."
      />
    </>
  );
}

export { ErrorScreen as ErrorBoundary } from '../../../components/page/error-screen.tsx';
