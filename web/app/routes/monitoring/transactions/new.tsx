import { useActionData, useLoaderData } from '@remix-run/react';
import { companyChoices } from '@tapeline/db/operations/companies/company-choices.ts';
import { suggestionsOf } from '@tapeline/db/operations/tables/tables.ts';
import { TRANSACTION_TYPES } from '@tapeline/domain/facilities/transaction.schema.ts';
import { LIST_NAMES } from '@tapeline/domain/tables/table.schema.ts';
import { Button } from '../../../components/forms/button.tsx';
import { CompanySearch } from '../../../components/forms/company-picker.tsx';
import { FormActions, ScreenForm, useScreenForm } from '../../../components/forms/screen-form.tsx';
import { useTopOfStep } from '../../../components/forms/use-top-of-step.ts';
import { quickCompany } from '../../../components/organizations/quick-company.server.ts';
import {
  mayCreateCompany,
  QUICK_COMPANY_LABELS,
  type QuickAnswer,
} from '../../../components/organizations/quick-company.ts';
import { QuickCompanyFields, withCreated } from '../../../components/organizations/quick-company-fields.tsx';
import { EmptyState } from '../../../components/page/empty-state.tsx';
import { loadedPart, ShownPart } from '../../../components/page/loaded-part.tsx';
import { PageHeader } from '../../../components/page/page-header.tsx';
import { named } from '../../../components/page/page-name.ts';
import { OTHER_INTENT } from '../../../http/list-edits.ts';
import { act, readScreen } from '../../../http/screen.server.ts';
import { paths } from '../../../paths.ts';
import { DealStep } from './creation/deal-step.tsx';
import { STEP_DESCRIPTIONS, STEPS, type Step } from './creation/facility-form.ts';
import { HiddenValues } from './creation/hidden-values.tsx';
import { StepList } from './creation/step-list.tsx';
import { backIntent, createIntent } from './creation/wizard.server.ts';
import { termLabelOf } from './forms/labels.ts';

const NOTES = loadedPart(() => import('./creation/steps.tsx').then((part) => part.NotesStep));
const TERMS = loadedPart(() => import('./creation/steps.tsx').then((part) => part.TermsStep));
const TIMELINE = loadedPart(() => import('./creation/steps.tsx').then((part) => part.TimelineStep));
/** The last step reads the whole form by its schema. */
const REVIEW = loadedPart(() => import('./creation/review.checks.tsx').then((part) => part.FacilityReview));

export const handle = named('New facility');

export const loader = readScreen('transactions/write', ({ db, url, actor }) =>
  db(async (session) => ({
    mayCreateCompany: mayCreateCompany(actor),
    industries: await suggestionsOf(session, LIST_NAMES.industries),
    picker: await companyChoices(session, {
      search: url.searchParams.get('find'),
      chosen: url.searchParams.get('company'),
    }),
  })),
);

export const action = act(
  { ...quickCompany('create', 'company'), create: createIntent, back: backIntent },
  { lists: ['industries', 'notes'] },
);

const labels = (name: string): string =>
  (QUICK_COMPANY_LABELS as Readonly<Record<string, string>>)[name] ?? termLabelOf(name);

const FIRST = {
  step: 'deal',
  type: TRANSACTION_TYPES[0],
  industries: [''],
  // Its currency is that of the company, once that is chosen.
  notes: [{ title: 'Senior', interest: { kind: 'variable' } }],
};

/** Creates a transaction step by step. Each step sends what was entered before; nothing is stored until the last. */
export default function NewTransaction() {
  const { picker, mayCreateCompany } = useLoaderData<typeof loader>();
  const answer = useActionData() as QuickAnswer | undefined;
  const entered = answer?.lastResult?.initialValue;
  const step = STEPS.find((one) => one === entered?.step) ?? 'deal';
  useTopOfStep(step);
  if (picker.total === 0 && !mayCreateCompany) {
    return <EmptyState title="No borrower yet">Facilities need a borrower. You don’t have access to any.</EmptyState>;
  }
  return (
    <>
      <PageHeader title="New facility" facts={['Nothing is saved before the last step']} />
      <StepList current={step} />
      {step === 'deal' ? <CompanySearch id="transaction-find" picker={picker} /> : null}
      {/* Each step starts with what was entered on those before it. */}
      <StepForm key={step} step={step} answer={answer} />
    </>
  );
}

function StepForm({ step, answer }: { step: Step; answer: QuickAnswer | undefined }) {
  const { picker, mayCreateCompany, industries } = useLoaderData<typeof loader>();
  const [only] = picker.choices;
  const created = answer?.company;
  const [form, fields] = useScreenForm('transaction', STEP_DESCRIPTIONS[step], {
    lastResult: answer?.lastResult,
    defaultValue: { ...FIRST, ...(picker.total === 1 ? { company: only?.id } : {}) },
    shouldValidate: 'onSubmit',
  });
  const values = (form.initialValue ?? {}) as Readonly<Record<string, unknown>>;
  const companies = withCreated(
    picker.choices.map(({ id, name }) => ({ value: id, label: name })),
    created,
  );
  const isReview = step === 'review';
  return (
    <ScreenForm form={form} intent="create" labels={labels}>
      <input type="hidden" name="step" value={step} />
      {step === 'deal'
        ? null
        : ['title', 'company', 'type', 'industries', ...(isReview ? ['notes'] : [])].map((name) => (
            <HiddenValues key={name} name={name} value={values[name]} />
          ))}
      {step === 'deal' ? (
        <DealStep
          companies={companies}
          createdCompany={created?.id}
          industries={industries}
          quickCompany={mayCreateCompany ? <QuickCompanyFields key={created?.id} /> : null}
        />
      ) : null}
      {step === 'notes' ? <ShownPart of={NOTES} /> : null}
      {step === 'terms' ? <ShownPart of={TERMS} /> : null}
      {step === 'timeline' ? <ShownPart of={TIMELINE} /> : null}
      {isReview ? (
        <ShownPart
          of={REVIEW}
          value={values}
          companyName={companies.find(({ value }) => value === values.company)?.label}
        />
      ) : null}
      <FormActions
        submit={isReview ? 'Create facility' : 'Continue'}
        submitting={isReview ? 'Creating' : 'Checking'}
        cancelTo={paths.transactions()}
      >
        {step === 'deal' ? null : (
          <Button type="submit" name={OTHER_INTENT} value="back" formNoValidate>
            Back
          </Button>
        )}
      </FormActions>
      {fields.notes?.errors && step !== 'notes' ? (
        <p className="text-xs text-danger">{fields.notes.errors[0]}</p>
      ) : null}
    </ScreenForm>
  );
}
