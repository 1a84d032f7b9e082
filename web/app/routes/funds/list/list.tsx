import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { Link, useLoaderData } from '@remix-run/react';
import { columnsOf } from '@tapeline/domain/collections/collections.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import { formatCount } from '../../../components/figures/format.ts';
import { FilterBar } from '../../../components/filters/filter-bar.tsx';
import { ListSearch } from '../../../components/filters/list-search.tsx';
import { LinkButton } from '../../../components/forms/button.tsx';
import { AssetGrid } from '../../../components/grid/asset-grid.tsx';
import { Notice } from '../../../components/page/notice.tsx';
import { PageHeader } from '../../../components/page/page-header.tsx';
import { readScreen } from '../../../http/screen.server.ts';
import { paths } from '../../paths.ts';
import { firstFunds } from './list.server.ts';
import { FUND_SORT } from './sort.ts';

const COLUMNS = columnsOf('funds');

export const meta: MetaFunction = () => [{ title: 'Funds · Tapeline' }];

export const loader = (args: LoaderFunctionArgs) =>
  readScreen(args, 'funds/read', async (screen) => ({
    mayWrite: can(screen.actor, 'funds/write'),
    isInvestor: screen.actor.lpIds.length > 0,
    found: await firstFunds(screen),
  }));

export default function Funds() {
  const { found, mayWrite, isInvestor } = useLoaderData<typeof loader>();
  const { rows, total, totals, find, filter, chips, fields, draft, problem } = found;
  return (
    <>
      <PageHeader
        title="Funds"
        facts={[
          formatCount(total, 'fund'),
          isInvestor ? 'commitments are your own, today' : 'commitments as they are today',
        ]}
        actions={
          mayWrite ? (
            <LinkButton to={paths.newFund()} tone="primary">
              New fund
            </LinkButton>
          ) : null
        }
      />
      {problem ? (
        <Notice tone="danger" action={<Link to={paths.funds()}>Show all funds</Link>}>
          This filter is not valid: it {problem}. All funds are shown.
        </Notice>
      ) : null}
      <AssetGrid
        id="funds"
        source={{ list: paths.fundRows(), scope: {}, format: 'json' }}
        columns={COLUMNS}
        rows={rows}
        total={total}
        totals={totals}
        filter={filter}
        tools={
          <>
            <ListSearch find={find} label="Find funds by title" placeholder="Find a fund" />
            <FilterBar chips={chips} fields={fields} draft={draft} />
          </>
        }
        defaultSort={FUND_SORT}
        rowTo={(row) => paths.fund(String(row.id))}
        noun="funds"
        empty={
          filter
            ? 'Remove a filter, or search for something else.'
            : 'Investors commit capital to a fund, and the fund holds notes. Create the first one.'
        }
      />
    </>
  );
}

export { ErrorScreen as ErrorBoundary } from '../../../components/page/error-screen.tsx';
