/**
 * An example body of each call that creates a document. The OpenAPI document shows them, and tests change them in one
 * place to prove a limit.
 */

const ID = '65f0c2a1b3d4e5f601234567';
const OTHER_ID = '65f0c2a1b3d4e5f601234568';

const usd = (sum: number) => ({ sum, currency: 'USD' });

const ENTITY = {
  name: 'Northwind Loans LLC',
  formalId: '47-3382916',
  nationality: { country: 'US', state: 'Delaware', city: 'Wilmington' },
  contacts: [{ name: 'Bea Lindqvist', email: 'bea@northwind.example', phone: '13025550142', role: 'Treasurer' }],
  banks: [
    { title: 'Main account', accountNumber: '4417123456', address: '1 Market Street, Wilmington', type: 'Business' },
  ],
};

const COMPANY = { entity: ENTITY, domains: ['northwind.example'] };

const LP = { title: 'Fjord Pension', entity: ENTITY, domains: ['fjord.example'], group: { title: 'Nordic pensions' } };

const USER = {
  firstName: 'Ann',
  lastName: 'Berg',
  email: 'ann.berg@fjord.example',
  phoneNumber: '4712345678',
  type: 'LP',
  assoc: { LP: { id: ID } },
  LPs: [ID],
};

const ROLE = { title: 'Credit analyst', level: 10, permissions: ['funds/read', 'transactions/read'] };

const PERMISSION = { title: 'Read funds', key: 'funds/read', allowed: ['admin', 'manager', 'LP'] };

const FUND = {
  title: 'Harbour Credit Fund II',
  type: 'ComingleFund',
  strategy: 'ABL',
  currency: 'USD',
  targetSize: 250_000_000,
  hardCap: 300_000_000,
  closingDate: '2026-12-31',
  classes: [
    { name: 'Class A', uniqueKey: 'A' },
    { name: 'Class B', uniqueKey: 'B' },
  ],
  timeline: [{ title: 'First closing', planned: '2026-03-31', actual: '2026-04-15', activated: true }],
  nonRecyclable: { declerationDate: '2028-12-31', fromBeginning: false },
  GPs: [ID],
  serviceProviders: [OTHER_ID],
  description: 'Senior facilities to consumer lenders',
};

const MAIN_FUND = {
  title: 'Harbour Credit Programme',
  type: 'ComingleFund',
  strategy: 'ABL',
  currency: 'USD',
  targetSize: 500_000_000,
  hardCap: 600_000_000,
  classMembers: [ID, OTHER_ID],
};

const COMMITMENT = {
  fund: ID,
  investor: { id: OTHER_ID, kind: 'LP' },
  Class: 'A',
  closingDate: '2026-03-31',
  maxCommitment: 50_000_000,
  activeCommitment: 45_000_000,
  deltas: [{ date: '2026-09-30', amount: 5_000_000, title: 'Second closing' }],
  fees: {
    management: { committed: 1.5 },
    success: { hurdle: 8, rate: 20, catchUp: 100 },
    transaction: { applied: true, cap: 1 },
    overallCap: 2_000_000,
  },
};

const CONTRIBUTION = {
  fund: ID,
  Class: 'A',
  cutOffDate: '2026-10-01',
  dueDate: '2026-10-15',
  callNumber: '7',
  amount: usd(10_000_000),
  callPurposes: [
    { title: 'Northwind facility', kind: 'investments', amount: 9_750_000 },
    { title: 'Management fee, third quarter', kind: 'managementFee', amount: 250_000 },
  ],
  trailingDescription: 'Please quote the call number.',
  pdfOptions: { fundLevel: true },
  timezoneOffset: 60,
  dryRun: true,
};

const DISTRIBUTION = {
  fund: ID,
  Class: 'A',
  cutOffDate: '2026-12-20',
  callNumber: 'D3',
  distributionKind: 'Interest and Principal',
  principal: usd(2_000_000),
  components: [
    { title: 'Interest of the Northwind facility', actionType: 'INTEREST', amount: usd(640_000) },
    { title: 'Servicing', actionType: 'INTEREST FEES', amount: usd(40_000) },
    { title: 'Withholding tax', actionType: 'INTEREST TAX', amount: usd(12_500) },
  ],
  pdfOptions: { recallableDistribution: true, vat: 19 },
  dryRun: true,
};

