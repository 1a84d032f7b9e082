import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { Link, useLoaderData } from '@remix-run/react';
import {
  DISTRIBUTION_HEADERS,
  listDistributionHeaders,
} from '@tapeline/db/operations/capital/calls-and-distributions.ts';
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
import { DISTRIBUTION_COLUMNS, HEADER_SORT, offeredFields } from '../header-rows.ts';
import { ownDistributions } from '../own-documents.server.ts';
import { OWN_PER_PAGE, OwnDocuments } from '../own-documents.tsx';

export const meta: MetaFunction = () => [{ title: 'Distributions · Tapeline' }];

/** What the funds have distributed. */
async function readHeaders({ url, db, actor }: Screen) {
  const { query, shown } = readList(url, {
    catalog: DISTRIBUTION_HEADERS.catalog,
    columns: DISTRIBUTION_COLUMNS,
    finds: ['callNumber', 'fundTitle'],
    defaultSort: HEADER_SORT,
  });
  const { rows, total, totals } = await db(async (session) => ({
    ...(await listDistributionHeaders(session, query)),
    totals: await filteredTotals(session, DISTRIBUTION_HEADERS, query, ['principal', 'amount']),
  }));
  return {
    own: null,
    mayDistribute: can(actor, 'distributions/write'),
    found: {
      ...shown,
      rows: rowsOfDocuments(rows, DISTRIBUTION_COLUMNS),
      total,
      totals,
      fields: offeredFields(DISTRIBUTION_HEADERS.catalog.fields),
    },
  };
}

/** What an investor was paid. */
const readOwn = ({ url, db }: Screen) =>
  db(async (session) => {
    const query = { sort: { cutOffDate: -1 }, skip: skipOf(url.searchParams), limit: OWN_PER_PAGE };
    return { own: await ownDistributions(session, query), found: null, mayDistribute: false };
  });

export const loader = (args: LoaderFunctionArgs) =>
  readScreen(args, 'distributions/read', async (screen) =>
    screen.actor.lpIds.length > 0 ? readOwn(screen) : readHeaders(screen),
  );

export default function Distributions() {
  const { found, own, mayDistribute } = useLoaderData<typeof loader>();
  if (own) {
    return (
      <>
        <PageHeader title="Distributions" facts={[`${formatCount(own.total, 'distribution')} issued to you`]} />
        <OwnDocuments {...own} noun="distributions" amount="Distributed" />
      </>
    );
  }
  const { rows, total, totals, find, filter, chips, fields, draft, problem } = found;
  return (
    <>
      <PageHeader
        title="Distributions"
        facts={[formatCount(total, 'distribution'), 'totals in the currency of the fund']}
        actions={
          mayDistribute ? (
            <LinkButton to={paths.newDistribution()} tone="primary">
              New distribution
            </LinkButton>
          ) : null
        }
      />
      {problem ? (
        <Notice tone="danger" action={<Link to={paths.distributions()}>Show all distributions</Link>}>
          This filter is not valid: it {problem}. All distributions are shown.
        </Notice>
      ) : null}
      <AssetGrid
        id="distributions"
        source={{ list: paths.distributionRows(), scope: {}, format: 'json' }}
        columns={DISTRIBUTION_COLUMNS}
        rows={rows}
        total={total}
        totals={totals}
        filter={filter}
        tools={
          <>
            <ListSearch find={find} label="Find distributions by number or fund" placeholder="Find a distribution" />
            <FilterBar chips={chips} fields={fields} draft={draft} />
          </>
        }
        defaultSort={HEADER_SORT}
        rowTo={(row) => paths.distribution(String(row.id))}
        noun="distributions"
        empty={
          filter
            ? 'Remove a filter, or search for something else.'
            : 'A distribution pays principal, interest and gains of a fund to its investors.'
        }
      />
    </>
  );
}

export { ErrorScreen as ErrorBoundary } from '../../../components/page/error-screen.tsx';
