import type { MappingInput } from '@tapeline/domain/tapes/mapping.schema.ts';
import { ALDER_CUT_OFF_DATE, ALDER_HEADERS, ALDER_SHEET } from './alder-tapes.ts';
import { NORTHWIND_CUT_OFF_DATES, NORTHWIND_HEADERS, NORTHWIND_SHEET } from './northwind-tapes.ts';
import { SEVERN_CUT_OFF_DATES, SEVERN_HEADERS, SEVERN_SHEET } from './severn-tapes.ts';

type RuleInput = MappingInput['rules'][number];
type Steps = RuleInput['serializations'];
type Options = Pick<RuleInput, 'checks' | 'validations'>;

const rule = (
  originCol: string | null,
  targetCol: string,
  serializations: Steps,
  options: Options = {},
): RuleInput => ({
  originCol,
  targetCol,
  serializations,
  ...options,
});

const TEXT: Steps = [{ type: 'text' }, { type: 'trim' }];
const NUMBER: Steps = [{ type: 'number' }];
const EXCEL_DATE: Steps = [{ type: 'date', format: 'excel' }];
const AMERICAN_DATE: Steps = [{ type: 'date', format: 'american' }];
const DOLLARS: Steps = [{ type: 'SerializedSum', currency: 'USD' }];
const MONTHS: Steps = [{ type: 'SerializedTerm', unit: 'months' }];
type Answer = readonly [equals: string | string[] | null, answer: string];
/** Texts that the lender's system writes, and the meaning of each. */
const recode = (...answers: Answer[]): { equals: string | string[] | null; then: string }[] =>
  // biome-ignore lint/suspicious/noThenProperty: `then` is part of the mapping's contract; a case is never awaited
  answers.map(([equals, answer]) => ({ equals, then: answer }));
/** The same text for every asset, in a column that is computed without a source column. */
const always = (text: string): Steps => [{ type: 'switchCase', cases: recode([null, text]) }];

const NOT_NEGATIVE: Options['validations'] = [{ kind: 'minNumber', value: 0 }];
const SCORE: Options['validations'] = [
  { kind: 'minNumber', value: 300 },
  { kind: 'maxNumber', value: 850 },
];

/** How Northwind's tape maps to assets: Excel dates, rates as fractions, statuses as words. */
export const NORTHWIND_MAPPING: MappingInput = {
  loanTapeSheetName: NORTHWIND_SHEET,
  extractedOriginColsFromLoanTape: [...NORTHWIND_HEADERS],
  cutOffDate: NORTHWIND_CUT_OFF_DATES[0],
  primaryCurrency: 'USD',
  rules: [
    rule('Loan ID', 'assetId', TEXT, { checks: ['Mandatory', 'Unique'] }),
    rule('Borrower ID', 'borrowerId', TEXT, { checks: ['Mandatory'] }),
    rule(null, 'assetType', always('loan')),
    rule('Currency', 'currency', TEXT, { checks: ['Mandatory', 'Consistent'] }),
    rule('Origination Date', 'dateFinanced', EXCEL_DATE, { checks: ['Mandatory', 'Consistent'] }),
    rule('First Payment Date', 'dates.firstPaymentDate', EXCEL_DATE),
    rule('Maturity Date', 'dates.maturityDate', EXCEL_DATE, { checks: ['Mandatory', 'Consistent'] }),
    rule('Last Payment Date', 'dates.lastPaymentDate', EXCEL_DATE),
    rule('Next Payment Date', 'dates.nextPaymentDate', EXCEL_DATE),
    rule('Charge-off Date', 'dates.chargeOffDate', EXCEL_DATE),
    rule('Term (months)', 'term', MONTHS, { checks: ['Mandatory', 'Consistent'] }),
    rule('Remaining Term', 'remainingTerm', MONTHS),
    rule('Months on Book', 'monthsOnBook', NUMBER, { validations: NOT_NEGATIVE }),
    rule('Original Amount', 'sums.sum', DOLLARS, { checks: ['Mandatory', 'Consistent'] }),
    rule('Principal Balance', 'sums.outstandingSum', DOLLARS, { checks: ['Mandatory'], validations: NOT_NEGATIVE }),
    rule('Accrued Interest', 'sums.outstandingInterest', DOLLARS),
    rule('Past Due Amount', 'sums.arrears', DOLLARS),
    rule('Principal Paid', 'sums.paidPrincipal', DOLLARS),
    rule('Interest Paid', 'sums.paidInterest', DOLLARS),
    rule('Recoveries', 'sums.recoveries', DOLLARS),
    rule('Monthly Payment', 'sums.scheduledPayment', DOLLARS),
    rule('Interest Rate', 'interestRate', [{ type: 'SerializedInterest', scale: 'zeroTo1' }], {
      checks: ['Mandatory'],
    }),
    rule('Days Past Due', 'daysPastDue', NUMBER, { checks: ['Mandatory'], validations: NOT_NEGATIVE }),
    rule(null, 'isDelinquent', [
      // biome-ignore lint/suspicious/noThenProperty: `then` is part of the mapping's contract; a step is never awaited
      { type: 'ifStatement', filter: { daysPastDue: { gt: 30 } }, then: true, else: false },
      { type: 'boolean' },
    ]),
    rule(
      'Loan Status',
      'assetStatus',
      [
        {
          type: 'switchCase',
          cases: recode(
            ['61-90 DPD', 'delinquent'],
            ['90+ DPD', 'default'],
            ['Paid Off', 'paid'],
            ['Prepaid', 'prePaid'],
          ),
          default: { previous: true },
        },
        { type: 'assetStatus' },
      ],
      { checks: ['Mandatory'] },
    ),
    rule('FICO at Origination', 'creditScores.origination', NUMBER, { validations: SCORE }),
    rule('Current FICO', 'creditScores.current', NUMBER, { validations: SCORE }),
    rule('Grade', 'creditScores.grade', TEXT),
    rule('Purpose', 'sector', TEXT),
    rule('Product', 'product', TEXT),
    rule(null, 'address.country', always('US')),
    rule('State', 'address.state', TEXT),
    rule('City', 'address.city', TEXT),
    rule('Zip', 'address.zip', TEXT),
    rule('Employment', 'customFields.employment', TEXT),
    rule('Annual Income', 'customFields.annualIncome', DOLLARS),
    rule('DTI', 'customFields.debtToIncome', [{ type: 'percentage', scale: 'zeroTo1' }]),
  ],
};

