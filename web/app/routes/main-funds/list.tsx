import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { Link, useLoaderData } from '@remix-run/react';
import { MAIN_FUNDS } from '@tapeline/db/operations/funds/main-funds.ts';
import { filteredTotals } from '@tapeline/db/operations/listing/list-documents.ts';
import { columnsOf } from '@tapeline/domain/collections/collections.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import { formatCount } from '../../components/figures/format.ts';
import { FilterBar } from '../../components/filters/filter-bar.tsx';
import { readList } from '../../components/filters/filtered-list.ts';
import { ListSearch } from '../../components/filters/list-search.tsx';
import { LinkButton } from '../../components/forms/button.tsx';
import { AssetGrid } from '../../components/grid/asset-grid.tsx';
import { rowsOfDocuments } from '../../components/grid/document-rows.ts';
import { Notice } from '../../components/page/notice.tsx';
import { PageHeader } from '../../components/page/page-header.tsx';
import { readScreen } from '../../http/screen.server.ts';
import { offeredFields } from '../funds/list/list.server.ts';
import { paths } from '../paths.ts';
import { mainFundRows } from './rows.server.ts';
import { MAIN_FUND_SORT } from './sort.ts';

const COLUMNS = columnsOf('mainFunds');

export const meta: MetaFunction = () => [{ title: 'Main funds · Tapeline' }];

export const loader = (args: LoaderFunctionArgs) =>
  readScreen(args, 'funds/read', async ({ db, url, actor }) => {
    const { query, shown } = readList(url, {
      catalog: MAIN_FUNDS.catalog,
      columns: COLUMNS,
      finds: ['title'],
      defaultSort: MAIN_FUND_SORT,
    });
    const { rows, total, totals } = await db(async (session) => ({
      ...(await mainFundRows(session, query)),
      totals: await filteredTotals(session, MAIN_FUNDS, query, ['targetSize', 'hardCap']),
    }));
    return {
      ...shown,
      mayWrite: can(actor, 'funds/write'),
      rows: rowsOfDocuments(rows, COLUMNS),
      total,
      totals,
      fields: offeredFields(MAIN_FUNDS.catalog.fields),
    };
  });

export default function MainFunds() {
  const { rows, total, totals, find, filter, chips, fields, draft, problem, mayWrite } = useLoaderData<typeof loader>();
  return (
    <>
      <PageHeader
        title="Main funds"
        facts={[formatCount(total, 'main fund'), 'each groups funds of one currency']}
        actions={
          mayWrite ? (
            <LinkButton to={paths.newMainFund()} tone="primary">
              New main fund
            </LinkButton>
          ) : null
        }
      />
      {problem ? (
        <Notice tone="danger" action={<Link to={paths.mainFunds()}>Show all main funds</Link>}>
          This filter is not valid: it {problem}. All main funds are shown.
        </Notice>
      ) : null}
      <AssetGrid
        id="main-funds"
        source={{ list: paths.mainFundRows(), scope: {}, format: 'json' }}
        columns={COLUMNS}
        rows={rows}
        total={total}
        totals={totals}
        filter={filter}
        tools={
          <>
            <ListSearch find={find} label="Find main funds by title" placeholder="Find a main fund" />
            <FilterBar chips={chips} fields={fields} draft={draft} />
          </>
        }
        defaultSort={MAIN_FUND_SORT}
        rowTo={(row) => paths.mainFund(String(row.id))}
        noun="main funds"
        empty={
          filter
            ? 'Remove a filter, or search for something else.'
            : 'A main fund groups funds for joint statements and reports. Create the first one.'
        }
      />
    </>
  );
}

export { ErrorScreen as ErrorBoundary } from '../../components/page/error-screen.tsx';
