import { IMPORT_KINDS, type ImportKind, KIND_TITLES } from '@tapeline/domain/importer/kinds.ts';

/** The kinds in the order in which a firm moves its books in: each refers to those before it. */
export const KINDS_IN_ORDER: readonly ImportKind[] = [
  'funds',
  'LPs',
  'LPCommitments',
  'feeTerms',
  'sideLetters',
  'contributions',
  'distributions',
  'closings',
  'navs',
  'transfers',
  'capitalAccounts',
  'reports',
  'users',
];

export const isImportKind = (value: unknown): value is ImportKind =>
  (IMPORT_KINDS as readonly unknown[]).includes(value);

/** What a file of the kind holds, and what must exist before. */
export const KIND_NOTES: Readonly<Record<ImportKind, string>> = {
  funds: 'Funds with their classes, legal entity and bank account',
  LPs: 'Investors with their legal entity and bank account',
  LPCommitments: 'Commitments of investors and funds, with later changes. Needs funds and investors',
  contributions: 'Capital calls by investor and purpose. Needs commitments',
  distributions: 'Distributions by investor. Needs commitments',
  navs: 'Net asset values by investor. Needs commitments',
  capitalAccounts: 'PDF statements, matched to investors by file name. Needs commitments',
  reports: 'PDF reports, matched to funds by file name. Needs funds',
  feeTerms: 'Fees of funds and classes by date. Needs funds',
  sideLetters: 'Fees that single investors have agreed, by date. Needs commitments',
  closings: 'Later closings with equalization. Needs commitments and the calls before them',
  transfers: 'Transfers between investors. Needs what was called, distributed and valued before them',
  users: 'Users of investors, imported as Pending. Needs investors',
};

export const STATUS_CHOICES = {
  Draft: { value: 'Draft', label: 'Draft: investors do not see them yet' },
  Active: { value: 'Active', label: 'Active: visible to investors at once' },
  Pending: { value: 'Pending', label: 'Pending' },
} as const;

export const titleOf = (kind: ImportKind): string =>
  `Import ${KIND_TITLES[kind].title.replace(/^[A-Z](?![A-Z])/, (first) => first.toLowerCase())}`;

/** Imports on one page of the list. */
export const IMPORTS_PER_PAGE = 50;
