import type { ApprovalKind } from '../approvals/approval-kinds.ts';
import { COLLECTIONS } from '../collections/collections.ts';

const {
  announcements,
  companies,
  contributions,
  distributions,
  entities,
  funds,
  importer,
  invoices,
  loanTapes,
  LPs,
  mainFunds,
  statementFiles,
  transactions,
} = COLLECTIONS;

/** The pages that emails link to. A test of the web app compares them with its own addresses. */
export const MAIL_PAGES = {
  company: (id: string) => `${companies.page}/${id}`,
  tape: (id: string) => `${loanTapes.page}/${id}`,
  proposal: (tapeId: string, id: string) => `${loanTapes.page}/${tapeId}/proposals/${id}`,
  entity: (id: string) => `${entities.page}/${id}`,
  investor: (id: string) => `${LPs.page}/${id}`,
  newTape: (companyId: string) => `${loanTapes.page}/new?company=${companyId}`,
  capitalCall: (id: string) => `${contributions.list}/${id}`,
  distribution: (id: string) => `${distributions.list}/${id}`,
  fundNavs: (id: string) => `${funds.page}/${id}?view=navs`,
  fundTerms: (id: string) => `${funds.page}/${id}?view=terms`,
  commitment: (fundId: string, id: string) => `${funds.page}/${fundId}/commitments/${id}`,
  fundDocuments: (id: string) => `${funds.page}/${id}?view=documents`,
  mainFund: (id: string) => `${mainFunds.page}/${id}`,
  approval: (kind: ApprovalKind, id: string) => `/approvals/${kind}/${id}`,
  addressChange: (link: 'confirm' | 'stop', token: string) => `/login/address?${link}=${token}`,
  document: (fileId: string) => `/documents/${fileId}`,
  invoice: (id: string) => `${invoices.page}/${id}`,
  facility: (id: string) => `${transactions.page}/${id}`,
  importRecord: (id: string) => `${importer.page}/${id}`,
  paymentRun: (id: string) => `/cash/runs/${id}`,
  deliveredStatements: () => statementFiles.list,
  announcement: (id: string) => `${announcements.page}/${id}`,
} as const;
