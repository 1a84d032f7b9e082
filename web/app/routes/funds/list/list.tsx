import { useLoaderData } from '@remix-run/react';
import { columnsOf } from '@tapeline/domain/collections/collections.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import { FilteredGrid } from '../../../components/filters/filtered-grid.tsx';
import { readFilteredList } from '../../../components/filters/filtered-list.ts';
import { readScreen } from '../../../http/screen.server.ts';
import { paths } from '../../../paths.ts';
import { FUND_LIST } from './list.server.ts';

const COLUMNS = columnsOf('funds');

export const handle = { title: 'Funds' };

export const loader = readScreen('funds/read', async (screen) => ({
  mayWrite: can(screen.actor, 'funds/write'),
  isInvestor: screen.actor.lpIds.length > 0,
  page: await readFilteredList(screen, FUND_LIST),
}));

export default function Funds() {
  const { page, mayWrite, isInvestor } = useLoaderData<typeof loader>();
  return (
    <FilteredGrid
      page={page}
      id="funds"
      title="Funds"
      noun={['fund', 'funds']}
      facts={[isInvestor ? 'commitments are your own, today' : 'commitments as they are today']}
      primary={mayWrite ? { label: 'New fund', to: paths.newFund() } : null}
      search={{ label: 'Find funds by title', placeholder: 'Find a fund' }}
      columns={COLUMNS}
      defaultSort={{ title: 1 }}
      rowTo={paths.fund}
      empty="Investors commit capital to a fund, and the fund holds notes. Create the first one."
    />
  );
}