const NAV = {
  fund: ID,
  investor: { id: OTHER_ID, kind: 'LP' },
  Class: 'A',
  cutOffDate: '2026-09-30',
  gross: 17_350_000,
  net: 16_910_432.1,
  currency: 'USD',
};

const WRITE_OFF = { fund: ID, Class: 'A', cutOffDate: '2026-06-30', amount: usd(1_000_000) };

const CAPITAL_ACCOUNT = { fund: ID, investor: { id: OTHER_ID, kind: 'LP' }, Class: 'A', cutOffDate: '2026-09-30' };

const REPORT = { fund: ID, cutOffDate: '2026-09-30', fileMetadata: { key: 'reports/2026-q3.pdf' } };

const TERMS = {
  commitments: [{ amount: usd(45_000_000), additionalCurrencies: ['EUR'] }],
  interest: { kind: 'variable', baseRate: 'SOFR', spread: 4.5, minimumInterest: 6, dayCount: 'ACT/360' },
  fees: [
    { title: 'Upfront fee', kind: 'Upfront', rate: 1, frequency: 'Beginning', feeType: 'Commitment Amount' },
    { title: 'Unused fee', kind: 'Unused', rate: 0.5, frequency: 'Monthly', feeType: 'Undrawn Amount' },
  ],
  timeline: {
    contractSigning: '2026-06-26',
    revolvingStart: '2026-06-30',
    revolvingEnd: '2028-06-30',
    maturity: '2029-06-30',
  },
  drawLimits: {
    draw: {
      amountRange: { currency: 'USD', min: 250_000, max: 5_000_000 },
      frequency: { limit: 2, interval: 'Monthly' },
      dueDateLimit: { min: 3, max: 30 },
    },
  },
};

const CONTRACT = {
  title: 'Borrowing base terms',
  cutOffDate: '2026-06-30',
  assetsETL: OTHER_ID,
  values: [{ title: 'Eligible balance', pool: 'eligible' }],
  scopes: [{ title: 'Consumer', filter: { sector: { eq: 'Consumer' } } }],
  eligibilityRules: [{ title: 'Credit score of at least 640', filter: { 'creditScores.origination': { gte: 640 } } }],
  performanceRules: [{ title: 'At most 30 days past due', filter: { daysPastDue: { lte: 30 } } }],
  concentrationRules: [
    {
      title: 'One state at most 40%',
      groupBy: 'address.state',
      equator: { operand: 'lte', unit: 'percentage', value: 40 },
    },
  ],
  advanceRate: {
    cases: [{ title: 'Grade A', filter: { 'creditScores.grade': { eq: 'A' } }, rate: 90 }],
    defaultRate: 80,
  },
};

const TRANSACTION = {
  title: 'Northwind warehouse facility',
  type: 'Asset Backed Lending',
  industries: ['Consumer lending'],
  company: ID,
  notes: [
    {
      title: 'Senior',
      mainCurrency: 'USD',
      priority: { attachmentPoint: 0, detachmentPoint: 80 },
      tranches: [{ sequence: 1, sequenceActivated: true, title: 'Initial', type: 'ROFR', terms: TERMS }],
      holdings: [{ fund: ID, targetPercentage: 60, actualPercentage: 60 }],
      contracts: [CONTRACT],
    },
  ],
};

const DRAW_REQUEST = {
  transaction: ID,
  noteTitle: 'Senior',
  cutOffDate: '2026-10-31',
  dueDate: '2026-11-05',
  draws: [{ type: 'Regular', amounts: [usd(1_500_000)] }],
  description: 'Originations of October',
};

const REPAYMENT = {
  transaction: ID,
  noteTitle: 'Senior',
  cutOffDate: '2026-10-31',
  repayments: [
    { kind: 'principal', amount: usd(400_000) },
    { kind: 'interest', amount: usd(118_750) },
  ],
};

