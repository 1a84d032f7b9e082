import { EXAMPLES } from '@tapeline/domain/specification/example-bodies.ts';
import type { Endpoint, Example } from './endpoint.ts';

const MANAGER = '65f0c2a1b3d4e5f601234560';
const ID = '65f0c2a1b3d4e5f601234567';
const OTHER_ID = '65f0c2a1b3d4e5f601234568';
const CREATED = '2026-10-31T09:30:00.000Z';
const CHANGED_BY = {
  agent: 'curl/8.5.0',
  ip: '203.0.113.7',
  locale: 'en-US',
  timestamp: CREATED,
  entity: { id: OTHER_ID, firstName: 'Ann', lastName: 'Berg' },
};

/** A document as a call returns it. */
const documentOf = <Fields extends object>(status: string, fields: Fields) => ({
  id: ID,
  status,
  code: 12,
  version: 1,
  metadata: { iat: CREATED, createdBy: CHANGED_BY },
  assoc: { manager: { id: MANAGER } },
  ...fields,
});

const usd = (sum: number) => ({ sum, currency: 'USD' });
const E = EXAMPLES;
const INVESTOR = { id: OTHER_ID, kind: 'LP', title: 'Fjord Pension', formalName: 'Fjord Pensjonskasse', code: 12 };
const ENTITY = documentOf('Active', { ...E.entity, domains: [], category: ['Borrower'] });

const FILE = {
  bucket: 'loanTapes',
  key: 'loanTapes/october.xlsx',
  name: 'october.xlsx',
  size: 48_213,
  type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  checksum: null,
};

const FUND = documentOf('Active', {
  ...E.fund,
  targetSize: usd(E.fund.targetSize),
  hardCap: usd(E.fund.hardCap),
  GPs: [],
  serviceProviders: [],
  entity: ENTITY,
  investors: 3,
  commitments: [{ maxCommitment: usd(150_000_000), activeCommitment: usd(135_000_000) }],
});

const MAIN_FUND = documentOf('Active', {
  ...E.mainFund,
  targetSize: usd(E.mainFund.targetSize),
  hardCap: usd(E.mainFund.hardCap),
  closingDate: null,
  nonRecyclable: null,
  description: null,
  classMembers: E.mainFund.classMembers.map((id) => ({ id, title: 'Harbour Credit Fund II' })),
});

const COMMITMENT = documentOf('Active', {
  ...E.commitment,
  investor: INVESTOR,
  maxCommitment: usd(E.commitment.maxCommitment),
  activeCommitment: usd(E.commitment.activeCommitment),
  percentage: 33.33333333,
});

const { dryRun: _, ...CALL } = E.contribution;
const CONTRIBUTION = documentOf('Draft', {
  ...CALL,
  investor: INVESTOR,
  amount: usd(3_333_333.33),
  callPurposes: [
    { title: 'Northwind facility', kind: 'investments', amount: 3_250_000 },
    { title: 'Management fee, third quarter', kind: 'managementFee', amount: 83_333.33 },
  ],
  basis: [
    { rule: 'commitment', of: '9750000.00', weight: '45000000', whole: '135000000' },
    { rule: 'terms', from: '2026-07-01', until: '2026-09-30' },
  ],
  excuse: null,
  aggregateAmount: usd(21_333_333.33),
  aggregateAmountPercent: 47.40740741,
  LPCurrentHoldingPercentage: 33.33333333,
  unfunded: { before: usd(27_000_000), after: usd(23_666_666.67) },
  pdf: null,
  pdfDataByInvestor: null,
  nettedWith: null,
  secondPerson: null,
  pdfDataByFund: null,
});

