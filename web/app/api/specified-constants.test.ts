import { OWNERSHIP_TOKEN_LIFETIME_MS } from '@tapeline/db/operations/identity/sign-in-codes.ts';
import { CAPITAL_ACTIONS } from '@tapeline/domain/capital/capital-document.ts';
import { DISTRIBUTION_ACTION_TYPES, DISTRIBUTION_KINDS } from '@tapeline/domain/capital/distribution.schema.ts';
import { CHAT_TASKS } from '@tapeline/domain/chats/chat.schema.ts';
import { INVESTOR_KINDS } from '@tapeline/domain/commitments/investor.schema.ts';
import { NOTIFICATION_LEVELS } from '@tapeline/domain/communication/announcement.schema.ts';
import { DAYS_PER } from '@tapeline/domain/dates/calendar-date.ts';
import { GENERAL_STATUSES } from '@tapeline/domain/documents/document.schema.ts';
import {
  DRAW_EXCEPTION_MESSAGES,
  DRAW_STATUSES,
  DRAW_TYPES,
  EXCEPTION_STATUSES,
} from '@tapeline/domain/draws/draw.schema.ts';
import { BANK_TYPES } from '@tapeline/domain/entities/bank.schema.ts';
import { COUNTRIES } from '@tapeline/domain/entities/countries.ts';
import { BUSINESS_TYPES, ENTITY_STAGES } from '@tapeline/domain/entities/entity.schema.ts';
import { INDUSTRIES } from '@tapeline/domain/entities/industries.ts';
import { ERROR_CATALOGUE } from '@tapeline/domain/errors/refusal.ts';
import {
  CONTRACT_STATUSES,
  OPERAND_LABELS,
  THRESHOLD_UNITS,
  transactionContractSchema,
} from '@tapeline/domain/facilities/contract.schema.ts';
import {
  BORROWING_BASE_STATUSES,
  DEFAULT_VALUE_POOL,
  DEFAULT_VALUES,
  VALUE_POOL_LABELS,
} from '@tapeline/domain/facilities/pools.ts';
import {
  BASE_RATES,
  DATE_RANGE_TYPES,
  DEBT_TIMELINE_KEYS,
  DRAW_FREQUENCIES,
  FEE_FREQUENCIES,
  FEE_TYPES,
  TIMELINE_KEYS,
  TRANCHE_TYPES,
} from '@tapeline/domain/facilities/terms.schema.ts';
import { TRANSACTION_TYPES } from '@tapeline/domain/facilities/transaction.schema.ts';
import { BUCKETS } from '@tapeline/domain/files/buckets.ts';
import { OPERATORS } from '@tapeline/domain/filters/filter.ts';
import { ACCUMULATORS, parseListQuery } from '@tapeline/domain/filters/list-query.schema.ts';
import { FUND_STRATEGIES, FUND_TYPES } from '@tapeline/domain/funds/fund.schema.ts';
import { HISTORY_OPERATIONS } from '@tapeline/domain/history/history.schema.ts';
import { IMPORT_KINDS } from '@tapeline/domain/importer/kinds.ts';
import { fundImportSchema } from '@tapeline/domain/importer/payload.schema.ts';
import { CURRENCIES } from '@tapeline/domain/money/currencies.ts';
import { convert } from '@tapeline/domain/money/rates.ts';
import { PERMISSION_KEYS, USER_TYPES } from '@tapeline/domain/people/actor.ts';
import { ROLE_LEVELS } from '@tapeline/domain/people/role.schema.ts';
import { MAX_REFRESH_TOKENS } from '@tapeline/domain/people/user.schema.ts';
import { REPAYMENT_STATUSES } from '@tapeline/domain/repayments/repayment.schema.ts';
import { EXAMPLES } from '@tapeline/domain/specification/example-bodies.ts';
import { CHECKS, validationSchema } from '@tapeline/domain/tapes/rule.schema.ts';
import {
  DATE_FORMATS,
  DISTANCE_UNITS,
  NUMBER_UNITS,
  PERCENTAGE_SCALES,
  serializationSchema,
  TIME_UNITS,
  WEIGHT_UNITS,
} from '@tapeline/domain/tapes/serialization.schema.ts';
import { ASSET_STATUSES, ASSET_TYPES, assetStatusOf } from '@tapeline/domain/tapes/statuses.ts';
import { PROCESS_STATUSES, SCHEDULER_STATUSES } from '@tapeline/domain/tapes/tape.schema.ts';
import { CONSISTENT_PATHS } from '@tapeline/domain/tapes/target-schema.ts';
import { describe, expect, it } from 'vitest';
import { DEV_SERVICE_PORTS } from '../../server/ports.ts';
import { THEMES } from '../http/theme.ts';

