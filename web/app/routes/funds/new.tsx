import { type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction, redirect } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { createFund } from '@tapeline/db/operations/funds/change-funds.ts';
import { LinkButton } from '../../components/forms/button.tsx';
import { FormActions, ScreenForm, useScreenForm } from '../../components/forms/screen-form.tsx';
import { PageHeader } from '../../components/page/page-header.tsx';
import { act, intent, readScreenOfManager } from '../../http/screen.server.ts';
import { paths } from '../paths.ts';
import { fundFormChoices } from './form/fund-choices.server.ts';
import { FundFields } from './form/fund-fields.tsx';
import { FUND_LISTS, fundLabel, fundOfForm, MOST_PARTIES, newFundForm } from './form/fund-form.ts';
import { FundSearches } from './form/fund-frame.tsx';

export const meta: MetaFunction = () => [{ title: 'New fund · Tapeline' }];
export const handle = { crumbs: () => [{ label: 'New fund' }] };

export const loader = (args: LoaderFunctionArgs) =>
  readScreenOfManager(args, 'funds/write', (screen) =>
    screen.db(async (session) => ({
      mainFund: screen.url.searchParams.get('mainFund') ?? '',
      choices: await fundFormChoices(session, screen, null),
    })),
  );

export const action = (args: ActionFunctionArgs) =>
  act(
    args,
    {
      create: intent({
        permission: 'funds/write',
        schema: newFundForm,
        async run({ currency, ...form }, { db }) {
          const { fund } = await db((session) => createFund(session, { ...fundOfForm(form), currency }));
          return redirect(paths.fund(fund.id));
        },
      }),
    },
    { lists: FUND_LISTS },
  );

export default function NewFund() {
  const { choices, mainFund } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const [form] = useScreenForm('fund', newFundForm, {
    lastResult: answer?.lastResult,
    defaultValue: { mainFund },
  });
  return (
    <>
      <PageHeader title="New fund" facts={['Commitments are added on its page']} />
      <FundSearches counts={choices.counts} />
      <ScreenForm form={form} intent="create" labels={fundLabel}>
        <FundFields currency={null} classes={[]} choices={choices} mostParties={MOST_PARTIES.create} />
        <FormActions submit="Create fund" submitting="Creating">
          <LinkButton to={paths.funds()} tone="quiet">
            Cancel
          </LinkButton>
        </FormActions>
      </ScreenForm>
    </>
  );
}

export { ErrorScreen as ErrorBoundary } from '../../components/page/error-screen.tsx';
