import { type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction, redirect } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { updateFund } from '@tapeline/db/operations/funds/change-funds.ts';
import { getFundView } from '@tapeline/db/operations/funds/funds.ts';
import { LinkButton } from '../../components/forms/button.tsx';
import { FormActions, ScreenForm, useScreenForm } from '../../components/forms/screen-form.tsx';
import { HiddenField } from '../../components/organizations/party-form.tsx';
import { PageHeader } from '../../components/page/page-header.tsx';
import type { CrumbHandle } from '../../components/shell/breadcrumb.tsx';
import { act, intent, readScreen } from '../../http/screen.server.ts';
import { paths } from '../paths.ts';
import { fundFormChoices } from './form/fund-choices.server.ts';
import { FundFields } from './form/fund-fields.tsx';
import { FUND_LISTS, fundEditForm, fundLabel, fundOfForm, MOST_PARTIES } from './form/fund-form.ts';
import { FundSearches } from './form/fund-frame.tsx';

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `Edit ${data?.values.title ?? 'fund'} · Tapeline` },
];
export const handle: CrumbHandle<{ id: string; values: { title: string } }> = {
  crumbs: ({ data: { id, values } }) => [{ label: values.title, to: paths.fund(id) }, { label: 'Edit' }],
};

export const loader = (args: LoaderFunctionArgs) =>
  readScreen(args, 'funds/write', (screen) =>
    screen.db(async (session) => {
      const { fund } = await getFundView(session, screen.params.id ?? '');
      const { id, version, title, type, strategy, currency, targetSize, hardCap, classes, nonRecyclable } = fund;
      return {
        id,
        currency,
        classes,
        values: {
          title,
          type,
          strategy,
          targetSize,
          hardCap,
          closingDate: fund.closingDate ?? '',
          description: fund.description ?? '',
          nonRecyclable: {
            declerationDate: nonRecyclable?.declerationDate ?? '',
            fromBeginning: nonRecyclable?.fromBeginning ? 'on' : '',
          },
          classes,
          timeline: fund.timeline.map(({ activated, ...stage }) => ({
            ...stage,
            description: stage.description ?? '',
            endTime: stage.endTime ?? '',
            actual: stage.actual ?? '',
            activated: activated ? 'on' : '',
          })),
          GPs: fund.gpIds,
          serviceProviders: fund.serviceProviderIds,
          managementCompany: fund.managementCompanyId ?? '',
          entity: fund.entityId ?? '',
          mainFund: fund.mainFundId ?? '',
          excludeFromIRRCalculations: fund.excludeFromIrrCalculations ? 'on' : '',
          fundVersion: String(version),
        },
        choices: await fundFormChoices(session, screen, fund),
      };
    }),
  );

export const action = (args: ActionFunctionArgs) =>
  act(
    args,
    {
      save: intent({
        permission: 'funds/write',
        schema: fundEditForm,
        async run({ fundVersion: version, ...form }, { db, params: { id = '' } }) {
          await db((session) => updateFund(session, { id, body: { ...fundOfForm(form), version } }));
          return redirect(paths.fund(id));
        },
      }),
    },
    { lists: FUND_LISTS },
  );

export default function EditFund() {
  const { id, currency, classes, values, choices } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const [form] = useScreenForm('fund', fundEditForm, { lastResult: answer?.lastResult, defaultValue: values });
  return (
    <>
      <PageHeader title={`Edit ${values.title}`} facts={[`all sums in ${currency}`]} />
      <FundSearches counts={choices.counts} />
      <ScreenForm form={form} intent="save" labels={fundLabel}>
        <HiddenField name="fundVersion" />
        <FundFields currency={currency} classes={classes} choices={choices} mostParties={MOST_PARTIES.edit} />
        <FormActions submit="Save" submitting="Saving">
          <LinkButton to={paths.fund(id)} tone="quiet">
            Cancel
          </LinkButton>
        </FormActions>
      </ScreenForm>
    </>
  );
}

export { ErrorScreen as ErrorBoundary } from '../../components/page/error-screen.tsx';