const sorted = (values: readonly string[]): string[] => [...values].sort();

/** Every list of values of the specification, and where the product defines it. */
const SPECIFIED_VALUES: Readonly<Record<string, readonly [specified: string[], defined: readonly string[]]>> = {
  'general statuses': [
    [
      'Active',
      'Success',
      'Pending',
      'Processing',
      'Upcoming',
      'Disabled',
      'Removed',
      'Draft',
      'NonActive',
      'Completed',
      'Closed',
    ],
    GENERAL_STATUSES,
  ],
  'asset statuses': [
    [
      'current',
      'pastDue',
      'delinquent',
      'default',
      'chargedOff',
      'paid',
      'prePaid',
      'pending',
      'canceled',
      'slowPayment',
      'performingAsset',
      'nonPerformingAsset',
    ],
    ASSET_STATUSES,
  ],
  'asset types': [['loan', 'investment'], ASSET_TYPES],
  'borrowing-base statuses of assets': [
    ['eligible', 'inEligible', 'performing', 'nonPerforming'],
    BORROWING_BASE_STATUSES,
  ],
  'draw statuses': [['Approved', 'Rejected', 'Pending', 'In Review', 'Removed'], DRAW_STATUSES],
  'exception statuses': [['Skipped', 'Pending'], EXCEPTION_STATUSES],
  'repayment statuses': [['Active', 'Removed'], REPAYMENT_STATUSES],
  'contract statuses': [['Draft', 'Active', 'Closed'], CONTRACT_STATUSES],
  'scheduler statuses of tapes': [['Processing', 'Completed'], SCHEDULER_STATUSES],
  'process statuses of tapes': [['Processing', 'Completed', 'Pending'], PROCESS_STATUSES],
  'value pools': [
    [
      'Relevant',
      'Eligible',
      'Performing',
      'Eligible Or Performing',
      'InEligible',
      'Non Performing',
      'InEligible Or Non Performing',
    ],
    Object.values(VALUE_POOL_LABELS),
  ],
  'default contract values': [['Total Eligible & Performing Pool', 'Total Relevant Pool'], DEFAULT_VALUES],
  'user types': [['admin', 'manager', 'company', 'LP', 'LPGroup'], USER_TYPES],
  'permission keys': [
    [
      ...[
        'LPs',
        'LPs/commitments',
        'entities',
        'contributions',
        'distributions',
        'announcements',
        'funds',
        'users',
        'roles',
        'importer',
        'managers',
        'transactions',
        'assets',
        'companies',
        'assets/ETL',
        'tables',
        'transactionDraw',
        'repayments',
      ].flatMap((key) => [`${key}/read`, `${key}/write`]),
      'history/read',
      'borrowingBase/read',
      'preview/read',
      // Not specified: what is paid, and the release of money.
      ...['payments/read', 'payments/write', 'payments/release'],
    ],
    PERMISSION_KEYS,
  ],
  'filter operators': [['in', 'nin', 'eq', 'neq', 'lt', 'lte', 'gt', 'gte', 'like', 'exists', 'regex'], OPERATORS],
  accumulators: [['$sum', '$avg', '$wAvg'], ACCUMULATORS],
  'threshold units': [['money', 'percentage', 'number'], THRESHOLD_UNITS],
  'distribution action types': [
    ['INTEREST', 'INTEREST FEES', 'CG', 'CG FEES', 'INTEREST TAX', 'CG TAX'],
    DISTRIBUTION_ACTION_TYPES,
  ],
  'distribution kinds': [['Interest', 'Interest and Principal', 'Principal Only', 'SPV'], DISTRIBUTION_KINDS],
  'capital action types': [['cont', 'dist', 'commitment', 'writeOff'], CAPITAL_ACTIONS],
  'fund types': [
    ['SMA', 'ComingleFund', 'Co-Invest SPV', 'Co-invest', 'Transactions SPV', 'Direct investment'],
    FUND_TYPES,
  ],
  'fund strategies': [['ALF', 'ABL', 'GL', 'FF'], FUND_STRATEGIES],
  'investor kinds': [['fund', 'LP'], INVESTOR_KINDS],
  'entity stages': [['Early', 'Early Growth', 'Growth', 'Late Growth', 'Mature'], ENTITY_STAGES],
  'bank types': [['Private', 'Business'], BANK_TYPES],
  'business types': [
    [
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
    ],
    BUSINESS_TYPES,
  ],
  'transaction types': [['Asset Backed Lending', 'Direct', 'WholeLoan', 'Investment'], TRANSACTION_TYPES],
  'fee frequencies': [['Beginning', 'Ending', 'Monthly', 'Quarterly', 'Annually'], FEE_FREQUENCIES],
  'fee types': [['Commitment Amount', 'Drawn Amount', 'Undrawn Amount'], FEE_TYPES],
  'draw types': [['Regular', 'Prefunding', 'Recycling'], DRAW_TYPES],
  'draw frequencies': [['Daily', 'Weekly', 'Monthly', 'Quarterly', 'Annualy'], DRAW_FREQUENCIES],
  'draw exceptions': [
    [
      'Missing data',
      'Currency commitment exceeded',
      'Total commitment exceeded',
      'Draw frequency exceeded',
      'Draw limits exceeded',
      'Draw in deficit',
      'Due Date limits exceeded',
      'Availability period ended',
      'Covenant breached',
    ],
    DRAW_EXCEPTION_MESSAGES,
  ],
  'tranche types': [['ROFR', 'ROFO'], TRANCHE_TYPES],
  'base rates': [['SOFR', 'SONIA', 'LABOR'], BASE_RATES],
  'timeline keys': [['approval', 'contractSigning', 'termsheetSigning'], TIMELINE_KEYS],
  'debt timeline keys': [
    [
      'revolvingStart',
      'revolvingEnd',
      'firstPrincipalRepayment',
      'gracePeriod',
      'maturity',
      'termination',
      'approval',
      'contractSigning',
      'termsheetSigning',
    ],
    DEBT_TIMELINE_KEYS,
  ],
  'date range types': [['custom', ...DEBT_TIMELINE_KEYS], DATE_RANGE_TYPES],
  'consistent target columns': [
    ['dateFinanced', 'term', 'currency', 'sums.sum', 'dates.maturityDate'],
    CONSISTENT_PATHS,
  ],
  'rule checks': [['Mandatory', 'Unique', 'Temporary', 'Consistent'], CHECKS],
  'rule validations': [
    [
      'minNumber',
      'maxNumber',
      'minDate',
      'maxDate',
      'notContains',
      'mustContains',
      'mustBeTrue',
      'mustBeFalse',
      'minLength',
      'maxLength',
    ],
    validationSchema.options.map(({ shape }) => shape.kind.value),
  ],
  'date formats': [['ISO', 'american', 'excel', 'timestampMilliseconds', 'timestampSeconds'], DATE_FORMATS],
  'percentage scales': [['zeroTo100', 'zeroTo1'], PERCENTAGE_SCALES],
  'time units': [['days', 'weeks', 'months', 'quarters', 'years'], TIME_UNITS],
  'number units': [['scalar', 'thousands', 'millions', 'billions'], NUMBER_UNITS],
  'distance units': [['kilometers', 'miles'], DISTANCE_UNITS],
  'weight units': [['feet', 'meter', 'inch'], WEIGHT_UNITS],
  'notification levels': [['info', 'warning', 'danger'], NOTIFICATION_LEVELS],
  'history operations': [['Insert', 'Update', 'Delete', 'Permanent Delete'], HISTORY_OPERATIONS],
  'chat tasks': [['blank', 'weather', 'mongoFilter', 'assetTargetFilter'], CHAT_TASKS],
  'import kinds': [
    [
      'funds',
      'contributions',
      'distributions',
      'LPs',
      'LPCommitments',
      'navs',
      'users',
      'capitalAccounts',
      'reports',
      // Tapeline's own.
      'feeTerms',
      'sideLetters',
      'closings',
      'transfers',
    ],
    IMPORT_KINDS,
  ],
  'storage buckets': [
    [
      'capitalAccounts',
      'capitalCalls',
      'fundReports',
      'announcements',
      'importerFiles',
      'testFiles',
      'loanTapes',
      'publicFiles',
      // Tapeline's own.
      'bankStatements',
    ],
    BUCKETS,
  ],
  themes: [['dark', 'light', 'system'], THEMES],
};

