import { useLoaderData } from '@remix-run/react';
import { columnsOf } from '@tapeline/domain/collections/collections.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import { FilteredGrid } from '../../../../components/filters/filtered-grid.tsx';
import { readFilteredList } from '../../../../components/filters/filtered-list.ts';
import { named } from '../../../../components/page/page-name.ts';
import { readScreen } from '../../../../http/screen.server.ts';
import { paths } from '../../../../paths.ts';
import { TRANSACTION_LIST } from './list.server.ts';

const COLUMNS = columnsOf('transactions');

export const handle = named('All facilities');

export const loader = readScreen('transactions/read', async (screen) => ({
  canWrite: can(screen.actor, 'transactions/write'),
  page: await readFilteredList(screen, TRANSACTION_LIST),
}));

export default function Transactions() {
  const { page, canWrite } = useLoaderData<typeof loader>();
  return (
    <FilteredGrid
      page={page}
      id="transactions"
      title="All facilities"
      noun={['facility', 'facilities']}
      primary={canWrite ? { label: 'New facility', to: paths.newTransaction() } : null}
      search={{ label: 'Find facilities by title, borrower or note', placeholder: 'Find a facility' }}
      columns={COLUMNS}
      defaultSort={{ title: 1 }}
      rowTo={paths.transaction}
      empty="A facility holds notes with their terms and contracts. Create the first one."
    />
  );
}
