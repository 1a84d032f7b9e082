import { useLoaderData } from '@remix-run/react';
import { listServiceProviders } from '@tapeline/db/operations/service-providers/service-providers.ts';
import { columnsOf } from '@tapeline/domain/collections/collections.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import { rowsFrom } from '../../../components/grid/grid-list.ts';
import { OrganizationList } from '../../../components/organizations/organization-grid.tsx';
import { firstRows } from '../../../components/organizations/organization-list.ts';
import { readScreen } from '../../../http/screen.server.ts';
import { pathsOf } from '../../../paths.ts';

const COLUMNS = columnsOf('serviceProviders');

const PATHS = pathsOf('serviceProviders');

export const handle = { title: 'Service providers' };

export const loader = readScreen('funds/read', async (screen) => ({
  mayWrite: can(screen.actor, 'funds/write'),
  found: await firstRows(screen, { columns: COLUMNS, sort: { title: 1 }, load: rowsFrom(listServiceProviders) }),
}));

export default function ServiceProviders() {
  const { found, mayWrite } = useLoaderData<typeof loader>();
  return (
    <OrganizationList
      id="service-providers"
      title="Service providers"
      noun={['service provider', 'service providers']}
      primary={mayWrite ? { label: 'New service provider', to: PATHS.add() } : null}
      list="/crud/serviceProviders"
      columns={COLUMNS}
      found={found}
      rowTo={(id) => PATHS.document(id)}
      empty="Administrators, auditors, custodians and others who work for your funds."
    />
  );
}
