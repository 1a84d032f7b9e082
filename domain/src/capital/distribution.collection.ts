import type { Collection } from '../collections/collection.ts';
import { COMMITMENT_FIELDS } from './commitment-fields.ts';
import { FIRST_OF_HEADERS, HEADER_SIZE, LAST_OF_HEADERS } from './header-columns.ts';

/** Pages, lists and results show all distributions of one event together. */
export const distributionCollection = {
  one: 'Distribution',
  many: 'Distributions',
  read: 'distributions/read',
  write: 'distributions/write',
  list: '/capital/distributions',
  canBeBlocked: true,
  history: { verbs: { Active: 'Issued' }, lines: ['notice', 'notices'] },
  amounts: ['principal'],
  menu: { section: 'Capital activity', rank: 2 },
  search: { kind: 'distribution', rank: 13 },
  grid: 'distributions',
  columns: [
    ...FIRST_OF_HEADERS,
    { path: 'distributionKind', kind: 'text', shown: true, widthPx: 165 },
    { path: 'principal', ...HEADER_SIZE },
    { path: 'amount', label: 'Distributed', ...HEADER_SIZE },
    ...LAST_OF_HEADERS,
    { path: 'isRecallable', kind: 'boolean', shown: false, widthPx: 100 },
  ],
  fields: {
    ...COMMITMENT_FIELDS,
    callNumber: ['Number', 'text'],
    distributionKind: ['Kind', 'text'],
    principal: { decimalIn: 'currency' },
    totalIncome: { decimalIn: 'currency', label: 'Income' },
    totalCg: { decimalIn: 'currency', label: 'Capital gains' },
    totalDistributed: { decimalIn: 'currency', label: 'Distributed' },
    isRecallable: ['Recallable', 'boolean'],
    LPCurrentHoldingPercentage: { decimalIn: null, label: 'Holding' },
  },
} as const satisfies Collection;
