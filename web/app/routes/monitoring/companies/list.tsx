import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { listCompanies } from '@tapeline/db/operations/companies/companies.ts';
import { columnsOf } from '@tapeline/domain/collections/collections.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import { formatCount } from '../../../components/figures/format.ts';
import { LinkButton } from '../../../components/forms/button.tsx';
import { OrganizationGrid } from '../../../components/organizations/organization-grid.tsx';
import { firstRows } from '../../../components/organizations/organization-list.ts';
import { PageHeader } from '../../../components/page/page-header.tsx';
import { readScreen } from '../../../http/screen.server.ts';
import { paths } from '../../paths.ts';

const COLUMNS = columnsOf('companies');

export const meta: MetaFunction = () => [{ title: 'Companies · Tapeline' }];

export const loader = (args: LoaderFunctionArgs) =>
  readScreen(args, 'companies/read', async (screen) => ({
    mayWrite: can(screen.actor, 'companies/write'),
    found: await firstRows(screen, COLUMNS, listCompanies),
  }));

export default function Companies() {
  const { found, mayWrite } = useLoaderData<typeof loader>();
  return (
    <>
      <PageHeader
        title="Companies"
        facts={[formatCount(found.total, 'company', 'companies')]}
        actions={
          mayWrite ? (
            <LinkButton to={paths.newCompany()} tone="primary">
              New company
            </LinkButton>
          ) : null
        }
      />
      <OrganizationGrid
        id="companies"
        list="/crud/companies"
        columns={COLUMNS}
        noun="companies"
        found={found}
        rowTo={paths.company}
        empty="A company borrows or originates. Create the first one to add its transactions and loan tapes."
      />
    </>
  );
}

export { ErrorScreen as ErrorBoundary } from '../../../components/page/error-screen.tsx';
