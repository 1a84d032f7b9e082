import type { Collection, FieldOfList } from '../collections/collection.ts';

const FUND_FIELDS = {
  fund: 'text',
  'fund.title': ['Fund title', 'text'],
  mainFund: 'text',
  Class: 'text',
  cutOffDate: 'date',
} as const satisfies Readonly<Record<string, FieldOfList>>;

export const capitalAccountCollection = {
  one: 'Capital account statement',
  many: 'Capital account statements',
  title: 'Capital accounts',
  read: 'funds/read',
  write: 'funds/write',
  canBeBlocked: true,
  history: { verbs: { Active: 'Published' } },
  search: { kind: 'statement', rank: 15 },
  fields: {
    ...FUND_FIELDS,
    'investor.id': 'text',
    'investor.kind': 'text',
    currency: 'text',
    isComputed: ['Computed', 'boolean'],
  },
} as const satisfies Collection;

export const reportCollection = {
  one: 'Report',
  many: 'Reports',
  read: 'funds/read',
  write: 'funds/write',
  canBeBlocked: true,
  history: { verbs: { Active: 'Published' } },
  search: { kind: 'report', rank: 14 },
  fields: FUND_FIELDS,
} as const satisfies Collection;
