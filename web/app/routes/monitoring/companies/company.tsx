import { useLoaderData } from '@remix-run/react';
import { countryName } from '@tapeline/domain/entities/countries.ts';
import { DateText, Name } from '../../../components/figures/figures.tsx';
import { formatCount } from '../../../components/figures/format.ts';
import { HistorySection } from '../../../components/history/changes-table.tsx';
import {
  EntityFacts,
  EntityLists,
  Namesakes,
  PeopleAndFiles,
} from '../../../components/organizations/entity-sections.tsx';
import { StatusChip } from '../../../components/page/chip.tsx';
import { EmptyState } from '../../../components/page/empty-state.tsx';
import { PageHeader } from '../../../components/page/page-header.tsx';
import { named } from '../../../components/page/page-name.ts';
import { TableSection } from '../../../components/tables/data-table.tsx';
import { readScreen } from '../../../http/screen.server.ts';
import { paths } from '../../../paths.ts';
import { DictionaryMenu } from '../mappings/dictionary-menu.tsx';
import { type CompanyPage, viewCompany } from './company-page.server.ts';

export const handle = named<typeof loader>(({ company }) => [company.entity.name]);

export const loader = readScreen('companies/read', async (screen) => ({ company: await viewCompany(screen) }));

export default function CompanyScreen() {
  const { company } = useLoaderData<typeof loader>();
  const { entity, transactions } = company;
  return (
    <>
      <PageHeader
        title={<Name>{entity.name}</Name>}
        chip={<StatusChip dot status={company.status} />}
        facts={[
          countryName(entity.nationality.country),
          ...(entity.business ? [entity.business.type] : []),
          ...(company.externalCode ? [`external code ${company.externalCode}`] : []),
          ...(transactions ? [formatCount(transactions.total, 'transaction')] : []),
          <>
            created <DateText value={company.createdAt} />
          </>,
        ]}
        actions={company.mayReadDictionary ? <DictionaryMenu companyId={company.id} /> : null}
        primary={company.mayWrite ? { label: 'Edit', to: paths.editCompany(company.id) } : null}
      />
      <Namesakes
        noun="company"
        namesakes={company.namesakes.map(({ id, name }) => ({ id, name, to: paths.company(id) }))}
      />
      {transactions ? <CompanyTransactions transactions={transactions} /> : null}
      <EntityFacts entity={entity} />
      <EntityLists entity={entity} />
      <PeopleAndFiles connected={company.connected} domains={company.domains} />
      {company.history ? (
        <HistorySection several history={company.history} all={{ resource: 'companies', id: company.id }} />
      ) : null}
    </>
  );
}

function CompanyTransactions({ transactions }: { transactions: NonNullable<CompanyPage['transactions']> }) {
  const { rows, total } = transactions;
  return (
    <TableSection
      title="Transactions"
      note={rows.length < total ? `The latest ${rows.length} of ${total}` : undefined}
      narrow="list"
      caption="Transactions of the company"
      rows={rows}
      rowTo={(row) => paths.transaction(row.id)}
      empty={<EmptyState title="No transactions yet" />}
      columns={[
        { head: 'Transaction', name: (row) => row.title },
        { head: 'Type', cell: (row) => row.type },
        { head: 'Notes', numeric: true, cell: (row) => row.notes },
        { head: 'Status', status: (row) => row.status },
      ]}
    />
  );
}
