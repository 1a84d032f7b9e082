import type { SubmissionResult } from '@conform-to/react';
import { useField } from '@conform-to/react';
import { type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction, redirect } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { nextDistributionNumber } from '@tapeline/db/operations/capital/bundles.ts';
import { distribute } from '@tapeline/db/operations/capital/distributions.ts';
import { getFund } from '@tapeline/db/operations/funds/funds.ts';
import { MOST_LINES } from '@tapeline/domain/capital/capital-document.ts';
import { DISTRIBUTION_KINDS } from '@tapeline/domain/capital/distribution.schema.ts';
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
import {
  type DistributionForm,
  distributionForm,
  distributionOfForm,
  OPTIONS,
  TYPE_CHOICES,
} from './distribution-form.ts';
import { type DistributionReview as Review, reviewDistribution } from './distribution-review.server.ts';
import { DistributionReview } from './review.tsx';

export const meta: MetaFunction = () => [{ title: 'New distribution · Tapeline' }];
export const handle: CrumbHandle<unknown> = { crumbs: () => [{ label: 'New distribution' }] };

export const loader = (args: LoaderFunctionArgs) =>
  readScreen(args, 'distributions/write', (screen) =>
    screen.db(async (session) => {
      const { fund, choice } = await fundOfForm(session, screen);
      return {
        fund,
        choice,
        today: session.now.toISOString().slice(0, 10),
        callNumber: fund ? await nextDistributionNumber(session, fund.id) : '',
      };
    }),
  );

/** The entered values as the form's fields hold them. */
const enteredOf = ({ vat, ...form }: DistributionForm) => ({
  ...form,
  ...(vat === undefined ? {} : { vat: String(vat) }),
  ...Object.fromEntries(OPTIONS.map((option) => [option, form[option] ? 'on' : ''])),
});

const fieldFor = (path: string) => path;

async function save(form: DistributionForm, screen: Screen, status: 'Draft' | 'Active') {
  const bundleId = await atFields(
    screen.db(async (session) => {
      const { currency } = await getFund(session, form.fund);
      const views = await distribute(session, [distributionOfForm(form, { currency, dryRun: false, status })]);
      return views[0]?.metadata.bundleId ?? null;
    }),
    fieldFor,
  );
  return redirect(bundleId ? paths.distribution(bundleId) : paths.distributions());
}

const DISTRIBUTE = { permission: 'distributions/write', schema: distributionForm } as const;

export const action = (args: ActionFunctionArgs) =>
  act(
    args,
    {
      review: intent({
        ...DISTRIBUTE,
        async run(form, screen) {
          const review = await atFields(reviewDistribution(screen, form), fieldFor);
          return Response.json({
            intent: 'review',
            done: false,
            lastResult: { initialValue: enteredOf(form) },
            review,
          });
        },
      }),
      change: intent({
        ...DISTRIBUTE,
        run: (form) =>
          Promise.resolve(
            Response.json({ intent: 'change', done: false, lastResult: { initialValue: enteredOf(form) } }),
          ),
      }),
      draft: intent({ ...DISTRIBUTE, run: (form, screen) => save(form, screen, 'Draft') }),
      issue: intent({ ...DISTRIBUTE, run: (form, screen) => save(form, screen, 'Active') }),
    },
    { lists: ['components'] },
  );

interface Answer {
  lastResult?: SubmissionResult<string[]>;
  review?: Review;
}

interface ShownComponent {
  title: string;
  actionType: string;
  amount: string;
}

const KEPT = [
  'fund',
  'Class',
  'cutOffDate',
  'callNumber',
  'distributionKind',
  'principal',
  'trailingDescription',
  'vat',
  ...OPTIONS,
] as const;

/** The entered distribution, sent along with the review. */
function EnteredDistribution() {
  const [components] = useField<ShownComponent[]>('components');
  return (
    <>
      {KEPT.map((name) => (
        <HiddenField key={name} name={name} />
      ))}
      {components.getFieldList().map((item) =>
        (['title', 'actionType', 'amount'] as const).map((part) => {
          const { name, initialValue } = item.getFieldset()[part];
          return <input key={name} type="hidden" name={name} value={String(initialValue ?? '')} />;
        }),
      )}
    </>
  );
}

