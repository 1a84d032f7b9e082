import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { Link, useLoaderData } from '@remix-run/react';
import { CALL_HEADERS, listCallHeaders } from '@tapeline/db/operations/capital/calls-and-distributions.ts';
import { filteredTotals } from '@tapeline/db/operations/listing/list-documents.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import { formatCount } from '../../../components/figures/format.ts';
import { FilterBar } from '../../../components/filters/filter-bar.tsx';
import { readList } from '../../../components/filters/filtered-list.ts';
import { ListSearch } from '../../../components/filters/list-search.tsx';
import { LinkButton } from '../../../components/forms/button.tsx';
import { AssetGrid } from '../../../components/grid/asset-grid.tsx';
import { rowsOfDocuments } from '../../../components/grid/document-rows.ts';
import { Notice } from '../../../components/page/notice.tsx';
import { PageHeader } from '../../../components/page/page-header.tsx';
import { skipOf } from '../../../components/page/skip.ts';
import { readScreen, type Screen } from '../../../http/screen.server.ts';
import { paths } from '../../paths.ts';
import { CALL_COLUMNS, HEADER_SORT, offeredFields } from '../header-rows.ts';
import { ownCalls } from '../own-documents.server.ts';
import { OWN_PER_PAGE, OwnDocuments } from '../own-documents.tsx';

export const meta: MetaFunction = () => [{ title: 'Capital calls · Tapeline' }];

/** What the manager has called. */
async function readHeaders({ url, db, actor }: Screen) {
  const { query, shown } = readList(url, {
    catalog: CALL_HEADERS.catalog,
    columns: CALL_COLUMNS,
    finds: ['callNumber', 'fundTitle'],
    defaultSort: HEADER_SORT,
  });
  const { rows, total, totals } = await db(async (session) => ({
    ...(await listCallHeaders(session, query)),
    totals: await filteredTotals(session, CALL_HEADERS, query, ['amount']),
  }));
  return {
    own: null,
    mayCall: can(actor, 'contributions/write'),
    found: {
      ...shown,
      rows: rowsOfDocuments(rows, CALL_COLUMNS),
      total,
      totals,
      fields: offeredFields(CALL_HEADERS.catalog.fields),
    },
  };
}

/** What an investor has to pay. */
const readOwn = ({ url, db }: Screen) =>
  db(async (session) => {
    const query = { sort: { dueDate: -1 }, skip: skipOf(url.searchParams), limit: OWN_PER_PAGE };
    return { own: await ownCalls(session, query), found: null, mayCall: false };
  });

export const loader = (args: LoaderFunctionArgs) =>
  readScreen(args, 'contributions/read', async (screen) =>
    screen.actor.lpIds.length > 0 ? readOwn(screen) : readHeaders(screen),
  );

export default function Calls() {
  const { found, own, mayCall } = useLoaderData<typeof loader>();
  if (own) {
    return (
      <>
        <PageHeader title="Capital calls" facts={[`${formatCount(own.total, 'call')} issued to you`]} />
        <OwnDocuments {...own} noun="capital calls" amount="To pay" />
      </>
    );
  }
  const { rows, total, totals, find, filter, chips, fields, draft, problem } = found;
  return (
    <>
      <PageHeader
        title="Capital calls"
        facts={[formatCount(total, 'call'), 'totals in the currency of the fund']}
        actions={
          mayCall ? (
            <LinkButton to={paths.newCapitalCall()} tone="primary">
              New capital call
            </LinkButton>
          ) : null
        }
      />
      {problem ? (
        <Notice tone="danger" action={<Link to={paths.capitalCalls()}>Show all calls</Link>}>
          This filter is not valid: it {problem}. All calls are shown.
        </Notice>
      ) : null}
      <AssetGrid
        id="capital-calls"
        source={{ list: paths.capitalCallRows(), scope: {}, format: 'json' }}
        columns={CALL_COLUMNS}
        rows={rows}
        total={total}
        totals={totals}
        filter={filter}
        tools={
          <>
            <ListSearch find={find} label="Find calls by number or fund" placeholder="Find a call" />
            <FilterBar chips={chips} fields={fields} draft={draft} />
          </>
        }
        defaultSort={HEADER_SORT}
        rowTo={(row) => paths.capitalCall(String(row.id))}
        noun="calls"
        empty={
          filter
            ? 'Remove a filter, or search for something else.'
            : 'A call asks the investors of a fund for part of what they have committed.'
        }
      />
    </>
  );
}

export { ErrorScreen as ErrorBoundary } from '../../../components/page/error-screen.tsx';
