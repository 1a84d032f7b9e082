import type { Collection, FieldOfList } from '../collections/collection.ts';

const FUND_FIELDS = {
  fund: ['Fund', 'text'],
  'fund.title': ['Fund title', 'text'],
  mainFund: ['Main fund', 'text'],
  Class: ['Class', 'text'],
  cutOffDate: ['Cut-off date', 'date'],
} as const satisfies Readonly<Record<string, FieldOfList>>;

export const capitalAccountCollection = {
  one: 'Capital account statement',
  many: 'Capital account statements',
  title: 'Capital accounts',
  read: 'funds/read',
  write: 'funds/write',
  canBeBlocked: true,
  search: { kind: 'statement', rank: 15 },
  fields: {
    ...FUND_FIELDS,
    'investor.id': ['Investor', 'text'],
    'investor.kind': ['Investor kind', 'text'],
    currency: ['Currency', 'text'],
    isComputed: ['Computed', 'boolean'],
  },
} as const satisfies Collection;

export const reportCollection = {
  one: 'Report',
  many: 'Reports',
  read: 'funds/read',
  write: 'funds/write',
  canBeBlocked: true,
  search: { kind: 'report', rank: 14 },
  fields: FUND_FIELDS,
} as const satisfies Collection;