/** Steps of a serialization that the specification names. */
const SPECIFIED_STEPS = [
  'SerializedSum',
  'SerializedTerm',
  'SerializedInterest',
  'SerializedPercentage',
  'ifStatement',
  'switchCase',
  'datesDiff',
  'omit',
  'replaceStrings',
  'slice',
];

const SPECIFIED_ERRORS: readonly (readonly [status: number, name: string, message: string, other: string])[] = [
  [400, 'BadRequest', 'Something went wrong', 'Your action request is invalid and requires additional information'],
  [401, 'UnAuthorized', 'Please sign in first', 'You must sign in to access this resource'],
  [
    403,
    'Forbidden',
    'You are not allowed to access this route',
    'You do not have enough permissions to perform this action',
  ],
  [404, 'NotFound', 'Not found', 'The resource you are trying to get was not found'],
  [
    429,
    'TooMany',
    'Slow down. You are trying to access this route too frequent.',
    'Slow down, you have tried to access this resource too frequent',
  ],
  [502, 'ServerError', 'Try again later or contact the support', 'Something went wrong'],
];

describe('the values of the specification', () => {
  it.each(Object.entries(SPECIFIED_VALUES))('%s', (_, [specified, defined]) => {
    expect(sorted(defined)).toEqual(sorted(specified));
  });

  it('operand labels', () => {
    expect(OPERAND_LABELS).toEqual({
      gt: 'Greater than',
      lt: 'Less than',
      gte: 'Greater than equal',
      lte: 'Less than equal',
      eq: 'Equal',
      neq: 'Not equal',
    });
  });

  it('steps of a serialization', () => {
    const steps = serializationSchema.options.map(({ shape }) => shape.type.value);
    expect(steps).toEqual(expect.arrayContaining(SPECIFIED_STEPS));
  });

  it('errors, each with its two messages', () => {
    const catalogue = Object.values(ERROR_CATALOGUE);
    expect(catalogue.map(({ status, name, message, other }) => [status, name, message, other])).toEqual(
      SPECIFIED_ERRORS,
    );
  });

  it('texts of tapes that mean a status', () => {
    expect(['1-30 dpd', '31-60 dpd', 'charged off'].map(assetStatusOf)).toEqual([
      'delinquent',
      'delinquent',
      'chargedOff',
    ]);
  });
});

