import { type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction, redirect } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { createCommitment } from '@tapeline/db/operations/commitments/change-commitments.ts';
import { getFund } from '@tapeline/db/operations/funds/funds.ts';
import { LinkButton } from '../../../components/forms/button.tsx';
import { SelectField } from '../../../components/forms/fields.tsx';
import { FormActions, ScreenForm, useScreenForm } from '../../../components/forms/screen-form.tsx';
import { PageHeader } from '../../../components/page/page-header.tsx';
import { Panel, Section } from '../../../components/page/section.tsx';
import type { CrumbHandle } from '../../../components/shell/breadcrumb.tsx';
import { act, intent, readScreen } from '../../../http/screen.server.ts';
import { paths } from '../../paths.ts';
import { FORM_GRID } from '../form/terms-fields.tsx';
import { ChangesSection, CommitmentSums, FeesSection, InvestorChoice } from './commitment-fields.tsx';
import { atFields, commitmentLabel, investorOfForm, newCommitmentForm, termsOfForm } from './commitment-form.ts';
import { investorChoices } from './investor-choices.server.ts';
import { InvestorSearches } from './investor-searches.tsx';

export const meta: MetaFunction = () => [{ title: 'New commitment · Tapeline' }];
export const handle: CrumbHandle<{ fund: { id: string; title: string } }> = {
  crumbs: ({ data: { fund } }) => [{ label: fund.title, to: paths.fund(fund.id) }, { label: 'New commitment' }],
};

export const loader = (args: LoaderFunctionArgs) =>
  readScreen(args, 'LPs/commitments/write', (screen) =>
    screen.db(async (session) => {
      const fund = await getFund(session, screen.params.id ?? '');
      const investor = screen.url.searchParams.get('investor') ?? '';
      return {
        fund: { id: fund.id, title: fund.title, currency: fund.currency, classes: fund.classes },
        investor,
        today: session.now.toISOString().slice(0, 10),
        choices: await investorChoices(session, screen, fund, investor),
      };
    }),
  );

export const action = (args: ActionFunctionArgs) =>
  act(
    args,
    {
      create: intent({
        permission: 'LPs/commitments/write',
        schema: newCommitmentForm,
        async run(form, { db, params: { id: fund = '' } }) {
          const body = {
            fund,
            investor: investorOfForm(form),
            Class: form.Class ?? null,
            status: form.status,
            ...termsOfForm(form),
          };
          const { id } = await atFields(
            form,
            db((session) => createCommitment(session, body)),
          );
          return redirect(paths.commitment(fund, id));
        },
      }),
    },
    { lists: ['deltas'] },
  );

export default function NewCommitment() {
  const { fund, choices, today, investor } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const [form, fields] = useScreenForm('commitment', newCommitmentForm, {
    lastResult: answer?.lastResult,
    defaultValue: { lp: investor, closingDate: today, status: 'Active' },
    shouldValidate: 'onSubmit',
  });
  return (
    <>
      <PageHeader title="New commitment" facts={[<b key="fund">{fund.title}</b>, `all sums in ${fund.currency}`]} />
      <InvestorSearches counts={choices.counts} />
      <ScreenForm form={form} intent="create" labels={commitmentLabel}>
        <Section title="Commitment">
          <Panel className={FORM_GRID}>
            <InvestorChoice investors={choices.investors} funds={choices.funds} who="Investor" />
            {fund.classes.length > 0 ? (
              <SelectField
                field={fields.Class}
                label="Class"
                choices={fund.classes.map(({ name, uniqueKey }) => ({ value: uniqueKey, label: name }))}
                empty="Choose a class"
              />
            ) : null}
            <CommitmentSums currency={fund.currency} />
            <SelectField
              field={fields.status}
              label="Status"
              hint="A draft does not count, and its investor does not see it"
              choices={[
                { value: 'Active', label: 'Active' },
                { value: 'Draft', label: 'Draft' },
              ]}
            />
          </Panel>
        </Section>
        <ChangesSection currency={fund.currency} />
        <FeesSection currency={fund.currency} />
        <FormActions submit="Create commitment" submitting="Creating">
          <LinkButton to={paths.fund(fund.id, { view: 'investors' })} tone="quiet">
            Cancel
          </LinkButton>
        </FormActions>
      </ScreenForm>
    </>
  );
}

export { ErrorScreen as ErrorBoundary } from '../../../components/page/error-screen.tsx';
