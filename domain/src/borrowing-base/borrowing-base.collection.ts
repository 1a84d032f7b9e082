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
  menu: { section: 'Monitoring', rank: 2, key: 'b' },
} as const satisfies Collection;
