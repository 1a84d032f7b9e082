import { CALL_PURPOSE_KINDS } from '../capital/contribution.schema.ts';
import { DISTRIBUTION_ACTION_TYPES } from '../capital/distribution.schema.ts';
import { CALL_PURPOSE_LABELS, DISTRIBUTION_ACTION_LABELS } from '../capital/kinds.ts';
import { COMPOUNDING_LABELS, INTEREST_RECIPIENT_LABELS } from '../closings/equalization-terms.ts';
import { INVESTOR_KINDS } from '../commitments/investor.schema.ts';
import { valuesOf } from '../documents/labels.ts';
import { BANK_TYPES } from '../entities/bank.schema.ts';
import { BUSINESS_TYPES } from '../entities/entity.schema.ts';
import { DAY_COUNTS } from '../facilities/terms-labels.ts';
import { ASSETS_BASES } from '../funds/fees.schema.ts';
import { FUND_STRATEGIES, FUND_TYPES } from '../funds/fund.schema.ts';
import { INVESTOR_TYPES, KYC_STATUSES } from '../investors/investor-record.schema.ts';
import type { ImportKind } from './kinds.ts';

export type ImportColumnType =
  | 'text'
  /** A whole number, for example the code of a fund. */
  | 'wholeNumber'
  /** A document by its code, external code, formal id or name. */
  | 'reference'
  /** A decimal number, for example 1250000.50. */
  | 'decimal'
  /** A calendar date as YYYY-MM-DD. */
  | 'date'
  /** One of `values`. */
  | 'choice'
  | 'email'
  /** A code of ISO 4217. */
  | 'currency'
  /** Classes of a fund: "A: Class A; B: Class B". */
  | 'classes'
  /** The name of an uploaded PDF. */
  | 'fileName';

/** One column of an import's sheet, as a person sees it. */
export interface ImportColumn {
  /** Unique within its kind; cells and problems name columns by it. A name of the payload, or a path in it: `bank.IBAN`. */
  readonly key: string;
  /** The header in the template. */
  readonly label: string;
  readonly type: ImportColumnType;
  readonly isRequired: boolean;
  /** For files of other systems; templates do not have it. */
  readonly isOnlyRead?: boolean;
  /** Columns that a file can have instead. */
  readonly instead?: readonly string[];
  /** The allowed values of a choice. Upper and lower case do not matter. */
  readonly values?: readonly string[];
  readonly example: string;
  readonly help: string;
}

const column = (
  key: string,
  label: string,
  type: ImportColumnType,
  example: string,
  help: string,
  more: { isRequired?: boolean; values?: readonly string[]; instead?: readonly string[]; isOnlyRead?: boolean } = {},
): ImportColumn => ({
  key,
  label,
  type,
  isRequired: more.isRequired ?? false,
  ...(more.values ? { values: more.values } : {}),
  ...(more.instead ? { instead: more.instead } : {}),
  ...(more.isOnlyRead ? { isOnlyRead: true } : {}),
  example,
  help,
});

const required = { isRequired: true };
const onlyRead = { isOnlyRead: true };

const INVESTOR = [
  column(
    'investorType',
    'Investor type',
    'choice',
    'LP',
    'Investor, or fund for a fund that invests in another fund.',
    {
      isRequired: true,
      values: INVESTOR_KINDS,
    },
  ),
  column(
    'investorCode',
    'Investor code',
    'reference',
    '12',
    'The code, external code, formal id or name of the investor, or of the investing fund.',
    { isRequired: true, instead: ['investorAlso'] },
  ),
];
const INVESTOR_ALSO = column(
  'investorAlso',
  'Investor, second code or name',
  'text',
  '',
  'For files with two columns, such as a name and the code of the administrator. Both must be the same investor.',
  onlyRead,
);
const FUND = column(
  'fundCode',
  'Fund code',
  'reference',
  '2',
  'The code, external code or name of the fund.',
  required,
);
const CLASS = column(
  'fundClassCode',
  'Class',
  'text',
  'A',
  'The key or the name of the class, or its beginning. Leave it empty for a fund without classes.',
);

