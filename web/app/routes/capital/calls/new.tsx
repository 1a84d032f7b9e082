import type { SubmissionResult } from '@conform-to/react';
import { useField } from '@conform-to/react';
import { type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction, redirect } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { nextCallNumber } from '@tapeline/db/operations/capital/bundles.ts';
import { callCapital } from '@tapeline/db/operations/capital/contributions.ts';
import { MOST_LINES } from '@tapeline/domain/capital/capital-document.ts';
import { formatCount } from '../../../components/figures/format.ts';
import { Button, LinkButton } from '../../../components/forms/button.tsx';
import { CheckboxField, SelectField, TextareaField, TextField } from '../../../components/forms/fields.tsx';
import { ListRows } from '../../../components/forms/list-rows.tsx';
import { FormActions, ScreenForm, useScreenForm } from '../../../components/forms/screen-form.tsx';
import { HiddenField } from '../../../components/organizations/party-form.tsx';
import { EmptyState } from '../../../components/page/empty-state.tsx';
import { PageHeader } from '../../../components/page/page-header.tsx';
import { Panel, Section } from '../../../components/page/section.tsx';
import type { CrumbHandle } from '../../../components/shell/breadcrumb.tsx';
import { act, intent, readScreen, type Screen } from '../../../http/screen.server.ts';
import { FORM_GRID, FORM_PANEL } from '../../funds/form/terms-fields.tsx';
import { paths } from '../../paths.ts';
import { atFields, capitalLabel } from '../capital-form.ts';
import { ChooseFund } from '../choose-fund.tsx';
import { type FundOfForm, fundOfForm } from '../fund-of-form.server.ts';
import { CapitalSteps } from '../steps.tsx';
import { callOfForm } from './call-form.server.ts';
import { type CallForm, callForm, KIND_CHOICES } from './call-form.ts';
import { type CallReview as Review, reviewCall } from './call-review.server.ts';
import { CallReview } from './review.tsx';

export const meta: MetaFunction = () => [{ title: 'New capital call · Tapeline' }];
export const handle: CrumbHandle<unknown> = {
  crumbs: () => [{ label: 'New capital call' }],
};

export const loader = (args: LoaderFunctionArgs) =>
  readScreen(args, 'contributions/write', (screen) =>
    screen.db(async (session) => {
      const { fund, choice } = await fundOfForm(session, screen);
      return {
        fund,
        choice,
        today: session.now.toISOString().slice(0, 10),
        callNumber: fund ? await nextCallNumber(session, fund.id) : '',
      };
    }),
  );

/** The entered values as the form's fields hold them. */
const enteredOf = ({ percentage, fundLevel, ...form }: CallForm) => ({
  ...form,
  ...(percentage === undefined ? {} : { percentage: String(percentage) }),
  ...(fundLevel ? { fundLevel: 'on' } : {}),
});

const fieldFor = (form: CallForm) => (path: string) => {
  if (path === 'amount' || path === 'percentage') return form.amount === undefined ? 'percentage' : 'amount';
  return path;
};

async function save(form: CallForm, screen: Screen, status: 'Draft' | 'Active') {
  const bundleId = await atFields(
    screen.db(async (session) => {
      const views = await callCapital(session, await callOfForm(session, form, { dryRun: false, status }));
      return views[0]?.metadata.bundleId ?? null;
    }),
    fieldFor(form),
  );
  return redirect(bundleId ? paths.capitalCall(bundleId) : paths.capitalCalls());
}

const CALL = { permission: 'contributions/write', schema: callForm } as const;

export const action = (args: ActionFunctionArgs) =>
  act(
    args,
    {
      review: intent({
        ...CALL,
        async run(form, screen) {
          const review = await atFields(reviewCall(screen, form), fieldFor(form));
          return Response.json({
            intent: 'review',
            done: false,
            lastResult: { initialValue: enteredOf(form) },
            review,
          });
        },
      }),
      change: intent({
        ...CALL,
        run: (form) =>
          Promise.resolve(
            Response.json({ intent: 'change', done: false, lastResult: { initialValue: enteredOf(form) } }),
          ),
      }),
      draft: intent({ ...CALL, run: (form, screen) => save(form, screen, 'Draft') }),
      issue: intent({ ...CALL, run: (form, screen) => save(form, screen, 'Active') }),
    },
    { lists: ['callPurposes'] },
  );

interface Answer {
  lastResult?: SubmissionResult<string[]>;
  review?: Review;
}

interface ShownPurpose {
  title: string;
  kind: string;
  amount: string;
}

/** The entered call, sent along with the review. */
function EnteredCall() {
  const [callPurposes] = useField<ShownPurpose[]>('callPurposes');
  return (
    <>
      {['fund', 'Class', 'cutOffDate', 'dueDate', 'callNumber', 'amount', 'percentage', 'trailingDescription'].map(
        (name) => (
          <HiddenField key={name} name={name} />
        ),
      )}
      <HiddenField name="fundLevel" />
      {callPurposes.getFieldList().map((item) =>
        (['title', 'kind', 'amount'] as const).map((part) => {
          const { name, initialValue } = item.getFieldset()[part];
          return <input key={name} type="hidden" name={name} value={String(initialValue ?? '')} />;
        }),
      )}
    </>
  );
}

