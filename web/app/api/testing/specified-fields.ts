/** Fields of a collection in the API. `draws.amounts` is a field of each draw. */
interface SpecifiedFields {
  /** The call that returns it. */
  readonly call: string;
  readonly fields: string;
}

/** Fields of every document. `code` counts up per collection; `metadata` and its fields are optional. */
const DOCUMENT = `id status code assoc metadata metadata.iat metadata.bulkActionCode metadata.rowNumber
  metadata.attachment metadata.loanTapeId metadata.bundleId metadata.customFields metadata.changedBy metadata.createdBy
  metadata.changedBy.agent metadata.changedBy.ip metadata.changedBy.locale metadata.changedBy.timestamp
  metadata.changedBy.entity.id metadata.changedBy.entity.firstName metadata.changedBy.entity.lastName
  metadata.changedBy.entity.apiName`;

const ADDRESS = [
  'isPrimary',
  'name',
  'country',
  'continent',
  'state',
  'city',
  'address',
  'houseNumber',
  'zip',
  'description',
];
const BANK = [
  'title',
  'accountNumber',
  'address',
  'type',
  'branch',
  'swiftCode',
  'IBAN',
  'accountName',
  'abaOrRouting',
];
const SHARE = ['type', 'amount', 'percentage', 'faceValue', 'preference', 'participation', 'priority'];
const EXCEPTION = ['message', 'stage', 'drawType', 'amount', 'exceededBy', 'currency'];
const RULE = ['title', 'description', 'filter', 'startDate', 'expirationDate', 'exceptions', 'enabled'];

const within = (path: string, fields: readonly string[]): string =>
  [path, ...fields.map((field) => `${path}.${field}`)].join(' ');

const LIMITS = [
  'amountRange.min',
  'amountRange.max',
  'amountRange.currency',
  'frequency.limit',
  'frequency.interval',
  'dueDateLimit.min',
  'dueDateLimit.max',
];
const CONCENTRATION = [
  ...RULE,
  'groupBy',
  'accumulator',
  'accumulatorField',
  'topN',
  'skipN',
  'weightedField',
  'equator',
];

const terms = (path: string): string =>
  [
    within(path, ['commitments', 'commitments.amount', 'commitments.additionalCurrencies']),
    within(`${path}.interest`, ['kind', 'value', 'baseRate', 'spread', 'minimumInterest', 'numberRange', 'dayCount']),
    within(`${path}.fees`, [
      'rate',
      'title',
      'frequency',
      'payee',
      'kind',
      'dateRangeType.start',
      'dateRangeType.end',
      'dateRange',
      'feeType',
    ]),
    within(`${path}.warrants`, [
      'outstandingIssuedValue',
      'totalExercisePrice',
      'holdingValue',
      'unallocatedShares',
      'shareClass',
      'acquisitionDate',
      'expirationDate',
      'description',
      'allocationMethod',
      'actual',
      'actual.percentage',
    ]),
    within(`${path}.timeline`, [
      'revolvingStart',
      'revolvingEnd',
      'gracePeriod',
      'firstPrincipalRepayment',
      'termination',
      'maturity',
      'approval',
      'termsheetSigning',
      'contractSigning',
    ]),
    within(`${path}.drawLimits.draw`, LIMITS),
    within(`${path}.drawLimits.prefunding`, [...LIMITS, 'maxPercentage', 'defaultAmount', 'maxAmount']),
    within(`${path}.drawLimits.recycling`, [...LIMITS, 'maxPercentage', 'maxCollectionAccount', 'maxAmount']),
  ].join(' ');

const entity = (path: string): string => `${path} ${path}.name ${path}.formalId ${path}.nationality`;

