import { type FieldMetadata, useFormMetadata } from '@conform-to/react';
import { Form, useActionData, useLoaderData } from '@remix-run/react';
import {
  CONSEQUENCE_LABELS,
  COVENANT_BOUND_LABELS,
  COVENANT_UNIT_LABELS,
  MAX_STEPS,
} from '@tapeline/domain/covenants/covenant-labels.ts';
import { FREQUENCY_LABELS } from '@tapeline/domain/dates/reporting-periods.ts';
import { choicesOf } from '@tapeline/domain/documents/labels.ts';
import { Button } from '../../../../components/forms/button.tsx';
import { ChoiceSearch, countsOf } from '../../../../components/forms/choice-search.tsx';
import { CURRENCY_CHOICES } from '../../../../components/forms/currency-choices.ts';
import { type Fieldset, fieldsetOf } from '../../../../components/forms/described-fields.tsx';
import { SelectField, TextareaField, TextField } from '../../../../components/forms/fields.tsx';
import { FORM_GRID } from '../../../../components/forms/form-layout.ts';
import { FormPage } from '../../../../components/forms/form-page.tsx';
import { Select } from '../../../../components/forms/inputs.tsx';
import { ListRows } from '../../../../components/forms/list-rows.tsx';
import { MoreDetails } from '../../../../components/forms/more-details.tsx';
import { PageHeader } from '../../../../components/page/page-header.tsx';
import { named } from '../../../../components/page/page-name.ts';
import { Panel, PanelSection } from '../../../../components/page/section.tsx';
import { useHydrated } from '../../../../components/use-hydrated.ts';
import { readScreen } from '../../../../http/screen.server.ts';
import { paths } from '../../../../paths.ts';
import { readCovenantForm, saveCovenant } from './covenant-form.server.ts';
import { covenantFormDescription, covenantLabel } from './covenant-form.ts';
import { FigureFormulaField, type FormulaNames } from './formula-field.tsx';
import { type EnteredTest, testInWords } from './test-in-words.ts';

export const handle = named<typeof loader>(({ stored }) =>
  stored ? [[stored.title, paths.covenant(stored.id)], 'Edit'] : ['New covenant'],
);

export const loader = readScreen('transactions/write', readCovenantForm);

export const action = saveCovenant;

type Page = ReturnType<typeof useLoaderData<typeof loader>>;

const NOUN = ['note', 'notes'] as const;
const COUNT = { inputMode: 'numeric', required: false, marksOptional: false } as const;

function ChooseNote({ picker, noteId }: { picker: NonNullable<Page['picker']>; noteId: string }) {
  const counts = countsOf(picker);
  return (
    <>
      <ChoiceSearch id="note-search" name="find" noun={NOUN} counts={counts} />
      <Form
        method="get"
        preventScrollReset
        className="mb-6 flex flex-wrap items-end gap-3"
        onChange={(event) => {
          if ((event.target as EventTarget) instanceof HTMLSelectElement) event.currentTarget.requestSubmit();
        }}
      >
        {counts.search ? <input type="hidden" name="find" value={counts.search} /> : null}
        <label className="text-xs font-medium text-ink-2" htmlFor="note">
          Note
          <Select
            id="note"
            name="note"
            key={noteId}
            defaultValue={noteId}
            className="mt-1 w-96 max-w-full truncate font-normal"
            choices={picker.choices.map(({ id, label }) => ({ value: id, label }))}
            empty="Choose a note"
          />
        </label>
        <noscript>
          <Button type="submit">Choose</Button>
        </noscript>
      </Form>
    </>
  );
}

/** What the test says, while it is entered. */
function InWords() {
  const form = useFormMetadata();
  const words = testInWords((form.value ?? {}) as EnteredTest);
  return (
    <Panel className="max-w-[60rem] px-4 py-3">
      <p className="text-xs font-medium text-ink-2">In words</p>
      <p aria-live="polite" className="text-sm break-words">
        {words ?? 'Enter the figure and its limit to read the test as a sentence.'}
      </p>
    </Panel>
  );
}

const Steps = ({ field, unit }: { field: FieldMetadata<unknown>; unit: string | undefined }) => (
  <div className="min-w-0 sm:col-span-2">
    <ListRows field={field as FieldMetadata<unknown[]>} one="Limit" most={MAX_STEPS} compact>
      {(item, index) => {
        const { from, limit } = fieldsetOf(item);
        return (
          <div className="grid grid-cols-2 gap-2">
            <TextField field={from} label={`From ${index + 1}`} type="date" suggestsMonthEnds />
            <TextField field={limit} label={`Limit ${index + 1}`} inputMode="decimal" {...(unit ? { unit } : {})} />
          </div>
        );
      }}
    </ListRows>
    <p className="mt-1 text-xs text-ink-3">Each limit holds until the next. Add one for each later step.</p>
  </div>
);

/** What a limit is written with. */
const unitSign = (fields: Fieldset): string | undefined =>
  ({ percent: '%', times: 'x', money: fields.currency.value })[fields.unit.value as string];

