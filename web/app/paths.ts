import { COLLECTIONS, type NameWith } from '@tapeline/domain/collections/collections.ts';
import type { GridId } from '@tapeline/domain/grid-views/grid-view.schema.ts';
import type { ImportKind } from '@tapeline/domain/importer/kinds.ts';

/** What tables for a spreadsheet come as. */
export type SpreadsheetFormat = 'xlsx' | 'csv';

type Search = Record<string, string | number | null | undefined>;

function withSearch(path: string, search: Search = {}): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(search)) {
    if (value !== null && value !== undefined && value !== '') params.set(name, String(value));
  }
  const text = params.toString();
  return text ? `${path}?${text}` : path;
}

/** An address of several documents: `?id=` repeated. */
const withIds = (path: string, ids: readonly string[]): string =>
  ids.length > 0 ? `${path}?${new URLSearchParams(ids.map((id) => ['id', id]))}` : path;

type DocumentSearch = {
  fund?: string;
  mainFund?: string;
  investor?: string;
  transaction?: string;
  kind?: string;
};

/** The addresses of a collection's own screens: its list, a document and the forms of both. */
export function pathsOf(name: NameWith<{ list: string; page: string }>) {
  const { list, page } = COLLECTIONS[name];
  return {
    list: (search?: Search) => withSearch(list, search),
    add: (search?: Search) => withSearch(`${page}/new`, search),
    document: (id: string, search?: Search) => withSearch(`${page}/${id}`, search),
    edit: (id: string) => `${page}/${id}/edit`,
  };
}

type Paths = ReturnType<typeof pathsOf>;
type Named<One extends string, Many extends string> = Readonly<
  Record<Many, Paths['list']> &
    Record<One, Paths['document']> &
    Record<`new${Capitalize<One>}`, Paths['add']> &
    Record<`edit${Capitalize<One>}`, Paths['edit']>
>;

/** The same by the names of a document and of several: `fund`, `funds`, `newFund` and `editFund`. */
function screensOf<One extends string, Many extends string>(
  collection: Parameters<typeof pathsOf>[0],
  one: One,
  many: Many,
): Named<One, Many> {
  const { list, add, document, edit } = pathsOf(collection);
  const name = one.charAt(0).toUpperCase() + one.slice(1);
  return { [many]: list, [one]: document, [`new${name}`]: add, [`edit${name}`]: edit } as Named<One, Many>;
}

/** `tab` is decided; `only` a certainty; `tape` a loan tape. */
interface DuplicateSearch extends Search {
  tab?: string | undefined;
  only?: string | undefined;
  tape?: string | undefined;
}

/** The tab and the kind of the listed requests, what is asked, and the request that was just decided. */
interface ApprovalSearch extends Search {
  tab?: string | undefined;
  only?: string | undefined;
  ask?: 'reject' | undefined;
  confirm?: 'approve';
  done?: string | undefined;
  handed?: 'submitted' | 'returned' | 'withdrawn' | 'firstReleased' | undefined;
  skip?: number | undefined;
}