/** The fields of each collection in the specification, under their names in the API. */
export const SPECIFIED_FIELDS: Readonly<Record<string, SpecifiedFields>> = {
  Entity: {
    call: 'GET /crud/entities/{id}',
    fields: `${DOCUMENT} name formalId description domains category person.dob ${within('nationality', ADDRESS)}
      ${within('contacts', ['name', 'phone', 'email', 'role'])} ${within('banks', BANK)}
      ${within('business', ['type', 'formalName', 'industries', 'currency', 'raised', 'FTEs', 'stage', 'dateEstablished', 'description', 'siteLink', 'linkedinPage', 'logo', 'icon'])}
      ${within('business.headQuarters', ADDRESS)} ${within('business.shares', SHARE)}`,
  },
  Company: { call: 'GET /crud/companies/{id}', fields: `${DOCUMENT} ${entity('entity')} domains` },
  Manager: { call: 'GET /crud/managers/{id}', fields: `${DOCUMENT} ${entity('entity')} domains` },
  LP: {
    call: 'GET /crud/LPs/{id}',
    fields: `${DOCUMENT} ${entity('entity')} group group.id group.title domains title lastVisitedStats.loggedInCount
      lastVisitedStats.totalUsers`,
  },
  ServiceProvider: { call: 'POST /crud/serviceProviders', fields: `${DOCUMENT} title description entities type` },
  User: {
    call: 'GET /crud/users',
    fields: `${DOCUMENT} firstName lastName email recoveryEmail role type LPs exclusiveResources inclusiveResources
      lastVisited isReadPrivacyAndTerms isConfirmedUserDetails phoneNumber magicLink`,
  },
  Role: { call: 'GET /crud/roles/{id}', fields: `${DOCUMENT} title permissions level` },
  Permission: { call: 'GET /crud/permissions', fields: `${DOCUMENT} title key allowed` },
  Fund: {
    call: 'GET /crud/funds/{id}',
    fields: `${DOCUMENT} ${entity('entity')} GPs managementCompany title serviceProviders targetSize hardCap type strategy
      classes.name classes.uniqueKey description nonRecyclable.declerationDate nonRecyclable.fromBeginning closingDate
      ${within('timeline', ['planned', 'endTime', 'title', 'description', 'activated', 'actual'])}
      excludeFromIRRCalculations mainFund`,
  },
  MainFund: {
    call: 'GET /crud/mainFunds/{id}',
    fields: `${DOCUMENT} strategy type description targetSize hardCap nonRecyclable.declerationDate
      nonRecyclable.fromBeginning closingDate title classMembers`,
  },
  LPCommitment: {
    call: 'GET /crud/LPCommitments/{id}',
    fields: `${DOCUMENT} closingDate ${within('investor', ['id', 'kind', 'formalName', 'title', 'code'])} fund irr Class
      maxCommitment.sum maxCommitment.currency activeCommitment percentage deltas netCapitalCalled recallableCapital
      ${within('fees.management', ['committed', 'invested', 'interestIncome', 'assets'])}
      ${within('fees.success', ['hurdle', 'rate', 'catchUp', 'equityOnly', 'interestShare'])}
      ${within('fees.transaction', ['applied', 'cap'])} fees.overallCap`,
  },
  IRR: {
    call: 'GET /crud/funds/counts/irr',
    fields: 'gross net cutOffDate navSum currency items.when items.amount',
  },
  Contribution: {
    call: 'GET /crud/contributions/{id}',
    fields: `${DOCUMENT} cutOffDate dueDate callNumber fund investor.id investor.kind amount.sum amount.currency Class
      aggregateAmount aggregateAmountPercent LPCurrentHoldingPercentage callPurposes trailingDescription pdf
      pdfDataByInvestor pdfDataByFund pdfOptions.fundLevel timezoneOffset`,
  },
  Distribution: {
    call: 'GET /crud/distributions/{id}',
    fields: `${DOCUMENT} cutOffDate callNumber fund investor.id investor.kind principal incomes expenses totalIncome
      totalExpense netProfit interestTaxes totalInterestTax netInterestAfterExpensesAndTaxes cg cgFees totalCg totalCgFees
      netCg cgTaxes totalCgTax netCgAfterExpensesAndTaxes totalTax totalDistributed Class LPCurrentCommitment callPurposes
      trailingDescription LPCurrentHoldingPercentage pdf pdfDataByInvestor pdfDataByFund distributionKind timezoneOffset
      ${within('pdfOptions', ['operationalExpenses', 'fundLevel', 'capitalGains', 'recallableDistribution', 'vat'])}`,
  },
  Nav: { call: 'GET /crud/navs', fields: `${DOCUMENT} gross net cutOffDate Class fund investor.id currency` },
  WriteOff: { call: 'GET /crud/writeOffs', fields: `${DOCUMENT} cutOffDate fund investor.id amount.sum assoc Class` },
  TotalWriteOffs: { call: 'GET /crud/writeOffs/counts/total', fields: 'totalWriteOffs currency' },
  CapitalAccount: {
    call: 'GET /crud/capitalAccounts',
    fields: `${DOCUMENT} fund cutOffDate fileMetadata investor.id Class timezoneOffset mainFund`,
  },
  Report: {
    call: 'GET /crud/reports',
    fields: `${DOCUMENT} fund cutOffDate fileMetadata timezoneOffset Class mainFund`,
  },
  FundFilesQuickAccess: {
    call: 'GET /crud/funds/data/fundFilesQuickAccess',
    fields: 'fund kind cutOffDate fileMetadata',
  },
  Announcement: {
    call: 'GET /crud/announcements/details/{kind}/{id}',
    fields: `${DOCUMENT} resource title description subTitle files Class disableEmail users isRead`,
  },
  Notification: {
    call: 'GET /crud/notifications',
    fields: `${DOCUMENT} resource subResource title description notificationLevel isRead user actionRequired`,
  },
  History: {
    call: 'GET /crud/history',
    fields: 'resource updatedFields.field updatedFields.old updatedFields.new changedBy operation',
  },
  Import: {
    call: 'GET /files/importer/data',
    fields: `${DOCUMENT} resource.kind uploadedCount totalCount attachment bulkActionCode`,
  },
  ImportResult: {
    call: 'POST /files/importer',
    fields: `uploadResults.uploadedCount uploadResults.totalCount uploadResults.errors uploadResults.attachment
      uploadResults.kind bulkActionCode`,
  },
  Table: { call: 'GET /crud/tables/{id}', fields: `${DOCUMENT} name values` },
  GroupFilter: {
    call: 'GET /crud/groupFilters/{id}',
    fields: `${DOCUMENT} title user filters.funds filters.investors`,
  },
  Chat: { call: 'GET /crud/chats/{id}', fields: `${DOCUMENT} tasks tasks.type` },
  Transaction: {
    call: 'GET /crud/transactions/{id}',
    fields: `${DOCUMENT} title type type.loanType type.equityType industries notes company maxCommitments
      managerMaxCommitments ${within('notes', ['operational', 'title', 'maxCommitments', 'security', 'contracts', 'counselsCompany', 'counselsManager', 'legalAgreements', 'mainCurrency'])}
      ${within('notes.priority', ['attachmentPoint', 'detachmentPoint'])}
      ${within('notes.futureInvestmentRights', ['description', 'amount'])}
      ${within('notes.holdings', ['fund', 'holding', 'targetPercentage', 'actualPercentage'])}
      ${within('notes.tranches', ['sequence', 'sequenceActivated', 'isDiscretional', 'title', 'type', 'description', 'condition'])}
      ${terms('notes.tranches.terms')} ${terms('notes.terms')}
      ${within('notes.contracts', ['cutOffDate', 'assetsETL', 'values', 'scopes', 'status'])}
      ${within('notes.contracts.eligibilityRules', RULE)} ${within('notes.contracts.performanceRules', RULE)}
      ${within('notes.contracts.concentrationRules', CONCENTRATION)}
      ${within('notes.contracts.advanceRate', ['cases.title', 'cases.filter', 'cases.rate', 'cases.scope', 'defaultRate'])}`,
  },
  NotesUtilization: {
    call: 'GET /crud/transactions/notes/utilization',
    fields: 'transaction noteTitle commitments balance netBB availability',
  },
  TransactionDraw: {
    call: 'GET /crud/transactionDraws/{id}',
    fields: `${DOCUMENT} cutOffDate transaction.id transaction.title noteTitle valueInUsd amountInMainCurrency dueDate
      rejectionMessage ${within('draws', ['type', 'amounts', 'valueInUSD', 'amountInMainCurrency'])}
      exceptions.status ${within('exceptions.exception', EXCEPTION)}`,
  },
  Repayment: {
    call: 'GET /crud/repayments',
    fields: `${DOCUMENT} cutOffDate transaction.id noteTitle valueInUsd amountInMainCurrency repayments`,
  },
  AssetsETL: {
    call: 'GET /crud/assetsETLs/{id}',
    fields: `${DOCUMENT} version loanTapeSheetName extractedOriginColsFromLoanTape cutOffDate primaryCurrency company
      ${within('rules', ['originCol', 'targetCol', 'checks', 'serializations', 'validations', 'remainOriginCol', 'sequence'])}`,
  },
  Asset: {
    call: 'GET /crud/assets/{id}',
    fields: `id status assoc cutOffDate company assetsETLVersion borrowingBase rowNumber sequenceIndex
      ${within('targetData', ['assetId', 'borrowerId', 'dateFinanced', 'dates', 'term', 'assetStatus', 'assetType', 'currency', 'sums', 'interestRate', 'creditScores', 'sector', 'address', 'isDelinquent'])}`,
  },
  AssetStatistics: {
    call: 'GET /crud/assets/statistics',
    fields: `assetsStatuses.name assetsStatuses.value sum.name sum.amount outstandingSum.name outstandingSum.amount`,
  },
  ErroredAsset: { call: 'GET /crud/assets/errored', fields: 'id loanTapeId originData error' },
  LoanTape: {
    call: 'GET /crud/loanTape',
    fields: `${DOCUMENT} schedulerStatus processStatus counts calculateBB mainCurrency exchangeRates`,
  },
  LoanTapeUpload: { call: 'POST /files/loanTapeScheduler', fields: 'uploadedCount errors' },
  BorrowingBase: {
    call: 'GET /crud/borrowingBase',
    fields: `${DOCUMENT} totals scopes excessBreachDistribution netBB firstBB
      ${within('rulesTracking', ['eligible', 'performing', 'concentration', 'advancing'])}
      excessBreachDistribution.excess.sum excessBreachDistribution.excess.percentage`,
  },
  SignedUrls: {
    call: 'POST /files/signedUrls/{bucket}',
    fields: 'error fileMetadata fileMetadata.signedUrl fileMetadata.bucket fileMetadata.key fileMetadata.name',
  },
  Group: { call: 'GET /crud/companies', fields: 'key value count ids' },
};

/** Fields of request bodies and of query strings. */
export const SPECIFIED_BODIES: Readonly<Record<string, string>> = {
  'POST /crud/contributions': 'dryRun percentage investor',
  'POST /crud/distributions': 'dryRun components.title components.amount components.actionType',
  'DELETE /crud/LPCommitments/{id}': 'isDeleteAll deleteAllContent',
  'PUT /crud/transactionDraws/{id}': 'reject rejectionMessage',
  'PUT /crud/chats/{id}/message': 'text',
  'POST /files/importer': 'kind attachments status',
  'POST /files/signedUrls/{bucket}': 'directory filesInfo',
  'POST /files/loanTapeScheduler': 'cutOffDate companyId calculateBB attachments mainCurrency otherAttachments',
  'POST /LTP/calculateBB': 'loanTapeId',
  'POST /LTP/preview/ETL': 'rules currency fileUrl sheetName cutOffDate',
  'POST /auth/code': 'email',
  'POST /auth/code/verification': 'email code',
  'POST /auth/signIn': 'ownershipToken magicToken externalIdentity.idToken externalIdentity.email',
  'POST /auth/signUp': 'ownershipToken createUser.firstName createUser.lastName',
  'POST /auth/magicLink': 'userId resend',
};
