import { PERMISSION_KEYS, type PermissionKey, USER_TYPES, type UserType } from '@tapeline/domain/people/actor.ts';

/** Titles have at most 20 characters, " write" included. */
const RESOURCE_TITLES: Record<string, string> = {
  LPs: 'Investors',
  'LPs/commitments': 'Commitments',
  entities: 'Entities',
  contributions: 'Capital calls',
  distributions: 'Distributions',
  announcements: 'Announcements',
  funds: 'Funds',
  users: 'Users',
  roles: 'Roles',
  importer: 'Import',
  managers: 'Managers',
  transactions: 'Facilities',
  assets: 'Assets',
  companies: 'Borrowers',
  'assets/ETL': 'Mappings',
  tables: 'Tables',
  transactionDraw: 'Draws',
  repayments: 'Repayments',
  payments: 'Payments',
  history: 'History',
  borrowingBase: 'Borrowing base',
  preview: 'Preview',
};

const BORROWER: readonly PermissionKey[] = [
  'transactions/read',
  'assets/read',
  'assets/write',
  'borrowingBase/read',
  'preview/read',
  'transactionDraw/read',
  'transactionDraw/write',
  'repayments/read',
  'companies/read',
  'announcements/read',
];

const INVESTOR: readonly PermissionKey[] = [
  'funds/read',
  'LPs/read',
  'LPs/commitments/read',
  'contributions/read',
  'distributions/read',
  'announcements/read',
];

const ANALYST_WRITES: readonly PermissionKey[] = ['assets/write', 'assets/ETL/write', 'transactionDraw/write'];

/** The user types that can ever hold a permission, whatever their role grants. */
function allowedTypes(key: PermissionKey): UserType[] {
  return USER_TYPES.filter((type) => {
    if (type === 'admin') return true;
    if (type === 'manager') return key !== 'managers/write';
    if (type === 'company') return BORROWER.includes(key) || key === 'repayments/write' || key === 'assets/ETL/read';
    return INVESTOR.includes(key);
  });
}

export const SEEDED_PERMISSIONS = PERMISSION_KEYS.map((key) => {
  const slash = key.lastIndexOf('/');
  return { key, title: `${RESOURCE_TITLES[key.slice(0, slash)]} ${key.slice(slash + 1)}`, allowed: allowedTypes(key) };
});

/** The roles that every tenant has. Admins can edit them; seeding again does not overwrite their edits. */
export const SEEDED_ROLES: readonly { title: string; level: number; permissions: readonly PermissionKey[] }[] = [
  { title: 'Administrator', level: 1, permissions: PERMISSION_KEYS },
  { title: 'Fund manager', level: 5, permissions: PERMISSION_KEYS.filter((key) => key !== 'managers/write') },
  {
    title: 'Analyst',
    level: 10,
    permissions: PERMISSION_KEYS.filter((key) => key.endsWith('/read') || ANALYST_WRITES.includes(key)),
  },
  { title: 'Borrower', level: 15, permissions: BORROWER },
  { title: 'Investor', level: 20, permissions: INVESTOR },
];