/** Every address of the product. Screens and tests take addresses from here, so a route is renamed in one place. */
export const paths = {
  home: () => '/',
  login: (search?: { next?: string; email?: string; problem?: 'external' | 'unknown' }) => withSearch('/login', search),
  loginCode: (search: { email: string; next?: string; sent?: 'again' }) => withSearch('/login/code', search),
  signUp: (search?: { next?: string }) => withSearch('/login/sign-up', search),
  welcome: (search?: { next?: string }) => withSearch('/welcome', search),
  privacy: () => '/privacy',
  terms: () => '/terms',
  externalSignIn: (search?: { next?: string }) => withSearch('/login/external', search),
  externalCallback: () => '/login/external/callback',
  magicLink: (search: { token: string }) => withSearch('/login/link', search),
  addressChange: (search: { confirm?: string; stop?: string; done?: 'confirm' | 'stop' }) =>
    withSearch('/login/address', search),
  signOut: () => '/sign-out',
  account: (search?: { saved?: string; recovery?: string }) => withSearch('/account', search),
  notificationSettings: (search?: { saved?: string }) => withSearch('/account/notifications', search),
  actingFor: (search?: { find?: string; next?: string | undefined }) => withSearch('/account/acting-for', search),
  preferences: () => '/preferences',
  download: (id: string) => `/download/${id}`,
  /** The documents of a fund, a main fund, an investor or a facility; those of the signed-in investor. */
  documents: (search: DocumentSearch = {}) => withSearch('/documents', search),
  /** The files of draw requests and loan tapes, certificates and contracts. */
  facilityDocuments: (search: { kind?: string } = {}) => withSearch('/documents/facilities', search),
  documentArchive: (search: DocumentSearch) => withSearch('/documents/archive', search),
  document: (fileId: string) => `/documents/${fileId}`,
  documentContent: (fileId: string) => `/documents/${fileId}/content`,
  image: (search: { key: string }) => withSearch('/image', search),
  design: () => '/design',
  mailbox: (search?: { mail?: string }) => withSearch('/mailbox', search),

  approvals: (search?: ApprovalSearch) => withSearch('/approvals', search),
  approval: (kind: string, id: string, search?: ApprovalSearch) => withSearch(`/approvals/${kind}/${id}`, search),

  calendar: (search?: { month?: string; kind?: string | undefined; view?: 'list' | undefined; day?: string }) => {
    const { day, ...rest } = search ?? {};
    return `${withSearch('/calendar', rest)}${day ? `#day-${day}` : ''}`;
  },
  /** What a calendar program reads without signing in. @param search.key the secret of the user's address */
  calendarFeed: (search: { key: string }) => withSearch('/calendar/feed.ics', search),
  calendarFile: (search?: { month?: string; kind?: string | undefined }) => withSearch('/calendar/events.ics', search),

  search: (search?: { q?: string }) => withSearch('/search', search),
  searchResults: (search: { q: string }) => withSearch('/search/results', search),
  /** Leads to the latest tape with the asset. */
  assetOfCompany: (company: string, asset: string) => withSearch('/search/asset', { company, asset }),

  settings: (search?: { find?: string }) => withSearch('/settings', search),
  /** When somebody else must issue what a person prepared. */
  secondPerson: (search?: { done?: 'saved' | 'proposed' | 'confirmed' | 'discarded' }) =>
    withSearch('/settings/second-person', search),
  cash: (search?: { view?: 'payables' | undefined; fund?: string | undefined; activity?: string; currency?: string }) =>
    withSearch('/cash', search),
  /** What the parties of a call, a distribution or a draw owe or are owed, as a file. */
  owedFile: (format: SpreadsheetFormat, of: { activity: string; currency: string }) =>
    withSearch(`/cash/owed/file/${format}`, of),
  /** @param search.done how many payments were matched just now, and how many were marked as not ours */
  toMatch: (search?: { done?: number; marked?: number }) => withSearch('/cash/match', search),
  matchPayment: (id: string) => `/cash/match/${id}`,
  /** @param search.reopen the difference to take back */
  obligation: (document: string, search?: { currency?: string; reopen?: string }) =>
    withSearch(`/cash/owed/${document}`, search),
  /** Of one amount, or of all that is overdue in a selection. */
  remind: (search: {
    document?: string | undefined;
    currency?: string | undefined;
    fund?: string | undefined;
    activity?: string | undefined;
  }) => withSearch('/cash/remind', search),
  payments: () => '/cash/payments',
  payment: (id: string, search?: { reverse?: string; remove?: string }) => withSearch(`/cash/payments/${id}`, search),
  newPayment: (search?: { obligation?: string; currency?: string }) => withSearch('/cash/payments/new', search),
  bankAccounts: () => '/cash/accounts',
  newBankAccount: () => '/cash/accounts/new',
  bankAccount: (id: string) => `/cash/accounts/${id}`,
  /** @param search.file the file whose statements are shown; `repeated` of it were imported before */
  bankStatements: (search?: { file?: string; repeated?: string }) => withSearch('/cash/statements', search),
  bankStatement: (id: string, search?: { imported?: 'yes' }) => withSearch(`/cash/statements/${id}`, search),
  /** @param search.account the bank account of a CSV file */
  importStatements: (search?: { account?: string }) => withSearch('/cash/statements/import', search),
  deliveredStatements: () => '/cash/statements/delivered',
  statementColumns: (account: string) => `/cash/statements/columns/${account}`,
  /** @param search.month "2026-10" */
  reconciliation: (search?: { account?: string; month?: string }) => withSearch('/cash/reconciliation', search),
  paymentRuns: () => '/cash/runs',
  /** @param search.account the bank account that pays */
  newPaymentRun: (search?: { account?: string | undefined }) => withSearch('/cash/runs/new', search),
  /** @param search.back the payment that came back */
  paymentRun: (id: string, search?: { ask?: 'withdraw'; back?: number }) => withSearch(`/cash/runs/${id}`, search),
  /** Where draws of a borrower are paid to. @param search.from the bank account of the run that is prepared */
  payeeAccount: (company: string, search: { currency: string; from?: string }) =>
    withSearch(`/cash/payees/${company}`, search),
  paymentRunFile: (id: string) => `/cash/runs/${id}/file`,

  monitoring: () => '/monitoring',
  ...screensOf('transactions', 'transaction', 'transactions'),
  newNote: (id: string) => `/monitoring/transactions/${id}/notes/new`,
  editNote: (id: string, note: string) => `/monitoring/transactions/${id}/notes/${note}/edit`,
  editNoteTerms: (id: string, note: string) => `/monitoring/transactions/${id}/notes/${note}/terms`,
  forecast: (id: string, note: string) => `/monitoring/transactions/${id}/notes/${note}/forecast`,
  /**
   * @param search.tranche the sequence of the tranche whose terms change; `note` for the note's own terms
   * @param search.day the form starts with the terms of this day; today by default
   */
  amendTerms: (id: string, note: string, search?: { tranche?: number | 'note'; day?: string | undefined }) =>
    withSearch(`/monitoring/transactions/${id}/notes/${note}/amend`, search),
  amendment: (id: string) => `/monitoring/amendments/${id}`,
  removeNote: (id: string, note: string) => `/monitoring/transactions/${id}/notes/${note}/remove`,
  newTranche: (id: string, note: string) => `/monitoring/transactions/${id}/notes/${note}/tranches/new`,
  editTranche: (id: string, note: string, sequence: number) =>
    `/monitoring/transactions/${id}/notes/${note}/tranches/${sequence}/edit`,
  activateTranche: (id: string, note: string, sequence: number) =>
    `/monitoring/transactions/${id}/notes/${note}/tranches/${sequence}/activate`,
  removeTranche: (id: string, note: string, sequence: number) =>
    `/monitoring/transactions/${id}/notes/${note}/tranches/${sequence}/remove`,
  tapes: (search?: { skip?: number; company?: string; removed?: string }) => withSearch('/monitoring/tapes', search),
  /** @param search.files ids of uploaded files, joined by commas */
  newTape: (search?: { company?: string | undefined; files?: string | undefined; date?: string | undefined }) =>
    withSearch('/monitoring/tapes/new', search),
  tape: (
    id: string,
    search?: {
      view?: string;
      filter?: string;
      sort?: string;
      asset?: string;
      /** The borrowing base whose results are shown next to the assets. */
      borrowingBase?: string;
      discard?: string;
      remove?: string;
      column?: string;
    },
  ) => withSearch(`/monitoring/tapes/${id}`, search),
  /** The errored rows of a tape, in view. */
  erroredRows: (id: string): string => `/monitoring/tapes/${id}?view=errored#errored-rows`,
  /** Errored rows to correct, as sheet row numbers. */
  correctRows: (id: string, rows: readonly number[]) =>
    withSearch(`/monitoring/tapes/${id}/correct`, { rows: rows.join(',') }),
  duplicates: (search?: DuplicateSearch) => withSearch('/monitoring/duplicates', search),
  duplicate: (id: string, search?: DuplicateSearch) => withSearch(`/monitoring/duplicates/${id}`, search),
  proposal: (tapeId: string, id: string) => `/monitoring/tapes/${tapeId}/proposals/${id}`,
  /** @param search.mapping the mapping version whose effect is shown */
  remapTape: (id: string, search?: { mapping?: string }) => withSearch(`/monitoring/tapes/${id}/remap`, search),
  correctFile: (id: string, search?: { file?: string }) => withSearch(`/monitoring/tapes/${id}/correct-file`, search),
  tapeRolls: (id: string, search?: { against?: string; measure?: string; from?: string; to?: string }) =>
    withSearch(`/monitoring/tapes/${id}`, { view: 'rolls', ...search }),
  /** @param search.line the line whose assets are listed; with `kind`, those with that change */
  tapeForward: (
    id: string,
    search?: {
      against?: string;
      line?: string;
      currency?: string;
      from?: string;
      to?: string;
      kind?: string;
      /** The index of a payment file among the tape's other documents. */
      file?: number;
    },
  ) => withSearch(`/monitoring/tapes/${id}`, { view: 'forward', ...search }),
  tapeForwardFiles: (id: string) => `/monitoring/tapes/${id}/roll-forward`,
  tapeDepartures: (id: string) => `/monitoring/tapes/${id}/departures`,
  /** @param search.part `lines`, `assets` or `changes` */
  tapeForwardFile: (id: string, search: { against: string; part: string; format: string }) =>
    withSearch(`/monitoring/tapes/${id}/roll-forward`, search),
  tapeMigration: (id: string, search?: { against?: string; measure?: string }) =>
    withSearch(`/monitoring/tapes/${id}`, { view: 'migration', ...search }),
  tapeVintages: (id: string, search?: { period?: string; measure?: string; source?: string }) =>
    withSearch(`/monitoring/tapes/${id}`, { view: 'vintages', ...search }),
  /** API figures as a file. The browser's own sign-in is sufficient. */
  analyticsFile: (name: string, search: Search) => withSearch(`/LTP/analytics/${name}`, { ...search, format: 'csv' }),
  tapeExport: (
    id: string,
    search?: { filter?: string; sort?: string; view?: string; format?: string; borrowingBase?: string },
  ) => withSearch(`/monitoring/tapes/${id}/export`, search),
  mappings: () => '/monitoring/mappings',
  /** @param search.date the cut-off date of the tape that the mapping is made for */
  newMapping: (search?: { company?: string; file?: string; sheet?: string; date?: string }) =>
    withSearch('/monitoring/mappings/new', search),
  mapping: (id: string, search?: { tape?: string; file?: string; rule?: number; saved?: string }) =>
    withSearch(`/monitoring/mappings/${id}`, search),
  /** What the columns of the company's tapes are mapped to, as a file of the API. */
  dataDictionary: (companyId: string, format: 'xlsx' | 'csv') => `/LTP/dictionary/${companyId}?format=${format}`,
  checkProgress: (fileId: string) => `/monitoring/mappings/check-progress/${fileId}`,
  contracts: () => '/monitoring/contracts',
  contract: (
    id: string,
    search?: {
      tab?: string;
      edit?: string | number;
      tape?: string;
      compare?: string;
      try?: string;
      confirm?: string;
      /** The chat whose filter a new item starts with. */
      chat?: string;
    },
  ) => withSearch(`/monitoring/contracts/${id}`, search),
  contractValues: (id: string, search: { field: string; tape?: string; search?: string }) =>
    withSearch(`/monitoring/contracts/${id}/values`, search),
  contractTrial: (id: string, search?: { tape?: string; format?: 'csv' | 'xlsx' }) =>
    withSearch(`/monitoring/contracts/${id}/trial`, search),
  borrowingBases: () => '/monitoring/borrowing-bases',
  borrowingBase: (id: string, search?: { view?: string | undefined; against?: string }) =>
    withSearch(`/monitoring/borrowing-bases/${id}`, search),
  /** Why a borrowing base differs from another, by default from the one before it. */
  baseComparison: (id: string, search?: { against?: string | undefined; cause?: string | undefined }) =>
    withSearch(`/monitoring/borrowing-bases/${id}/comparison`, search),
  baseComparisonFile: (
    id: string,
    search: { against: string; format: 'csv' | 'xlsx'; part: 'lines' | 'assets'; cause?: string | undefined },
  ) => withSearch(`/monitoring/borrowing-bases/${id}/comparison/export`, search),
  certification: (baseId: string, search?: { certificate?: string; code?: 'sent' }) =>
    withSearch(`/monitoring/borrowing-bases/${baseId}/certification`, search),
  ownFigures: (baseId: string) => `/monitoring/borrowing-bases/${baseId}/certification/figures`,
  /** The certificate with the scenarios that are shown beside it, and the one whose loans are listed. */
  whatIf: (baseId: string, { scenario = [], assets }: { scenario?: readonly string[]; assets?: string } = {}) => {
    const search = new URLSearchParams(scenario.map((id) => ['scenario', id]));
    if (assets) search.set('assets', assets);
    const page = `/monitoring/borrowing-bases/${baseId}/what-if`;
    return search.size > 0 ? `${page}?${search}` : page;
  },
  /** Of a borrowing base, or of a contract that is tried on a tape. */
  newScenario: (search: { base: string } | { contract: string; tape?: string | undefined }) =>
    withSearch('/monitoring/scenarios/new', search),
  scenario: (id: string) => `/monitoring/scenarios/${id}`,
  scenarioChange: (id: string) => `/monitoring/scenarios/${id}/change`,
  verifyFile: (verification: string) => `/verify/${verification}`,
  newAdjustment: (baseId: string) => `/monitoring/borrowing-bases/${baseId}/adjustments/new`,
  borrowingBaseFile: (id: string, format: 'csv' | 'xlsx' | 'pdf') =>
    `/monitoring/borrowing-bases/${id}/export?format=${format}`,
  ...screensOf('covenants', 'covenant', 'covenants'),
  waiveCovenant: (id: string) => `/monitoring/covenants/${id}/waive`,
  cureCovenant: (id: string) => `/monitoring/covenants/${id}/cure`,
  ...screensOf('facilityFigures', 'facilityFigure', 'facilityFigures'),
  pasteFigures: (search?: { company?: string }) => withSearch('/monitoring/facility-figures/paste', search),
  ...screensOf('deliverables', 'deliverable', 'deliverables'),
  deliverableStep: (
    id: string,
    step: 'send' | 'return' | 'waive' | 'withdraw' | 'remind',
    search: { period: string },
  ) => withSearch(`/monitoring/deliverables/${id}/${step}`, search),
  repayments: (search?: { recorded?: number }) => withSearch('/monitoring/repayments', search),
  newRepayment: (search?: { transaction?: string; note?: string; date?: string }) =>
    withSearch('/monitoring/repayments/new', search),
  repayment: (id: string) => `/monitoring/repayments/${id}`,
  newInvoice: (search: { transaction: string; note?: string }) => withSearch('/monitoring/invoices/new', search),
  invoice: (id: string, search?: { ask?: 'change' | 'withdraw' }) => withSearch(`/monitoring/invoices/${id}`, search),
  invoiceFile: (id: string) => `/monitoring/invoices/${id}/file`,
  ...screensOf('draws', 'draw', 'draws'),
  tapeDocument: (id: string, index: number) => `/monitoring/tapes/${id}/documents/${index}`,
  drawFile: (id: string, index: number) => `/monitoring/draws/${id}/files/${index}`,
  ...screensOf('companies', 'company', 'companies'),

  ...screensOf('funds', 'fund', 'funds'),
  /** The form of an entity with a bank account to fill in: a stored one, or a new one for a fund that has none. */
  addBankAccount: (to: { entity: string } | { fund: string }) =>
    'entity' in to
      ? withSearch(`/admin/entities/${to.entity}/edit`, { add: 'bank' })
      : withSearch('/admin/entities/new', { add: 'bank', fund: to.fund }),
  newCommitment: (fund: string, search?: { kind?: string; investor?: string }) =>
    withSearch(`/funds/${fund}/commitments/new`, search),
  newClosing: (fund: string) => `/funds/${fund}/closings/new`,
  closing: (fund: string, id: string) => `/funds/${fund}/closings/${id}`,
  commitment: (fund: string, id: string) => `/funds/${fund}/commitments/${id}`,
  activityStatement: (fund: string, id: string, format: 'pdf' | 'xlsx') =>
    `/funds/${fund}/commitments/${id}/activity/${format}`,
  commitmentsRegister: (fund: string, format: SpreadsheetFormat, search?: { date?: string }) =>
    withSearch(`/funds/${fund}/commitments/register/${format}`, search),
  editCommitment: (fund: string, id: string) => `/funds/${fund}/commitments/${id}/edit`,
  transferCommitment: (fund: string, id: string, search?: { kind?: string }) =>
    withSearch(`/funds/${fund}/commitments/${id}/transfer`, search),
  sideLetter: (fund: string, id: string, search?: { from?: string }) =>
    withSearch(`/funds/${fund}/commitments/${id}/side-letter`, search),
  fundReminders: (fund: string) => `/funds/${fund}/reminders`,
  feeTerms: (fund: string, search?: { from?: string; class?: string }) =>
    withSearch(`/funds/${fund}/fee-terms`, search),
  removeCommitment: (fund: string, id: string) => `/funds/${fund}/commitments/${id}/remove`,
  ...screensOf('mainFunds', 'mainFund', 'mainFunds'),
  ...screensOf('LPs', 'investor', 'investors'),
  investorActivityFile: (id: string, format: 'pdf' | 'xlsx') => `/investors/${id}/activity/${format}`,
  investorAccount: (id: string) => `/investors/${id}/account`,
  companyAccount: (id: string) => `/monitoring/companies/${id}/account`,
  investorRecord: (id: string) => `/investors/${id}/record`,
  investorGroup: (id: string) => `/investors/groups/${id}`,
  capital: () => '/capital',
  /** Every payment of the signed-in investor, or for a manager of the fund or investor. */
  cashFlows: (format: SpreadsheetFormat, of?: { fund?: string; investor?: string }) =>
    withSearch(`/capital/cash-flows/${format}`, of),
  sharesFile: (id: string, format: SpreadsheetFormat) => `/capital/shares/${id}/${format}`,
  capitalCalls: (search?: { filter?: string; skip?: number }) => withSearch('/capital/calls', search),
  newCapitalCall: (search?: { fund?: string; feeFrom?: string; feeUntil?: string }) =>
    withSearch('/capital/calls/new', search),
  capitalCall: (id: string, search?: { ask?: string }) => withSearch(`/capital/calls/${id}`, search),
  editCapitalCall: (id: string) => `/capital/calls/${id}/edit`,
  previewCallNotice: () => '/capital/calls/preview',
  noticeArchive: (id: string) => `/capital/notices/${id}`,
  listOfAll: (id: string) => `/capital/notices/${id}/list`,
  newStatements: (search: { fund?: string; mainFund?: string; how?: 'upload' | undefined }) =>
    withSearch('/capital/statements/new', search),
  statementWorkbook: (id: string) => `/capital/statements/${id}/workbook`,
  newReport: (search: { fund?: string; mainFund?: string }) => withSearch('/capital/reports/new', search),
  distributions: (search?: { filter?: string; skip?: number }) => withSearch('/capital/distributions', search),
  newDistribution: (search?: { fund?: string; split?: 'waterfall' }) =>
    withSearch('/capital/distributions/new', search),
  distribution: (id: string, search?: { ask?: string }) => withSearch(`/capital/distributions/${id}`, search),
  editDistribution: (id: string) => `/capital/distributions/${id}/edit`,
  previewDistributionNotice: () => '/capital/distributions/preview',
  newNav: (search?: { fund?: string }) => withSearch('/capital/navs/new', search),
  editNavs: (ids: readonly string[] = []) => withIds('/capital/navs/edit', ids),
  editWriteOffs: (ids: readonly string[] = []) => withIds('/capital/write-offs/edit', ids),
  newWriteOff: (search?: { fund?: string }) => withSearch('/capital/write-offs/new', search),
  importer: (search?: { skip?: number }) => withSearch('/importer', search),
  newImport: (kind: ImportKind, search?: { fund?: string }) => withSearch(`/importer/new/${kind}`, search),
  importTemplate: (kind: ImportKind, search?: { format?: 'csv' }) => withSearch(`/importer/template/${kind}`, search),
  importColumns: (draft: string) => `/importer/drafts/${draft}/columns`,
  importValues: (draft: string) => `/importer/drafts/${draft}/values`,
  importFiles: (draft: string) => `/importer/drafts/${draft}/files`,
  importCheck: (draft: string, search?: { show?: string; row?: number; skip?: number }) =>
    withSearch(`/importer/drafts/${draft}`, search),
  importChecking: (draft: string, search?: string) => `/importer/drafts/${draft}/checking${search ?? ''}`,
  importProblems: (draft: string) => `/importer/drafts/${draft}/problems`,
  importRecord: (id: string, search?: { ask?: string }) => withSearch(`/importer/${id}`, search),

  announcements: () => '/announcements',
  newAnnouncement: (search?: { for?: string }) => withSearch('/announcements/new', search),
  announcement: (id: string, search?: { ask?: string }) => withSearch(`/announcements/${id}`, search),
  notifications: (search?: { show?: string; kind?: string; day?: string }) => withSearch('/notifications', search),
  notificationStream: () => '/notifications/stream',
  chats: () => '/chats',
  chat: (id: string) => `/chats/${id}`,
  filters: () => '/filters',
  editFilter: (id: string) => `/filters/${id}/edit`,
  views: () => '/views',
  /** `search` is the search part of the grid to save, and `back` the page to return to. */
  newView: (search: { grid: string; search: string; back: string }) => withSearch('/views/new', search),
  editView: (id: string) => `/views/${id}/edit`,
  view: (id: string) => `/views/${id}`,
  /** Rows of a grid, in blocks. */
  gridRows: (grid: GridId) => `/views/rows/${grid}`,
  /** The selected rows of a grid as a file; a form adds their ids. */
  gridExport: (grid: string) => `/views/export/${grid}`,
  history: (search?: {
    by?: string;
    who?: string;
    collection?: string;
    operation?: string;
    from?: string;
    to?: string;
    field?: string;
    /** One of the changes of an action, for all of them. */
    action?: string;
    skip?: number;
  }) => withSearch('/history', search),
  /** One change, next to the list. `search` is the search part of the list. */
  historyChange: (id: string, search = '') => `/history/${id}${search}`,
  documentHistory: (resource: string, id: string, search?: { delete?: string; skip?: number }) =>
    withSearch(`/history/documents/${resource}/${id}`, search),
  historyExport: (format: 'csv' | 'xlsx', search: string) => {
    const params = new URLSearchParams(search);
    params.delete('skip');
    params.set('format', format);
    return `/history/export?${params}`;
  },
  tables: () => '/tables',
  newTable: () => '/tables/new',
  table: (id: string, search?: { done?: string; confirm?: string; skip?: number }) =>
    withSearch(`/tables/${id}`, search),

  ...screensOf('users', 'user', 'users'),
  editUsers: (search?: { filter?: string; done?: number }) => withSearch('/admin/users/several', search),
  userAccess: (id: string, search?: { collection?: string; find?: string; document?: string }) =>
    withSearch(`/admin/users/${id}/access`, search),
  editUserAccess: (id: string) => `/admin/users/${id}/access/edit`,
  roles: () => '/admin/roles',
  newRole: (search?: { from?: string }) => withSearch('/admin/roles/new', search),
  role: (id: string) => `/admin/roles/${id}`,
  ...screensOf('managers', 'manager', 'managers'),
  ...screensOf('entities', 'entity', 'entities'),
  currencies: (search?: { view?: 'all' | null; refresh?: 'now' }) => withSearch('/admin/currencies', search),
  currency: (code: string, search?: { years?: number; saved?: string; remove?: string; removed?: string }) =>
    withSearch(`/admin/currencies/${code}`, search),
  jobs: () => '/admin/jobs',
  held: (search?: { confirm?: string }) => withSearch('/admin/held', search),
  permissions: () => '/admin/permissions',
  newPermission: () => '/admin/permissions/new',
  permission: (id: string) => `/admin/permissions/${id}`,
} as const;

const HERE = 'http://here.invalid';

/**
 * Returns `next` if it is an address within the product, to redirect to after sign-in. Anything else (another site, a
 * script) redirects to the home page. The check uses the address as a browser resolves it: "/.//evil.example" becomes
 * "//evil.example", which is another site.
 */
export function safeNext(next: FormDataEntryValue | string | null | undefined): string {
  if (typeof next !== 'string' || !/^\/(?![/\\])/.test(next)) return paths.home();
  const url = URL.parse(next, HERE);
  if (url?.origin !== HERE) return paths.home();
  const place = url.pathname + url.search;
  return URL.parse(place, HERE)?.origin === HERE ? place : paths.home();
}
