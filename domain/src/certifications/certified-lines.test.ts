import { describe, expect, it } from 'vitest';
import { withAdjustments } from '../borrowing-base/adjust.ts';
import { calculateReference } from '../borrowing-base/testing/reference.ts';
import { WORKED_CASE_ASSETS, WORKED_CASE_CONTRACT, WORKED_CASE_TAPE } from '../borrowing-base/testing/worked-case.ts';
import { waterfallOf } from '../borrowing-base/waterfall.ts';
import { transactionContractSchema } from '../facilities/contract.schema.ts';
import { absolute, decimalOf } from '../money/decimal.ts';
import { assetCatalog } from '../tapes/target-schema.ts';
import { CERTIFICATION_STATUSES, CERTIFICATION_TRANSITIONS, certificationText } from './certification-labels.ts';
import { certifiedLines } from './certified-lines.ts';
import { compareLines, comparisonSummary, differs } from './compare-lines.ts';
import { assignLines, figureOf, linesOfRows } from './own-lines.ts';

const usd = (sum: string) => ({ sum, currency: 'USD' });
const { result: CALCULATED } = calculateReference({
  assets: WORKED_CASE_ASSETS,
  tape: WORKED_CASE_TAPE,
  contract: transactionContractSchema.parse({
    ...WORKED_CASE_CONTRACT,
    reserves: [
      { title: 'Interest', kind: 'months', months: 2, percent: 9 },
      { title: 'Servicing', kind: 'percentage', percent: 1 },
    ],
  }),
  catalog: assetCatalog(),
  facility: { currency: 'USD', balances: [usd('400')], commitments: [usd('700')] },
});
const RESULT = withAdjustments(
  CALCULATED,
  [
    {
      id: 'a',
      amount: usd('-25'),
      reason: 'Disputed invoice',
      enteredBy: 'Ada King',
      approvedBy: 'Ben Okri',
      approvedAt: '2026-11-02T10:00:00.000Z',
    },
  ],
  {},
);
const LINES = certifiedLines(RESULT);

describe('the lines of the worked case: net base 689.53, reserves 16.00, adjustment -25.00, availability 248.53', () => {
  it('are the steps of the waterfall, with the rules and reserves below them; deductions are positive', () => {
    expect(LINES.map(({ key, kind, amount }) => [key, kind, amount && decimalOf(amount)])).toEqual([
      ['relevant', 'level', '1200'],
      ['inEligible', 'deduction', '120'],
      ['inEligible/FICO is at least 600', 'part', '120'],
      ['nonPerforming', 'deduction', '80'],
      ['nonPerforming/Days past due is at most 30', 'part', '80'],
      ['eligibleOrPerforming', 'level', '1000'],
      ['excess', 'deduction', '190'],
      ['excess/Any one state at most 40%', 'part', '100'],
      ['excess/Largest 2 borrowers at most 50%', 'part', '90'],
      ['advanceHaircut', 'deduction', '120.47'],
      ['netBB', 'level', '689.53'],
      ['reserves', 'deduction', '16'],
      ['reserves/Interest', 'part', '6'],
      ['reserves/Servicing', 'part', '10'],
      ['adjustments', 'signed', '-25'],
      ['availableBase', 'level', '648.53'],
      ['balance', 'deduction', '400'],
      ['availability', 'level', '248.53'],
    ]);
  });

  it('have every figure of the printed waterfall', () => {
    const shown = waterfallOf(RESULT).map(({ step, sum, kind }) => [
      step,
      sum !== null && kind === 'change' && step !== 'adjustments' ? absolute(sum) : sum,
    ]);
    const steps = new Set(shown.map(([step]) => step));
    expect(LINES.filter(({ key }) => steps.has(key as never)).map(({ key, amount }) => [key, amount])).toEqual(shown);
  });

  it('tell rules of the same title apart', () => {
    const [rule] = RESULT.rulesTracking.eligible;
    const twice = { ...RESULT, rulesTracking: { ...RESULT.rulesTracking, eligible: [rule!, { ...rule!, rule: 1 }] } };
    expect(
      certifiedLines(twice)
        .map(({ key }) => key)
        .filter((key) => key.startsWith('inEligible/')),
    ).toEqual(['inEligible/FICO is at least 600', 'inEligible/FICO is at least 600 (2)']);
  });
});