const lines = (title: string, sum: number) => [{ title, amount: usd(sum) }];
const DISTRIBUTION = documentOf('Draft', {
  fund: ID,
  investor: INVESTOR,
  Class: 'A',
  cutOffDate: E.distribution.cutOffDate,
  callNumber: E.distribution.callNumber,
  distributionKind: E.distribution.distributionKind,
  principal: usd(2_000_000),
  incomes: lines('Interest of the Northwind facility', 640_000),
  expenses: lines('Servicing', 40_000),
  totalIncome: usd(640_000),
  totalExpense: usd(40_000),
  netProfit: usd(600_000),
  interestTaxes: lines('Withholding tax', 12_500),
  totalInterestTax: usd(12_500),
  netInterestAfterExpensesAndTaxes: usd(587_500),
  cg: [],
  cgFees: [],
  totalCg: usd(0),
  totalCgFees: usd(0),
  netCg: usd(0),
  cgTaxes: [],
  totalCgTax: usd(0),
  netCgAfterExpensesAndTaxes: usd(0),
  totalTax: usd(12_500),
  totalDistributed: usd(2_587_500),
  callPurposes: [],
  basis: [],
  LPCurrentCommitment: usd(45_000_000),
  LPCurrentHoldingPercentage: 33.33333333,
  trailingDescription: null,
  pdf: null,
  pdfDataByInvestor: null,
  nettedWith: null,
  secondPerson: null,
  pdfDataByFund: null,
  timezoneOffset: 60,
  pdfOptions: {
    operationalExpenses: false,
    fundLevel: false,
    capitalGains: false,
    recallableDistribution: true,
    vat: 19,
  },
});

const TRANSACTION_TITLE = { id: ID, title: E.transaction.title };
const DRAW_REQUEST = documentOf('In Review', {
  ...E.drawRequest,
  transaction: TRANSACTION_TITLE,
  draws: [
    {
      type: 'Regular',
      amounts: [usd(1_500_000)],
      valueInUSD: 1_500_000,
      amountInMainCurrency: usd(1_500_000),
    },
  ],
  valueInUsd: 1_500_000,
  amountInMainCurrency: usd(1_500_000),
  exceptions: [
    {
      exception: {
        message: 'Draw limits exceeded',
        stage: 'request',
        drawType: 'Regular',
        amount: 1_000_000,
        exceededBy: 500_000,
        currency: 'USD',
      },
      status: 'Pending',
      reason: null,
    },
  ],
  rejectionMessage: null,
  attachments: [],
});

const REPAYMENT = documentOf('Active', {
  ...E.repayment,
  transaction: TRANSACTION_TITLE,
  scheduled: false,
  inKind: false,
  valueInUsd: 518_750,
  amountInMainCurrency: usd(518_750),
  removalReason: null,
});

const FIGURES = {
  netCapitalCalled: usd(57_000_000),
  called: usd(64_000_000),
  recallableCapital: usd(6_000_000),
  writtenOff: usd(1_000_000),
  unfunded: usd(77_000_000),
  distributed: usd(10_500_000),
  nav: usd(61_200_000),
  navDate: '2026-09-30',
  dpi: 0.164063,
  rvpi: 0.95625,
  tvpi: 1.120313,
  cutOffDate: '2026-10-31',
  ratesDate: null,
  coverage: { known: 4, of: 4, missing: [] },
};

