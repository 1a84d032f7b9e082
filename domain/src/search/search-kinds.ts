import { can, type PermissionKey, type UserActor, type UserType } from '../people/actor.ts';

interface SearchKind {
  /** What a group of results is called. */
  readonly label: string;
  readonly permission: PermissionKey;
  /** Only for these user types. */
  readonly types?: readonly UserType[];
}

const STAFF = ['admin', 'manager'] as const;

/** What can be found, in the order in which results are shown. */
export const SEARCH_KINDS = {
  fund: { label: 'Funds', permission: 'funds/read' },
  mainFund: { label: 'Main funds', permission: 'funds/read', types: STAFF },
  investor: { label: 'Investors', permission: 'LPs/read' },
  investorGroup: { label: 'Investor groups', permission: 'LPs/read', types: STAFF },
  company: { label: 'Companies', permission: 'companies/read' },
  facility: { label: 'Transactions', permission: 'transactions/read' },
  contract: { label: 'Contracts', permission: 'transactions/read' },
  draw: { label: 'Draws', permission: 'transactionDraw/read' },
  tape: { label: 'Loan tapes', permission: 'assets/read' },
  asset: { label: 'Assets', permission: 'assets/read' },
  mapping: { label: 'Mappings', permission: 'assets/ETL/read' },
  call: { label: 'Capital calls', permission: 'contributions/read' },
  distribution: { label: 'Distributions', permission: 'distributions/read' },
  report: { label: 'Reports', permission: 'funds/read' },
  statement: { label: 'Capital accounts', permission: 'funds/read' },
  announcement: { label: 'Announcements', permission: 'announcements/read' },
  person: { label: 'Users', permission: 'users/read', types: STAFF },
  serviceProvider: { label: 'Service providers', permission: 'funds/read', types: STAFF },
  entity: { label: 'Entities', permission: 'entities/read', types: STAFF },
  manager: { label: 'Managers', permission: 'managers/read' },
} as const satisfies Readonly<Record<string, SearchKind>>;

export type SearchKindName = keyof typeof SEARCH_KINDS;

const NAMES = Object.keys(SEARCH_KINDS) as SearchKindName[];

/** A longer text is refused. */
export const MOST_SEARCH_LETTERS = 100;
/** How many documents of a kind a search returns at most. It says if there are more. */
export const MOST_OF_A_KIND = 5;

/** The kinds that the actor may look for. */
export const searchKindsFor = (actor: UserActor): SearchKindName[] =>
  NAMES.filter((name) => {
    const kind: SearchKind = SEARCH_KINDS[name];
    return can(actor, kind.permission) && (kind.types === undefined || kind.types.includes(actor.type));
  });