/** How Alder's tape maps to assets: US dates as text, rates in percentage points, statuses as codes. */
export const ALDER_MAPPING: MappingInput = {
  loanTapeSheetName: ALDER_SHEET,
  extractedOriginColsFromLoanTape: [...ALDER_HEADERS],
  cutOffDate: ALDER_CUT_OFF_DATE,
  primaryCurrency: 'USD',
  rules: [
    rule('Acct #', 'assetId', TEXT, { checks: ['Mandatory', 'Unique'] }),
    rule('Cust No', 'borrowerId', TEXT, { checks: ['Mandatory'] }),
    rule(null, 'assetType', always('loan')),
    rule(null, 'currency', always('USD')),
    rule('Contract Dt', 'dateFinanced', AMERICAN_DATE, { checks: ['Mandatory', 'Consistent'] }),
    rule('1st Pmt Dt', 'dates.firstPaymentDate', AMERICAN_DATE),
    rule('Mat Dt', 'dates.maturityDate', AMERICAN_DATE, { checks: ['Consistent'] }),
    rule('Last Pmt Dt', 'dates.lastPaymentDate', AMERICAN_DATE),
    rule('Orig Term', 'term', MONTHS, { checks: ['Mandatory', 'Consistent'] }),
    rule('Rem Term', 'remainingTerm', MONTHS),
    rule('Amt Financed', 'sums.sum', DOLLARS, { checks: ['Mandatory', 'Consistent'] }),
    rule('Curr Bal', 'sums.outstandingSum', DOLLARS, { checks: ['Mandatory'], validations: NOT_NEGATIVE }),
    rule('Delq Amt', 'sums.arrears', DOLLARS),
    rule('Mthly Pmt', 'sums.scheduledPayment', DOLLARS),
    rule('Veh Value', 'sums.collateralValue', DOLLARS),
    rule('LTV', 'originalLtv', [{ type: 'SerializedPercentage', scale: 'zeroTo1' }]),
    rule('Curr Bal', 'currentLtv', [
      { type: 'number' },
      { type: 'divide', column: 'Veh Value' },
      { type: 'SerializedPercentage', scale: 'zeroTo1' },
    ]),
    rule('APR %', 'interestRate', [{ type: 'SerializedInterest', scale: 'zeroTo100' }], { checks: ['Mandatory'] }),
    rule('Delq Days', 'daysPastDue', NUMBER, { checks: ['Mandatory'], validations: NOT_NEGATIVE }),
    rule(
      'Stat',
      'assetStatus',
      [
        { type: 'upper' },
        {
          type: 'switchCase',
          cases: recode(
            ['C', 'current'],
            ['L1', 'pastDue'],
            [['L31', 'L61'], 'delinquent'],
            ['L91', 'default'],
            ['X', 'chargedOff'],
            ['P', 'paid'],
            ['PE', 'prePaid'],
          ),
        },
        { type: 'assetStatus' },
      ],
      { checks: ['Mandatory'] },
    ),
    rule('Score', 'creditScores.origination', NUMBER, { validations: SCORE }),
    rule('Tier', 'creditScores.grade', TEXT),
    rule('Vehicle', 'product', TEXT),
    rule(null, 'address.country', always('US')),
    rule('ST', 'address.state', TEXT),
    rule('City', 'address.city', TEXT),
    rule('ZIP', 'address.zip', TEXT),
    rule('Dealer', 'customFields.dealer', TEXT),
    rule('Model Yr', 'customFields.modelYear', NUMBER),
    rule('New/Used', 'customFields.condition', TEXT),
  ],
};

