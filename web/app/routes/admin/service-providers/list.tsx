import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { listServiceProviders } from '@tapeline/db/operations/service-providers/service-providers.ts';
import { columnsOf } from '@tapeline/domain/collections/collections.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import { formatCount } from '../../../components/figures/format.ts';
import { LinkButton } from '../../../components/forms/button.tsx';
import { OrganizationGrid } from '../../../components/organizations/organization-grid.tsx';
import { firstRows } from '../../../components/organizations/organization-list.ts';
import { PageHeader } from '../../../components/page/page-header.tsx';
import { readScreen } from '../../../http/screen.server.ts';
import { pathsOf } from '../../paths.ts';

const COLUMNS = columnsOf('serviceProviders');

const PATHS = pathsOf('serviceProviders');

export const meta: MetaFunction = () => [{ title: 'Service providers · Tapeline' }];

export const loader = (args: LoaderFunctionArgs) =>
  readScreen(args, 'funds/read', async (screen) => ({
    mayWrite: can(screen.actor, 'funds/write'),
    found: await firstRows(screen, COLUMNS, listServiceProviders, { nameField: 'title' }),
  }));

export default function ServiceProviders() {
  const { found, mayWrite } = useLoaderData<typeof loader>();
  return (
    <>
      <PageHeader
        title="Service providers"
        facts={[formatCount(found.total, 'service provider')]}
        actions={
          mayWrite ? (
            <LinkButton to={PATHS.add()} tone="primary">
              New service provider
            </LinkButton>
          ) : null
        }
      />
      <OrganizationGrid
        id="service-providers"
        list="/crud/serviceProviders"
        columns={COLUMNS}
        noun="service providers"
        found={found}
        rowTo={(id) => PATHS.document(id)}
        empty="Administrators, auditors, custodians and others who work for your funds."
      />
    </>
  );
}

export { ErrorScreen as ErrorBoundary } from '../../../components/page/error-screen.tsx';
