import { useActionData, useLoaderData } from '@remix-run/react';
import { BorrowerChoice } from '../../../components/forms/company-picker.tsx';
import { TextareaField } from '../../../components/forms/fields.tsx';
import { FormPage } from '../../../components/forms/form-page.tsx';
import { PageHeader } from '../../../components/page/page-header.tsx';
import { named } from '../../../components/page/page-name.ts';
import { PanelSection } from '../../../components/page/section.tsx';
import { readScreen } from '../../../http/screen.server.ts';
import { paths } from '../../../paths.ts';
import { pasteDescription } from './figure-form-schema.ts';
import { readPaste, savePaste } from './figures.server.ts';

export const handle = named(() => [['Facility figures', paths.facilityFigures()], 'Paste figures']);

export const loader = readScreen('transactions/write', readPaste);

export const action = savePaste;

const LABEL = 'Figures';

/** Several figures of a borrower at once, as they are copied from a workbook. */
export default function PasteFigures() {
  const { picker, company, names } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const choose = <BorrowerChoice picker={picker} company={company} />;
  if (!company) {
    return (
      <>
        <PageHeader title="Paste figures" facts={['A figure is of one borrower']} />
        {choose}
      </>
    );
  }
  return (
    <FormPage
      key={company.id}
      noun="figures"
      stored={null}
      title="Paste figures"
      facts={[<b key="company">{company.name}</b>, 'covenants read a figure once someone else has reviewed it']}
      description={pasteDescription}
      answer={answer}
      values={{}}
      sentBack={[]}
      submit="Enter figures"
      submitting="Entering"
      labels={{ lines: LABEL }}
      cancelTo={paths.facilityFigures()}
      above={choose}
    >
      {(fields) => (
        <PanelSection
          title="Figures"
          note={names.length > 0 ? `names in use: ${names.slice(0, 8).join(', ')}` : undefined}
          padded
        >
          <input type="hidden" name="company" value={company.id} />
          <TextareaField
            field={fields.lines}
            label={LABEL}
            hint="One figure per line: name, date, value, currency, remark. Currency and remark are optional. Paste from Excel, or separate the columns with semicolons."
            rows={12}
          />
        </PanelSection>
      )}
    </FormPage>
  );
}