const timeSeries = (
  date: string,
  /** `optional` if no record needs it. */
  callName: [label: string, help: string, optional?: 'optional'],
  total: [label: string, help: string, required?: 'required'],
  keys: readonly ImportColumn[],
  more: readonly ImportColumn[] = [],
): readonly ImportColumn[] => [
  ...INVESTOR,
  FUND,
  CLASS,
  column('currency', 'Currency', 'currency', 'USD', 'The currency of the fund.', required),
  column('date', 'Date', 'date', '2026-10-01', date, {
    isRequired: true,
    ...(more.some(({ key }) => key === 'dueDate') ? { instead: ['dueDate'] } : {}),
  }),
  column('callName', callName[0], 'text', '7', callName[1], { isRequired: callName.length < 3 }),
  column('defaultValue', total[0], 'decimal', '500000', total[1], { isRequired: total.length > 2 }),
  ...keys,
  ...more,
  INVESTOR_ALSO,
];

const amount = (key: string, label: string, example: string, help: string) =>
  column(`keyValues.${key}`, label, 'decimal', example, help);

const bank = (key: string, label: string, example: string, help: string, values?: readonly string[]) =>
  column(`bank.${key}`, label, values ? 'choice' : 'text', example, help, values ? { values } : {});

const BANK = [
  bank(
    'title',
    'Bank account',
    'Main account',
    'The name of the account. “Main account” if empty. Leave all bank columns empty for no account.',
  ),
  bank('accountNumber', 'Account number', '4417123456', 'The IBAN if empty. Without an IBAN it is required.'),
  bank('address', 'Bank address', '1 Market Street, Wilmington', 'The country of the bank if empty.'),
  bank('type', 'Account type', 'Business', 'Business if empty.', BANK_TYPES),
  bank('branch', 'Branch', '', 'Optional.'),
  bank('accountName', 'Account holder', '', 'Optional.'),
  bank('bankName', 'Name of the bank', 'NatWest', 'Optional. Notices state it.'),
  bank('swiftCode', 'SWIFT code', 'NWBKGB2L', 'Optional. 8 or 11 characters.'),
  bank('IBAN', 'IBAN', 'GB29NWBK60161331926819', 'Optional. Its check digits are verified.'),
  bank('abaOrRouting', 'ABA or routing number', '011000015', 'Optional. Nine digits.'),
  column('bank.ibanOrAccount', 'IBAN or account number', 'text', '', 'For files with one column for both.', onlyRead),
  column('bank.bicOrAba', 'BIC or ABA', 'text', '', 'For files with one column for both.', onlyRead),
];

const business = (path: string) => [
  column(`${path}.type`, 'Business type', 'choice', 'LLC', 'Leave both business columns empty for no business.', {
    values: BUSINESS_TYPES,
  }),
  column(
    `${path}.formalName`,
    'Business name',
    'text',
    'Harbour Credit II LLC',
    'Required if there is a business type.',
  ),
];

const EXTERNAL_CODE = column(
  'externalCode',
  'External code',
  'text',
  '',
  'Optional. The code that the administrator or another system uses. No other record has it.',
);

/** What a manager keeps about an investor. A check that was refused needs its reason, which a person enters. */
const RECORD = [
  column('type', 'Type of investor', 'choice', 'pensionFund', 'Optional.', { values: INVESTOR_TYPES }),
  column('taxId', 'Tax number', 'text', 'NO 912 345 678', 'Optional. At most 50 characters.'),
  column('taxResidence', 'Tax residence', 'text', 'NO', 'Optional. A two-letter code or a name of a country.'),
  column('lei', 'LEI code', 'text', '506700GE1G29325QX363', 'Optional. 20 characters; its check digits are verified.'),
  column('kycStatus', 'KYC status', 'choice', 'passed', 'notStarted if empty.', { values: KYC_STATUSES }),
  column('kycDate', 'KYC date', 'date', '2026-01-15', 'When the check passed or was refused.'),
  column('kycExpiresOn', 'KYC expiry', 'date', '2028-01-15', 'Optional. After the KYC date.'),
];