function TestFields({ fields, names }: { fields: Fieldset; names: readonly FormulaNames[] }) {
  const isHydrated = useHydrated();
  const { value: unit } = fields.unit;
  const isMoney = !isHydrated || unit === 'money';
  const sign = unitSign(fields);
  return (
    <>
      <PanelSection title="Test" className={FORM_GRID}>
        <TextField field={fields.title} label="Title" hint="For example: 60+ days past due" />
        <FigureFormulaField field={fields.formula} groups={names} />
        <SelectField field={fields.unit} label="Unit" choices={choicesOf(COVENANT_UNIT_LABELS)} />
        {isMoney ? (
          <SelectField
            field={fields.currency}
            label="Currency"
            hint="Only of an amount of money"
            choices={CURRENCY_CHOICES}
            empty="None"
            required={false}
          />
        ) : null}
      </PanelSection>
      <PanelSection title="Limit" className={FORM_GRID}>
        <SelectField field={fields.bound} label="Bound" choices={choicesOf(COVENANT_BOUND_LABELS)} />
        <Steps field={fields.steps} unit={sign} />
      </PanelSection>
      <PanelSection title="Dates" className={FORM_GRID}>
        <SelectField field={fields.frequency} label="Frequency" choices={choicesOf(FREQUENCY_LABELS)} />
        <TextField
          field={fields.firstTest}
          label="First test"
          type="date"
          suggestsMonthEnds
          hint="The last day of a month. It decides the dates after it"
        />
      </PanelSection>
    </>
  );
}

function BreachFields({ fields }: { fields: Fieldset }) {
  const isHydrated = useHydrated();
  const isRate = !isHydrated || fields.consequence.value === 'defaultRate';
  return (
    <PanelSection title="Breach" className={FORM_GRID}>
      <SelectField field={fields.consequence} label="Consequence" choices={choicesOf(CONSEQUENCE_LABELS)} />
      <TextField
        field={fields.cureDays}
        label="Days to cure"
        unit="days"
        hint="Business days after the breach was found. 0 if it cannot be cured"
        {...COUNT}
      />
      {isRate ? (
        <TextField
          field={fields.defaultRate}
          label="Default advance rate"
          hint="Only with the consequence Other default advance rate"
          inputMode="decimal"
          unit="%"
          required={false}
        />
      ) : null}
    </PanelSection>
  );
}

const DETAILS = ['clause', 'clauseText', 'periods', 'daysToReport', 'warningDistance'];

function Details({ fields, isNew }: { fields: Fieldset; isNew: boolean }) {
  const { formula, bound, limit } = fieldsetOf(fields.springing);
  const sign = unitSign(fields);
  return (
    <>
      <MoreDetails names={DETAILS} title="Clause, average, warning and reporting" isFilled={isNew}>
        <PanelSection title="Details" className={FORM_GRID}>
          <TextField field={fields.clause} label="Clause (optional)" hint="Of the credit agreement: 6.3(b)" />
          <TextField
            field={fields.periods}
            label="Average over"
            unit="periods"
            hint="1 tests the last period alone"
            {...COUNT}
          />
          <TextField
            field={fields.warningDistance}
            label="Warning distance (optional)"
            hint="So close to its limit, a test that is met warns"
            inputMode="decimal"
            required={false}
            {...(sign ? { unit: sign } : {})}
          />
          <TextField
            field={fields.daysToReport}
            label="Days to report"
            unit="days"
            hint="After the test date. Without its figures by then, the test is unknown"
            {...COUNT}
          />
          <TextareaField
            field={fields.clauseText}
            label="Text of the clause (optional)"
            rows={4}
            maxLength={2000}
            className="sm:col-span-2"
          />
        </PanelSection>
      </MoreDetails>
      <MoreDetails names={['springing.formula', 'springing.limit']} title="Only while another figure is beyond a limit">
        <PanelSection
          title="Springing test"
          note="it does not apply while this is within its limit"
          className={FORM_GRID}
        >
          <TextField
            field={formula}
            label="Other figure"
            hint="Written as the figure above: [Balance] / [Commitments] * 100"
            required={false}
            maxLength={500}
            className="sm:col-span-2"
          />
          <SelectField field={bound} label="Other bound" choices={choicesOf(COVENANT_BOUND_LABELS)} required={false} />
          <TextField
            field={limit}
            label="Other limit"
            hint="The test applies only beyond it"
            inputMode="decimal"
            required={false}
          />
        </PanelSection>
      </MoreDetails>
    </>
  );
}

export default function CovenantForm() {
  const { picker, noteId, stored, of, names, values } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  if (of === null) {
    return (
      <>
        <PageHeader title="New covenant" facts={['A covenant is a test of one note']} />
        {picker ? <ChooseNote picker={picker} noteId={noteId} /> : null}
      </>
    );
  }
  return (
    <FormPage
      key={stored?.id ?? noteId}
      noun="covenant"
      stored={stored?.title ?? null}
      facts={[
        <b key="of">{of}</b>,
        stored ? 'earlier results stay as they are' : 'tests whose date has come are made at once',
      ]}
      description={covenantFormDescription}
      answer={answer}
      values={values}
      sentBack={stored ? ['version'] : []}
      labels={covenantLabel}
      cancelTo={stored ? paths.covenant(stored.id) : paths.covenants()}
      above={picker ? <ChooseNote picker={picker} noteId={noteId} /> : null}
    >
      {(fields) => (
        <>
          <TestFields fields={fields} names={names} />
          <BreachFields fields={fields} />
          <Details fields={fields} isNew={stored === null} />
          <InWords />
        </>
      )}
    </FormPage>
  );
}
