import { CODE_COLUMN, type Collection, CREATED_COLUMN, STAFF, STATUS_COLUMN } from '../collections/collection.ts';
import { PARTY_FIELDS } from '../entities/party-fields.ts';
import { INVESTOR_TYPE_LABELS, KYC_STATUS_LABELS } from './kinds.ts';

const COUNT = { kind: 'number', digits: 0, shown: true, sortable: false } as const;

export const lpCollection = {
  one: 'Investor',
  many: 'Investors',
  read: 'LPs/read',
  write: 'LPs/write',
  list: '/investors',
  page: '/investors',
  takesEntity: true,
  canBeBlocked: true,
  menu: { section: 'Investors', rank: 1, key: 'i' },
  search: { kind: 'investor', rank: 3 },
  grid: 'investors',
  columns: [
    { path: 'title', kind: 'text', shown: true, widthPx: 220 },
    { path: 'group.title', label: 'Group', kind: 'text', shown: true },
    { path: 'entity.nationality.country', kind: 'country', shown: true },
    { path: 'entity.business.type', label: 'Type of business', kind: 'text', shown: true, sortable: false },
    { path: 'lastVisitedStats.totalUsers', label: 'Users', ...COUNT, widthPx: 80 },
    { path: 'lastVisitedStats.loggedInCount', label: 'Signed in', ...COUNT, widthPx: 90 },
    { path: 'entity.name', label: 'Legal name', kind: 'text', shown: false },
    { path: 'entity.formalId', kind: 'code', shown: false },
    { path: 'externalCode', kind: 'code', shown: false },
    { path: 'type', label: 'Type of investor', kind: 'text', words: INVESTOR_TYPE_LABELS, shown: false },
    { path: 'kycStatus', kind: 'text', words: KYC_STATUS_LABELS, shown: false },
    { path: 'kycExpiresOn', kind: 'date', shown: false },
    { path: 'expiresOn', kind: 'date', shown: false },
    { path: 'lei', kind: 'code', shown: false, sortable: false },
    { path: 'taxId', kind: 'code', shown: false, sortable: false },
    { path: 'taxResidence', kind: 'country', shown: false, sortable: false },
    STATUS_COLUMN,
    CREATED_COLUMN,
    CODE_COLUMN,
  ],
  fields: {
    title: 'text',
    ...PARTY_FIELDS,
    externalCode: 'text',
    type: ['Type of investor', 'text'],
    kycStatus: 'text',
    kycExpiresOn: 'date',
    expiresOn: 'date',
    'group.id': ['Group', 'text'],
    'group.title': ['Group title', 'text'],
    'assoc.manager.id': ['Manager', 'text'],
  },
} as const satisfies Collection;

export const lpGroupCollection = {
  one: 'Investor group',
  many: 'Investor groups',
  read: 'LPs/read',
  write: 'LPs/write',
  page: '/investors/groups',
  search: { kind: 'investorGroup', rank: 4, types: STAFF },
} as const satisfies Collection;
