import { type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction, redirect } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { updateCommitment } from '@tapeline/db/operations/commitments/change-commitments.ts';
import { CAPITAL_TRANSITIONS } from '@tapeline/domain/capital/states.ts';
import { LinkButton } from '../../../components/forms/button.tsx';
import { SelectField } from '../../../components/forms/fields.tsx';
import { FormActions, ScreenForm, useScreenForm } from '../../../components/forms/screen-form.tsx';
import { HiddenField } from '../../../components/organizations/party-form.tsx';
import { PageHeader } from '../../../components/page/page-header.tsx';
import { Panel, Section } from '../../../components/page/section.tsx';
import { act, intent, readScreen } from '../../../http/screen.server.ts';
import { paths } from '../../paths.ts';
import { FORM_GRID } from '../form/terms-fields.tsx';
import { ChangesSection, CommitmentSums, FeesSection } from './commitment-fields.tsx';
import { atFields, commitmentEditForm, commitmentLabel, termsOfForm } from './commitment-form.ts';
import { readCommitment } from './commitment-page.server.ts';
import { commitmentCrumbs } from './crumbs.ts';

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `Edit ${data?.title ?? 'commitment'} · Tapeline` },
];
export const handle = commitmentCrumbs('Edit');

const text = (value: number | string | null | undefined): string => (value == null ? '' : String(value));
const checked = (value: boolean | null | undefined): string => (value ? 'on' : '');

export const loader = (args: LoaderFunctionArgs) =>
  readScreen(args, 'LPs/commitments/write', (screen) =>
    screen.db(async (session) => {
      const { fund, commitment, title, className } = await readCommitment(session, screen);
      const { id, version, status, closingDate, maxCommitment, activeCommitment, deltas } = commitment;
      const { management, success, transaction, overallCap } = commitment.fees;
      return {
        id,
        title,
        className,
        fund,
        statuses: CAPITAL_TRANSITIONS.states.filter(
          (to) => to === status || (to !== 'Removed' && CAPITAL_TRANSITIONS.allows(status, to)),
        ),
        values: {
          status,
          closingDate,
          maxCommitment,
          activeCommitment,
          deltas: deltas.map((delta) => ({
            date: delta.date,
            amount: delta.amount,
            title: text(delta.title),
            transfer: text(delta.transfer),
          })),
          fees: {
            management: {
              committed: text(management?.committed),
              invested: text(management?.invested),
              interestIncome: text(management?.interestIncome),
              assets: text(management?.assets),
              assetsBasis: management?.assetsBasis === 'net' ? 'net' : '',
            },
            success: {
              hurdle: text(success?.hurdle),
              rate: text(success?.rate),
              catchUp: text(success?.catchUp),
              equityOnly: checked(success?.equityOnly),
              interestShare: text(success?.interestShare),
            },
            transaction: { applied: checked(transaction?.applied), cap: text(transaction?.cap) },
            overallCap: text(overallCap),
          },
          commitmentVersion: String(version),
        },
      };
    }),
  );

export const action = (args: ActionFunctionArgs) =>
  act(
    args,
    {
      save: intent({
        permission: 'LPs/commitments/write',
        schema: commitmentEditForm,
        async run({ commitmentVersion: version, status, ...form }, screen) {
          const saved = screen.db(async (session) => {
            const { commitment } = await readCommitment(session, screen);
            const changed = status === commitment.status ? {} : { status };
            const body = { ...termsOfForm(form), ...changed, version };
            return updateCommitment(session, { id: commitment.id, body });
          });
          const { id, fundId } = await atFields({}, saved);
          return redirect(paths.commitment(fundId, id));
        },
      }),
    },
    { lists: ['deltas'] },
  );

export default function EditCommitment() {
  const { id, title, className, fund, statuses, values } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const [form, fields] = useScreenForm('commitment', commitmentEditForm, {
    lastResult: answer?.lastResult,
    defaultValue: values,
    shouldValidate: 'onSubmit',
  });
  return (
    <>
      <PageHeader
        title={`Edit the commitment of ${title}`}
        facts={[<b key="fund">{fund.title}</b>, ...(className ? [className] : []), `all sums in ${fund.currency}`]}
      />
      <ScreenForm form={form} intent="save" labels={commitmentLabel}>
        <HiddenField name="commitmentVersion" />
        <Section title="Commitment">
          <Panel className={FORM_GRID}>
            <CommitmentSums currency={fund.currency} />
            <SelectField
              field={fields.status}
              label="Status"
              choices={statuses.map((status) => ({ value: status, label: status }))}
            />
          </Panel>
        </Section>
        <ChangesSection currency={fund.currency} />
        <FeesSection currency={fund.currency} />
        <FormActions submit="Save" submitting="Saving">
          <LinkButton to={paths.commitment(fund.id, id)} tone="quiet">
            Cancel
          </LinkButton>
        </FormActions>
      </ScreenForm>
    </>
  );
}

export { ErrorScreen as ErrorBoundary } from '../../../components/page/error-screen.tsx';
