import type { Collection } from '../collections/collection.ts';

export const borrowingBaseCollection = {
  one: 'Borrowing base',
  many: 'Borrowing bases',
  read: 'borrowingBase/read',
  write: 'assets/write',
  calls: '/crud/borrowingBase',
  list: '/monitoring/borrowing-bases',
  page: '/monitoring/borrowing-bases',
  canBeBlocked: true,
  amounts: ['netBB', 'firstBB'],
  menu: { group: 'Lending', rank: 5, icon: 'Scale', key: 'b' },
  fields: {
    loanTape: ['Loan tape', 'text'],
    contract: ['Contract', 'text'],
    transaction: ['Transaction', 'text'],
    note: ['Note', 'text'],
    company: ['Company', 'text'],
    cutOffDate: ['Cut-off date', 'date'],
    currency: ['Currency', 'text'],
    netBB: ['Net borrowing base', 'decimal', 'currency'],
    firstBB: ['Gross borrowing base', 'decimal', 'currency'],
  },
} as const satisfies Collection;
