import type { Collection } from '../collections/collection.ts';
import { COMMITMENT_FIELDS } from './commitment-fields.ts';
import { FIRST_OF_HEADERS, HEADER_SIZE, LAST_OF_HEADERS } from './header-columns.ts';

/** Pages, lists and results show capital calls: all contributions of one call together. */
export const contributionCollection = {
  one: 'Capital call',
  many: 'Capital calls',
  title: 'Capital calls',
  read: 'contributions/read',
  write: 'contributions/write',
  list: '/capital/calls',
  canBeBlocked: true,
  history: { verbs: { Active: 'Issued' }, lines: ['notice', 'notices'] },
  menu: { section: 'Capital activity', rank: 1, key: 'k' },
  search: { kind: 'call', rank: 12 },
  grid: 'capital-calls',
  columns: [
    ...FIRST_OF_HEADERS,
    { path: 'dueDate', kind: 'date', shown: true, widthPx: 120 },
    { path: 'amount', label: 'Total', ...HEADER_SIZE },
    ...LAST_OF_HEADERS,
  ],
  fields: {
    ...COMMITMENT_FIELDS,
    dueDate: 'date',
    callNumber: 'text',
    amount: { decimalIn: 'currency' },
    'amount.currency': ['Currency of the amount', 'text'],
    LPCurrentHoldingPercentage: { decimalIn: null, label: 'Holding' },
  },
} as const satisfies Collection;
