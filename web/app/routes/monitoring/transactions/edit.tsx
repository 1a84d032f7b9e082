import { redirect } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { choicesOf } from '@tapeline/domain/documents/labels.ts';
import { TRANSACTION_TYPES } from '@tapeline/domain/facilities/transaction.schema.ts';
import { SelectField, TextField } from '../../../components/forms/fields.tsx';
import { ListRows } from '../../../components/forms/list-rows.tsx';
import { useScreenForm } from '../../../components/forms/screen-form.tsx';
import { named } from '../../../components/page/page-name.ts';
import { Panel, Section } from '../../../components/page/section.tsx';
import { act, intent, readScreen } from '../../../http/screen.server.ts';
import { paths } from '../../../paths.ts';
import { changeTransaction, readEditPage } from './edit-page.server.ts';
import { AmountFields } from './forms/amount-fields.tsx';
import { EditFrame } from './forms/edit-frame.tsx';
import { IndustryFields } from './forms/industry-fields.tsx';
import { FORM_GRID, FORM_PANEL } from './forms/terms-fields.tsx';
import { transactionEditSchema } from './forms/transaction-form.ts';

export const handle = named<typeof loader>(({ page }) => [
  [page.transaction.title, paths.transaction(page.transaction.id)],
  'Edit',
]);

export const loader = readScreen('transactions/write', async (screen) => ({ page: await readEditPage(screen) }));

export const action = act(
  {
    save: intent({
      permission: 'transactions/write',
      schema: transactionEditSchema,
      async run({ transactionVersion, ...fields }, screen) {
        const { id } = await changeTransaction(screen, transactionVersion, (document) => ({
          ...document,
          ...fields,
        }));
        return redirect(paths.transaction(id));
      },
    }),
  },
  { lists: ['industries', 'managerMaxCommitments'] },
);

export default function EditTransaction() {
  const { page } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const { transaction } = page;
  const { id, title, type, industries, managerMaxCommitments } = transaction;
  const [form, fields] = useScreenForm('transaction', transactionEditSchema, {
    lastResult: answer?.lastResult,
    defaultValue: {
      title,
      type: type.kind === 'equity' ? type.equityType : type.loanType,
      industries,
      managerMaxCommitments,
    },
  });
  return (
    <EditFrame
      title={`Edit ${title}`}
      facts={['The company of a transaction cannot change']}
      page={page}
      answer={answer}
      form={form}
      cancelTo={paths.transaction(id)}
    >
      <Section title="Transaction">
        <Panel className={FORM_GRID}>
          <TextField field={fields.title} label="Title" />
          <SelectField field={fields.type} label="Type" choices={choicesOf(TRANSACTION_TYPES)} />
        </Panel>
      </Section>
      <IndustryFields suggestions={page.choices.industries} />
      <Section title="Maximum commitments of the manager" note="what the manager’s funds may hold, by currency">
        <Panel className={FORM_PANEL}>
          <ListRows field={fields.managerMaxCommitments as never} one="Amount" most={400}>
            {(item) => <AmountFields field={item as never} label="Amount" required />}
          </ListRows>
        </Panel>
      </Section>
    </EditFrame>
  );
}
export { shouldRevalidate } from './forms/revalidate.ts';
