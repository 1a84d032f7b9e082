/** The pages that emails link to. A test of the web app compares them with its own addresses. */
export const MAIL_PAGES = {
  company: (id: string) => `/monitoring/companies/${id}`,
  tape: (id: string) => `/monitoring/tapes/${id}`,
  proposal: (tapeId: string, id: string) => `/monitoring/tapes/${tapeId}/proposals/${id}`,
  entity: (id: string) => `/admin/entities/${id}`,
  investor: (id: string) => `/investors/${id}`,
  newTape: (companyId: string) => `/monitoring/tapes/new?company=${companyId}`,
  capitalCall: (id: string) => `/capital/calls/${id}`,
  distribution: (id: string) => `/capital/distributions/${id}`,
  fundDocuments: (id: string) => `/funds/${id}?view=documents`,
  mainFund: (id: string) => `/main-funds/${id}`,
  addressChange: (link: 'confirm' | 'stop', token: string) => `/login/address?${link}=${token}`,
  document: (fileId: string) => `/documents/${fileId}`,
  importRecord: (id: string) => `/importer/${id}`,
  announcement: (id: string) => `/announcements/${id}`,
} as const;
