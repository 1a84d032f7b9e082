import { groupNoteUtilization, listNoteUtilization } from '@tapeline/db/operations/transactions/note-utilization.ts';
import {
  createTransaction,
  getTransaction,
  listTransactions,
  removeTransaction,
  TRANSACTIONS,
  type TransactionView,
  updateTransaction,
} from '@tapeline/db/operations/transactions/transactions.ts';
import { documentSchema, versionSchema } from '@tapeline/domain/documents/document.schema.ts';
import { TRANSACTION_STATUSES } from '@tapeline/domain/facilities/states.ts';
import { transactionSchema } from '@tapeline/domain/facilities/transaction.schema.ts';
import { wireAmountSchema } from '@tapeline/domain/money/amount.schema.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import { z } from 'zod';
import { assocOf, groupBodies, groupBodySchema, listParamsSchema } from './documents.ts';
import { type Endpoint, endpoint, LARGE_BODY_BYTES } from './endpoint.ts';
import { ofCollection, resource } from './resource.ts';
import { noteBody } from './terms-body.ts';

const transactionBodySchema = documentSchema
  .extend({
    ...transactionSchema.shape,
    warnings: z.array(z.string()).optional().meta({
      description:
        'After a change: the conditions of Draft contracts that cannot be used, each with its path and reason',
    }),
  })
  .meta({ id: 'Transaction' });

const utilizationSchema = z
  .object({
    transaction: z.string(),
    noteId: z.string(),
    noteTitle: z.string(),
    mainCurrency: z.string().nullable(),
    commitments: wireAmountSchema.nullable(),
    balance: wireAmountSchema.nullable().meta({ description: 'Approved draws due less principal repaid, today' }),
    approved: wireAmountSchema.nullable().meta({ description: 'Approved draws that are not yet due' }),
    requested: wireAmountSchema.nullable().meta({ description: 'Draw requests that are Pending or In Review' }),
    undrawn: wireAmountSchema.nullable(),
    utilizationPercent: z.number().nullable(),
    netBB: wireAmountSchema.nullable(),
    availableBase: wireAmountSchema
      .nullable()
      .meta({ description: 'The net borrowing base less reserves; null if a reserve is unknown' }),
    availability: wireAmountSchema.nullable().meta({
      description:
        'Availability today: the lesser of available base and commitments in force, less balance and approved draws that are not yet due',
    }),
    borrowingBase: z.string().nullable(),
    cutOffDate: z.string().nullable(),
  })
  .meta({ id: 'NotesUtilization' });

const toBody = ({ managerId, notes, ...transaction }: TransactionView) => ({
  ...transaction,
  notes: notes.map(noteBody),
  assoc: assocOf(managerId),
});

/** An update names the version that it changes. A stale version is refused. */
const updateSchema = z.intersection(
  transactionSchema,
  z.object({
    version: versionSchema,
    status: z.enum(TRANSACTION_STATUSES).exclude(['Removed']).optional().meta({
      description: 'Closed closes the transaction with its Active contracts. A closed transaction cannot be changed',
    }),
  }),
);

export const transactionEndpoints: readonly Endpoint[] = [
  ...resource({
    ...ofCollection('transactions'),
    response: transactionBodySchema,
    toBody,
    maxBodyBytes: LARGE_BODY_BYTES,
    list: {
      listable: TRANSACTIONS,
      load: listTransactions,
      summary: 'List transactions, with the contracts inside their notes',
    },
    get: getTransaction,
    create: { body: transactionSchema, run: createTransaction },
    update: {
      body: updateSchema,
      run: (session, { id, body: { version, status, ...document } }) =>
        updateTransaction(session, { id, version, status, document }),
      summary:
        'Update or close a transaction: contracts are matched by id, and an Active or Closed one must equal the stored one',
    },
    remove: {
      run: (session, id) => removeTransaction(session, { id }),
      summary: 'Delete a transaction without borrowing bases and active contracts; close any other',
    },
  }),
  endpoint({
    method: 'GET',
    path: '/crud/transactions/notes/utilization',
    access: 'transactions/read',
    summary:
      'Get the utilization of each note against its commitments and latest borrowing base. Filters, sorting, paging and groups are over notes: fields of the answer, and fields of the transaction',
    query: listParamsSchema,
    response: z.union([z.array(utilizationSchema), z.array(groupBodySchema)]),
    handle: ({ query, actor, db }) =>
      db(async (session) => {
        const withBases = can(actor, 'borrowingBase/read');
        const groups = await groupNoteUtilization(session, query, { withBases });
        if (groups) return { body: groupBodies(groups), count: groups.total };
        const { documents, total } = await listNoteUtilization(session, query, { withBases });
        return { body: documents, count: total };
      }),
  }),
];
