import { type SubmissionResult, useField } from '@conform-to/react';
import type { StoredEqualizationTerms } from '@tapeline/domain/closings/equalization-terms.schema.ts';
import { COMPOUNDING_LABELS, INTEREST_RECIPIENT_LABELS } from '@tapeline/domain/closings/equalization-terms.ts';
import { choicesOf } from '@tapeline/domain/documents/labels.ts';
import { DAY_COUNTS } from '@tapeline/domain/facilities/terms-labels.ts';
import { Button } from '../../../components/forms/button.tsx';
import { SelectField, TextareaField, TextField } from '../../../components/forms/fields.tsx';
import { FORM_GRID, FORM_PANEL } from '../../../components/forms/form-layout.ts';
import { HiddenField } from '../../../components/forms/hidden-field.tsx';
import { ListRows } from '../../../components/forms/list-rows.tsx';
import { MoreDetails } from '../../../components/forms/more-details.tsx';
import { FormActions, ScreenForm, useScreenForm } from '../../../components/forms/screen-form.tsx';
import { useTopOfStep } from '../../../components/forms/use-top-of-step.ts';
import { ProgressSteps } from '../../../components/page/progress-steps.tsx';
import { PanelSection } from '../../../components/page/section.tsx';
import { paths } from '../../../paths.ts';
import {
  closingFirstStepDescription,
  closingFormDescription,
  closingLabel,
  MAX_ENTRANTS,
  YES_NO,
} from './closing-form.ts';
import { ClosingFigures, issueLabel } from './closing-review.tsx';
import type { ShownClosing } from './shown-closing.server.ts';

const STEPS = ['entry', 'terms', 'review'] as const;
export type ClosingStep = (typeof STEPS)[number];
const STEP_LABELS = { entry: 'Closing and commitments', terms: 'Equalization terms', review: 'Review' } as const;

interface ClosingPage {
  fund: { id: string; currency: string; classes: readonly { name: string; uniqueKey: string }[] };
  equalization: StoredEqualizationTerms | null;
  today: string;
  title: string;
  callNumber: string;
  distributionNumber: string;
  choices: readonly { value: string; label: string }[];
  feesOf: readonly { value: string; label: string }[];
}

/** What the form was answered with. */
export interface ClosingAnswer {
  lastResult?: SubmissionResult<string[]>;
  step?: ClosingStep;
  review?: ShownClosing;
}

interface Row {
  investor: string;
  Class: string;
  amount: string;
}

/** Who closes, when, and how much. */
function EntryFields({ page }: { page: ClosingPage }) {
  const { fund, choices, feesOf } = page;
  const [title] = useField<string>('title');
  const [closingDate] = useField<string>('closingDate');
  const [dueDate] = useField<string>('dueDate');
  const [callNumber] = useField<string>('callNumber');
  const [distributionNumber] = useField<string>('distributionNumber');
  const [fees] = useField<string>('feesOf');
  const [text] = useField<string>('trailingDescription');
  const [investors] = useField<Row[]>('investors');
  return (
    <>
      <PanelSection title="Closing" className={FORM_GRID}>
        <TextField field={title} label="Name of the closing" />
        <TextField
          field={closingDate}
          label="Closing date"
          type="date"
          hint="Commitments change on this day, and interest runs until it"
        />
        <TextField
          field={dueDate}
          label="Due date"
          type="date"
          hint="By when the investors of this closing pay, and the earlier ones are paid"
        />
        <SelectField
          field={fees}
          label="Fees of new investors"
          hint="The fees of this investor’s commitment"
          choices={feesOf}
          empty="As the fund’s terms say"
          required={false}
        />
        <TextareaField field={text} label="Note on the notices" required={false} />
        <div className="sm:col-span-2">
          <MoreDetails title="Numbers of the notices" names={['callNumber', 'distributionNumber']} isFilled>
            <div className={FORM_GRID}>
              <TextField field={callNumber} label="Number of the call" />
              <TextField field={distributionNumber} label="Number of the distribution" />
            </div>
          </MoreDetails>
        </div>
      </PanelSection>
      <PanelSection
        title="Investors"
        note="new ones, and those who increase what they have committed"
        className={FORM_PANEL}
      >
        <ListRows field={investors} one="Investor" most={MAX_ENTRANTS}>
          {(item) => {
            const { investor, Class, amount } = item.getFieldset();
            return (
              <>
                <SelectField field={investor} label="Investor" choices={choices} empty="Choose an investor" />
                <TextField
                  field={amount}
                  label="Commits at this closing"
                  unit={fund.currency}
                  inputMode="decimal"
                  hint="Of an increase, what is added"
                />
                {fund.classes.length > 0 ? (
                  <SelectField
                    field={Class}
                    label="Class"
                    choices={fund.classes.map(({ uniqueKey, name }) => ({ value: uniqueKey, label: name }))}
                    empty="Choose a class"
                  />
                ) : null}
              </>
            );
          }}
        </ListRows>
      </PanelSection>
    </>
  );
}

