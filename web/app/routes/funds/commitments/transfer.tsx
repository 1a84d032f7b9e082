import type { SubmissionResult } from '@conform-to/react';
import { redirect } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import {
  planTransfer,
  TRANSFER_BUCKET,
  type TransferPlan,
  transferCommitment,
} from '@tapeline/db/operations/commitments/transfer-commitment.ts';
import { todayOf } from '@tapeline/db/today.ts';
import { activeCommitmentAt } from '@tapeline/domain/commitments/active-commitment.ts';
import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import type { z } from 'zod';
import { storeUploads } from '../../../commands/form-files.server.ts';
import { DateText, Money } from '../../../components/figures/figures.tsx';
import { Button, LinkButton } from '../../../components/forms/button.tsx';
import { TextField } from '../../../components/forms/fields.tsx';
import { FORM_GRID } from '../../../components/forms/form-layout.ts';
import { HiddenField } from '../../../components/forms/hidden-field.tsx';
import { FormActions, ScreenForm, useScreenForm } from '../../../components/forms/screen-form.tsx';
import { StoredFileField } from '../../../components/forms/stored-file-field.tsx';
import { useTopOfStep } from '../../../components/forms/use-top-of-step.ts';
import { EmptyState } from '../../../components/page/empty-state.tsx';
import { PageHeader } from '../../../components/page/page-header.tsx';
import { PanelSection } from '../../../components/page/section.tsx';
import { TableSection } from '../../../components/tables/data-table.tsx';
import { act, intent, readScreen, type Screen } from '../../../http/screen.server.ts';
import { paths } from '../../../paths.ts';
import { InvestorChoice } from './commitment-fields.tsx';
import {
  atCommitmentFields,
  commitmentLabel,
  investorOfForm,
  transferForm,
  transferFormDescription,
} from './commitment-form.ts';
import { readCommitment } from './commitment-page.server.ts';
import { commitmentCrumbs } from './crumbs.ts';
import { investorChoices } from './investor-choices.server.ts';
import { InvestorSearches } from './investor-searches.tsx';

export const handle = commitmentCrumbs('Transfer', ({ title }) => `Transfer from ${title}`);

