import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { Form, Link, useLoaderData, useSearchParams } from '@remix-run/react';
import { columnsOf } from '@tapeline/domain/collections/collections.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import { formatCount } from '../../../../components/figures/format.ts';
import { FilterBar } from '../../../../components/filters/filter-bar.tsx';
import { Button, LinkButton } from '../../../../components/forms/button.tsx';
import { inputClass } from '../../../../components/forms/fields.tsx';
import { AssetGrid } from '../../../../components/grid/asset-grid.tsx';
import { Notice } from '../../../../components/page/notice.tsx';
import { PageHeader } from '../../../../components/page/page-header.tsx';
import { readScreen } from '../../../../http/screen.server.ts';
import { paths } from '../../../paths.ts';
import { firstTransactions } from './list.server.ts';

const COLUMNS = columnsOf('transactions');

export const meta: MetaFunction = () => [{ title: 'Transactions · Tapeline' }];

export const loader = (args: LoaderFunctionArgs) =>
  readScreen(args, 'transactions/read', async (screen) => ({
    canWrite: can(screen.actor, 'transactions/write'),
    found: await firstTransactions(screen),
  }));

function TransactionSearch({ find }: { find: string }) {
  const [search] = useSearchParams();
  return (
    <Form method="get" preventScrollReset className="flex items-center gap-2">
      {[...search].map(([name, value]) =>
        ['find', 'skip'].includes(name) ? null : <input key={name} type="hidden" name={name} value={value} />,
      )}
      <input
        type="search"
        name="find"
        key={find}
        defaultValue={find}
        maxLength={200}
        aria-label="Find transactions by title, company or note"
        placeholder="Find a transaction"
        className={inputClass('sm:w-52')}
      />
      <Button type="submit">Find</Button>
    </Form>
  );
}

export default function Transactions() {
  const { found, canWrite } = useLoaderData<typeof loader>();
  const { rows, total, find, filter, chips, fields, draft, problem } = found;
  return (
    <>
      <PageHeader
        title="Transactions"
        facts={[formatCount(total, 'transaction')]}
        actions={
          canWrite ? (
            <LinkButton to={paths.newTransaction()} tone="primary">
              New transaction
            </LinkButton>
          ) : null
        }
      />
      {problem ? (
        <Notice tone="danger" action={<Link to={paths.transactions()}>Show all transactions</Link>}>
          This filter is not valid: it {problem}. All transactions are shown.
        </Notice>
      ) : null}
      <AssetGrid
        id="transactions"
        source={{ list: paths.transactionRows(), scope: {}, format: 'json' }}
        columns={COLUMNS}
        rows={rows}
        total={total}
        filter={filter}
        tools={
          <>
            <TransactionSearch find={find} />
            <FilterBar chips={chips} fields={fields} draft={draft} />
          </>
        }
        defaultSort={{ title: 1 }}
        rowTo={(row) => paths.transaction(String(row.id))}
        noun="transactions"
        empty={
          filter
            ? 'Remove a filter, or search for something else.'
            : 'A transaction holds notes with their terms and contracts. Create the first one.'
        }
      />
    </>
  );
}

export { ErrorScreen as ErrorBoundary } from '../../../../components/page/error-screen.tsx';
