import { useLoaderData } from '@remix-run/react';
import { columnsOf } from '@tapeline/domain/collections/collections.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import { FilteredGrid } from '../../../components/filters/filtered-grid.tsx';
import { readFilteredList } from '../../../components/filters/filtered-list.ts';
import { readScreen } from '../../../http/screen.server.ts';
import { paths } from '../../../paths.ts';
import { REPAYMENT_LIST } from './repayment-list.server.ts';

const COLUMNS = columnsOf('repayments');

export const handle = { title: 'Repayments' };

export const loader = readScreen('repayments/read', async (screen) => ({
  page: await readFilteredList(screen, REPAYMENT_LIST),
  mayRecord: can(screen.actor, 'repayments/write') && screen.actor.type !== 'company',
}));

export default function Repayments() {
  const { page, mayRecord } = useLoaderData<typeof loader>();
  return (
    <FilteredGrid
      page={page}
      id="repayments"
      title="Repayments"
      noun={['repayment', 'repayments']}
      facts={['only principal reduces the balance']}
      primary={mayRecord ? { label: 'Record a repayment', to: paths.newRepayment() } : null}
      search={null}
      source="/crud/repayments"
      columns={COLUMNS}
      defaultSort={{ cutOffDate: -1 }}
      rowTo={paths.repayment}
      empty="What borrowers repay is listed here: principal, interest and fees."
      unfound="Remove a filter."
    />
  );
}