const POUNDS: Steps = [{ type: 'SerializedSum', currency: 'GBP' }];

/** How Severn's tape maps to assets: pounds, Excel dates, rates as fractions, statuses as words. */
export const SEVERN_MAPPING: MappingInput = {
  loanTapeSheetName: SEVERN_SHEET,
  extractedOriginColsFromLoanTape: [...SEVERN_HEADERS],
  cutOffDate: SEVERN_CUT_OFF_DATES[0],
  primaryCurrency: 'GBP',
  rules: [
    rule('Agreement', 'assetId', TEXT, { checks: ['Mandatory', 'Unique'] }),
    rule('Customer', 'borrowerId', TEXT, { checks: ['Mandatory'] }),
    rule(null, 'assetType', always('loan')),
    rule(null, 'currency', always('GBP')),
    rule('Start date', 'dateFinanced', EXCEL_DATE, { checks: ['Mandatory', 'Consistent'] }),
    rule('First payment', 'dates.firstPaymentDate', EXCEL_DATE),
    rule('End date', 'dates.maturityDate', EXCEL_DATE, { checks: ['Consistent'] }),
    rule('Last payment', 'dates.lastPaymentDate', EXCEL_DATE),
    rule('Term', 'term', MONTHS, { checks: ['Mandatory', 'Consistent'] }),
    rule('Months left', 'remainingTerm', MONTHS),
    rule('Amount financed', 'sums.sum', POUNDS, { checks: ['Mandatory', 'Consistent'] }),
    rule('Capital outstanding', 'sums.outstandingSum', POUNDS, { checks: ['Mandatory'], validations: NOT_NEGATIVE }),
    rule('Arrears', 'sums.arrears', POUNDS),
    rule('Instalment', 'sums.scheduledPayment', POUNDS),
    rule('Vehicle value', 'sums.collateralValue', POUNDS),
    rule('Amount financed', 'originalLtv', [
      { type: 'number' },
      { type: 'divide', column: 'Vehicle value' },
      { type: 'SerializedPercentage', scale: 'zeroTo1' },
    ]),
    rule('Rate', 'interestRate', [{ type: 'SerializedInterest', scale: 'zeroTo1' }], { checks: ['Mandatory'] }),
    rule('Days in arrears', 'daysPastDue', NUMBER, { checks: ['Mandatory'], validations: NOT_NEGATIVE }),
    rule(
      'Status',
      'assetStatus',
      [
        {
          type: 'switchCase',
          cases: recode(
            ['Live', 'current'],
            ['Arrears 1', 'pastDue'],
            [['Arrears 2', 'Arrears 3'], 'delinquent'],
            ['Default', 'default'],
            ['Written off', 'chargedOff'],
            ['Settled', 'paid'],
            ['Settled early', 'prePaid'],
          ),
        },
        { type: 'assetStatus' },
      ],
      { checks: ['Mandatory'] },
    ),
    rule('Score', 'creditScores.origination', NUMBER, { validations: SCORE }),
    rule('Band', 'creditScores.grade', TEXT),
    rule('Vehicle', 'product', TEXT),
    rule(null, 'address.country', always('GB')),
    rule('Region', 'address.state', TEXT),
    rule('Town', 'address.city', TEXT),
    rule('Postcode', 'address.zip', TEXT),
    rule('Dealer', 'customFields.dealer', TEXT),
    rule('New or used', 'customFields.condition', TEXT),
  ],
};
