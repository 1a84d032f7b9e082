import { joined, type StoredCollection, TITLE_OF } from '../../collections/stored-collection.ts';
import { Invoice } from '../../entities/invoices.ts';

export const storedInvoices = {
  entity: Invoice,
  title: joined(`'Invoice ' || t.number`, TITLE_OF.transaction, TITLE_OF.note),
  currency: 't.currency',
  fields: {
    transaction: 'text',
    'transaction.title': ['Facility', 'text'],
    noteId: ['Note id', 'text'],
    noteTitle: ['Note', 'text'],
    company: 'text',
    number: ['Invoice', 'number'],
    currency: 'text',
    from: ['From', 'date'],
    to: ['To', 'date'],
    dueDate: 'date',
    amount: { decimalIn: 'currency' },
  },
} as const satisfies StoredCollection;
