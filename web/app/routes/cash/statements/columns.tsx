import { redirect } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { rememberColumns, statementAccount } from '@tapeline/db/operations/cash/statement-accounts.ts';
import {
  CSV_DATE_LABELS,
  CSV_SEPARATOR_LABELS,
  DECIMAL_MARK_LABELS,
} from '@tapeline/domain/cash/statements/csv-mapping.ts';
import { choicesOf } from '@tapeline/domain/documents/labels.ts';
import { SelectField, TextareaField, TextField } from '../../../components/forms/fields.tsx';
import { FORM_GRID } from '../../../components/forms/form-layout.ts';
import { FormPage } from '../../../components/forms/form-page.tsx';
import { PanelSection } from '../../../components/page/section.tsx';
import { act, intent, readScreen, type Screen } from '../../../http/screen.server.ts';
import { paths } from '../../../paths.ts';
import { COLUMN_LABELS, columnsFieldsDescription, columnsForm, shownColumns } from './columns-form.ts';

export const handle = { title: 'Columns of CSV files' };

const idOf = ({ params }: Screen): string => params.account ?? '';

export const loader = readScreen('payments/write', (screen) =>
  screen.db(async (session) => {
    const { id, title, currency, csvMapping, version } = await statementAccount(session, idOf(screen));
    return { id, title, currency, values: shownColumns(csvMapping ?? null, version) };
  }),
);

export const action = act({
  create: intent({
    permission: 'payments/write',
    schema: columnsForm,
    async run({ accountVersion, ...csvMapping }, screen) {
      const id = idOf(screen);
      await screen.db((session) => rememberColumns(session, { id, version: accountVersion, csvMapping }));
      return redirect(paths.importStatements({ account: id }));
    },
  }),
});

export default function StatementColumns() {
  const { title, values } = useLoaderData<typeof loader>();
  return (
    <FormPage
      noun="columns"
      stored={null}
      title={`CSV files of ${title}`}
      facts={['Write the headers as they are in the file', 'they are remembered for this account']}
      description={columnsFieldsDescription}
      answer={useActionData<typeof action>()}
      values={values}
      sentBack={['accountVersion']}
      labels={COLUMN_LABELS}
      submit="Save columns"
      submitting="Saving"
      cancelTo={paths.importStatements()}
      shouldValidate="onSubmit"
    >
      {(fields) => (
        <>
          <PanelSection title="How the file is written" className={FORM_GRID}>
            <SelectField
              field={fields.separator}
              label={COLUMN_LABELS.separator}
              choices={choicesOf(CSV_SEPARATOR_LABELS)}
            />
            <SelectField
              field={fields.decimal}
              label={COLUMN_LABELS.decimal}
              choices={choicesOf(DECIMAL_MARK_LABELS)}
            />
            <SelectField
              field={fields.dateOrder}
              label={COLUMN_LABELS.dateOrder}
              choices={choicesOf(CSV_DATE_LABELS)}
            />
          </PanelSection>
          <PanelSection title="Columns" note="blank where the file has none" className={FORM_GRID}>
            <TextField field={fields.bookedOn} label={COLUMN_LABELS.bookedOn} />
            <TextField field={fields.valuedOn} label={COLUMN_LABELS.valuedOn} />
            <TextField
              field={fields.amount}
              label={COLUMN_LABELS.amount}
              hint="Leave blank if what comes in and what goes out have a column each"
            />
            <TextField field={fields.balance} label={COLUMN_LABELS.balance} hint="It proves that no line is missing" />
            <TextField field={fields.credit} label={COLUMN_LABELS.credit} />
            <TextField field={fields.debit} label={COLUMN_LABELS.debit} />
            <TextField field={fields.counterpartyName} label={COLUMN_LABELS.counterpartyName} />
            <TextField field={fields.counterpartyAccount} label={COLUMN_LABELS.counterpartyAccount} />
            <TextField field={fields.reference} label={COLUMN_LABELS.reference} />
            <TextField field={fields.currency} label={COLUMN_LABELS.currency} />
            <TextField field={fields.charges} label={COLUMN_LABELS.charges} />
            <TextareaField
              field={fields.remittance}
              label={COLUMN_LABELS.remittance}
              hint="One header on each line. Their texts are joined"
              rows={2}
            />
          </PanelSection>
        </>
      )}
    </FormPage>
  );
}
