import { Form, Link, useLoaderData } from '@remix-run/react';
import { mainFundChoices } from '@tapeline/db/operations/funds/main-funds.ts';
import { columnsOf } from '@tapeline/domain/collections/collections.ts';
import { isId } from '@tapeline/domain/documents/id.schema.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import { FilteredGrid } from '../../../components/filters/filtered-grid.tsx';
import { readFilteredList } from '../../../components/filters/filtered-list.ts';
import { Button } from '../../../components/forms/button.tsx';
import { KeptSearch } from '../../../components/forms/choice-search.tsx';
import { Select } from '../../../components/forms/fields.tsx';
import { readScreen } from '../../../http/screen.server.ts';
import { paths } from '../../../paths.ts';
import { FUND_LIST, OWN_LIST } from './list.server.ts';

const COLUMNS = columnsOf('funds');
/** What concerns the manager of a fund, not an investor whose commitments are listed. */
const OF_MANAGER: readonly string[] = ['targetSize', 'hardCap', 'investors'];
const OWN_COLUMNS = COLUMNS.filter(({ path }) => !OF_MANAGER.includes(path));

export const handle = { title: 'Funds' };

export const loader = readScreen('funds/read', async (screen) => {
  const { actor, db, url } = screen;
  const asked = url.searchParams.get('mainFund') ?? '';
  const mainFund = isId(asked) ? asked : null;
  const isInvestor = actor.lpIds.length > 0;
  const { managerId } = actor;
  return {
    mayWrite: can(actor, 'funds/write'),
    isInvestor,
    page: await readFilteredList(
      screen,
      isInvestor ? OWN_LIST : FUND_LIST,
      mainFund ? { conditions: [{ mainFund }] } : {},
    ),
    mainFund,
    mainFunds:
      isInvestor || managerId === null
        ? null
        : await db((session) => mainFundChoices(session, managerId, { chosen: mainFund ?? undefined })),
  };
});

/** The funds of one main fund. */
function MainFundChoice() {
  const { mainFund, mainFunds } = useLoaderData<typeof loader>();
  return (
    <Form
      method="get"
      preventScrollReset
      className="flex flex-col gap-2"
      onChange={(event) => event.currentTarget.requestSubmit()}
    >
      <KeptSearch without={['mainFund', 'skip']} />
      <Select
        key={mainFund}
        name="mainFund"
        defaultValue={mainFund ?? ''}
        aria-label="Main fund"
        empty="All main funds"
        choices={(mainFunds?.choices ?? []).map(({ id, name }) => ({ value: id, label: name }))}
      />
      <noscript>
        <Button type="submit">Show</Button>
      </noscript>
    </Form>
  );
}

export default function Funds() {
  const { page, mayWrite, isInvestor, mainFund, mainFunds } = useLoaderData<typeof loader>();
  const choices = mainFunds?.choices ?? [];
  const shown = choices.find(({ id }) => id === mainFund);
  return (
    <FilteredGrid
      page={page}
      id="funds"
      title={isInvestor ? 'Commitments' : 'Funds'}
      noun={['fund', 'funds']}
      facts={[
        isInvestor ? 'commitments are your own, today' : 'commitments as they are today',
        ...(mainFunds
          ? [
              <Link key="main" to={paths.mainFunds()} className="tap-text text-accent underline">
                Main funds
              </Link>,
            ]
          : []),
      ]}
      primary={mayWrite ? { label: 'New fund', to: paths.newFund() } : null}
      search={{ label: 'Find funds by title', placeholder: 'Find a fund' }}
      quick={
        choices.length > 0
          ? {
              form: <MainFundChoice />,
              set: shown ? [{ name: 'mainFund', label: 'Main fund', value: shown.name }] : [],
            }
          : undefined
      }
      columns={isInvestor ? OWN_COLUMNS : COLUMNS}
      defaultSort={{ title: 1 }}
      rowTo={paths.fund}
      empty={
        isInvestor
          ? 'Your commitments appear here after the fund manager records them.'
          : 'Investors commit capital to a fund, and the fund holds notes. Create the first one.'
      }
    />
  );
}
