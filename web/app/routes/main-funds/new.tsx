import { useField } from '@conform-to/react';
import { type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction, redirect } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { fundChoices } from '@tapeline/db/operations/funds/funds.ts';
import { createMainFund } from '@tapeline/db/operations/funds/main-funds.ts';
import { tenantOf } from '@tapeline/db/operations/permission.ts';
import { LinkButton } from '../../components/forms/button.tsx';
import { ChoiceSearch, countsOf } from '../../components/forms/choice-search.tsx';
import { type Choice, SelectField } from '../../components/forms/fields.tsx';
import { ListRows } from '../../components/forms/list-rows.tsx';
import { FormActions, ScreenForm, useScreenForm } from '../../components/forms/screen-form.tsx';
import { PageHeader } from '../../components/page/page-header.tsx';
import { Panel, Section } from '../../components/page/section.tsx';
import { act, intent, readScreenOfManager } from '../../http/screen.server.ts';
import { fundLabel } from '../funds/form/fund-form.ts';
import { FORM_PANEL, TermsFields } from '../funds/form/terms-fields.tsx';
import { paths } from '../paths.ts';
import { MOST_MEMBERS, newMainFundForm, termsOfForm } from './main-fund-form.ts';

export const meta: MetaFunction = () => [{ title: 'New main fund · Tapeline' }];
export const handle = { crumbs: () => [{ label: 'New main fund' }] };

export const loader = (args: LoaderFunctionArgs) =>
  readScreenOfManager(args, 'funds/write', ({ db, url }) =>
    db(async (session) => {
      const funds = await fundChoices(session, await tenantOf(session), { search: url.searchParams.get('findFund') });
      return { counts: countsOf(funds), funds: funds.choices.map(({ id, name }) => ({ value: id, label: name })) };
    }),
  );

export const action = (args: ActionFunctionArgs) =>
  act(
    args,
    {
      create: intent({
        permission: 'funds/write',
        schema: newMainFundForm,
        async run(form, { db }) {
          const { id } = await db((session) => createMainFund(session, termsOfForm(form)));
          return redirect(paths.mainFund(id));
        },
      }),
    },
    { lists: ['classMembers'] },
  );

function Members({ funds }: { funds: readonly Choice[] }) {
  const [members] = useField<string[]>('classMembers');
  return (
    <Section title="Funds" note="of the same currency, each in at most one main fund">
      <Panel className={FORM_PANEL}>
        <ListRows field={members} one="Fund" most={MOST_MEMBERS} compact>
          {(item, place) => (
            <SelectField
              field={item}
              label={`Fund ${place + 1}`}
              choices={funds}
              empty="Choose a fund"
              required={false}
            />
          )}
        </ListRows>
      </Panel>
    </Section>
  );
}

export default function NewMainFund() {
  const { funds, counts } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const [form] = useScreenForm('main-fund', newMainFundForm, { lastResult: answer?.lastResult });
  return (
    <>
      <PageHeader title="New main fund" facts={['Groups funds for joint statements and reports']} />
      <ChoiceSearch id="find-fund" name="findFund" noun={['fund', 'funds']} counts={counts} />
      <ScreenForm form={form} intent="create" labels={fundLabel}>
        <TermsFields currency={null} />
        <Members funds={funds} />
        <FormActions submit="Create main fund" submitting="Creating">
          <LinkButton to={paths.mainFunds()} tone="quiet">
            Cancel
          </LinkButton>
        </FormActions>
      </ScreenForm>
    </>
  );
}

export { ErrorScreen as ErrorBoundary } from '../../components/page/error-screen.tsx';