describe('the borrower’s own figures beside ours', () => {
  const own = [
    { label: 'Pool', amount: '1200', line: 'relevant' },
    { label: 'Less: low FICO', amount: '-100', line: 'inEligible' },
    { label: 'Less: other', amount: '-15', line: 'inEligible', remark: 'loan 6 has 605' },
    { label: 'Borrowing base', amount: '693.53', line: 'netBB' },
    { label: 'Cash in collection account', amount: '12', line: null },
    { label: 'Old line', amount: '1', line: 'no longer there' },
  ];
  const compared = compareLines(LINES, own, [{ line: 'netBB', reason: 'Loan 6 is still ineligible' }]);
  const line = (key: string) => compared.find((one) => one.key === key);

  it('adds up several lines of one of ours, with a minus or without', () => {
    expect(line('inEligible')).toMatchObject({
      ours: '120',
      theirs: '115',
      difference: '-5',
      theirLabels: ['Less: low FICO', 'Less: other'],
      remark: 'loan 6 has 605',
    });
    expect(line('relevant')).toMatchObject({ theirs: '1200', difference: '0' });
    expect(line('netBB')).toMatchObject({ difference: '4', dispute: 'Loan 6 is still ineligible' });
  });

  it('has no figure where the borrower gives none, and never zero', () => {
    expect(line('availability')).toMatchObject({ theirs: null, difference: null });
  });

  it('lists lines that we do not have at the end', () => {
    expect(compared.filter(({ key }) => key === null).map(({ label, theirs, ours }) => [label, theirs, ours])).toEqual([
      ['Cash in collection account', '12', null],
      ['Old line', '1', null],
    ]);
  });

  it('counts what differs, and what nobody explains', () => {
    expect(comparisonSummary(compared)).toEqual({ given: 5, differing: 2, unexplained: 0 });
    const bare = compareLines(
      LINES,
      own.map(({ remark: _, ...one }) => one),
    );
    expect(comparisonSummary(bare)).toEqual({ given: 5, differing: 2, unexplained: 2 });
  });

  it('does not differ if the borrower confirms ours; an unknown figure stays unknown', () => {
    expect(compareLines(LINES, null).filter(differs)).toEqual([]);
    const unknown = [{ ...LINES[0]!, amount: null }];
    expect(compareLines(unknown, null)[0]).toMatchObject({ theirs: null, difference: null });
    expect(compareLines(unknown, own)[0]).toMatchObject({ theirs: '1200', difference: null });
  });
});

describe('the assignment of the borrower’s lines', () => {
  it('is that of the certificate before, then that of equal labels', () => {
    const before = [
      { label: 'Borrowing Base:', line: 'netBB' },
      { label: 'Cash', line: null },
      { label: 'Reserves', line: 'reserves/gone' },
    ];
    const lines = ['borrowing base', 'Cash', 'RESERVES', 'Relevant  pool', 'Something'].map((label) => ({
      label,
      amount: '1',
    }));
    expect(assignLines(lines, LINES, before).map((one) => one.line)).toEqual([
      'netBB',
      null,
      'reserves',
      'relevant',
      null,
    ]);
  });

  it('reads labels and amounts of rows, without headings', () => {
    const rows = [
      ['Borrowing base certificate', ''],
      ['Line', 'Amount'],
      ['', 'Total pool', '$1,200.00'],
      ['4', 'Ineligible', 'USD', '(120)'],
      ['Net', '689.53', '700'],
    ];
    expect(linesOfRows(rows)).toEqual({
      lines: [
        { label: 'Total pool', amount: '1200' },
        { label: 'Ineligible', amount: '-120' },
        { label: 'Net', amount: '689.53' },
      ],
      unread: [],
      isCut: false,
    });
    const many = Array.from({ length: 201 }, (_, index) => [`Line ${index}`, '1']);
    expect([linesOfRows(many.slice(1)).isCut, linesOfRows(many).isCut, linesOfRows(many).lines.length]).toEqual([
      false,
      true,
      200,
    ]);
  });

  it('names the amounts that it cannot read, instead of leaving their lines out', () => {
    const rows = [
      ['As of', '31.07.2026', '31 July 2026'],
      ['Total pool', '1.234,50'],
      ['Reserves', '1 234', '5'],
      ['', '1,5', 'Net', '(1.000,00)', '7'],
      ['Gross', '1,234.50'],
    ];
    const { lines, unread } = linesOfRows(rows);
    expect(lines).toEqual([{ label: 'Gross', amount: '1234.5' }]);
    expect(unread).toEqual([
      { label: 'Total pool', text: '1.234,50' },
      { label: 'Reserves', text: '1 234' },
      { label: 'Net', text: '(1.000,00)' },
    ]);
  });

  it('reads figures exactly, and nothing else as a figure', () => {
    expect(['1,234.50', '(1,000)', '-3', '€ 5', '0.1', 'EUR 2'].map(figureOf)).toEqual([
      '1234.5',
      '-1000',
      '-3',
      '5',
      '0.1',
      '2',
    ]);
    expect(['', 'Net', '1.2.3', '12,34', '1e5x', '--1'].map(figureOf)).toEqual([null, null, null, null, null, null]);
  });
});

describe('the states', () => {
  it('go from draft to accepted or disputed, and nothing follows a superseded one', () => {
    const allowed = CERTIFICATION_STATUSES.flatMap((from) =>
      CERTIFICATION_STATUSES.filter((to) => CERTIFICATION_TRANSITIONS.allows(from, to)).map((to) => `${from} ${to}`),
    );
    expect(allowed).toEqual([
      'Draft Submitted',
      'Submitted InReview',
      'Submitted Superseded',
      'InReview Accepted',
      'InReview Disputed',
      'InReview Superseded',
      'Accepted Superseded',
      'Disputed Superseded',
    ]);
  });

  it('certify the text of the contract, or the printed one', () => {
    expect(certificationText('We certify this.', '31 Oct 2026')).toBe('We certify this.');
    expect(certificationText(null, '31 Oct 2026')).toContain('the loan tape of 31 Oct 2026');
  });
});
