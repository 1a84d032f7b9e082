/**
 * What migrations that have landed took from the schemas of the domain and from the program, as it was then: lists of values,
 * limits of texts and lists, names. It never changes, so that a change of the domain can't change what an old migration does.
 * `as-landed.test.ts` compares it with the domain of today: whoever changes a value there writes a migration for it.
 */

export const HISTORY_OPERATIONS = ['Insert', 'Update', 'Delete', 'Permanent Delete'] as const;
export const ENTITY_LIMITS = {
  name: { minLength: 2, maxLength: 250 },
  formalId: { minLength: 1, maxLength: 100 },
} as const;
export const BUSINESS_TYPES = [
  'Partnership',
  'Corporate',
  'LLC',
  'Provident Fund',
  'Trust',
  'Company',
  'Corporation',
  'Financial Institute',
  'Company/Exempt organization',
  'Treaty Qualified Retirement Fund',
  'Company/non-profit organization',
  'Other',
  'Individual',
] as const;
export const ENTITY_STAGES = ['Early', 'Early Growth', 'Growth', 'Late Growth', 'Mature'] as const;
export const BANK_TYPES = ['Private', 'Business'] as const;
export const MAX_RESOURCES = 200;
export const USER_TYPES = ['admin', 'manager', 'company', 'LP', 'LPGroup'] as const;
export const PERMISSION_KEYS = [
  'LPs/read',
  'LPs/write',
  'LPs/commitments/read',
  'LPs/commitments/write',
  'entities/read',
  'entities/write',
  'contributions/read',
  'contributions/write',
  'distributions/read',
  'distributions/write',
  'announcements/read',
  'announcements/write',
  'funds/read',
  'funds/write',
  'users/read',
  'users/write',
  'roles/read',
  'roles/write',
  'importer/read',
  'importer/write',
  'managers/read',
  'managers/write',
  'transactions/read',
  'transactions/write',
  'assets/read',
  'assets/write',
  'companies/read',
  'companies/write',
  'assets/ETL/read',
  'assets/ETL/write',
  'tables/read',
  'tables/write',
  'transactionDraw/read',
  'transactionDraw/write',
  'repayments/read',
  'repayments/write',
  'history/read',
  'borrowingBase/read',
  'preview/read',
] as const;
export const PERMISSION_TITLE = { minLength: 2, maxLength: 20 } as const;
export const MAX_PERMISSIONS = 200;
export const ROLE_LEVELS = { highest: 1, lowest: 30 } as const;
export const ROLE_TITLE = { minLength: 2, maxLength: 30 } as const;
export const USER_STATES = ['Pending', 'Active', 'Disabled', 'Removed'] as const;
export const MAX_LPS = 100;
export const USER_LIMITS = {
  firstName: { minLength: 2, maxLength: 30 },
  lastName: { minLength: 2, maxLength: 30 },
} as const;
export const MAX_REFRESH_TOKENS = 200;
export const FILE_STATES = ['Pending', 'Active', 'Removed'] as const;
export const CAPITAL_STATES = ['Draft', 'Active', 'Closed', 'Removed'] as const;
export const INVESTOR_KINDS = ['fund', 'LP'] as const;
export const FUND_STRATEGIES = ['ALF', 'ABL', 'GL', 'FF'] as const;
export const FUND_TYPES = [
  'SMA',
  'ComingleFund',
  'Co-Invest SPV',
  'Co-invest',
  'Transactions SPV',
  'Direct investment',
] as const;
export const MAX_SCOPES = 100;
export const LIMIT_OVERLAPS = ['sequential', 'maximumPerAsset'] as const;
export const CONTRACT_STATES = ['Draft', 'Active', 'Closed'] as const;
export const TRANSACTION_STATES = ['Draft', 'Active', 'Closed', 'Removed'] as const;
export const MAX_INDUSTRIES = 100;
export const MAX_NOTES = 100;
export const TRANSACTION_TYPES = ['Asset Backed Lending', 'Direct', 'WholeLoan', 'Investment'] as const;
export const EQUITY_TYPE = 'Investment';
export const BASE_RATES = ['SOFR', 'SONIA', 'LABOR'] as const;
export const DATE_RANGE_TYPES = [
  'custom',
  'revolvingStart',
  'revolvingEnd',
  'firstPrincipalRepayment',
  'gracePeriod',
  'maturity',
  'termination',
  'approval',
  'contractSigning',
  'termsheetSigning',
] as const;
export const DAY_COUNTS = ['ACT/360', 'ACT/365F', 'ACT/ACT ISDA', '30/360 US', '30E/360'] as const;
export const DEBT_ONLY_DATES = [
  'revolvingStart',
  'revolvingEnd',
  'firstPrincipalRepayment',
  'gracePeriod',
  'maturity',
  'termination',
] as const;
export const DRAW_FREQUENCIES = ['Daily', 'Weekly', 'Monthly', 'Quarterly', 'Annualy'] as const;
export const FEE_FREQUENCIES = ['Beginning', 'Ending', 'Monthly', 'Quarterly', 'Annually'] as const;
export const FEE_TYPES = ['Commitment Amount', 'Drawn Amount', 'Undrawn Amount'] as const;
export const MAX_PROPOSED_ROWS = 1000;
export const GENERATION_STATES = ['Staging', 'Published', 'Superseded'] as const;
export const PROPOSAL_STATES = ['Proposed', 'Accepted', 'Declined', 'Withdrawn', 'Outdated'] as const;
export const TAPE_STATES = ['Active', 'Removed'] as const;
export const PROCESS_STATUSES = ['Pending', 'Processing', 'Completed'] as const;
export const SCHEDULER_STATUSES = ['Processing', 'Completed'] as const;
export const MAX_ENTITIES = 10;
export const SERVICE_PROVIDER_LIMITS = {
  title: { minLength: 2, maxLength: 40 },
  type: { minLength: 1, maxLength: 100 },
} as const;
export const ORGANIZATION_TITLE = { minLength: 2, maxLength: 250 } as const;
export const DRAW_EXCEPTION_MESSAGES = [
  'Missing data',
  'Currency commitment exceeded',
  'Total commitment exceeded',
  'Draw frequency exceeded',
  'Draw limits exceeded',
  'Draw in deficit',
  'Due Date limits exceeded',
  'Availability period ended',
] as const;
export const DRAW_STATUSES = ['Approved', 'Rejected', 'Pending', 'In Review', 'Removed'] as const;
export const DRAW_TYPES = ['Regular', 'Prefunding', 'Recycling'] as const;
export const EXCEPTION_STATUSES = ['Pending', 'Skipped'] as const;
export const MAX_EXCEPTIONS = 500;
export const MAX_ATTACHMENTS_OF_DRAWS = 20;
export const REPAYMENT_KINDS = ['principal', 'interest', 'fees'] as const;
export const REPAYMENT_STATUSES = ['Active', 'Removed'] as const;
/** The name of the list with the base rates. */
export const BASE_RATES_LIST = 'Base rates';
export const MAX_VALUES = 10000;
export const LEAST_FIXING_RATE = '-10';
export const MAX_FIXING_RATE = '100';
export const LIST_NAME = { minLength: 2, maxLength: 100 } as const;
export const MAIL_KINDS = [
  'drawWaits',
  'drawApproved',
  'drawRejected',
  'drawReminder',
  'tapeLate',
  'tapeFailed',
  'correctionProposed',
  'correctionDecided',
  'bankDetailsChanged',
  'callDue',
  'callIssued',
  'distributionIssued',
  'statementPublished',
  'reportPublished',
  'noticeWithdrawn',
  'announcement',
  'importFinished',
] as const;
export const MAIL_LIMITS = { key: 200, subject: 200, text: 21000, page: 500 } as const;
export const MAIL_STATUSES = ['Queued', 'Held', 'Sent', 'Failed', 'Skipped'] as const;
export const MAX_LINES = 60;
export const CALL_PURPOSE_KINDS = ['investments', 'managementFee', 'successFee', 'fundExpenses', 'other'] as const;
export const DISTRIBUTION_ACTION_TYPES = [
  'INTEREST',
  'INTEREST FEES',
  'CG',
  'CG FEES',
  'INTEREST TAX',
  'CG TAX',
] as const;
export const DISTRIBUTION_KINDS = ['Interest', 'Interest and Principal', 'Principal Only', 'SPV'] as const;
export const RATE_SOURCES = ['manual', 'service', 'bundled'] as const;
export const CHAT_LIMITS = { title: 150, messages: 200 } as const;
export const GROUP_FILTER_TITLE = { minLength: 2, maxLength: 150 } as const;
export const MAX_IDS = 1000;
export const NOTIFICATION_LEVELS = ['info', 'warning', 'danger'] as const;
export const ANNOUNCEMENT_KINDS = ['all', 'funds', 'LPs', 'companies'] as const;
export const ANNOUNCEMENT_LIMITS = {
  title: { minLength: 1, maxLength: 250 },
  description: { minLength: 1, maxLength: 20000 },
} as const;
export const MAX_FILES_OF_IMPORTS = 310;
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
] as const;
/** Of what is imported. */
export const IMPORT_STATUSES = ['Active', 'Draft', 'Pending'] as const;
export const MAX_IMPORTED_ROWS = 3000;
/** Of an import itself. */
export const IMPORT_STATES = ['Pending', 'Processing', 'Completed', 'Removed'] as const;
export const GRID_VIEW_TITLE = { minLength: 1, maxLength: 60 } as const;
export const MAX_VIEW_LETTERS = 8000;
export const SIGN_OUTS_CHANNEL = 'tapeline_sign_outs';
export const TOLD_CHANNEL = 'tapeline_told';
export const LEAST_HISTORY_YEARS = 7;
export const MONEY_LIMIT = '1000000000000000';
/** Currencies by the decimals of their minor unit, without those of two. */
export const CURRENCIES_BY_DIGITS = [
  [3, ['BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND']],
  [
    0,
    [
      'BIF',
      'CLP',
      'DJF',
      'GNF',
      'ISK',
      'JPY',
      'KMF',
      'KRW',
      'PYG',
      'RWF',
      'UGX',
      'UYI',
      'VND',
      'VUV',
      'XAF',
      'XOF',
      'XPF',
    ],
  ],
  [4, ['CLF', 'UYW']],
] as const;
export const ADDRESS_KINDS = ['email', 'recoveryEmail'] as const;
export const SESSION_LIMITS = { administratorHours: 12, otherDays: 30, idleMinutes: 30 } as const;
/** In the brackets of a regular expression. */
export const NOT_IN_NAMES = '\\u0001-\\u001f\\u007f-\\u009f\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069';