describe('the numbers of the specification', () => {
  it.each([
    ['the highest level of a role', ROLE_LEVELS.highest, 1],
    ['the lowest level of a role', ROLE_LEVELS.lowest, 30],
    ['refresh tokens of a user', MAX_REFRESH_TOKENS, 200],
    ['days of a week', DAYS_PER.weeks, 7],
    ['days of a month', DAYS_PER.months, 30.4375],
    ['days of a quarter', DAYS_PER.quarters, 91.3125],
    ['days of a year', DAYS_PER.years, 365.25],
    ['minutes of an ownership token', OWNERSHIP_TOKEN_LIFETIME_MS / 60_000, 5],
    ['loan tape port', DEV_SERVICE_PORTS[0].port, 5992],
    ['auth port', DEV_SERVICE_PORTS[1].port, 5999],
    ['crud port', DEV_SERVICE_PORTS[2].port, 5998],
    ['files port', DEV_SERVICE_PORTS[3].port, 5996],
  ])('%s', (_, defined, specified) => expect(defined).toBe(specified));

  it('about 160 currencies, 140 industries, and every country by its two letters', () => {
    expect(Math.abs(CURRENCIES.length - 160)).toBeLessThan(20);
    expect(Math.abs(INDUSTRIES.length - 140)).toBeLessThan(20);
    expect([...new Set(COUNTRIES.map(({ code }) => /^[A-Z]{2}$/.test(code)))]).toEqual([true]);
    expect(COUNTRIES.length).toBeGreaterThan(240);
  });
});

describe('the defaults of the specification', () => {
  it('a contract is a draft', () => expect(transactionContractSchema.parse(EXAMPLES.contract).status).toBe('Draft'));
  it('a value is of the pool eligibleOrPerforming', () => expect(DEFAULT_VALUE_POOL).toBe('eligibleOrPerforming'));
  it('a list skips nothing', () => {
    expect(parseListQuery({}, { fields: [], resolve: () => ({ candidates: [] }) })).toMatchObject({ skip: 0 });
  });
  it('an imported fund has sizes of 0', () => {
    expect(fundImportSchema.parse(EXAMPLES.fundImport)).toMatchObject({ hardCap: '0', targetSize: '0' });
  });
  it('a missing currency converts at the rate 1', () => {
    expect(convert('10', 'USD', 'EUR', {})).toEqual({ sum: '10', missing: ['EUR'] });
  });
});
