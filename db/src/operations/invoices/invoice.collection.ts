import { dayInWords, joined, type StoredCollection, TITLE_OF } from '../../collections/stored-collection.ts';
import { Invoice } from '../../entities/invoices.ts';

export const storedInvoices = {
  entity: Invoice,
  title: joined(`'Invoice ' || t.number`, TITLE_OF.transaction, TITLE_OF.note),
  currency: 't.currency',
  found: {
    detail: joined(`'due ' || ${dayInWords('t.due_date')}`, 't.status', TITLE_OF.company),
    numbered: /^invoices?$/,
    ofNumber: { id: 't.id', is: 't.number = $1::int' },
  },
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
