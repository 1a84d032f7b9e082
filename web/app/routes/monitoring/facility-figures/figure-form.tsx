import { useActionData, useLoaderData } from '@remix-run/react';
import { BorrowerChoice } from '../../../components/forms/company-picker.tsx';
import { CURRENCY_CHOICES } from '../../../components/forms/currency-choices.ts';
import { Suggestions } from '../../../components/forms/described-fields.tsx';
import { SelectField, TextareaField, TextField } from '../../../components/forms/fields.tsx';
import { FORM_GRID } from '../../../components/forms/form-layout.ts';
import { FormPage } from '../../../components/forms/form-page.tsx';
import { StoredFileField } from '../../../components/forms/stored-file-field.tsx';
import { PageHeader } from '../../../components/page/page-header.tsx';
import { named } from '../../../components/page/page-name.ts';
import { PanelSection } from '../../../components/page/section.tsx';
import { readScreen } from '../../../http/screen.server.ts';
import { paths } from '../../../paths.ts';
import { FIGURE_LABELS, figureFormDescription } from './figure-form-schema.ts';
import { readFigureForm, saveFigure } from './figures.server.ts';

export const handle = named<typeof loader>(({ stored }) => [
  ['Facility figures', paths.facilityFigures()],
  ...(stored ? [[stored.title, paths.facilityFigure(stored.id)] as const, 'Edit'] : ['Enter figures']),
]);

export const loader = readScreen('transactions/write', readFigureForm);

export const action = saveFigure;

export default function FigureForm() {
  const { picker, company, stored, names, values } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const choose = picker ? <BorrowerChoice picker={picker} company={company} /> : null;
  if (!company) {
    return (
      <>
        <PageHeader title="Enter figures" facts={['A figure is of one borrower']} />
        {choose}
      </>
    );
  }
  return (
    <FormPage
      key={stored?.id ?? company.id}
      noun="figure"
      stored={stored?.title ?? null}
      title={stored ? `Edit ${stored.title}` : 'Enter figures'}
      facts={[<b key="company">{company.name}</b>, 'covenants read a figure once someone else has reviewed it']}
      description={figureFormDescription}
      answer={answer}
      values={values}
      sentBack={stored ? ['version'] : []}
      submit={stored ? 'Save' : 'Enter figure'}
      submitting={stored ? 'Saving' : 'Entering'}
      encType="multipart/form-data"
      labels={FIGURE_LABELS}
      cancelTo={stored ? paths.facilityFigure(stored.id) : paths.facilityFigures()}
      above={choose}
    >
      {(fields) => (
        <PanelSection title="Figure" className={FORM_GRID}>
          {stored ? null : <input type="hidden" name="company" value={company.id} />}
          <TextField
            field={fields.title}
            label={FIGURE_LABELS.title}
            hint="As formulas of covenants call it: Tangible net worth"
            list="figure-names"
            autoComplete="off"
          />
          <TextField field={fields.date} label={FIGURE_LABELS.date} type="date" suggestsMonthEnds />
          <TextField field={fields.value} label={FIGURE_LABELS.value} inputMode="decimal" />
          <SelectField
            field={fields.currency}
            label={FIGURE_LABELS.currency}
            hint="None for a figure that is not an amount of money"
            choices={CURRENCY_CHOICES}
            empty="None"
            required={false}
          />
          <TextareaField field={fields.remark} label={FIGURE_LABELS.remark} rows={2} maxLength={500} />
          <StoredFileField
            name="upload"
            label="Document"
            stored={{ name: 'document', value: String(fields.document.value ?? '') }}
          />
          <Suggestions id="figure-names" values={names} />
        </PanelSection>
      )}
    </FormPage>
  );
}