const FULL_NAME = { isRequired: true, instead: ['fullName'] };

const FILE = column(
  'fileName',
  'File name',
  'fileName',
  'Fjord Pension 2026-09-30.pdf',
  'The name of an uploaded PDF.',
  required,
);

const rate = (key: string, label: string, help = 'Percent.', example = '') =>
  column(key, label, 'decimal', example, help);
const YES_OR_NO = ['yes', 'no'];
const yesOrNo = (key: string, label: string, help: string) =>
  column(key, label, 'choice', '', help, { values: YES_OR_NO });
const assetsBasis = (key: string, label: string) =>
  column(key, label, 'choice', '', 'The NAV that a fee on assets is charged on. gross if empty.', {
    values: ASSETS_BASES,
  });

/** What a fund or a side letter agrees on fees. A group whose columns are all empty is agreed elsewhere. */
const FEES = [
  rate('management.committed', 'Management fee on committed capital', 'Percent a year, 0 to 100.', '2'),
  rate('management.invested', 'Management fee on invested capital', 'Percent a year, 0 to 100.'),
  rate('management.interestIncome', 'Management fee on interest income', 'Percent, 0 to 100.'),
  rate('management.assets', 'Management fee on assets', 'Percent a year, 0 to 100.'),
  assetsBasis('management.assetsBasis', 'Assets are'),
  rate('management.minimum', 'Minimum fee a year', 'In the currency of the fund.'),
  rate('management.offset', 'Offset of borrowers’ fees', 'Percent of its share of them, 0 to 100.'),
  rate('management.waiver', 'Waiver of the management fee', 'Percent that is not charged, 0 to 100.'),
  column('stepDown.from', 'Step-down from', 'date', '', 'The end of the investment period if empty.'),
  rate('stepDown.committed', 'Step-down on committed capital', 'Percent a year, 0 to 100.'),
  rate('stepDown.invested', 'Step-down on invested capital', 'Percent a year, 0 to 100.'),
  rate('stepDown.interestIncome', 'Step-down on interest income', 'Percent, 0 to 100.'),
  rate('stepDown.assets', 'Step-down on assets', 'Percent a year, 0 to 100.'),
  assetsBasis('stepDown.assetsBasis', 'Step-down, assets are'),
  rate('success.hurdle', 'Hurdle', 'Percent a year, 0 to 100.', '8'),
  rate('success.rate', 'Success fee', 'Percent of the profit, 0 to 100.', '20'),
  rate('success.catchUp', 'Catch-up', 'Percent to the manager, 0 to 100.', '100'),
  rate('success.interestShare', 'Share of interest in the success fee', 'Percent, 100 if empty.'),
  yesOrNo('success.equityOnly', 'Only gains in the success fee', 'yes if interest does not enter it.'),
  yesOrNo('success.simple', 'Simple hurdle', 'yes if the preferred return does not compound.'),
  yesOrNo('success.perTransaction', 'American', 'yes if it is by facility.'),
  yesOrNo('success.clawback', 'Clawback', 'yes if there is one.'),
  yesOrNo('transaction.applied', 'Transaction fees', 'yes if fees of borrowers reach the investor.'),
  rate('transaction.cap', 'Cap on transaction fees', 'Percent of the commitment, 0 to 100.'),
  rate('overallCap', 'Cap on all fees', 'In the currency of the fund.'),
  rate('defaultInterest.rate', 'Default interest', 'Percent a year, 0 to 100.'),
  column('defaultInterest.graceDays', 'Days of grace', 'wholeNumber', '', '0 to 365.'),
  column('defaultInterest.dayCount', 'Day count of default interest', 'choice', '', 'ACT/365F if empty.', {
    values: DAY_COUNTS,
  }),
];

