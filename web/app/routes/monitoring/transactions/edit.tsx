import { redirect } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { choicesOf } from '@tapeline/domain/documents/labels.ts';
import { TRANSACTION_TYPES } from '@tapeline/domain/facilities/transaction.schema.ts';
import { AmountFields } from '../../../components/forms/amount-fields.tsx';
import { Fields, useGroup } from '../../../components/forms/described-fields.tsx';
import { ListRows } from '../../../components/forms/list-rows.tsx';
import { named } from '../../../components/page/page-name.ts';
import { act, intent, readScreen } from '../../../http/screen.server.ts';
import { paths } from '../../../paths.ts';
import { changeTransaction, readEditPage } from './edit-page.server.ts';
import { transactionEditDescription, transactionEditSchema } from './forms/edit-forms.ts';
import { EditFrame } from './forms/edit-frame.tsx';
import { IndustryFields } from './forms/industry-fields.tsx';
import { Part } from './forms/terms-fields.tsx';

export { shouldRevalidate } from './forms/edit-frame.tsx';

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
        return redirect(paths.transaction(id, { view: 'terms' }));
      },
    }),
  },
  { lists: ['industries', 'managerMaxCommitments'] },
);

export default function EditTransaction() {
  const { page } = useLoaderData<typeof loader>();
  const { title, type, industries, managerMaxCommitments } = page.transaction;
  return (
    <EditFrame
      id="transaction"
      description={transactionEditDescription}
      values={{
        title,
        type: type.kind === 'equity' ? type.equityType : type.loanType,
        industries,
        managerMaxCommitments,
      }}
      title={`Edit ${title}`}
      facts={['The borrower of a facility cannot change']}
    >
      <Part title="Facility" grid>
        <Fields
          lines={[
            { name: 'title', label: 'Title' },
            { name: 'type', label: 'Type', choices: choicesOf(TRANSACTION_TYPES) },
          ]}
        />
      </Part>
      <IndustryFields suggestions={page.choices.industries} />
      <Part title="Maximum commitments of the manager" note="what the manager’s funds may hold, by currency">
        <Amounts />
      </Part>
    </EditFrame>
  );
}

const Amounts = () => (
  <ListRows field={useGroup('managerMaxCommitments')} one="Amount" most={400}>
    {(item) => <AmountFields field={item} label="Amount" />}
  </ListRows>
);
