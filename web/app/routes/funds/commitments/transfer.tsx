import type { SubmissionResult } from '@conform-to/react';
import { redirect } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import {
  planTransfer,
  type TransferPlan,
  transferCommitment,
} from '@tapeline/db/operations/commitments/transfer-commitment.ts';
import { activeCommitmentAt } from '@tapeline/domain/commitments/active-commitment.ts';
import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import type { z } from 'zod';
import { DateText, Money } from '../../../components/figures/figures.tsx';
import { Button, LinkButton } from '../../../components/forms/button.tsx';
import { TextField } from '../../../components/forms/fields.tsx';
import { FORM_GRID } from '../../../components/forms/form-layout.ts';
import { HiddenField } from '../../../components/forms/hidden-field.tsx';
import { FormActions, ScreenForm, useScreenForm } from '../../../components/forms/screen-form.tsx';
import { useTopOfStep } from '../../../components/forms/use-top-of-step.ts';
import { EmptyState } from '../../../components/page/empty-state.tsx';
import { PageHeader } from '../../../components/page/page-header.tsx';
import { PanelSection } from '../../../components/page/section.tsx';
import { TableSection } from '../../../components/tables/data-table.tsx';
import { act, intent, readScreen, type Screen } from '../../../http/screen.server.ts';
import { paths } from '../../../paths.ts';
import { InvestorChoice } from './commitment-fields.tsx';
import { atCommitmentFields, commitmentLabel, investorOfForm, transferForm } from './commitment-form.ts';
import { readCommitment } from './commitment-page.server.ts';
import { commitmentCrumbs } from './crumbs.ts';
import { investorChoices } from './investor-choices.server.ts';
import { InvestorSearches } from './investor-searches.tsx';

export const handle = commitmentCrumbs('Transfer', ({ title }) => `Transfer from ${title}`);

export const loader = readScreen('LPs/commitments/write', (screen) =>
  screen.db(async (session) => {
    const { fund, commitment, title, className } = await readCommitment(session, screen);
    const today = session.now.toISOString().slice(0, 10);
    return {
      id: commitment.id,
      version: commitment.version,
      title,
      className,
      fund,
      today,
      closingDate: commitment.closingDate,
      status: commitment.status,
      active: activeCommitmentAt(commitment, today),
      mayTransfer: commitment.status === 'Active' && can(screen.actor, 'LPs/commitments/write'),
      choices: await investorChoices(session, screen, fund),
    };
  }),
);

type Entered = z.output<typeof transferForm>;

const bodyOf = ({ commitmentVersion: version, date, amount, ...form }: Entered, { params }: Screen) => ({
  commitment: params.commitment ?? '',
  version,
  to: investorOfForm(form),
  date,
  amount,
});

/** The entered values as the form's fields hold them. */
const enteredOf = (form: Entered) => ({ ...form, commitmentVersion: String(form.commitmentVersion) });

export const action = act({
  review: intent({
    permission: 'LPs/commitments/write',
    schema: transferForm,
    async run(form, screen) {
      const plan = await atCommitmentFields(
        form,
        screen.db((session) => planTransfer(session, bodyOf(form, screen))),
      );
      return Response.json({ intent: 'review', done: false, lastResult: { initialValue: enteredOf(form) }, plan });
    },
  }),
  change: intent({
    permission: 'LPs/commitments/write',
    schema: transferForm,
    run: (form) =>
      Promise.resolve(Response.json({ intent: 'change', done: false, lastResult: { initialValue: enteredOf(form) } })),
  }),
  transfer: intent({
    permission: 'LPs/commitments/write',
    schema: transferForm,
    async run(form, screen) {
      const { from } = await atCommitmentFields(
        form,
        screen.db((session) => transferCommitment(session, bodyOf(form, screen))),
      );
      return redirect(paths.commitment(from.fundId, from.id));
    },
  }),
});

interface Answer {
  lastResult?: SubmissionResult<string[]>;
  plan?: TransferPlan;
}
type Page = ReturnType<typeof useLoaderData<typeof loader>>;

