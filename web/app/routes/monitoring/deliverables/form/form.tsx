import { useActionData, useLoaderData } from '@remix-run/react';
import { REMINDER_KINDS } from '@tapeline/domain/cash/reminders.ts';
import { BUSINESS_CALENDAR_LABELS, BUSINESS_DAY_RULE_LABELS } from '@tapeline/domain/dates/business-calendar.ts';
import {
  DAYS_UNIT_LABELS,
  DELIVERABLE_FREQUENCY_LABELS,
  DELIVERABLE_KIND_LABELS,
} from '@tapeline/domain/deliverables/deliverable-labels.ts';
import { choicesOf } from '@tapeline/domain/documents/labels.ts';
import { BorrowerChoice } from '../../../../components/forms/company-picker.tsx';
import { CheckboxField, SelectField, TextareaField, TextField } from '../../../../components/forms/fields.tsx';
import { FORM_GRID } from '../../../../components/forms/form-layout.ts';
import { FormPage } from '../../../../components/forms/form-page.tsx';
import { MoreDetails } from '../../../../components/forms/more-details.tsx';
import { PageHeader } from '../../../../components/page/page-header.tsx';
import { named } from '../../../../components/page/page-name.ts';
import { PanelSection } from '../../../../components/page/section.tsx';
import { readScreen } from '../../../../http/screen.server.ts';
import { paths } from '../../../../paths.ts';
import { readDeliverableForm, saveDeliverable } from './deliverable-form.server.ts';
import { deliverableFormDescription, DELIVERABLE_FIELD_LABELS as LABELS } from './deliverable-form.ts';

export const handle = named<typeof loader>(({ stored }) =>
  stored ? [[stored.title, paths.deliverable(stored.id)], 'Edit'] : ['New deliverable'],
);

export const loader = readScreen('transactions/write', readDeliverableForm);

export const action = saveDeliverable;

const DETAILS = ['clause', 'description', 'lastPeriodEnd', 'daysUnit', 'businessDayRule', 'calendar'];

export default function DeliverableForm() {
  const { picker, company, note, stored, notes, senders, reviewers, values } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const choose = picker ? <BorrowerChoice picker={picker} company={company} /> : null;
  if (!company) {
    return (
      <>
        <PageHeader title="New deliverable" facts={['A deliverable is owed by one borrower']} />
        {choose}
      </>
    );
  }
  return (
    <FormPage
      key={stored?.id ?? company.id}
      noun="deliverable"
      stored={stored?.title ?? null}
      facts={[
        <b key="company">{company.name}</b>,
        ...(note ? [note] : []),
        stored ? 'what was sent stays' : 'its due dates are calculated',
      ]}
      description={deliverableFormDescription}
      answer={answer}
      values={values}
      sentBack={stored ? ['version'] : []}
      labels={LABELS}
      cancelTo={stored ? paths.deliverable(stored.id) : paths.deliverables()}
      above={choose}
    >
      {(fields) => (
        <>
          <PanelSection title="What is owed" className={FORM_GRID}>
            <TextField field={fields.title} label={LABELS.title} hint="For example: Quarterly financial statements" />
            <SelectField
              field={fields.kind}
              label={LABELS.kind}
              hint="A tape and a certificate are received in the product"
              choices={choicesOf(DELIVERABLE_KIND_LABELS)}
            />
            {stored ? null : (
              <SelectField
                field={fields.note}
                label={LABELS.note}
                hint="A certificate belongs to one note"
                choices={notes.map(({ value, label }) => ({ value, label }))}
                empty="The borrower as a whole"
                required={false}
              />
            )}
            <SelectField
              field={fields.frequency}
              label={LABELS.frequency}
              choices={choicesOf(DELIVERABLE_FREQUENCY_LABELS)}
            />
            <TextField
              field={fields.firstPeriodEnd}
              label={LABELS.firstPeriodEnd}
              type="date"
              suggestsMonthEnds
              hint="The last day of a month. It decides the periods after it"
            />
            <TextField field={fields.daysAfter} label={LABELS.daysAfter} unit="days" inputMode="numeric" />
          </PanelSection>
          <MoreDetails names={DETAILS} title="Clause, last period and business days" isFilled>
            <PanelSection title="Details" className={FORM_GRID}>
              <TextField field={fields.clause} label="Clause (optional)" hint="Of the agreement: 5.1(a)" />
              <TextField
                field={fields.lastPeriodEnd}
                label="Last period ends (optional)"
                type="date"
                suggestsMonthEnds
                required={false}
              />
              <SelectField
                field={fields.daysUnit}
                label={LABELS.daysUnit}
                choices={choicesOf(DAYS_UNIT_LABELS)}
                required={false}
              />
              <SelectField
                field={fields.businessDayRule}
                label={LABELS.businessDayRule}
                choices={choicesOf(BUSINESS_DAY_RULE_LABELS)}
                required={false}
              />
              <SelectField
                field={fields.calendar}
                label={LABELS.calendar}
                choices={choicesOf(BUSINESS_CALENDAR_LABELS)}
                required={false}
              />
              <TextareaField
                field={fields.description}
                label="What exactly is owed (optional)"
                hint="The borrower reads it, also in reminders"
                rows={3}
                maxLength={1000}
                className="sm:col-span-2"
              />
            </PanelSection>
          </MoreDetails>
          <PanelSection title="Who" className={FORM_GRID}>
            <SelectField
              field={fields.sender}
              label={LABELS.sender}
              hint="Is reminded"
              choices={senders}
              empty="Everyone who uploads tapes"
              required={false}
            />
            <SelectField
              field={fields.reviewer}
              label={LABELS.reviewer}
              hint="Is told of what is received"
              choices={reviewers}
              empty="Everyone who can accept it"
              required={false}
            />
            <CheckboxField
              field={fields.needsReview}
              label={LABELS.needsReview}
              hint="Without a review, what is received is done"
            />
          </PanelSection>
          <PanelSection
            title="Reminders"
            note="only while it is owed; business days are Monday to Friday"
            className={FORM_GRID}
          >
            {REMINDER_KINDS.map((kind) => (
              <CheckboxField key={kind} field={fields[kind]} label={LABELS[kind]} />
            ))}
          </PanelSection>
        </>
      )}
    </FormPage>
  );
}
