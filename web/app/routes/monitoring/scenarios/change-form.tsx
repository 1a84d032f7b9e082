import { useFormMetadata } from '@conform-to/react';
import { useActionData, useLoaderData } from '@remix-run/react';
import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { ROLL_LABELS } from '@tapeline/domain/pools/delinquency.ts';
import type { Fieldset } from '../../../components/forms/described-fields.tsx';
import { Select, SelectField, TextField } from '../../../components/forms/fields.tsx';
import { FORM_GRID } from '../../../components/forms/form-layout.ts';
import { FormPage } from '../../../components/forms/form-page.tsx';
import { named } from '../../../components/page/page-name.ts';
import { PanelSection } from '../../../components/page/section.tsx';
import { readScreen } from '../../../http/screen.server.ts';
import { paths } from '../../../paths.ts';
import { ChoiceBar, ChoiceField, ChoiceForm } from '../tapes/choice-bar.tsx';
import { readChangeForm, saveChange } from './change-form.server.ts';
import { CHANGE_FORM_DESCRIPTIONS, SHARE_FIELDS } from './change-forms.ts';

export const handle = named<typeof loader>(({ base, scenario }) => [
  [`Borrowing base, ${formatCalendarDate(base.cutOffDate)}`, paths.borrowingBase(base.id)],
  ['What if', paths.whatIf(base.id)],
  ...(scenario ? [[scenario.title, paths.scenario(scenario.id)] as [string, string]] : []),
  scenario ? 'Add a change' : 'New scenario',
]);

export const loader = readScreen('transactions/write', readChangeForm);
export const action = saveChange;

type Page = Awaited<ReturnType<typeof readChangeForm>>;

const LABELS = {
  kind: 'Change',
  title: 'Name',
  description: 'Description',
  contractId: 'Contract',
  rule: 'Rule',
  ratePercent: 'Advance rate',
  value: 'New limit',
  percent: 'Percentage',
  path: 'Field',
  operator: 'Comparison',
  match: 'Value',
  field: 'Obligors by',
  count: 'Number of obligors',
  months: 'Months',
  currency: 'Currency',
  ...Object.fromEntries(Object.entries(SHARE_FIELDS).map(([name, bucket]) => [name, `From ${ROLL_LABELS[bucket]}`])),
};

function ChangeFields({ page }: { page: Page }) {
  // Which fields there are depends on the kind of change.
  const fields: Fieldset = useFormMetadata().getFieldset();
  switch (page.kind) {
    case 'contract':
      return (
        <SelectField field={fields.contractId} label="Contract" choices={page.contracts} empty="Choose a contract" />
      );
    case 'rate':
      return (
        <>
          <SelectField field={fields.rule} label="Rate of" choices={page.cases} />
          <TextField field={fields.ratePercent} label={LABELS.ratePercent} unit="%" inputMode="decimal" />
        </>
      );
    case 'limit':
      return (
        <>
          <SelectField field={fields.rule} label="Limit" choices={page.limits} empty="Choose a limit" />
          <TextField field={fields.value} label={LABELS.value} hint="In the unit of the limit" inputMode="decimal" />
        </>
      );
    case 'ruleOff':
      return <SelectField field={fields.rule} label={LABELS.rule} choices={page.rules} empty="Choose a rule" />;
    case 'haircut':
      return (
        <>
          <TextField field={fields.percent} label="Balances lower by" unit="%" inputMode="decimal" />
          <SelectField
            field={fields.path}
            label="Only where (optional)"
            choices={page.fields}
            empty="All assets"
            required={false}
          />
          <SelectField field={fields.operator} label={LABELS.operator} choices={page.comparisons} required={false} />
          <TextField field={fields.match} label={LABELS.match} required={false} />
        </>
      );
    case 'largestDefault':
      return (
        <>
          <TextField field={fields.count} label={LABELS.count} inputMode="numeric" />
          <SelectField
            field={fields.field}
            label={LABELS.field}
            hint="The largest by balance on the tape"
            choices={page.texts}
          />
        </>
      );
    case 'rollRates':
      return (
        <>
          <TextField field={fields.months} label={LABELS.months} inputMode="numeric" />
          {Object.entries(SHARE_FIELDS).map(([name, bucket]) => (
            <TextField
              key={name}
              field={fields[name]}
              label={`From ${ROLL_LABELS[bucket]}`}
              hint="Share of the loans that move on each month"
              unit="%"
              inputMode="decimal"
              required={false}
            />
          ))}
        </>
      );
    case 'currency':
      return (
        <>
          <SelectField
            field={fields.currency}
            label={LABELS.currency}
            choices={page.currencies}
            empty="Choose a currency"
          />
          <TextField
            field={fields.percent}
            label="Change of its value"
            hint="-10 makes each amount in it worth 10% less"
            unit="%"
            inputMode="decimal"
          />
        </>
      );
  }
}

export default function ChangeFormScreen() {
  const page = useLoaderData<typeof loader>() as Page;
  const { kind, scenario, base } = page;
  const answer = useActionData<typeof action>();
  return (
    <FormPage
      key={kind}
      noun="scenario"
      stored={null}
      title={scenario ? `Add a change to ${scenario.title}` : 'New scenario'}
      facts={[
        `Borrowing base of ${formatCalendarDate(base.cutOffDate)}`,
        'the certificate, draws and checks stay as they are',
      ]}
      description={CHANGE_FORM_DESCRIPTIONS[kind]}
      answer={answer}
      values={{
        kind,
        rule: kind === 'rate' ? '-1' : '',
        contractId: page.contractId,
        operator: 'eq',
        field: page.texts.some(({ value }) => value === 'borrowerId') ? 'borrowerId' : (page.texts[0]?.value ?? ''),
      }}
      sentBack={['kind']}
      labels={LABELS}
      submit={scenario ? 'Add change' : 'Create scenario'}
      submitting={scenario ? 'Adding' : 'Creating'}
      shouldValidate="onSubmit"
      cancelTo={scenario ? paths.scenario(scenario.id) : paths.whatIf(base.id)}
      above={
        <ChoiceBar>
          <ChoiceForm kept={scenario ? {} : { base: base.id }} submit="Show">
            <ChoiceField label="What changes">
              {(field) => <Select {...field} key={kind} name="kind" defaultValue={kind} choices={page.kinds} />}
            </ChoiceField>
          </ChoiceForm>
        </ChoiceBar>
      }
    >
      {(fields) => (
        <>
          {scenario ? null : (
            <PanelSection title="Scenario" className={FORM_GRID}>
              <TextField
                field={fields.title}
                label="Name"
                hint="For example: Recession"
                marksOptional={false}
                required
              />
              <TextField field={fields.description} label="Description (optional)" />
            </PanelSection>
          )}
          <PanelSection title={page.kindLabel} note="more changes can be added afterwards" className={FORM_GRID}>
            <ChangeFields page={page} />
          </PanelSection>
        </>
      )}
    </FormPage>
  );
}
