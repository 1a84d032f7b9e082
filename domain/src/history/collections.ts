import { type Actor, can, type PermissionKey } from '../people/actor.ts';

/** A collection whose changes are recorded. */
interface HistoryCollection {
  /** What one document and several are called: "Loan tape", "Loan tapes". */
  readonly one: string;
  readonly many: string;
  /** The permission to read its documents, and with history/read also their history. */
  readonly read: PermissionKey;
  /** The permission to change its documents. */
  readonly write?: PermissionKey;
  /** Fields that are amounts in the currency of the document (its field `currency`). */
  readonly amounts?: readonly string[];
}

/** Every collection that keeps a history, by its name in calls. `tables.integration.test.ts` compares it with the tables. */
export const HISTORY_COLLECTIONS: Readonly<Record<string, HistoryCollection>> = {
  managers: { one: 'Manager', many: 'Managers', read: 'managers/read', write: 'managers/write' },
  entities: { one: 'Entity', many: 'Entities', read: 'entities/read', write: 'entities/write' },
  companies: { one: 'Company', many: 'Companies', read: 'companies/read', write: 'companies/write' },
  LPs: { one: 'Investor', many: 'Investors', read: 'LPs/read', write: 'LPs/write' },
  LPGroups: { one: 'Investor group', many: 'Investor groups', read: 'LPs/read', write: 'LPs/write' },
  roles: { one: 'Role', many: 'Roles', read: 'roles/read', write: 'roles/write' },
  users: { one: 'User', many: 'Users', read: 'users/read', write: 'users/write' },
  currencies: { one: 'Currency rates', many: 'Currency rates', read: 'history/read' },
  funds: {
    one: 'Fund',
    many: 'Funds',
    read: 'funds/read',
    write: 'funds/write',
    amounts: ['targetSize', 'hardCap'],
  },
  mainFunds: {
    one: 'Main fund',
    many: 'Main funds',
    read: 'funds/read',
    write: 'funds/write',
    amounts: ['targetSize', 'hardCap'],
  },
  LPCommitments: {
    one: 'Commitment',
    many: 'Commitments',
    read: 'LPs/commitments/read',
    write: 'LPs/commitments/write',
    amounts: ['maxCommitment', 'activeCommitment'],
  },
  contributions: {
    one: 'Contribution',
    many: 'Contributions',
    read: 'contributions/read',
    write: 'contributions/write',
  },
  distributions: {
    one: 'Distribution',
    many: 'Distributions',
    read: 'distributions/read',
    write: 'distributions/write',
    amounts: ['principal'],
  },
  importer: { one: 'Import', many: 'Imports', read: 'importer/read', write: 'importer/write' },
  navs: { one: 'NAV', many: 'NAVs', read: 'funds/read', write: 'funds/write', amounts: ['gross', 'net'] },
  writeOffs: { one: 'Write-off', many: 'Write-offs', read: 'funds/read', write: 'funds/write', amounts: ['amount'] },
  capitalAccounts: {
    one: 'Capital account statement',
    many: 'Capital account statements',
    read: 'funds/read',
    write: 'funds/write',
  },
  reports: { one: 'Report', many: 'Reports', read: 'funds/read', write: 'funds/write' },
  assetsETLs: { one: 'Mapping', many: 'Mappings', read: 'assets/ETL/read', write: 'assets/ETL/write' },
  transactions: { one: 'Transaction', many: 'Transactions', read: 'transactions/read', write: 'transactions/write' },
  contracts: { one: 'Contract', many: 'Contracts', read: 'transactions/read', write: 'transactions/write' },
  loanTapes: { one: 'Loan tape', many: 'Loan tapes', read: 'assets/read', write: 'assets/write' },
  correctionProposals: { one: 'Proposed correction', many: 'Proposed corrections', read: 'assets/read' },
  borrowingBases: {
    one: 'Borrowing base',
    many: 'Borrowing bases',
    read: 'borrowingBase/read',
    write: 'assets/write',
    amounts: ['netBB', 'firstBB'],
  },
  draws: { one: 'Draw request', many: 'Draw requests', read: 'transactionDraw/read', write: 'transactionDraw/write' },
  repayments: { one: 'Repayment', many: 'Repayments', read: 'repayments/read', write: 'repayments/write' },
  serviceProviders: {
    one: 'Service provider',
    many: 'Service providers',
    read: 'funds/read',
    write: 'funds/write',
  },
  announcements: {
    one: 'Announcement',
    many: 'Announcements',
    read: 'announcements/read',
    write: 'announcements/write',
  },
  tables: { one: 'Option list', many: 'Option lists', read: 'tables/read', write: 'tables/write' },
};

export const collectionOf = (resource: string): HistoryCollection | undefined =>
  Object.hasOwn(HISTORY_COLLECTIONS, resource) ? HISTORY_COLLECTIONS[resource] : undefined;

/** The collections whose documents the actor has the permission to read. */
export const readableCollections = (actor: Actor): string[] =>
  Object.entries(HISTORY_COLLECTIONS).flatMap(([resource, { read }]) => (can(actor, read) ? [resource] : []));

/** The collections whose history the actor can read: none without history/read. */
export const readableHistory = (actor: Actor): string[] =>
  can(actor, 'history/read') ? readableCollections(actor) : [];