/** The terms that all investors of a fund have; fees have a file of their own. */
const FUND_TERMS = [
  rate('excuseCap', 'Cap on excused amounts', 'Percent of an investor’s own share, 0 to 100.'),
  column('investmentPeriodEnd', 'End of the investment period', 'date', '', 'Optional.'),
  rate(
    'equalization.ratePercent',
    'Equalization interest',
    'Percent a year. Leave all equalization columns empty for none.',
  ),
  column('equalization.dayCount', 'Day count of equalization', 'choice', '', 'ACT/365F if empty.', {
    values: DAY_COUNTS,
  }),
  column('equalization.compounding', 'Compounding of equalization', 'choice', '', 'simple if empty.', {
    values: valuesOf(COMPOUNDING_LABELS),
  }),
  column('equalization.feeInterestTo', 'Interest on fees goes to', 'choice', '', 'manager if empty.', {
    values: valuesOf(INTEREST_RECIPIENT_LABELS),
  }),
  yesOrNo('equalization.feesFromFirstClosing', 'Fees from the first closing', 'yes if empty.'),
  yesOrNo('equalization.recallable', 'What is equalized is recallable', 'yes if empty.'),
];

/** The columns of each kind's sheet, in the order of its template, which does not have those that are only read. */
export const IMPORT_COLUMNS: Readonly<Record<ImportKind, readonly ImportColumn[]>> = {
  funds: [
    column(
      'code',
      'Fund code',
      'wholeNumber',
      '2',
      'A number that no other fund has or had. The next free one if empty.',
    ),
    column('title', 'Title', 'text', 'Harbour Credit Fund II', '2 to 150 characters.', required),
    column('description', 'Description', 'text', 'Senior facilities to consumer lenders', 'At most 100 characters.'),
    column('strategy', 'Strategy', 'choice', 'ABL', 'The strategy of the fund.', {
      isRequired: true,
      values: FUND_STRATEGIES,
    }),
    column('type', 'Fund type', 'choice', 'ComingleFund', 'The type of the fund.', {
      isRequired: true,
      values: FUND_TYPES,
    }),
    column(
      'classes',
      'Classes',
      'classes',
      'A: Class A; B: Class B',
      'Key and name of each class, at most 10. Empty for a fund without classes.',
    ),
    column('currency', 'Currency', 'currency', 'USD', 'A code of ISO 4217.', required),
    column('targetSize', 'Target size', 'decimal', '250000000', 'In the currency of the fund. 0 if empty.'),
    column('hardCap', 'Hard cap', 'decimal', '300000000', 'In the currency of the fund. 0 if empty.'),
    column(
      'mainFund',
      'Main fund code',
      'reference',
      '',
      'The code or name of the main fund that the fund belongs to.',
    ),
    column(
      'entityFormalId',
      'Formal id',
      'text',
      '47-3382916',
      'Of the legal entity. An entity of the register with this id is used; otherwise it is added.',
      required,
    ),
    column('nationalityCountryCode', 'Country', 'text', 'US', 'A code of two or three letters, or a name.', required),
    column('stateCode', 'State', 'text', 'DE', 'Optional.'),
    EXTERNAL_CODE,
    ...BANK,
    ...business('businessEntity'),
    ...FUND_TERMS,
  ],
  contributions: timeSeries(
    'The cut-off date of the call. The due date if empty.',
    ['Call number', 'The number of the call. Rows of one fund with the same number are one call.'],
    ['Amount', 'The total. If it is given with purposes, it must equal their sum.'],
    CALL_PURPOSE_KINDS.map((kind) =>
      amount(
        kind,
        CALL_PURPOSE_LABELS[kind],
        kind === 'investments' ? '487500' : kind === 'managementFee' ? '12500' : '',
        'The part of the call for this purpose.',
      ),
    ),
    [
      column('dueDate', 'Due date', 'date', '2026-10-15', 'When the call is to be paid. The date if empty.'),
      column(
        'excuse',
        'Excused because',
        'text',
        '',
        'Why the investor is excused from the call or a part of it. Its amount can be 0 then.',
      ),
    ],
  ),
  distributions: timeSeries(
    'The cut-off date of the distribution.',
    ['Distribution number', 'Rows of one fund with the same number are one distribution.'],
    [
      'Amount',
      'What is paid out: principal, interest and capital gains less fees and taxes. Without these, it is all principal.',
    ],
    [
      amount('principal', 'Principal', '400000', 'Capital that is paid back.'),
      ...DISTRIBUTION_ACTION_TYPES.map((type) =>
        amount(
          type,
          DISTRIBUTION_ACTION_LABELS[type],
          type === 'INTEREST' ? '100000' : '',
          'Zero or more. Fees and taxes are subtracted.',
        ),
      ),
    ],
    [yesOrNo('recallable', 'Recallable', 'yes if the principal can be called again. no if empty.')],
  ),
  LPs: [
    column(
      'code',
      'LP code',
      'wholeNumber',
      '12',
      'A number that no other investor has or had. The next free one if empty.',
    ),
    column('entityName', 'Name', 'text', 'Fjord Pension', 'Of the legal entity, 2 to 250 characters.', required),
    column(
      'formalId',
      'Formal id',
      'text',
      '912345678',
      'Of the legal entity. An entity of the register with this id is used; otherwise it is added.',
      required,
    ),
    column('country', 'Country', 'text', 'NO', 'A two-letter code or a name.', required),
    column('state', 'State', 'text', '', 'Optional.'),
    EXTERNAL_CODE,
    column('contact.name', 'Contact', 'text', '', 'Optional. A person, 2 to 40 characters.'),
    column('contact.email', 'Contact email', 'email', '', 'Optional.'),
    ...BANK,
    ...business('business'),
    ...RECORD,
  ],
  LPCommitments: timeSeries(
    'The earliest date is the closing. Later dates are changes of the commitment.',
    ['Title', 'A name for the closing or change.', 'optional'],
    ['Active commitment', 'The commitment at the closing. On later dates, the change of it.', 'required'],
    [
      amount(
        'maxCommitment',
        'Maximum commitment',
        '500000',
        'At the closing only. If empty, the highest active commitment.',
      ),
    ],
    [
      column(
        'currentCommitment',
        'Current commitment',
        'decimal',
        '',
        'The commitment with all changes until today. What differs from the active commitment is a change.',
      ),
      column(
        'currentDate',
        'Date of the current commitment',
        'date',
        '',
        'The date of the register. Required if the current commitment is another.',
      ),
    ],
  ),
  navs: timeSeries(
    'The date of the valuation.',
    ['Title', 'A name for the valuation, for example the quarter.', 'optional'],
    ['Net asset value', 'The net value. It also is the gross value if that is empty.'],
    [
      amount('gross', 'Gross', '', 'The value before fees and carried interest.'),
      amount('net', 'Net', '', 'The value after them. If the net asset value is given too, it must be the same.'),
    ],
  ),
  users: [
    column('firstName', 'First name', 'text', 'Ann', '2 to 30 characters.', FULL_NAME),
    column('lastName', 'Last name', 'text', 'Berg', '2 to 30 characters.', FULL_NAME),
    column('fullName', 'Full name', 'text', '', '“Last, First”, for files with one column for both.', onlyRead),
    column('email', 'Email', 'email', 'ann.berg@fjord.example', 'An address that no other user has.', required),
    column(
      'LPCode',
      'LP code',
      'reference',
      '12',
      'The code, external code, formal id or name of the investor that the user acts for.',
      required,
    ),
    column('role', 'Role', 'text', '', 'The name of a role. Investor if empty.'),
  ],
  capitalAccounts: [
    ...INVESTOR,
    FUND,
    CLASS,
    column('date', 'Cut-off date', 'date', '2026-09-30', 'The date of the statement.', required),
    FILE,
    INVESTOR_ALSO,
  ],
  reports: [
    FUND,
    CLASS,
    column('date', 'Cut-off date', 'date', '2026-09-30', 'The date of the report.', required),
    { ...FILE, example: 'Harbour Q3 2026.pdf' },
  ],
  feeTerms: [
    FUND,
    CLASS,
    column(
      'date',
      'From',
      'date',
      '2026-01-01',
      'The terms hold from this day until the next of the same class.',
      required,
    ),
    ...FEES,
  ],
  sideLetters: [
    ...INVESTOR,
    FUND,
    CLASS,
    column('date', 'From', 'date', '2026-01-01', 'The letter holds from this day until the next one.', required),
    column('title', 'Title', 'text', 'Founding investor', 'Optional. At most 150 characters.'),
    ...FEES,
    INVESTOR_ALSO,
  ],
  closings: [
    FUND,
    column(
      'title',
      'Closing',
      'text',
      'Second closing',
      'Rows of one fund with the same name are one closing.',
      required,
    ),
    column('date', 'Closing date', 'date', '2026-06-30', 'The same in all rows of a closing.', required),
    column('dueDate', 'Due date', 'date', '2026-07-15', 'When its call and distribution are due.', required),
    column('callName', 'Call number', 'text', '3', 'Of the call of those who enter.', required),
    column('distributionName', 'Distribution number', 'text', '1', 'Of what the earlier investors get back.', required),
    ...INVESTOR,
    CLASS,
    column('currency', 'Currency', 'currency', 'USD', 'The currency of the fund.', required),
    column('defaultValue', 'Amount', 'decimal', '16000000', 'What the investor commits at this closing.', required),
    column(
      'paidIn',
      'Pays in',
      'decimal',
      '',
      'Optional. What it pays for earlier calls, to compare with what follows.',
    ),
    column('interest', 'Interest', 'decimal', '', 'Optional. The interest on it, to compare with what follows.'),
    INVESTOR_ALSO,
  ],
  transfers: [
    FUND,
    CLASS,
    ...INVESTOR,
    column('toType', 'New holder type', 'choice', 'LP', 'Investor, or fund for a fund that invests.', {
      isRequired: true,
      values: INVESTOR_KINDS,
    }),
    column(
      'toCode',
      'New holder',
      'reference',
      '14',
      'The code, external code, formal id or name of the new holder.',
      required,
    ),
    column('date', 'Date', 'date', '2026-10-01', 'Both commitments change on this day.', required),
    column('currency', 'Currency', 'currency', 'USD', 'The currency of the fund.', required),
    rate(
      'sharePercent',
      'Share of the interest',
      'Percent, with what was called, paid and valued before. Or an amount.',
      '25',
    ),
    column('defaultValue', 'Unfunded commitment', 'decimal', '', 'Of unfunded commitment alone, in place of a share.'),
    column('price', 'Purchase price', 'decimal', '', 'Optional. What the new holder pays for a share.'),
    INVESTOR_ALSO,
  ],
};

/** Columns that often have the same value in all rows of a file, and so are missing in it. */
const SHARED = new Set([
  'investorType',
  'fundCode',
  'fundClassCode',
  'currency',
  'date',
  'dueDate',
  'currentDate',
  'callName',
  'strategy',
  'type',
  'nationalityCountryCode',
  'country',
  'LPCode',
  'role',
  'formalId',
  'entityFormalId',
  'title',
  'distributionName',
  'toType',
]);
export const canBeShared = ({ key }: Pick<ImportColumn, 'key'>): boolean => SHARED.has(key);

/** The columns of a template. */
export const templateColumns = (kind: ImportKind): readonly ImportColumn[] =>
  IMPORT_COLUMNS[kind].filter(({ isOnlyRead }) => !isOnlyRead);
