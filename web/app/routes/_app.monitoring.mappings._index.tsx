import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { listMappingsInUse } from '@tapeline/db/operations/mappings/mappings.ts';
import { listCompanies } from '@tapeline/db/operations/people/people.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import { Plus, Table2 } from 'lucide-react';
import { DateText, Figure, Name, Unknown } from '../components/figures/figures.tsx';
import { LinkButton } from '../components/forms/button.tsx';
import { EmptyState } from '../components/page/empty-state.tsx';
import { PageHeader } from '../components/page/page-header.tsx';
import { Pagination } from '../components/page/pagination.tsx';
import { Panel } from '../components/page/section.tsx';
import { DataTable } from '../components/tables/data-table.tsx';
import { formatCount } from '../figures/format.ts';
import { paths } from '../paths.ts';
import { readScreen } from '../screen.server.ts';
import { makerOf } from '../tapes/tape-words.ts';

export const meta: MetaFunction = () => [{ title: 'Mappings · Tapeline' }];

const PAGE_LENGTH = 50;

export const loader = (args: LoaderFunctionArgs) =>
  readScreen(args, 'assets/ETL/read', async ({ db, url, actor }) => {
    const { mappings, companies } = await db(async (session) => ({
      mappings: await listMappingsInUse(session),
      companies: (await listCompanies(session, { limit: 500 })).documents,
    }));
    const names = new Map(companies.map(({ id, entity }) => [id, entity.name]));
    const skip = Math.max(0, Number(url.searchParams.get('skip')) || 0);
    return {
      total: mappings.length,
      companies: new Set(mappings.map(({ companyId }) => companyId)).size,
      canMake: can(actor, 'assets/ETL/write') && can(actor, 'assets/write'),
      rows: mappings.slice(skip, skip + PAGE_LENGTH).map((mapping) => ({
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
        facts={total > 0 ? [formatCount(total, 'mapping'), formatCount(companies, 'company', 'companies')] : []}
        actions={canMake ? <MakeButton /> : null}
      />
      <Panel>
        <DataTable
          narrow="list"
          caption="Mappings in use"
          rows={rows}
          rowKey={(row) => row.id}
          rowTo={(row) => paths.mapping(row.id)}
          empty={
            <EmptyState icon={Table2} title="No mappings yet" action={canMake ? <MakeButton /> : null}>
              A mapping tells how a company's tape becomes assets. Give one of its tapes, and a mapping is suggested
              from its headers and values.
            </EmptyState>
          }
          columns={[
            {
              key: 'company',
              head: 'Company',
              cell: ({ company }) => (company ? <Name>{company}</Name> : <Unknown reason="Out of your sight" />),
            },
            { key: 'sheet', head: 'Sheet', cell: ({ sheet }) => <Name>{sheet}</Name> },
            { key: 'version', head: 'Version', numeric: true, cell: ({ version }) => <Figure value={version} /> },
            { key: 'rules', head: 'Rules', numeric: true, cell: ({ rules }) => <Figure value={rules} /> },
            {
              key: 'columns',
              head: 'Columns of the tape',
              numeric: true,
              wideOnly: true,
              cell: ({ columns }) => (
                <Figure
                  value={columns > 0 ? columns : null}
                  unknown="The mapping does not say which tape it was made with"
                />
              ),
            },
            { key: 'currency', head: 'Currency', quiet: true, wideOnly: true, cell: ({ currency }) => currency },
            {
              key: 'saved',
              head: 'Saved (UTC)',
              wideOnly: true,
              cell: ({ savedAt }) => <DateText value={savedAt} time="bare" />,
            },
            {
              key: 'by',
              head: 'By',
              quiet: true,
              wideOnly: true,
              cell: ({ savedBy }) => savedBy ?? <Unknown reason="Nobody is recorded" />,
            },
          ]}
        />
        <Pagination total={total} limit={PAGE_LENGTH} noun="mappings" />
      </Panel>
    </>
  );
}

export { ErrorScreen as ErrorBoundary } from '../components/page/error-screen.tsx';
