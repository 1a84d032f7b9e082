import { type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction, redirect } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { copyContract, createFirstContract } from '@tapeline/db/operations/transactions/contracts.ts';
import { transactionContractSchema } from '@tapeline/domain/facilities/contract.schema.ts';
import { z } from 'zod';
import { Name } from '../../components/figures/figures.tsx';
import { StatusChip } from '../../components/page/chip.tsx';
import { PageHeader } from '../../components/page/page-header.tsx';
import { Tabs } from '../../components/page/tabs.tsx';
import type { CrumbHandle } from '../../components/shell/breadcrumb.tsx';
import { formatCount } from '../../figures/format.ts';
import { paths } from '../../paths.ts';
import { act, intent, readScreen } from '../../screen.server.ts';
import { firstContractSchema } from '../../transactions/facility-form.ts';
import { type TransactionPage, viewTransaction } from '../../transactions/transaction-page.server.ts';
import { FirstContract } from './first-contract.tsx';
import { NoteContracts } from './note-contracts.tsx';
import { NoteFigures } from './note-figures.tsx';
import { NoteOverTime } from './note-over-time.tsx';
import { NoteTerms } from './note-terms.tsx';

export const handle: CrumbHandle<{ page: TransactionPage }> = {
  crumbs: ({ data: { page } }) => [{ label: page.transaction.title }],
};

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.page.transaction.title ?? 'Transaction'} · Tapeline` },
];

export const loader = (args: LoaderFunctionArgs) =>
  readScreen(args, 'transactions/read', async (screen) => ({ page: await viewTransaction(screen) }));

export const action = (args: ActionFunctionArgs) =>
  act(args, {
    newVersion: intent({
      permission: 'transactions/write',
      schema: z.object({ contract: z.string() }),
      async run({ contract }, { db }) {
        const made = await db((session) => copyContract(session, { id: contract }));
        return redirect(paths.contract(made.id));
      },
    }),
    firstContract: intent({
      permission: 'transactions/write',
      schema: firstContractSchema,
      async run({ note, cutOffDate, assetsETL, defaultRate }, { db, params }) {
        const contract = transactionContractSchema.parse({ cutOffDate, assetsETL, advanceRate: { defaultRate } });
        const made = await db((session) =>
          createFirstContract(session, { transactionId: params.id ?? '', noteId: note, contract }),
        );
        return redirect(paths.contract(made.id));
      },
    }),
  });

export default function TransactionScreen() {
  const { page } = useLoaderData<typeof loader>();
  const { transaction, note } = page;
  return (
    <>
      <PageHeader
        title={transaction.title}
        chip={<StatusChip dot status={transaction.status} />}
        facts={[
          ...(page.companyName ? [<Name key="company">{page.companyName}</Name>] : []),
          page.type,
          ...transaction.industries.slice(0, 3),
          formatCount(transaction.notes.length, 'note'),
        ]}
      />
      {transaction.notes.length > 1 ? (
        <Tabs
          label="Notes"
          tabs={transaction.notes.map((other) => ({
            label: other.title,
            to: paths.transaction(transaction.id, { note: other.id }),
            current: other.id === note.id,
          }))}
        />
      ) : null}
      <NoteFigures page={page} />
      <NoteOverTime page={page} />
      {page.canWrite && page.contracts.length === 0 ? <FirstContract page={page} /> : <NoteContracts page={page} />}
      <NoteTerms page={page} />
    </>
  );
}

export { ErrorScreen as ErrorBoundary } from '../../components/page/error-screen.tsx';
