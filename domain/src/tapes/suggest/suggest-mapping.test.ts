import { describe, expect, test } from 'vitest';
import { planMapping } from '../mapping-plan.ts';
import { rulesSchema } from '../rule.schema.ts';
import { resolveTarget } from '../target-schema.ts';
import type { SampleCell } from './column-summary.ts';
import { type SampleColumn, suggestMapping } from './suggest-mapping.ts';

const number = (value: number): SampleCell => ({ tag: 1, value: String(value) });
const text = (value: string): SampleCell => (value === '' ? { tag: 0, value } : { tag: 2, value });
const day = (value: string): SampleCell => ({ tag: 4, value });
const repeat = <T>(values: readonly T[], cell: (value: T) => SampleCell): SampleCell[] =>
  Array.from({ length: 30 }, (_, index) => cell(values[index % values.length]!));
const ids = (prefix: string): SampleCell[] =>
  Array.from({ length: 30 }, (_, index) => text(`${prefix}${1000 + index}`));

/** Header to cells, as the columns of a tape. */
const tape = (columns: Record<string, SampleCell[]>): SampleColumn[] =>
  Object.entries(columns).map(([header, cells]) => ({ header, cells }));

/** Header to suggested path, without parts of dates and without rules that read no column. */
function targets(columns: readonly SampleColumn[]): Record<string, string> {
  return Object.fromEntries(
    suggestMapping({ columns }).flatMap(({ rule }) => {
      const resolved = resolveTarget(rule.targetCol);
      if (!rule.originCol || rule.checks?.includes('Temporary')) return [];
      return [[rule.originCol, resolved.kind === 'problem' ? 'problem' : resolved.path]];
    }),
  );
}

const MORTGAGES = tape({
  'LOAN SEQUENCE NUMBER': ids('F18Q1'),
  FICO: repeat([720, 680, 655], number),
  'First Payment Dt': repeat(['2018-03-01'], day),
  'Maturity Date': repeat(['2048-02-01'], day),
  'ORIG UPB': repeat([210000, 98000, 310500], number),
  'Curr Actual UPB': repeat([200311.55, 91000, 300000], number),
  'Int Rt': repeat([4.25, 3.875, 4.5], number),
  OLTV: repeat([80, 75, 95], number),
  'Property St': repeat(['CA', 'NY', 'TX'], text),
  'Zip Code': repeat(['90200', '10000'], text),
  'Loan Age': repeat([3, 8, 12], number),
  'Remaining Months to Maturity': repeat([357, 352, 348], number),
  'Delinquency Status': repeat(['Current', '30-59 days'], text),
});

const CONSUMER = tape({
  loan_id: ids('LC18-'),
  emp_title: repeat(['nurse', 'clerk', 'driver'], text),
  state: repeat(['GA', 'CO', 'CA'], text),
  annual_income: repeat([60000, 88000], number),
  num_accounts_30d_past_due: repeat([0, 1], number),
  loan_purpose: repeat(['car', 'house'], text),
  loan_amount: repeat([10000, 12000], number),
  term: repeat([36, 60], number),
  interest_rate: repeat([0.0532, 0.1149], number),
  installment: repeat([301.15, 400.2], number),
  grade: repeat(['A', 'B', 'C'], text),
  sub_grade: repeat(['A1', 'B3', 'C4'], text),
  issue_month: repeat(['2018-01-01', '2018-02-01'], day),
  loan_status: repeat(['Current', 'Fully Paid', 'In Grace Period', 'Late (16-30 days)', 'Charged Off'], text),
  balance: repeat([8704.48, 5000], number),
  paid_total: repeat([1498.36, 20], number),
  paid_principal: repeat([1295.52, 10], number),
  paid_interest: repeat([202.84, 10], number),
});

const SMALL_BUSINESS = tape({
  LoanNbr: ids('7'),
  BorrName: repeat(['Acme LLC', 'Bo Diner', 'Cy Motors'], text),
  BorrState: repeat(['OH', 'MI'], text),
  BorrZip: repeat([44101, 48201], number),
  GrossApproval: repeat([150000, 350000], number),
  ApprovalDate: repeat(['1/15/2019', '12/2/2019'], text),
  InitialInterestRate: repeat(['6.5%', '7.25%'], text),
  TermInMonths: repeat([120, 84], number),
  NaicsDescription: repeat(['Restaurants', 'Motels'], text),
  LoanStatus: repeat(['PIF', 'CHGOFF', 'EXEMPT'], text),
  ChargeOffDate: repeat(['', '', '3/1/2020'], text),
});