function DistributionFields({ fund }: { fund: FundOfForm }) {
  const [Class] = useField<string>('Class');
  const [callNumber] = useField<string>('callNumber');
  const [cutOffDate] = useField<string>('cutOffDate');
  const [distributionKind] = useField<string>('distributionKind');
  const [principal] = useField<string>('principal');
  const [components] = useField<ShownComponent[]>('components');
  const [recallableDistribution] = useField<string>('recallableDistribution');
  const [trailingDescription] = useField<string>('trailingDescription');
  const [vat] = useField<string>('vat');
  const [operationalExpenses] = useField<string>('operationalExpenses');
  const [fundLevel] = useField<string>('fundLevel');
  const [capitalGains] = useField<string>('capitalGains');
  return (
    <>
      <HiddenField name="fund" />
      <Section title="Distribution">
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
          <TextField field={callNumber} label="Number" hint="Unique among the distributions of the fund" />
          <TextField
            field={cutOffDate}
            label="Cut-off date"
            type="date"
            hint="Split by the commitments of this day, and counted from then on"
          />
          <SelectField
            field={distributionKind}
            label="Kind"
            hint="Interest has no principal. Principal only has no components"
            choices={DISTRIBUTION_KINDS.map((value) => ({ value, label: value }))}
          />
          <TextField
            field={principal}
            label="Principal (optional)"
            unit={fund.currency}
            inputMode="decimal"
            required={false}
            marksOptional={false}
            hint="Capital that is paid back"
          />
          <CheckboxField
            field={recallableDistribution}
            label="The principal can be called again"
            hint="It adds to what is unfunded, unless the fund excludes it"
            className="sm:pt-5"
          />
        </Panel>
      </Section>
      <Section title="Components" note="fees and taxes reduce what is distributed; enter them without a sign">
        <Panel className={FORM_PANEL}>
          <ListRows field={components} one="Component" most={MOST_LINES}>
            {(item) => {
              const component = item.getFieldset();
              return (
                <>
                  <TextField field={component.title} label="Title" className="sm:col-span-2" />
                  <SelectField field={component.actionType} label="Type" choices={TYPE_CHOICES} />
                  <TextField field={component.amount} label="Amount" unit={fund.currency} inputMode="decimal" />
                </>
              );
            }}
          </ListRows>
        </Panel>
      </Section>
      <Section title="Notice" note="optional">
        <Panel className={FORM_GRID}>
          <TextareaField
            field={trailingDescription}
            label="Text at the end of the notice"
            rows={3}
            required={false}
            className="sm:col-span-2"
          />
          <TextField
            field={vat}
            label="VAT on fees (optional)"
            unit="%"
            inputMode="decimal"
            required={false}
            marksOptional={false}
          />
          <div className="flex flex-col gap-2">
            <CheckboxField field={fundLevel} label="Also show the totals of the fund" />
            <CheckboxField field={operationalExpenses} label="Show operational expenses" />
            <CheckboxField field={capitalGains} label="Show capital gains" />
          </div>
        </Panel>
      </Section>
    </>
  );
}

type Page = ReturnType<typeof useLoaderData<typeof loader>>;

function DistributionFormOrReview({
  page,
  fund,
  answer,
}: {
  page: Page;
  fund: FundOfForm;
  answer: Answer | undefined;
}) {
  const { today, callNumber } = page;
  const review = answer?.review;
  const [form] = useScreenForm('distribution', distributionForm, {
    lastResult: answer?.lastResult,
    defaultValue: {
      fund: fund.id,
      callNumber,
      cutOffDate: today,
      distributionKind: 'Interest and Principal',
      components: [{ actionType: 'INTEREST' }],
      ...answer?.lastResult?.initialValue,
    },
    shouldValidate: 'onSubmit',
  });
  const cancel = (
    <LinkButton to={paths.distributions()} tone="quiet">
      Cancel
    </LinkButton>
  );
  return (
    <ScreenForm form={form} intent={review ? 'issue' : 'review'} labels={capitalLabel}>
      {review ? (
        <>
          <EnteredDistribution />
          <DistributionReview review={review} />
          <FormActions submit={`Issue to ${formatCount(review.shares.length, 'investor')}`} submitting="Saving">
            <Button type="submit" name="otherIntent" value="draft">
              Save as draft
            </Button>
            <Button type="submit" name="otherIntent" value="change">
              Back
            </Button>
            {cancel}
          </FormActions>
        </>
      ) : (
        <>
          <DistributionFields fund={fund} />
          <FormActions submit="Review" submitting="Checking">
            {cancel}
          </FormActions>
        </>
      )}
    </ScreenForm>
  );
}

export default function NewDistribution() {
  const page = useLoaderData<typeof loader>();
  const answer = useActionData() as Answer | undefined;
  const { fund, choice } = page;
  if (!fund) {
    return choice ? <ChooseFund title="New distribution" choice={choice} backTo={paths.distributions()} /> : null;
  }
  if (fund.status === 'Draft') {
    return (
      <EmptyState
        title="The fund is a draft"
        action={<LinkButton to={paths.editFund(fund.id)}>Edit the fund</LinkButton>}
      >
        It can distribute once {fund.title} is Active.
      </EmptyState>
    );
  }
  const review = answer?.review;
  return (
    <>
      <PageHeader
        title="New distribution"
        facts={[
          <b key="fund">{fund.title}</b>,
          ...(review ? [`distribution ${review.callNumber}`] : []),
          ...(review?.className ? [`class ${review.className}`] : []),
          `figures in ${fund.currency}`,
        ]}
      />
      <CapitalSteps
        fund={fund.title}
        amounts={review ? formatCount(review.lines.length, 'component') : 'not stored yet'}
        isReview={review !== undefined}
        notices={review ? formatCount(review.shares.length, 'notice') : 'a notice for each investor'}
      />
      <DistributionFormOrReview key={review ? 'review' : 'entry'} page={page} fund={fund} answer={answer} />
    </>
  );
}

export { ErrorScreen as ErrorBoundary } from '../../../components/page/error-screen.tsx';
