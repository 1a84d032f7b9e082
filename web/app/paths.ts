type Search = Record<string, string | number | null | undefined>;

function withSearch(path: string, search: Search = {}): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(search)) {
    if (value !== null && value !== undefined && value !== '') params.set(name, String(value));
  }
  const text = params.toString();
  return text ? `${path}?${text}` : path;
}

/** Every address of the product. Screens and tests take them from here, so that a route is renamed in one place. */
export const paths = {
  home: () => '/',
  login: (search?: { next?: string }) => withSearch('/login', search),
  loginCode: (search: { email: string; next?: string }) => withSearch('/login/code', search),
  signOut: () => '/sign-out',
  account: () => '/account',
  preferences: () => '/preferences',
  design: () => '/design',
  mailbox: (search?: { mail?: string }) => withSearch('/mailbox', search),

  monitoring: () => '/monitoring',
  transactions: () => '/monitoring/transactions',
  newTransaction: () => '/monitoring/transactions/new',
  transaction: (id: string, search?: { note?: string }) => withSearch(`/monitoring/transactions/${id}`, search),
  tapes: (search?: { skip?: number; company?: string; removed?: string }) => withSearch('/monitoring/tapes', search),
  newTape: (search?: { company?: string }) => withSearch('/monitoring/tapes/new', search),
  tape: (
    id: string,
    search?: {
      view?: string;
      filter?: string;
      sort?: string;
      asset?: string;
      discard?: string;
      remove?: string;
      column?: string;
    },
  ) => withSearch(`/monitoring/tapes/${id}`, search),
  /** Errored rows to correct: sheet rows, one after the other. */
  correctRows: (id: string, rows: readonly number[]) =>
    withSearch(`/monitoring/tapes/${id}/correct`, { rows: rows.join(',') }),
  correctFile: (id: string, search?: { file?: string }) => withSearch(`/monitoring/tapes/${id}/correct-file`, search),
  tapeRolls: (id: string, search?: { against?: string; measure?: string; from?: string; to?: string }) =>
    withSearch(`/monitoring/tapes/${id}`, { view: 'rolls', ...search }),
  tapeVintages: (id: string, search?: { period?: string; measure?: string; source?: string }) =>
    withSearch(`/monitoring/tapes/${id}`, { view: 'vintages', ...search }),
  /** Figures of the API as a file: the browser's own sign-in serves. */
  analyticsFile: (name: string, search: Search) => withSearch(`/LTP/analytics/${name}`, { ...search, format: 'csv' }),
  tapeExport: (id: string, search?: { filter?: string; sort?: string; view?: string; format?: string }) =>
    withSearch(`/monitoring/tapes/${id}/export`, search),
  mappings: () => '/monitoring/mappings',
  newMapping: (search?: { company?: string; file?: string; sheet?: string }) =>
    withSearch('/monitoring/mappings/new', search),
  mapping: (id: string, search?: { tape?: string; file?: string; rule?: number; saved?: string }) =>
    withSearch(`/monitoring/mappings/${id}`, search),
  contracts: () => '/monitoring/contracts',
  contract: (
    id: string,
    search?: { tab?: string; edit?: string | number; tape?: string; compare?: string; try?: string; confirm?: string },
  ) => withSearch(`/monitoring/contracts/${id}`, search),
  contractTrial: (id: string, search?: { tape?: string }) => withSearch(`/monitoring/contracts/${id}/trial`, search),
  borrowingBases: () => '/monitoring/borrowing-bases',
  borrowingBase: (id: string) => `/monitoring/borrowing-bases/${id}`,
  borrowingBaseFile: (id: string, format: 'csv' | 'xlsx') =>
    `/monitoring/borrowing-bases/${id}/export?format=${format}`,
  draws: () => '/monitoring/draws',
  repayments: () => '/monitoring/repayments',
  companies: () => '/monitoring/companies',

  funds: () => '/funds',
  fund: (id: string) => `/funds/${id}`,
  investors: () => '/investors',
  investor: (id: string) => `/investors/${id}`,
  capitalCalls: () => '/capital/calls',
  distributions: () => '/capital/distributions',
  importer: () => '/importer',

  announcements: () => '/announcements',
  notifications: () => '/notifications',
  chats: () => '/chats',
  filters: () => '/filters',
  history: () => '/history',
  tables: () => '/tables',

  users: () => '/admin/users',
  roles: () => '/admin/roles',
  managers: () => '/admin/managers',
  entities: () => '/admin/entities',
  permissions: () => '/admin/permissions',
} as const;

/** A place within the product to go on to after signing in; anything else (another site, a script) leads home. */
export function safeNext(next: FormDataEntryValue | string | null | undefined): string {
  if (typeof next !== 'string' || !/^\/(?![/\\])/.test(next)) return paths.home();
  const url = new URL(next, 'http://here.invalid');
  return url.host === 'here.invalid' ? url.pathname + url.search : paths.home();
}
