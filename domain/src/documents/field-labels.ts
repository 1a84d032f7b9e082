/** Labels of fields whose wording cannot be derived from their names, in sentence case. The only list of them. */
const LABELS: Readonly<Record<string, string>> = {
  FTEs: 'Full-time employees',
  IBAN: 'IBAN',
  GPs: 'General partners',
  LPGroup: 'Investor group',
  LPs: 'Investors',
  abaOrRouting: 'ABA or routing number',
  acceptingGenerationId: 'Publication of the corrections',
  activeCommitment: 'Active commitment',
  advanceRate: 'Advance rate',
  assetPrefix: 'Prefix of asset ids',
  assetsETL: 'Mapping',
  assetsETLVersion: 'Mapping version',
  assoc: 'Belongs to',
  attachment: 'File',
  body: 'Terms',
  borrowingBaseId: 'Borrowing base',
  borrowingBaseStatuses: 'Borrowing bases',
  calculateBB: 'Calculate borrowing base',
  Class: 'Class',
  company: 'Borrower',
  companyId: 'Borrower',
  contractId: 'Contract',
  cutOffDate: 'Cut-off date',
  entityId: 'Entity',
  entityIds: 'Entities',
  equalization: 'Equalization terms',
  excuseCap: 'Cap on excused amounts',
  excuseFileId: 'Document of the excuse',
  excuseReason: 'Excused because',
  exclusiveResources: 'Permissions removed from the role',
  fileMetadata: 'File',
  'filters.funds': 'Funds',
  'filters.investors': 'Investors',
  extractedOriginColsFromLoanTape: 'Columns of the sheet',
  feeTerms: 'Fee terms',
  familyId: 'Mapping family',
  fence: 'Attempt',
  firstBB: 'Gross borrowing base',
  formalId: 'Formal id',
  fundId: 'Fund',
  generationId: 'Publication',
  groupId: 'Group',
  groupTitle: 'Group name',
  inclusiveResources: 'Permissions added to the role',
  investorFundId: 'Investor (fund)',
  'investor.id': 'Investor',
  'investor.kind': 'Kind of investor',
  investorKind: 'Kind of investor',
  investorLPId: 'Investor',
  isConfirmedUserDetails: 'Confirmed their details',
  isReadPrivacyAndTerms: 'Accepted the privacy policy and terms',
  kycDate: 'KYC date',
  kycExpiresOn: 'KYC expiry',
  kycReason: 'Reason of the KYC refusal',
  kycStatus: 'KYC status',
  lastUpdate: 'Date of the rates',
  lei: 'LEI',
  linkedinPage: 'LinkedIn page',
  loanTapeSheetName: 'Sheet',
  managerId: 'Manager',
  mappingId: 'Mapping',
  mappingVersion: 'Mapping version',
  managerMaxCommitments: 'Maximum commitments of the manager',
  maxCommitment: 'Maximum commitment',
  maxCommitments: 'Maximum commitments',
  netBB: 'Net borrowing base',
  noteId: 'Note',
  processStatus: 'Processing status',
  recoveryEmail: 'Recovery email',
  pendingEmail: 'Email to confirm',
  endsIdleSessions: 'Idle sign-ins end',
  secondPerson: 'Second person',
  secondPersonProposal: 'Proposed second person',
  resultKey: 'Result file',
  roleId: 'Role',
  rowNumbers: 'Sheet rows',
  schedulerStatus: 'Job status',
  siteLink: 'Website',
  swiftCode: 'SWIFT code',
  tapeId: 'Loan tape',
  targetCol: 'Target column',
  transaction: 'Facility',
  transactionId: 'Facility',
  workflowId: 'Workflow',
  zip: 'ZIP code',
};

/** The label of a field, in sentence case: "hardCap" is "Hard cap". */
export function fieldLabel(name: string): string {
  if (Object.hasOwn(LABELS, name)) return LABELS[name]!;
  const words = name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll(/[_-]+/g, ' ')
    .split(' ')
    // An abbreviation keeps its capitals.
    .map((word) => (/^[A-Z\d]{2,}s?$/.test(word) ? word : word.toLowerCase()))
    .join(' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** A label within a sentence: "hard cap", but "IBAN". */
export const inSentence = (label: string): string =>
  /^[A-Z\d]{2}/.test(label) ? label : label.charAt(0).toLowerCase() + label.slice(1);

export const fieldInSentence = (name: string): string => inSentence(fieldLabel(name));

/** Fields that identify something inside the program and mean nothing to a reader. */
const TECHNICAL = new Set([
  'acceptingGenerationId',
  'assetPrefix',
  'familyId',
  'fence',
  'generationId',
  'resultKey',
  'workflowId',
]);
export const isTechnical = (name: string): boolean => TECHNICAL.has(name);
