export const MAX_TIME_SERIES_ITEMS = 3_000;

/** What can be imported, in the order in which a firm moves its books in: each kind refers to those before it. */
export const IMPORT_KINDS = [
  'funds',
  'contributions',
  'distributions',
  'LPs',
  'LPCommitments',
  'navs',
  'users',
  'capitalAccounts',
  'reports',
  'feeTerms',
  'sideLetters',
  'closings',
  'transfers',
] as const;
export type ImportKind = (typeof IMPORT_KINDS)[number];

/** Kinds whose rows are not records of their own: terms of a fund or an investor, and what happens between investors. */
const CHANGE_KINDS = ['feeTerms', 'sideLetters', 'closings', 'transfers'] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];
export const isChangeKind = (kind: ImportKind): kind is ChangeKind =>
  (CHANGE_KINDS as readonly string[]).includes(kind);
/** Kinds of which every row is a record. */
export type RecordKind = Exclude<ImportKind, ChangeKind>;
export const RECORD_KINDS = IMPORT_KINDS.filter((kind): kind is RecordKind => !isChangeKind(kind));

/** The collection whose documents an import adds or changes. */
export const IMPORTED_COLLECTIONS = {
  ...(Object.fromEntries(RECORD_KINDS.map((kind) => [kind, kind])) as { readonly [Kind in RecordKind]: Kind }),
  feeTerms: 'funds',
  sideLetters: 'LPCommitments',
  closings: 'LPCommitments',
  transfers: 'LPCommitments',
} as const;

/** Kinds whose rows are dated entries of an investor in a fund. */
export const TIME_SERIES_KINDS = ['contributions', 'distributions', 'LPCommitments', 'navs'] as const;
export type TimeSeriesKind = (typeof TIME_SERIES_KINDS)[number];
export const isTimeSeriesKind = (kind: ImportKind): kind is TimeSeriesKind =>
  (TIME_SERIES_KINDS as readonly string[]).includes(kind);

/** Kinds whose rows name an uploaded PDF, and the bucket of these files. */
export const FILE_BUCKETS = { capitalAccounts: 'capitalAccounts', reports: 'fundReports' } as const;
export type FileKind = keyof typeof FILE_BUCKETS;
export const isFileKind = (kind: ImportKind): kind is FileKind => kind in FILE_BUCKETS;

/** How a person names the records of a kind. */
export const KIND_TITLES: Readonly<
  Record<ImportKind, { readonly title: string; readonly noun: string; readonly nouns: string }>
> = {
  funds: { title: 'Funds', noun: 'fund', nouns: 'funds' },
  contributions: { title: 'Capital calls', noun: 'capital call', nouns: 'capital calls' },
  distributions: { title: 'Distributions', noun: 'distribution', nouns: 'distributions' },
  LPs: { title: 'LPs', noun: 'LP', nouns: 'LPs' },
  LPCommitments: { title: 'Investor commitments', noun: 'commitment', nouns: 'commitments' },
  navs: { title: 'NAVs', noun: 'NAV', nouns: 'NAVs' },
  users: { title: 'Users', noun: 'user', nouns: 'users' },
  capitalAccounts: { title: 'Capital accounts', noun: 'capital account', nouns: 'capital accounts' },
  reports: { title: 'Reports', noun: 'report', nouns: 'reports' },
  feeTerms: { title: 'Fee terms', noun: 'set of fee terms', nouns: 'sets of fee terms' },
  sideLetters: { title: 'Side letters', noun: 'side letter', nouns: 'side letters' },
  closings: { title: 'Later closings', noun: 'commitment of a later closing', nouns: 'commitments of later closings' },
  transfers: { title: 'Transfers', noun: 'transfer', nouns: 'transfers' },
};

/** Most rows of one import, in all its files together. A list of statements or reports is as long as its call allows. */
export const MAX_ROWS: Readonly<Record<ImportKind, number>> = {
  funds: MAX_TIME_SERIES_ITEMS,
  contributions: MAX_TIME_SERIES_ITEMS,
  distributions: MAX_TIME_SERIES_ITEMS,
  LPs: MAX_TIME_SERIES_ITEMS,
  LPCommitments: MAX_TIME_SERIES_ITEMS,
  navs: MAX_TIME_SERIES_ITEMS,
  users: MAX_TIME_SERIES_ITEMS,
  capitalAccounts: 150,
  reports: 300,
  feeTerms: MAX_TIME_SERIES_ITEMS,
  sideLetters: MAX_TIME_SERIES_ITEMS,
  // Each follows from all that happened before it.
  closings: 300,
  transfers: 300,
};

export type ImportRecordStatus = 'Draft' | 'Active' | 'Pending';

/** The statuses that an import can give its records; the first is the default. */
export const IMPORT_STATUSES: Readonly<Record<ImportKind, readonly [ImportRecordStatus, ...ImportRecordStatus[]]>> = {
  funds: ['Active'],
  contributions: ['Draft', 'Active'],
  distributions: ['Draft', 'Active'],
  LPs: ['Active'],
  LPCommitments: ['Draft', 'Active'],
  navs: ['Draft', 'Active'],
  users: ['Pending'],
  capitalAccounts: ['Draft', 'Active'],
  reports: ['Draft', 'Active'],
  feeTerms: ['Active'],
  sideLetters: ['Active'],
  closings: ['Draft', 'Active'],
  transfers: ['Active'],
};