/** What will change, before it is done. */
function Review({ plan }: { plan: TransferPlan }) {
  const sides = [
    { key: 'from', role: 'Transferor', ...plan.from },
    { key: 'to', role: plan.isNew ? 'Recipient, new commitment' : 'Recipient', ...plan.to },
  ];
  return (
    <TableSection
      title="Review"
      note={`${plan.currency}, on ${formatCalendarDate(plan.date)}; nothing is changed yet`}
      narrow="list"
      caption="Commitments before and after the transfer"
      rows={sides}
      rowKey={(row) => row.key}
      columns={[
        { head: 'Investor', name: (row) => row.title, length: 60 },
        { head: 'Role', cell: (row) => row.role },
        { head: 'Active before', money: (row) => row.before },
        { head: 'Active after', money: (row) => row.after },
        { head: 'Maximum before', money: (row) => row.maxBefore },
        { head: 'Maximum after', money: (row) => row.maxAfter },
      ]}
      below={
        <p className="border-t border-line px-3 py-2 text-xs text-ink-2">
          <Money value={plan.amount} /> {plan.currency} moves. At most <Money value={plan.unfunded} zero="figure" />{' '}
          {plan.currency} was unfunded. The fund’s total stays the same, and what was called stays with the transferor.
          {plan.isNew ? ' The new commitment takes over the fees of the transferor.' : ''}
        </p>
      }
    />
  );
}

function TransferFields({ page, answer }: { page: Page; answer: Answer | undefined }) {
  const { fund, choices, id, version, today } = page;
  const plan = answer?.plan;
  useTopOfStep(plan ? 'review' : 'entry');
  const [form, fields] = useScreenForm('transfer', transferForm, {
    lastResult: answer?.lastResult,
    defaultValue: { date: today, commitmentVersion: String(version), ...answer?.lastResult?.initialValue },
    shouldValidate: 'onSubmit',
  });
  return (
    <ScreenForm form={form} intent={plan ? 'transfer' : 'review'} labels={commitmentLabel} currency={fund.currency}>
      <HiddenField name="commitmentVersion" />
      {plan ? (
        <>
          <HiddenField name="lp" />
          <HiddenField name="investingFund" />
          <HiddenField name="date" />
          <HiddenField name="amount" />
          <Review plan={plan} />
          <FormActions submit="Transfer" submitting="Transferring" cancelTo={paths.commitment(fund.id, id)}>
            <Button type="submit" name="otherIntent" value="change">
              Change
            </Button>
          </FormActions>
        </>
      ) : (
        <>
          <PanelSection title="Transfer" note="of unfunded commitment, within the fund and class" className={FORM_GRID}>
            <InvestorChoice investors={choices.investors} funds={choices.funds} who="Transfer to" />
            <TextField field={fields.date} label="Date" type="date" hint="Both commitments change on this day" />
            <TextField
              field={fields.amount}
              label="Amount"
              unit={fund.currency}
              inputMode="decimal"
              hint="At most what is unfunded from that day on"
            />
          </PanelSection>
          <FormActions submit="Review" submitting="Checking" cancelTo={paths.commitment(fund.id, id)} />
        </>
      )}
    </ScreenForm>
  );
}

export default function TransferScreen() {
  const page = useLoaderData<typeof loader>();
  const answer = useActionData() as Answer | undefined;
  const { title, fund, className, active, closingDate } = page;
  if (!page.mayTransfer) {
    return (
      <>
        <PageHeader title={`Transfer from ${title}`} />
        <EmptyState
          title="Nothing to transfer"
          action={<LinkButton to={paths.commitment(fund.id, page.id)}>Back to the commitment</LinkButton>}
        >
          Only an Active commitment can be transferred. This one is {page.status}.
        </EmptyState>
      </>
    );
  }
  return (
    <>
      <PageHeader
        title={`Transfer from ${title}`}
        facts={[
          <b key="fund">{fund.title}</b>,
          ...(className ? [className] : []),
          <>
            <Money value={active} zero="figure" /> {fund.currency} active today
          </>,
          <>
            closed <DateText value={closingDate} />
          </>,
        ]}
      />
      {answer?.plan ? null : <InvestorSearches counts={page.choices.counts} />}
      <TransferFields key={answer?.plan ? 'review' : 'entry'} page={page} answer={answer} />
    </>
  );
}