/** Examples of bodies and responses, by call, of calls whose definition has none. */
export const EXAMPLE_CALLS: Readonly<Record<string, Example>> = {
  'POST /auth/code': { body: { email: 'ann.berg@fjord.example' }, response: {} },
  'POST /auth/code/verification': {
    body: { email: 'ann.berg@fjord.example', code: '402913' },
    response: { ownershipToken: 'b2YAhV7mQ0aP3kZ5' },
  },
  'POST /auth/signIn': { body: { ownershipToken: 'b2YAhV7mQ0aP3kZ5' } },
  'POST /auth/magicLink': { body: { userId: ID, resend: true }, response: {} },
  'POST /crud/entities': { body: E.entity, response: ENTITY },
  'POST /crud/companies': {
    body: { ...E.company, externalCode: 'NWC-01' },
    response: documentOf('Active', { entity: ENTITY, domains: E.company.domains, externalCode: 'NWC-01' }),
  },
  'POST /crud/managers': { body: E.company },
  'POST /crud/LPs': { body: E.lp },
  'POST /crud/users': { body: E.user },
  'POST /crud/roles': { body: E.role, response: documentOf('Active', E.role) },
  'POST /crud/permissions': { body: E.permission },
  'POST /crud/funds': { body: E.fund, response: FUND },
  'GET /crud/funds/{id}': { response: FUND },
  'PUT /crud/funds/{id}': { body: { ...FUND, title: 'Harbour Credit Fund III' }, response: FUND },
  'GET /crud/funds/counts/netCapitalCalled': { response: FIGURES },
  'GET /crud/funds/counts/irr': {
    response: {
      gross: 14.2018,
      net: 11.4873,
      cutOffDate: '2026-10-31',
      navSum: 61_200_000,
      currency: 'USD',
      coverage: { known: 4, of: 4, missing: [] },
      items: [
        { when: '2025-02-01', amount: -64_000_000 },
        { when: '2026-10-31', amount: 61_200_000 },
      ],
    },
  },
  'POST /crud/mainFunds': { body: E.mainFund },
  'PUT /crud/mainFunds/{id}': { body: MAIN_FUND, response: MAIN_FUND },
  'PUT /crud/mainFunds/{id}/classes': { body: { classMembers: E.mainFund.classMembers } },
  'POST /crud/LPCommitments': { body: E.commitment, response: COMMITMENT },
  'PUT /crud/LPCommitments/{id}': { body: COMMITMENT, response: COMMITMENT },
  'DELETE /crud/LPCommitments/{id}': {
    body: { isDeleteAll: false, deleteAllContent: false },
    response: { ids: [ID] },
  },
  'POST /crud/contributions': { body: E.contribution, response: [CONTRIBUTION] },
  'PUT /crud/contributions/bulk': { body: [{ id: ID, version: 1, status: 'Active' }], response: [CONTRIBUTION] },
  'POST /crud/contributions/reGenerateFiles': { body: { ids: [ID] }, response: { ids: [ID] } },
  'GET /crud/contributions/counts/total': { response: [{ count: 21, amount: usd(64_000_000) }] },
  'POST /crud/distributions': { body: E.distribution, response: [DISTRIBUTION] },
  'POST /crud/navs': {
    body: [E.nav],
    response: [documentOf('Active', { ...E.nav, investor: INVESTOR, secondPerson: null })],
  },
  'POST /crud/writeOffs': {
    body: [E.writeOff],
    response: [documentOf('Active', { ...E.writeOff, investor: INVESTOR, secondPerson: null })],
  },
  'GET /crud/writeOffs/counts/total': { response: [{ totalWriteOffs: 1_000_000, currency: 'USD' }] },
  'POST /crud/capitalAccounts': { body: [E.capitalAccount] },
  'POST /crud/reports': { body: [E.report] },
  'POST /crud/transactions': { body: E.transaction },
  'POST /crud/transactionDraws': { body: E.drawRequest, response: DRAW_REQUEST },
  'PUT /crud/transactionDraws/{id}': {
    body: { version: 1, reject: true, rejectionMessage: 'The tape of October is missing' },
    response: DRAW_REQUEST,
  },
  'POST /crud/repayments': { body: E.repayment, response: REPAYMENT },
  'POST /crud/assetsETLs': { body: E.mapping },
  'POST /crud/announcements': { body: E.announcement },
  'PUT /crud/notifications/{id}': { body: { isRead: true } },
  'POST /crud/chats': { body: E.chat },
  'PUT /crud/chats/{id}/message': { body: { text: 'and in Texas?' } },
  'POST /crud/groupFilters': { body: E.groupFilter },
  'POST /crud/tables': { body: E.table },
  'POST /files/importer': {
    body: E.import,
    response: {
      uploadResults: [{ kind: 'contributions', uploadedCount: 21, totalCount: 21, errors: [], attachment: FILE }],
      bulkActionCode: 'b7f1c2',
    },
  },
  'POST /files/signedUrls/{bucket}': { body: E.signedUrls, response: [{ fileMetadata: FILE }] },
  'POST /files/loanTapeScheduler': {
    body: E.tapeUpload,
    response: {
      uploadedCount: 1,
      errors: [],
      warnings: [],
      loanTapes: [{ id: ID, workflowId: `loan-tape/${ID}`, existed: false }],
      waitsForWorker: false,
    },
  },
  'POST /LTP/questions/{loanTapeId}': {
    body: { answers: { amountCurrency: 'EUR' } },
    response: { loanTapeId: ID, workflowId: `loan-tape/${ID}` },
  },
  'POST /LTP/latestRows': {
    body: {
      attachment: { key: 'loanTapes/ledger.xlsx' },
      idColumn: 'Loan ID',
      monthColumn: 'Period',
      upTo: '2026-10-31',
    },
    response: {
      attachment: { ...FILE, key: 'loanTapes/ledger-latest-rows.xlsx', name: 'ledger, latest rows.xlsx' },
      sheetName: 'Ledger',
      counts: {
        rows: 4_944,
        loans: 412,
        later: 0,
        withoutId: 1,
        withoutMonth: 2,
        lostLoans: 0,
        misfits: 0,
        tied: 0,
        behind: 30,
        latestMonth: { text: '202610', date: '2026-10-31' },
      },
      notices: [],
    },
  },
  'POST /LTP/checks': {
    body: { attachment: { key: FILE.key }, companyId: ID, cutOffDate: '2026-10-31', assetsETL: OTHER_ID },
    response: {
      sheetName: 'Loan Tape',
      rows: 5_000,
      blankRows: 0,
      assets: 4_942,
      errored: 58,
      warned: 3,
      groups: [
        {
          kind: 'error',
          rule: 4,
          column: 'Days late',
          target: 'daysPastDue',
          label: 'Days past due',
          code: 'notConverted',
          reason: 'is not a number',
          value: 'in delay',
          count: 58,
          rows: [{ row: 4_871, value: 'in delay', reason: '"in delay" is not a number' }],
          fixes: [
            { kind: 'omit', value: 'in delay' },
            { kind: 'leaveEmpty', value: null },
          ],
        },
      ],
      moreGroups: 1,
      balances: [usd(61_250_300.25)],
    },
  },
  'POST /LTP/remap/{loanTapeId}/review': {
    body: { assetsETL: OTHER_ID },
    response: {
      before: { assets: 4_942, errored: 58, discarded: 0 },
      after: { assets: 4_998, errored: 2, discarded: 0 },
      becomeAssets: 56,
      stopBeingAssets: 0,
      balances: [{ currency: 'USD', before: '61250300.25', after: '61984100.25' }],
      fields: [{ path: 'daysPastDue', label: 'Days past due', change: 'changed', assets: 41 }],
      moreFields: 0,
      correctedRows: 3,
      notes: [
        {
          transactionId: ID,
          noteId: OTHER_ID,
          title: 'Warehouse facility, Senior',
          before: usd(49_000_240.2),
          after: usd(49_587_280.2),
          failure: null,
        },
      ],
      calculates: true,
      generationId: ID,
    },
  },
  'POST /LTP/remap/{loanTapeId}': {
    body: { assetsETL: OTHER_ID, on: ID },
    response: {
      loanTapeId: ID,
      workflowId: `rerun/${ID}/${OTHER_ID}`,
      result: { rows: 5_000, assets: 4_998, errored: 2 },
    },
  },
  'POST /LTP/calculateBB': {
    body: { loanTapeId: ID },
    response: { loanTapeId: ID, workflowId: `borrowing-bases/${ID}` },
  },
};

/** The body and the response that the OpenAPI document shows for a call, if it shows any. */
export const exampleOf = ({ example, method, path }: Endpoint): Example | undefined =>
  example ?? EXAMPLE_CALLS[`${method} ${path}`];