const AUTO = tape({
  'Contract #': ids('A'),
  'Customer No.': repeat([100, 101, 102], number),
  'Amount Financed': repeat([22000, 31000], number),
  'Current Prin Bal': repeat(['$18,250.10', '$9,100.00'], text),
  APR: repeat([8.9, 12.5], number),
  'Orig Term': repeat([60, 72], number),
  'Rem Term': repeat([40, 22], number),
  'Days Past Due': repeat([0, 0, 31], number),
  'Next Due Date': repeat(['2026-11-01'], day),
  'Vehicle Value': repeat([20000, 15000], number),
});

/** The asset-level file that public auto loan deals report. */
const AUTO_DISCLOSURE = tape({
  assetNumber: ids('R'),
  reportingPeriodBeginningDate: repeat(['2026-09-01'], day),
  originationDate: repeat(['01/2018', '11/2019'], text),
  originalLoanAmount: repeat([22000, 31000], number),
  loanMaturityDate: repeat(['01/2024', '11/2025'], text),
  originalInterestRatePercentage: repeat([0.049, 0.0899], number),
  vehicleManufacturerName: repeat(['TOYOTA', 'FORD'], text),
  vehicleValueAmount: repeat([24000, 33000], number),
  obligorCreditScore: repeat([720, 680], number),
  obligorGeographicLocation: repeat(['CA', 'TX'], text),
  reportingPeriodActualEndBalanceAmount: repeat([4100.22, 8000], number),
  reportingPeriodInterestRatePercentage: repeat([0.049, 0.0899], number),
  recoveredAmount: repeat([0, 120.5], number),
});

/** Column names of a European repository. */
const SMALL_BUSINESS_EUROPE = tape({
  'Unique Identifier': ids('NL'),
  'Original Obligor Identifier': ids('O'),
  'Data Cut-Off Date': repeat(['2026-09-30'], day),
  'Origination Date': repeat(['2018-01-15'], day),
  'Date Of Maturity': repeat(['2028-01-15'], day),
  Currency: repeat(['EUR'], text),
  'Original Principal Balance': repeat([150000, 90000], number),
  'Current Principal Balance': repeat([120000.5, 80000], number),
  'Arrears Balance': repeat([0, 120.5], number),
  'Number Of Days In Arrears': repeat([0, 35], number),
  'Account Status': repeat(['Performing', 'Arrears', 'Redeemed'], text),
  Postcode: repeat(['1012AB', '3511 LX'], text),
});

/** Numbers and dates as exported from a lender's own system. */
const HOME_MADE = tape({
  'Loan #': ids('L'),
  'As of Date': repeat(['2026-09-30'], day),
  loan_amnt: repeat([5000, 2500], number),
  'O/S Bal': repeat([4100.5, 2000], number),
  'Original Interest Rate': repeat([9.5, 10], number),
  'Current Interest Rate': repeat([9.75, 10.5], number),
  issue_d: repeat(['Dec-2011', 'Jan-2012'], text),
  'First Payment Date': repeat([201803, 201812], number),
  'Bank State': repeat(['NY'], text),
  'Borr State': repeat(['CA', 'TX'], text),
});

