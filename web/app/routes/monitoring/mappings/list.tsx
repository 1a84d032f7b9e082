import { useLoaderData } from '@remix-run/react';
import { companyNamesOf } from '@tapeline/db/operations/companies/company-choices.ts';
import { listMappingsInUse } from '@tapeline/db/operations/mappings/mappings.ts';
import { makerOf } from '@tapeline/domain/documents/maker.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import { Plus, Table2 } from 'lucide-react';
import { Name, Unknown } from '../../../components/figures/figures.tsx';
import { formatCount } from '../../../components/figures/format.ts';
import { LinkButton } from '../../../components/forms/button.tsx';
import { EmptyState } from '../../../components/page/empty-state.tsx';
import { PageHeader } from '../../../components/page/page-header.tsx';
import { Pagination } from '../../../components/page/pagination.tsx';
import { Panel } from '../../../components/page/section.tsx';
import { skipOf } from '../../../components/page/skip.ts';
import { DataTable } from '../../../components/tables/data-table.tsx';
import { readScreen } from '../../../http/screen.server.ts';
import { paths } from '../../../paths.ts';

export const handle = { title: 'Mappings' };

const PAGE_LENGTH = 50;

export const loader = readScreen('assets/ETL/read', async ({ db, url, actor }) => {
  const skip = skipOf(url.searchParams);
  const { page, names } = await db(async (session) => {
    const found = await listMappingsInUse(session, { skip, limit: PAGE_LENGTH });
    const companyIds = found.mappings.map(({ companyId }) => companyId);
    return { page: found, names: await companyNamesOf(session, companyIds) };
  });
  return {
    total: page.total,
    companies: page.companies,
    canMake: can(actor, 'assets/ETL/write') && can(actor, 'assets/write'),
    rows: page.mappings.map((mapping) => ({
      id: mapping.id,
      company: names.get(mapping.companyId) ?? null,
      sheet: mapping.loanTapeSheetName,
      version: mapping.mappingVersion,
      rules: mapping.rules.length,
      columns: mapping.extractedOriginColsFromLoanTape.length,
      currency: mapping.primaryCurrency,
      savedAt: mapping.metadata.iat,
      savedBy: makerOf(mapping.metadata),
    })),
  };
});

function MakeButton() {
  return (
    <LinkButton tone="primary" icon={Plus} to={paths.newMapping()}>
      New mapping
    </LinkButton>
  );
}

export default function Mappings() {
  const { rows, total, companies, canMake } = useLoaderData<typeof loader>();
  return (
    <>
      <PageHeader
        title="Mappings"
        facts={total > 0 ? [formatCount(total, 'mapping'), formatCount(companies, 'borrower')] : []}
        actions={canMake ? <MakeButton /> : null}
      />
      <Panel>
        <DataTable
          narrow="list"
          caption="Mappings in use"
          rows={rows}
          rowTo={(row) => paths.mapping(row.id)}
          empty={
            <EmptyState icon={Table2} title="No mappings yet" action={canMake ? <MakeButton /> : null}>
              A mapping defines how a borrower’s tapes become assets. Upload a tape to get a suggested mapping based on
              its headers and values.
            </EmptyState>
          }
          columns={[
            {
              head: 'Borrower',
              cell: ({ company }) => (company ? <Name>{company}</Name> : <Unknown reason="No access" />),
            },
            { head: 'Sheet', name: ({ sheet }) => sheet },
            { head: 'Version', figure: ({ version }) => version },
            { head: 'Rules', figure: ({ rules }) => rules },
            {
              head: 'Tape columns',
              figure: ({ columns }) => (columns > 0 ? columns : null),
              wideOnly: true,
              unknown: 'The tape used to create the mapping is not recorded',
            },
            { head: 'Currency', quiet: true, wideOnly: true, cell: ({ currency }) => currency },
            { head: 'Saved (UTC)', date: ({ savedAt }) => savedAt, wideOnly: true, time: 'bare' },
            {
              head: 'By',
              quiet: true,
              wideOnly: true,
              cell: ({ savedBy }) => savedBy ?? <Unknown reason="Not recorded" />,
            },
          ]}
        />
        <Pagination total={total} limit={PAGE_LENGTH} noun="mappings" />
      </Panel>
    </>
  );
}
