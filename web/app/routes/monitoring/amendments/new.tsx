import type { SubmissionResult } from '@conform-to/react';
import { useActionData, useLoaderData } from '@remix-run/react';
import type { AmendmentPreview } from '@tapeline/db/operations/amendments/amendments.ts';
import { formatCalendarDate } from '@tapeline/domain/dates/calendar-day.ts';
import { Button } from '../../../components/forms/button.tsx';
import { ChoiceSearch } from '../../../components/forms/choice-search.tsx';
import { TextareaField, TextField } from '../../../components/forms/fields.tsx';
import { FORM_GRID } from '../../../components/forms/form-layout.ts';
import { FormActions, ScreenForm, useScreenForm } from '../../../components/forms/screen-form.tsx';
import { StoredFileField } from '../../../components/forms/stored-file-field.tsx';
import { useTopOfStep } from '../../../components/forms/use-top-of-step.ts';
import { PageHeader } from '../../../components/page/page-header.tsx';
import { PanelSection } from '../../../components/page/section.tsx';
import { paths } from '../../../paths.ts';
import { editCrumbs } from '../transactions/forms/edit-frame.tsx';
import { termLabelOf } from '../transactions/forms/labels.ts';
import { LoanTermsFields } from '../transactions/forms/terms-fields.tsx';
import { shownTerms } from '../transactions/forms/terms-form.ts';
import { AmendmentEffect } from './amendment-effect.tsx';
import { readAmendmentForm, saveAmendment } from './amendment-form.server.ts';
import { amendmentFormDescription } from './amendment-form.ts';

export const handle = editCrumbs('Amend the terms', ({ note }) => `Amend the terms of ${note?.title}`);

export const loader = readAmendmentForm;

export const action = saveAmendment;

interface Answer {
  readonly lastResult?: SubmissionResult<string[]>;
  readonly preview?: AmendmentPreview;
  readonly seen?: string;
}

const OWN_LABELS: Readonly<Record<string, string>> = {
  title: 'Title',
  effectiveDate: 'Effective date',
  remark: 'Remark',
};

/** Amends the terms of a note from a day on: what is changed in the form is the amendment. */
export default function AmendTerms() {
  const { page, note, part, day } = useLoaderData<typeof loader>();
  const answer = useActionData() as Answer | undefined;
  useTopOfStep(answer?.preview);
  const { transaction, isDebt, choices } = page;
  const { warrants: _, timeline, ...terms } = shownTerms(part.terms);
  const { approval: _a, termsheetSigning: _t, contractSigning: _c, ...dates } = timeline ?? {};
  const [form, fields] = useScreenForm('amendment', amendmentFormDescription, {
    lastResult: answer?.lastResult,
    shouldValidate: 'onSubmit',
    defaultValue: { title: '', effectiveDate: day ?? '', terms: { ...terms, timeline: dates } },
  });
  const isOwn = part.tranche === null;
  return (
    <>
      <PageHeader
        title={`Amend the terms of ${note.title}`}
        facts={[
          transaction.title,
          isOwn ? 'the terms of the note' : `the terms of ${part.title}`,
          ...(day === null ? [] : [`as of ${formatCalendarDate(day)}`]),
          'what you change here is the amendment',
        ]}
      />
      {answer?.preview ? <AmendmentEffect preview={answer.preview} /> : null}
      {choices.entityCounts ? (
        <ChoiceSearch id="find-entity" name="findEntity" noun={['entity', 'entities']} counts={choices.entityCounts} />
      ) : null}
      <ScreenForm
        form={form}
        intent="review"
        encType="multipart/form-data"
        labels={(name) => OWN_LABELS[name] ?? termLabelOf(name)}
      >
        <input type="hidden" name="transactionVersion" value={transaction.version} />
        {answer?.seen ? <input type="hidden" name="seen" value={answer.seen} /> : null}
        <PanelSection title="Amendment" className={FORM_GRID}>
          <TextField field={fields.title} label={OWN_LABELS.title ?? ''} />
          <TextField
            field={fields.effectiveDate}
            label={OWN_LABELS.effectiveDate ?? ''}
            type="date"
            hint="The first day of the changed terms. It can be before today"
          />
          <StoredFileField
            name="upload"
            label="Agreement"
            stored={{ name: 'document', value: String(fields.document.value ?? '') }}
          />
          <TextareaField field={fields.remark} label={OWN_LABELS.remark ?? ''} rows={2} maxLength={2000} />
        </PanelSection>
        <LoanTermsFields isDebt={isDebt} ofNote={isOwn} amends note={note.id} choices={choices} />
        <FormActions
          submit="Review"
          submitting="Reviewing"
          cancelTo={paths.transaction(transaction.id, { note: note.id, view: 'terms', ...(day ? { day } : {}) })}
        >
          {answer?.seen ? (
            <Button type="submit" name="otherIntent" value="create">
              Amend the terms
            </Button>
          ) : null}
        </FormActions>
      </ScreenForm>
    </>
  );
}