function CallFields({ fund }: { fund: FundOfForm }) {
  const [Class] = useField<string>('Class');
  const [callNumber] = useField<string>('callNumber');
  const [cutOffDate] = useField<string>('cutOffDate');
  const [dueDate] = useField<string>('dueDate');
  const [amount] = useField<string>('amount');
  const [percentage] = useField<string>('percentage');
  const [callPurposes] = useField<ShownPurpose[]>('callPurposes');
  const [trailingDescription] = useField<string>('trailingDescription');
  const [fundLevel] = useField<string>('fundLevel');
  const either = { required: false, marksOptional: false } as const;
  return (
    <>
      <HiddenField name="fund" />
      <Section title="Dates">
        <Panel className={FORM_GRID}>
          {fund.classes.length > 0 ? (
            <SelectField
              field={Class}
              label="Class"
              empty="All classes"
              required={false}
              choices={fund.classes.map(({ name, uniqueKey }) => ({ value: uniqueKey, label: name }))}
            />
          ) : null}
          <TextField field={callNumber} label="Number" hint="Unique among the calls of the fund" />
          <TextField
            field={cutOffDate}
            label="Cut-off date"
            type="date"
            hint="Split by the commitments of this day, which count as called from then on"
          />
          <TextField field={dueDate} label="Due date" type="date" hint="When investors pay" />
        </Panel>
      </Section>
      <Section title="Amount" note="a sum, or a percentage of the commitments">
        <Panel className={FORM_GRID}>
          <TextField field={amount} label="Amount" unit={fund.currency} inputMode="decimal" {...either} />
          <TextField field={percentage} label="Or a percentage" unit="%" inputMode="decimal" {...either} />
        </Panel>
      </Section>
      <Section title="Purposes" note="add up to the amount">
        <Panel className={FORM_PANEL}>
          <ListRows
            field={callPurposes}
            one="Purpose"
            most={MOST_LINES}
            hint="One purpose can have no amount. It takes what the others leave."
          >
            {(item) => {
              const purpose = item.getFieldset();
              return (
                <>
                  <TextField field={purpose.title} label="Title" className="sm:col-span-2" />
                  <SelectField field={purpose.kind} label="Kind" choices={KIND_CHOICES} />
                  <TextField
                    field={purpose.amount}
                    label="Amount"
                    unit={fund.currency}
                    inputMode="decimal"
                    {...either}
                  />
                </>
              );
            }}
          </ListRows>
        </Panel>
      </Section>
      <Section title="Notice" note="optional">
        <Panel className={`${FORM_PANEL} flex flex-col gap-4`}>
          <TextareaField field={trailingDescription} label="Text at the end of the notice" rows={3} required={false} />
          <CheckboxField field={fundLevel} label="Also show the totals of the fund" />
        </Panel>
      </Section>
    </>
  );
}

type Page = ReturnType<typeof useLoaderData<typeof loader>>;

function CallFormOrReview({ page, fund, answer }: { page: Page; fund: FundOfForm; answer: Answer | undefined }) {
  const { today, callNumber } = page;
  const review = answer?.review;
  const [form] = useScreenForm('call', callForm, {
    lastResult: answer?.lastResult,
    defaultValue: {
      fund: fund.id,
      callNumber,
      cutOffDate: today,
      callPurposes: [{ kind: 'investments' }],
      ...answer?.lastResult?.initialValue,
    },
    shouldValidate: 'onSubmit',
  });
  return (
    <ScreenForm
      form={form}
      intent={review && !review.isBeyond ? 'issue' : review ? 'change' : 'review'}
      labels={capitalLabel}
    >
      {review ? (
        <>
          <EnteredCall />
          <CallReview review={review} />
          {review.isBeyond ? (
            <FormActions submit="Back" submitting="Opening" tone="plain">
              <LinkButton to={paths.capitalCalls()} tone="quiet">
                Cancel
              </LinkButton>
            </FormActions>
          ) : (
            <FormActions submit={`Issue to ${formatCount(review.shares.length, 'investor')}`} submitting="Saving">
              <Button type="submit" name="otherIntent" value="draft">
                Save as draft
              </Button>
              <Button type="submit" name="otherIntent" value="change">
                Back
              </Button>
              <LinkButton to={paths.capitalCalls()} tone="quiet">
                Cancel
              </LinkButton>
            </FormActions>
          )}
        </>
      ) : (
        <>
          <CallFields fund={fund} />
          <FormActions submit="Review" submitting="Checking">
            <LinkButton to={paths.capitalCalls()} tone="quiet">
              Cancel
            </LinkButton>
          </FormActions>
        </>
      )}
    </ScreenForm>
  );
}

export default function NewCall() {
  const page = useLoaderData<typeof loader>();
  const answer = useActionData() as Answer | undefined;
  const { fund, choice } = page;
  if (!fund) {
    return choice ? <ChooseFund title="New capital call" choice={choice} backTo={paths.capitalCalls()} /> : null;
  }
  if (fund.status === 'Draft') {
    return (
      <EmptyState
        title="The fund is a draft"
        action={<LinkButton to={paths.editFund(fund.id)}>Edit the fund</LinkButton>}
      >
        Capital can be called once {fund.title} is Active.
      </EmptyState>
    );
  }
  const review = answer?.review;
  return (
    <>
      <PageHeader
        title="New capital call"
        facts={[
          <b key="fund">{fund.title}</b>,
          ...(review ? [`call ${review.callNumber}`] : []),
          ...(review?.className ? [`class ${review.className}`] : []),
          `figures in ${fund.currency}`,
        ]}
      />
      <CapitalSteps
        fund={fund.title}
        amounts={review ? `${formatCount(review.purposes.length, 'purpose')}` : 'not stored yet'}
        isReview={review !== undefined}
        notices={review ? formatCount(review.shares.length, 'notice') : 'a notice for each investor'}
      />
      <CallFormOrReview key={review ? 'review' : 'entry'} page={page} fund={fund} answer={answer} />
    </>
  );
}

export { ErrorScreen as ErrorBoundary } from '../../../components/page/error-screen.tsx';
