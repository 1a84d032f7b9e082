import { dayInWords, joined, type StoredCollection, TITLE_OF } from '../../collections/stored-collection.ts';
import { BorrowingBase } from '../../entities/lending.ts';

export const storedBorrowingBases = {
  entity: BorrowingBase,
  title: joined(TITLE_OF.transaction, TITLE_OF.note, dayInWords('t.cut_off_date')),
  currency: 't.currency',
  fields: {
    loanTape: 'text',
    contract: 'text',
    transaction: 'text',
    note: 'text',
    company: 'text',
    cutOffDate: 'date',
    currency: 'text',
    netBB: { decimalIn: 'currency' },
    firstBB: { decimalIn: 'currency' },
  },
} as const satisfies StoredCollection;