describe('suggested mappings', () => {
  test('read the asset-level disclosure of auto loans', () =>
    expect(targets(AUTO_DISCLOSURE)).toEqual({
      assetNumber: 'assetId',
      originationDate: 'dateFinanced',
      originalLoanAmount: 'sums.sum',
      loanMaturityDate: 'dates.maturityDate',
      vehicleValueAmount: 'sums.collateralValue',
      obligorCreditScore: 'creditScores.origination',
      obligorGeographicLocation: 'address.state',
      reportingPeriodActualEndBalanceAmount: 'sums.outstandingSum',
      reportingPeriodInterestRatePercentage: 'interestRate',
      recoveredAmount: 'sums.recoveries',
    }));

  test('read a European tape', () =>
    expect(targets(SMALL_BUSINESS_EUROPE)).toEqual({
      'Unique Identifier': 'assetId',
      'Original Obligor Identifier': 'borrowerId',
      'Origination Date': 'dateFinanced',
      'Date Of Maturity': 'dates.maturityDate',
      Currency: 'currency',
      'Original Principal Balance': 'sums.sum',
      'Current Principal Balance': 'sums.outstandingPrincipal',
      'Arrears Balance': 'sums.arrears',
      'Number Of Days In Arrears': 'daysPastDue',
      'Account Status': 'assetStatus',
      Postcode: 'address.zip',
    }));

  test('prefer the rate of today and the borrower of the loan, and leave the date of the file alone', () =>
    expect(targets(HOME_MADE)).toEqual({
      'Loan #': 'assetId',
      loan_amnt: 'sums.sum',
      'O/S Bal': 'sums.outstandingSum',
      'Current Interest Rate': 'interestRate',
      issue_d: 'dateFinanced',
      'First Payment Date': 'dates.firstPaymentDate',
      'Borr State': 'address.state',
    }));

  test('read a mortgage tape', () =>
    expect(targets(MORTGAGES)).toEqual({
      'LOAN SEQUENCE NUMBER': 'assetId',
      FICO: 'creditScores.origination',
      'First Payment Dt': 'dates.firstPaymentDate',
      'Maturity Date': 'dates.maturityDate',
      'ORIG UPB': 'sums.sum',
      'Curr Actual UPB': 'sums.outstandingSum',
      'Int Rt': 'interestRate',
      OLTV: 'originalLtv',
      'Property St': 'address.state',
      'Zip Code': 'address.zip',
      'Loan Age': 'monthsOnBook',
      'Remaining Months to Maturity': 'remainingTerm',
      'Delinquency Status': 'assetStatus',
    }));

  test('read a consumer tape and leave the other columns alone', () => {
    const found = targets(CONSUMER);
    expect(found).toEqual({
      loan_id: 'assetId',
      state: 'address.state',
      loan_purpose: 'product',
      loan_amount: 'sums.sum',
      term: 'term',
      interest_rate: 'interestRate',
      installment: 'sums.scheduledPayment',
      grade: 'creditScores.grade',
      issue_month: 'dateFinanced',
      loan_status: 'assetStatus',
      balance: 'sums.outstandingSum',
      paid_principal: 'sums.paidPrincipal',
      paid_interest: 'sums.paidInterest',
    });
  });

  test('read a small-business tape', () =>
    expect(targets(SMALL_BUSINESS)).toEqual({
      LoanNbr: 'assetId',
      BorrName: 'borrowerId',
      BorrState: 'address.state',
      BorrZip: 'address.zip',
      GrossApproval: 'sums.sum',
      ApprovalDate: 'dateFinanced',
      InitialInterestRate: 'interestRate',
      TermInMonths: 'term',
      NaicsDescription: 'sector',
      LoanStatus: 'assetStatus',
      ChargeOffDate: 'dates.chargeOffDate',
    }));

  test('read an auto tape', () =>
    expect(targets(AUTO)).toMatchObject({
      'Contract #': 'assetId',
      'Customer No.': 'borrowerId',
      'Amount Financed': 'sums.sum',
      'Current Prin Bal': 'sums.outstandingPrincipal',
      APR: 'interestRate',
      'Orig Term': 'term',
      'Rem Term': 'remainingTerm',
      'Days Past Due': 'daysPastDue',
      'Next Due Date': 'dates.nextPaymentDate',
      'Vehicle Value': 'sums.collateralValue',
    }));

  test.each([
    ['mortgage', MORTGAGES],
    ['consumer', CONSUMER],
    ['small-business', SMALL_BUSINESS],
    ['auto', AUTO],
  ])('make a %s mapping that is consistent as it stands, one rule a field', (_, columns) => {
    const suggestions = suggestMapping({ columns });
    const rules = rulesSchema.parse(suggestions.map(({ rule }) => rule));
    expect(planMapping({ rules }).issues).toEqual([]);
    for (const { confidence, reason } of suggestions) {
      expect(confidence).toBeGreaterThan(0);
      expect(confidence).toBeLessThanOrEqual(1);
      expect(reason).toMatch(/^".+" |^No column gives/);
    }
  });

  test('read scale, date format, missing words and statuses off the values', () => {
    const steps = (columns: readonly SampleColumn[], header: string) =>
      suggestMapping({ columns }).find(({ rule }) => rule.originCol === header)?.rule.serializations;
    expect(steps(CONSUMER, 'interest_rate')).toEqual([{ type: 'SerializedInterest', scale: 'zeroTo1' }]);
    expect(steps(SMALL_BUSINESS, 'InitialInterestRate')).toEqual([{ type: 'SerializedInterest', scale: 'zeroTo100' }]);
    expect(steps(SMALL_BUSINESS, 'ApprovalDate')).toEqual([{ type: 'date', format: 'american' }]);
    // biome-ignore-start lint/suspicious/noThenProperty: `then` is part of the contract
    expect(steps(CONSUMER, 'loan_status')?.[0]).toMatchObject({
      type: 'switchCase',
      cases: [
        { equals: ['Fully Paid'], then: 'paid' },
        { equals: ['In Grace Period'], then: 'pastDue' },
        { equals: ['Late (16-30 days)', 'Late (31-120 days)'], then: 'delinquent' },
      ],
    });
    // biome-ignore-end lint/suspicious/noThenProperty: `then` is part of the contract
    const scores = tape({ id: ids('x'), fico: repeat([text('NA'), number(700)], (cell) => cell) });
    expect(steps(scores, 'fico')).toEqual([{ type: 'omit', values: ['NA'] }, { type: 'number' }]);
  });

  test('take the sign of a currency off amounts that text files write with it', () => {
    const columns = tape({
      'Loan Number': ids('M'),
      'Current UPB': repeat(['$123,456.78', '$98,000.00'], text),
      'Original Balance': repeat([200000, 150000], number),
    });
    const steps = Object.fromEntries(
      suggestMapping({ columns }).map(({ rule }) => [rule.originCol, rule.serializations.map((step) => step.type)]),
    );
    expect(steps['Current UPB']).toEqual(['replaceStrings', 'SerializedSum']);
    expect(steps['Original Balance']).toEqual(['SerializedSum']);
  });
  test('take no months since another event for months on book', () => {
    const counts = repeat([3, 8, 12], number);
    const columns = tape({
      loan_id: ids('x'),
      months_since_last_delinq: counts,
      months_since_last_credit_inquiry: counts,
      months_since_90d_late: counts,
      'Months Since Origination': counts,
    });
    expect(targets(columns)).toEqual({ loan_id: 'assetId', 'Months Since Origination': 'monthsOnBook' });
  });

  test('follow what the company mapped before', () => {
    const earlier = rulesSchema.parse([
      { originCol: 'Ref', targetCol: 'assetId', checks: ['Mandatory'], serializations: [{ type: 'trim' }] },
      { originCol: 'Grade', targetCol: 'risk', serializations: [{ type: 'text' }] },
    ]);
    const columns = tape({ ref: ids('r'), loan_id: ids('x'), grade: repeat(['A'], text) });
    const found = suggestMapping({ columns, earlier: [earlier] });
    expect(found.map(({ rule }) => [rule.originCol, rule.targetCol])).toEqual([
      ['ref', 'assetId'],
      ['grade', 'risk'],
    ]);
    expect(found[0]?.reason).toContain('earlier mapping');
  });

  test('take a column that differs in every row as the id where none is named so', () => {
    const columns = tape({ Zeile: ids('z'), Stadt: repeat(['Bonn', 'Ulm'], text) });
    expect(targets(columns)).toEqual({ Zeile: 'assetId', Stadt: 'address.city' });
  });

  test('pass over headers that stand twice or not at all', () =>
    expect(suggestMapping({ columns: [...MORTGAGES, ...MORTGAGES, { header: ' ', cells: ids('q') }] })).toEqual([]));

  test('keep what an earlier mapping said of every row, and say nothing it did not', () => {
    const said = rulesSchema.parse([
      { originCol: 'Ref', targetCol: 'assetId', checks: ['Mandatory'], serializations: [{ type: 'text' }] },
      {
        originCol: null,
        targetCol: 'assetType',
        // biome-ignore lint/suspicious/noThenProperty: `then` is part of the contract
        serializations: [{ type: 'switchCase', cases: [{ equals: null, then: 'investment' }] }],
      },
    ]);
    const typeOf = (earlier: typeof said) =>
      suggestMapping({ columns: tape({ ref: ids('r') }), earlier: [earlier] }).find(
        ({ rule }) => rule.targetCol === 'assetType',
      )?.rule.serializations;
    // biome-ignore lint/suspicious/noThenProperty: `then` is part of the contract
    expect(typeOf(said)).toMatchObject([{ cases: [{ then: 'investment' }] }]);
    expect(typeOf(said.slice(0, 1))).toBeUndefined();
  });

  test('say that every row is a loan where no column says what it is', () => {
    const typeRule = (columns: readonly SampleColumn[]) =>
      suggestMapping({ columns }).find(({ rule }) => rule.targetCol === 'assetType')?.rule;
    expect(typeRule(AUTO)).toMatchObject({ originCol: null, serializations: [{ type: 'switchCase' }] });
    const stated = tape({ 'Loan ID': ids('a'), 'Asset Type': repeat(['loan', 'investment'], text) });
    expect(typeRule(stated)).toMatchObject({ originCol: 'Asset Type', serializations: [{ type: 'text' }] });
  });

  test('read the cells of a column that is called like a field which another rule makes', () => {
    const columns = tape({ Opened: repeat(['2024-01-31'], day), assetType: ids('x') });
    const alike = tape({
      Opened: repeat(['2024-01-31', '2024-02-29'], day),
      assetType: Array.from({ length: 30 }, (_, row) => number(row >> 1)),
    });
    for (const each of [columns, alike]) {
      const rules = suggestMapping({ columns: each }).map(({ rule }) => rule);
      expect(planMapping({ rules: rulesSchema.parse(rules) }).issues).toEqual([]);
    }
    const id = suggestMapping({ columns: alike }).find(({ rule }) => rule.targetCol === 'assetId');
    expect(id?.rule.serializations).toMatchObject([
      { type: 'text' },
      { type: 'concat', parts: [{ column: 'origin.assetType' }] },
      { type: 'trim' },
    ]);
  });

  test('read the columns of a tape that share a date order and a currency together', () => {
    const columns = tape({
      'Invoice No': ids('I'),
      'Invoice Date': repeat(['01/02/2026', '03/04/2026'], text),
      'Due Date': repeat(['31/03/2026', '03/05/2026'], text),
      Ccy: repeat(['GBP', 'EUR'], text),
      'Invoice Amount': repeat([100, 250.5], number),
    });
    const found = suggestMapping({ columns });
    const stepsOf = (target: string) => found.find(({ rule }) => rule.targetCol === target)?.rule.serializations;
    expect(stepsOf('dateFinanced')).toEqual([{ type: 'date', format: 'ISO', order: 'dayFirst' }]);
    expect(stepsOf('sums.sum')).toEqual([{ type: 'SerializedSum', currencyColumn: 'Ccy' }]);
    expect(planMapping({ rules: rulesSchema.parse(found.map(({ rule }) => rule)) }).issues).toEqual([]);
  });

  test('make a status and days of a column that counts months past due', () => {
    const columns = tape({ 'Loan ID': ids('a'), DLQ_STAT: repeat(['00', '00', '02', 'XX'], text) });
    const found = suggestMapping({ columns }).filter(({ rule }) => rule.originCol === 'DLQ_STAT');
    expect(found.map(({ rule }) => rule.targetCol)).toEqual(['assetStatus', 'daysPastDue']);
    expect(found[0]?.reason).toMatch(/not recognized until you add them to the cases: XX \(7\)/);
    expect(found[0]?.confidence).toBeLessThan(0.8);
    expect(found[1]?.rule.serializations).toEqual([
      { type: 'omit', values: ['XX'] },
      { type: 'number' },
      { type: 'multiply', value: 30 },
    ]);
  });

  test('say which words are taken as missing, and are less sure where the values leave something open', () => {
    const columns = tape({
      'Loan ID': ids('a'),
      Arrears: repeat(['-', '12.50'], text),
      'Interest Rate': repeat([0.0725, 7.25, 9.99], number),
    });
    const byTarget = new Map(suggestMapping({ columns }).map((each) => [each.rule.targetCol, each]));
    expect(byTarget.get('sums.arrears')?.reason).toContain('"-" treated as missing');
    expect(byTarget.get('interestRate')?.reason).toContain(
      '33 % of the values look like fractions (0.0725) and 67 % like percentages (7.25)',
    );
    expect(byTarget.get('interestRate')?.confidence).toBeLessThan(0.8);
  });
});