/** By what terms the closing is equalized. They are kept with the fund. */
function TermsFields() {
  const [rate] = useField<string>('ratePercent');
  const [dayCount] = useField<string>('dayCount');
  const [compounding] = useField<string>('compounding');
  const [feeInterestTo] = useField<string>('feeInterestTo');
  const [fees] = useField<string>('feesFromFirstClosing');
  const [recallable] = useField<string>('recallable');
  return (
    <PanelSection title="Equalization terms" note="kept with the fund for its next closing" className={FORM_GRID}>
      <TextField
        field={rate}
        label="Interest"
        unit="% a year"
        inputMode="decimal"
        hint="From the due date of each call to the closing date"
      />
      <SelectField field={dayCount} label="Day count" choices={DAY_COUNTS.map((one) => ({ value: one, label: one }))} />
      <SelectField field={compounding} label="Compounding" choices={choicesOf(COMPOUNDING_LABELS)} />
      <SelectField
        field={feeInterestTo}
        label="Interest on management fees goes to"
        hint="Other interest goes to the earlier investors"
        choices={choicesOf(INTEREST_RECIPIENT_LABELS)}
      />
      <SelectField field={fees} label="Management fees from the first closing" choices={choicesOf(YES_NO)} />
      <SelectField field={recallable} label="Capital returned can be called again" choices={choicesOf(YES_NO)} />
    </PanelSection>
  );
}

const ENTRY = ['title', 'closingDate', 'dueDate', 'callNumber', 'distributionNumber', 'feesOf', 'trailingDescription'];
const TERMS = ['ratePercent', 'dayCount', 'compounding', 'feeInterestTo', 'feesFromFirstClosing', 'recallable'];

/** What other steps entered, sent along. */
function Carried({ names, withInvestors }: { names: readonly string[]; withInvestors: boolean }) {
  const [investors] = useField<Row[]>('investors');
  return (
    <>
      {names.map((name) => (
        <HiddenField key={name} name={name} />
      ))}
      {withInvestors
        ? investors.getFieldList().map((item) => {
            const { investor, Class, amount } = item.getFieldset();
            return [investor, Class, amount].map(({ name }) => <HiddenField key={name} name={name} />);
          })
        : null}
    </>
  );
}

/** The form of a closing at one of its steps. */
export function ClosingEntry({ page, answer }: { page: ClosingPage; answer: ClosingAnswer | undefined }) {
  const { fund, equalization, today } = page;
  const review = answer?.review;
  const step = answer?.step ?? 'entry';
  useTopOfStep(step);
  const yesNo = (is: boolean | undefined) => (is === false ? 'no' : 'yes');
  const [form] = useScreenForm('closing', step === 'entry' ? closingFirstStepDescription : closingFormDescription, {
    lastResult: answer?.lastResult,
    defaultValue: {
      title: page.title,
      closingDate: today,
      dueDate: today,
      callNumber: page.callNumber,
      distributionNumber: page.distributionNumber,
      feesOf: page.feesOf[0]?.value ?? '',
      investors: [{ investor: '', Class: '', amount: '' }],
      ratePercent: equalization ? String(equalization.ratePercent) : '',
      dayCount: equalization?.dayCount ?? 'ACT/365F',
      compounding: equalization?.compounding ?? 'simple',
      feeInterestTo: equalization?.feeInterestTo ?? 'manager',
      feesFromFirstClosing: yesNo(equalization?.feesFromFirstClosing),
      recallable: yesNo(equalization?.recallable),
      ...answer?.lastResult?.initialValue,
    },
    shouldValidate: 'onSubmit',
  });
  const at = STEPS.indexOf(step);
  const back = (to: ClosingStep) => (
    <Button type="submit" name="otherIntent" value={to}>
      Back
    </Button>
  );
  const cancelTo = paths.fund(fund.id, { view: 'investors' });
  const mustWait = review?.needsSecondPerson ?? false;
  const main = { entry: 'terms', terms: 'review', review: mustWait ? 'draft' : 'issue' }[step];
  return (
    <>
      <ProgressSteps
        label="Steps"
        steps={STEPS.map((one, index) => ({
          label: STEP_LABELS[one],
          state: index < at ? 'done' : index === at ? 'running' : 'waiting',
          fraction: 0.5,
        }))}
      />
      <ScreenForm form={form} intent={main} labels={closingLabel} currency={fund.currency}>
        <Carried
          names={step === 'entry' ? TERMS : step === 'terms' ? ENTRY : [...ENTRY, ...TERMS]}
          withInvestors={step !== 'entry'}
        />
        {step === 'entry' ? <EntryFields page={page} /> : null}
        {step === 'terms' ? <TermsFields /> : null}
        {review ? <ClosingFigures closing={review} isTried /> : null}
        {step === 'entry' ? <FormActions submit="Next" submitting="Checking" cancelTo={cancelTo} /> : null}
        {step === 'terms' ? (
          <FormActions submit="Review" submitting="Calculating" cancelTo={cancelTo}>
            {back('entry')}
          </FormActions>
        ) : null}
        {review ? (
          <FormActions
            submit={mustWait ? 'Close, and keep the notices as drafts' : issueLabel(review)}
            submitting="Closing"
            cancelTo={cancelTo}
          >
            {back('terms')}
            {mustWait || review.lines.length === 0 ? null : (
              <Button type="submit" name="otherIntent" value="draft">
                Close, and keep the notices as drafts
              </Button>
            )}
          </FormActions>
        ) : null}
      </ScreenForm>
    </>
  );
}
