import { firstOfEach, joined, type StoredCollection, TITLE_OF } from '../../collections/stored-collection.ts';
import { Contract, Transaction } from '../../entities/lending.ts';

const { company, note, transaction } = TITLE_OF;

export const storedTransactions = {
  entity: Transaction,
  title: 't.title',
  found: { detail: company, numbered: /^(transaction|facility|deal)$/, named: 't.title' },
} as const satisfies StoredCollection;

export const storedContracts = {
  entity: Contract,
  title: joined(transaction, note, `'v' || t.revision`),
  // The versions of a note's contract are found as one.
  found: {
    from: firstOfEach('contracts', 't.note_id', 't.revision desc'),
    title: joined(transaction, note),
    detail: joined(`'v' || t.revision`, 't.status', company),
  },
  fields: {
    transaction: 'text',
    note: 'text',
    company: 'text',
    cutOffDate: 'date',
  },
} as const satisfies StoredCollection;
