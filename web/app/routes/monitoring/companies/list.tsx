import { useLoaderData } from '@remix-run/react';
import { listCompanies } from '@tapeline/db/operations/companies/companies.ts';
import { columnsOf } from '@tapeline/domain/collections/collections.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import { rowsFrom } from '../../../components/grid/grid-list.ts';
import { OrganizationList } from '../../../components/organizations/organization-grid.tsx';
import { firstRows } from '../../../components/organizations/organization-list.ts';
import { readScreen } from '../../../http/screen.server.ts';
import { paths } from '../../../paths.ts';

const COLUMNS = columnsOf('companies');

export const handle = { title: 'Borrowers' };

export const loader = readScreen('companies/read', async (screen) => ({
  mayWrite: can(screen.actor, 'companies/write'),
  found: await firstRows(screen, { columns: COLUMNS, sort: { 'entity.name': 1 }, load: rowsFrom(listCompanies) }),
}));

export default function Companies() {
  const { found, mayWrite } = useLoaderData<typeof loader>();
  return (
    <OrganizationList
      id="companies"
      title="Borrowers"
      noun={['borrower', 'borrowers']}
      primary={mayWrite ? { label: 'New borrower', to: paths.newCompany() } : null}
      list="/crud/companies"
      columns={COLUMNS}
      found={found}
      rowTo={paths.company}
      empty="A borrower has facilities and sends loan tapes. Create the first one to add them."
    />
  );
}