const MAPPING = {
  company: ID,
  loanTapeSheetName: 'Tape',
  primaryCurrency: 'USD',
  extractedOriginColsFromLoanTape: ['Loan ID', 'Current balance'],
  rules: [
    { originCol: 'Loan ID', targetCol: 'assetId', checks: ['Mandatory', 'Unique'], serializations: [{ type: 'text' }] },
    {
      originCol: 'Current balance',
      targetCol: 'sums.outstandingSum',
      serializations: [{ type: 'SerializedSum', currency: 'USD' }],
      validations: [{ kind: 'minNumber', value: 0 }],
    },
  ],
};

const ANNOUNCEMENT = {
  resource: { kind: 'funds', id: ID },
  title: 'Annual meeting',
  subTitle: '12 March 2027',
  description: 'The annual meeting takes place on 12 March 2027. The agenda is attached.',
  files: [{ key: 'announcements/agenda.pdf' }],
};

const CHAT = { title: 'Late loans', task: 'mongoFilter', text: 'loans in California more than 30 days past due' };

const GROUP_FILTER = { title: 'Nordic investors', filters: { funds: [ID], investors: [OTHER_ID] } };

const TABLE = { name: 'Fee kinds', values: [{ title: 'Upfront' }, { title: 'Unused', isRetired: true }] };

const IMPORT = { kind: 'contributions', attachments: [{ key: 'importerFiles/calls.xlsx' }], status: 'Draft' };

const TIME_SERIES_IMPORT = {
  investorType: 'LP',
  investorCode: 12,
  fundCode: 2,
  fundClassCode: 'A',
  currency: 'USD',
  timeSeriesItems: [
    {
      date: '2026-10-01',
      callName: '7',
      defaultValue: 500_000,
      keyValues: [
        { key: 'investments', value: 487_500 },
        { key: 'managementFee', value: 12_500 },
      ],
    },
  ],
};

const FUND_IMPORT = {
  code: 2,
  title: 'Harbour Credit Fund II',
  strategy: 'ABL',
  type: 'ComingleFund',
  classes: [{ name: 'Class A', uniqueKey: 'A' }],
  currency: 'USD',
  entityFormalId: '47-3382916',
  nationalityCountryCode: 'US',
};

const LP_IMPORT = { code: 12, entityName: 'Fjord Pension', formalId: '912345678', country: 'NO' };

const USER_IMPORT = { firstName: 'Ann', lastName: 'Berg', email: 'ann.berg@fjord.example', LPCode: 12 };

const TAPE_UPLOAD = {
  cutOffDate: '2026-10-31',
  companyId: ID,
  mainCurrency: 'USD',
  calculateBB: true,
  attachments: [{ key: 'loanTapes/october.xlsx' }],
};

const SIGNED_URLS = { filesInfo: [{ name: 'october.xlsx', size: 48_213, type: 'text/csv' }] };

export const EXAMPLES = {
  entity: ENTITY,
  company: COMPANY,
  lp: LP,
  user: USER,
  role: ROLE,
  permission: PERMISSION,
  fund: FUND,
  mainFund: MAIN_FUND,
  commitment: COMMITMENT,
  contribution: CONTRIBUTION,
  distribution: DISTRIBUTION,
  nav: NAV,
  writeOff: WRITE_OFF,
  capitalAccount: CAPITAL_ACCOUNT,
  report: REPORT,
  terms: TERMS,
  contract: CONTRACT,
  transaction: TRANSACTION,
  drawRequest: DRAW_REQUEST,
  repayment: REPAYMENT,
  mapping: MAPPING,
  announcement: ANNOUNCEMENT,
  chat: CHAT,
  groupFilter: GROUP_FILTER,
  table: TABLE,
  import: IMPORT,
  timeSeriesImport: TIME_SERIES_IMPORT,
  fundImport: FUND_IMPORT,
  lpImport: LP_IMPORT,
  userImport: USER_IMPORT,
  tapeUpload: TAPE_UPLOAD,
  signedUrls: SIGNED_URLS,
} as const;