export const loader = readScreen('LPs/commitments/write', (screen) =>
  screen.db(async (session) => {
    const { fund, commitment, title, className } = await readCommitment(session, screen);
    const today = todayOf(session);
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

/** @throws Refusal badRequest if the file could not be stored */
const bodyOf = (
  { commitmentVersion: version, date, amount, sharePercent, price, document, refused, ...form }: Entered,
  { params }: Screen,
) => {
  if (refused) throw new Refusal('badRequest', refused);
  return {
    commitment: params.commitment ?? '',
    version,
    to: investorOfForm(form),
    date,
    amount,
    sharePercent,
    price,
    document,
  };
};

/** The entered values as the form's fields hold them. */
const enteredOf = ({ refused: _, ...form }: Entered) => ({
  ...form,
  commitmentVersion: String(form.commitmentVersion),
});

export const action = act(
  {
    review: intent({
      permission: 'LPs/commitments/write',
      schema: transferForm,
      async run(form, screen) {
        const plan = await atCommitmentFields(
          form,
          screen.dryRun((session) => planTransfer(session, bodyOf(form, screen))),
        );
        return Response.json({ intent: 'review', done: false, lastResult: { initialValue: enteredOf(form) }, plan });
      },
    }),
    change: intent({
      permission: 'LPs/commitments/write',
      schema: transferForm,
      run: (form) =>
        Promise.resolve(
          Response.json({ intent: 'change', done: false, lastResult: { initialValue: enteredOf(form) } }),
        ),
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
  },
  {
    files: {
      permission: 'LPs/commitments/write',
      store: (screen) => storeUploads(screen, { bucket: TRANSFER_BUCKET }),
    },
  },
);

interface Answer {
  lastResult?: SubmissionResult<string[]>;
  plan?: TransferPlan;
}
type Page = ReturnType<typeof useLoaderData<typeof loader>>;

/** The figures that a transfer of the interest moves. */
const MOVED = [
  { label: 'Active commitment', of: 'activeCommitment' },
  { label: 'Called', of: 'called' },
  { label: 'Unfunded', of: 'unfunded' },
  { label: 'Recallable', of: 'recallableCapital' },
  { label: 'Distributed', of: 'distributed' },
  { label: 'Written off', of: 'writtenOff' },
  { label: 'Net asset value', of: 'nav' },
] as const;

/** What will change, before it is done. */
function Review({ plan }: { plan: TransferPlan }) {
  const hasDocument = plan.transfer.documentId !== null;
  const day = formatCalendarDate(plan.date);
  return (
    <TableSection
      title="Review"
      note={`${plan.currency}, on ${day}; nothing is changed yet`}
      narrow="list"
      caption="Both investors and the fund before and after the transfer"
      rows={MOVED}
      rowKey={(row) => row.of}
      columns={[
        { head: 'Figure', cell: (row) => row.label },
        { head: `${plan.from.title} before`, money: (row) => plan.from.figures.before[row.of] },
        { head: 'after', money: (row) => plan.from.figures.after[row.of] },
        { head: `${plan.to.title} before`, money: (row) => plan.to.figures.before[row.of] },
        { head: 'after', money: (row) => plan.to.figures.after[row.of] },
        { head: 'Fund before', money: (row) => plan.fund.before[row.of] },
        { head: 'after', money: (row) => plan.fund.after[row.of] },
      ]}
      below={
        <div className="space-y-1 border-t border-line px-3 py-2 text-xs text-ink-2">
          <p>
            {plan.sharePercent === null ? (
              <>
                <Money value={plan.amount} /> {plan.currency} of unfunded commitment moves. At most{' '}
                <Money value={plan.unfunded} zero="figure" /> {plan.currency} was unfunded. What was called stays with{' '}
                {plan.from.title}.
              </>
            ) : (
              <>
                {plan.sharePercent}% of the interest moves on {day}: <Money value={plan.amount} /> {plan.currency} of
                commitment, with the same share of what was called, distributed, written off and valued before that day.
                {plan.price === null ? (
                  ' No purchase price is recorded.'
                ) : (
                  <>
                    {' '}
                    Purchase price: <Money value={plan.price} zero="figure" /> {plan.currency}.
                  </>
                )}
              </>
            )}
          </p>
          <p>
            {plan.isNew ? `${plan.to.title} gets a new commitment with the fees of ${plan.from.title}. ` : ''}
            {plan.to.maxAfter === plan.to.maxBefore ? null : (
              <>
                The maximum commitment of {plan.to.title} rises from <Money value={plan.to.maxBefore} zero="figure" />{' '}
                to <Money value={plan.to.maxAfter} /> {plan.currency}.{' '}
              </>
            )}
            {hasDocument ? 'The document is kept with the transfer. ' : ''}No email is sent: both investors see the
            transfer in their activity.
          </p>
        </div>
      }
    />
  );
}

function TransferFields({ page, answer }: { page: Page; answer: Answer | undefined }) {
  const { fund, choices, id, version, today } = page;
  const plan = answer?.plan;
  useTopOfStep(plan ? 'review' : 'entry');
  const [form, fields] = useScreenForm('transfer', transferFormDescription, {
    lastResult: answer?.lastResult,
    defaultValue: { date: today, commitmentVersion: String(version), ...answer?.lastResult?.initialValue },
    shouldValidate: 'onSubmit',
  });
  return (
    <ScreenForm
      form={form}
      intent={plan ? 'transfer' : 'review'}
      labels={commitmentLabel}
      currency={fund.currency}
      encType="multipart/form-data"
    >
      <HiddenField name="commitmentVersion" />
      {plan ? (
        <>
          <HiddenField name="lp" />
          <HiddenField name="investingFund" />
          <HiddenField name="date" />
          <HiddenField name="sharePercent" />
          <HiddenField name="amount" />
          <HiddenField name="price" />
          <HiddenField name="document" />
          <Review plan={plan} />
          <FormActions submit="Transfer" submitting="Transferring" cancelTo={paths.commitment(fund.id, id)}>
            <Button type="submit" name="otherIntent" value="change">
              Change
            </Button>
          </FormActions>
        </>
      ) : (
        <>
          <PanelSection title="Transfer" note="within the fund and class" className={FORM_GRID}>
            <InvestorChoice investors={choices.investors} funds={choices.funds} who="Transfer to" />
            <TextField field={fields.date} label="Date" type="date" hint="Both commitments change on this day" />
            <TextField
              field={fields.sharePercent}
              label="Share of the interest"
              unit="%"
              inputMode="decimal"
              hint="With what was called, distributed and valued before the date"
            />
            <TextField
              field={fields.price}
              label="Purchase price"
              unit={fund.currency}
              inputMode="decimal"
              hint="What the recipient pays for the share. Optional"
            />
            <TextField
              field={fields.amount}
              label="Or only unfunded commitment"
              unit={fund.currency}
              inputMode="decimal"
              hint="At most what is unfunded from that day on"
            />
            <StoredFileField
              name="upload"
              label="Document"
              stored={{ name: 'document', value: String(answer?.lastResult?.initialValue?.document ?? '') }}
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
