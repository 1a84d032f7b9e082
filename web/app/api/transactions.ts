import { listBorrowingBaseFigures } from '@tapeline/db/operations/borrowing-bases/borrowing-base-figures.ts';
import {
  createTransaction,
  getTransaction,
  listTransactions,
  removeTransaction,
  TRANSACTIONS,
  type TransactionView,
  updateTransaction,
} from '@tapeline/db/operations/transactions/transactions.ts';
import { transactionSchema } from '@tapeline/domain/facilities/transaction.schema.ts';
import { z } from 'zod';
import { notesUtilization } from '../transactions/utilization.ts';
import { amountBodySchema, documentSchema, idParamsSchema, listParamsSchema } from './documents.ts';
import { type Endpoint, endpoint } from './endpoint.ts';
import { listEndpoint } from './list-endpoint.ts';

const transactionBodySchema = documentSchema
  .extend({
    title: z.string(),
    type: z.record(z.string(), z.unknown()),
    industries: z.array(z.string()),
    notes: z.array(z.record(z.string(), z.unknown())),
    company: z.string(),
    maxCommitments: z.array(amountBodySchema),
    managerMaxCommitments: z.array(amountBodySchema),
  })
  .loose()
  .meta({ id: 'Transaction' });

const utilizationSchema = z
  .object({
    transaction: z.string(),
    noteId: z.string(),
    noteTitle: z.string(),
    mainCurrency: z.string().nullable(),
    commitments: amountBodySchema.nullable(),
    balance: amountBodySchema.nullable(),
    undrawn: amountBodySchema.nullable(),
    utilizationPercent: z.number().nullable(),
    netBB: amountBodySchema.nullable(),
    availability: amountBodySchema.nullable(),
    borrowingBase: z.string().nullable(),
    cutOffDate: z.string().nullable(),
  })
  .meta({ id: 'NotesUtilization' });

/** What the rights of the row-level policy hold by is not told outside. */
const toBody = ({ managerId, ...transaction }: TransactionView) => transaction;

/** A changed transaction says which version of it was changed; a stale one is refused. */
const updateSchema = z.intersection(transactionSchema, z.object({ version: z.int('is required').min(1) }));

export const transactionEndpoints: readonly Endpoint[] = [
  listEndpoint({
    path: '/crud/transactions',
    access: 'transactions/read',
    summary: 'Transactions in sight, contracts inside their notes',
    listable: TRANSACTIONS,
    list: listTransactions,
    toBody,
    response: transactionBodySchema,
  }),
  endpoint({
    method: 'POST',
    path: '/crud/transactions',
    access: 'transactions/write',
    summary: 'Make a transaction with its notes and their contracts',
    body: transactionSchema,
    response: transactionBodySchema,
    handle: ({ body, actor, context, origin }) =>
      context.store.as(actor, async (session) => ({ body: toBody(await createTransaction(session, body)) }), origin),
  }),
  endpoint({
    method: 'GET',
    path: '/crud/transactions/notes/utilization',
    access: 'transactions/read',
    summary: 'How far each note is drawn, against its commitments and its latest borrowing base',
    query: listParamsSchema,
    response: z.array(utilizationSchema),
    handle: ({ query, actor, context }) =>
      context.store.as(actor, async (session) => {
        const { documents } = await listTransactions(session, query);
        const noteIds = documents.flatMap((transaction) => transaction.notes.map((note) => note.id));
        const figures = await listBorrowingBaseFigures(session, { noteIds });
        const body = notesUtilization(documents, figures);
        return { body, count: body.length };
      }),
  }),
  endpoint({
    method: 'GET',
    path: '/crud/transactions/{id}',
    access: 'transactions/read',
    summary: 'One transaction',
    params: idParamsSchema,
    response: transactionBodySchema,
    handle: ({ params, actor, context }) =>
      context.store.as(actor, async (session) => ({ body: toBody(await getTransaction(session, params.id)) })),
  }),
  endpoint({
    method: 'PUT',
    path: '/crud/transactions/{id}',
    access: 'transactions/write',
    summary: 'Change a transaction; contracts are compared by id, and one in force must equal what is stored',
    params: idParamsSchema,
    body: updateSchema,
    response: transactionBodySchema,
    handle: ({ params, body: { version, ...document }, actor, context, origin }) =>
      context.store.as(
        actor,
        async (session) => ({ body: toBody(await updateTransaction(session, { id: params.id, version, document })) }),
        origin,
      ),
  }),
  endpoint({
    method: 'DELETE',
    path: '/crud/transactions/{id}',
    access: 'transactions/write',
    summary: 'Remove a transaction that has no contract in force',
    params: idParamsSchema,
    response: z.object({ ids: z.array(z.string()) }),
    handle: ({ params, actor, context, origin }) =>
      context.store.as(
        actor,
        async (session) => ({ body: { ids: [(await removeTransaction(session, { id: params.id })).id] } }),
        origin,
      ),
  }),
];
