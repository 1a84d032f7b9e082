import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { countryName } from '@tapeline/domain/entities/countries.ts';
import { DateText, Name } from '../../../components/figures/figures.tsx';
import { formatCount } from '../../../components/figures/format.ts';
import { LinkButton } from '../../../components/forms/button.tsx';
import { HistorySection } from '../../../components/history/changes-table.tsx';
import {
  EntityFacts,
  EntityLists,
  Namesakes,
  PeopleAndFiles,
} from '../../../components/organizations/entity-sections.tsx';
import { StatusChip } from '../../../components/page/chip.tsx';
import { PageHeader } from '../../../components/page/page-header.tsx';
import type { CrumbHandle } from '../../../components/shell/breadcrumb.tsx';
import { readScreen } from '../../../http/screen.server.ts';
import { paths } from '../../paths.ts';
import { type CompanyPage, viewCompany } from './company-page.server.ts';
import { CompanyTransactions } from './company-sections.tsx';

export const handle: CrumbHandle<{ company: CompanyPage }> = {
  crumbs: ({ data: { company } }) => [{ label: company.entity.name }],
};

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.company.entity.name ?? 'Company'} · Tapeline` },
];

export const loader = (args: LoaderFunctionArgs) =>
  readScreen(args, 'companies/read', async (screen) => ({ company: await viewCompany(screen) }));

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
          ...(transactions ? [formatCount(transactions.total, 'transaction')] : []),
          <>
            created <DateText value={company.createdAt} />
          </>,
        ]}
        actions={
          company.mayWrite ? (
            <LinkButton to={paths.editCompany(company.id)} tone="primary">
              Edit
            </LinkButton>
          ) : null
        }
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

export { ErrorScreen as ErrorBoundary } from '../../../components/page/error-screen.tsx';
