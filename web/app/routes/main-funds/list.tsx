import { useLoaderData } from '@remix-run/react';
import { columnsOf } from '@tapeline/domain/collections/collections.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import { FilteredGrid } from '../../components/filters/filtered-grid.tsx';
import { readFilteredList } from '../../components/filters/filtered-list.ts';
import { named } from '../../components/page/page-name.ts';
import { readScreen } from '../../http/screen.server.ts';
import { paths } from '../../paths.ts';
import { MAIN_FUND_LIST } from './main-fund-list.server.ts';

const COLUMNS = columnsOf('mainFunds');

export const handle = named('Main funds');

export const loader = readScreen('funds/read', async (screen) => ({
  mayWrite: can(screen.actor, 'funds/write'),
  page: await readFilteredList(screen, MAIN_FUND_LIST),
}));

export default function MainFunds() {
  const { page, mayWrite } = useLoaderData<typeof loader>();
  return (
    <FilteredGrid
      page={page}
      id="main-funds"
      title="Main funds"
      noun={['main fund', 'main funds']}
      facts={['each groups funds of one currency']}
      primary={mayWrite ? { label: 'New main fund', to: paths.newMainFund() } : null}
      search={{ label: 'Find main funds by title', placeholder: 'Find a main fund' }}
      columns={COLUMNS}
      defaultSort={{ title: 1 }}
      rowTo={paths.mainFund}
      empty="A main fund groups funds for joint statements and reports. Create the first one."
    />
  );
}
