import { expect, it } from 'vitest';
import { transactionContractSchema } from '../../facilities/contract.schema.ts';
import { MAX_PRINTED_ROWS, type PrintedDocument } from '../../printing/printed-document.ts';
import { assetCatalog } from '../../tapes/target-schema.ts';
import type { BorrowingBaseResult, GroupExcess } from '../result.ts';
import { calculateReference } from '../testing/reference.ts';
import { WORKED_CASE_ASSETS, WORKED_CASE_CONTRACT, WORKED_CASE_TAPE } from '../testing/worked-case.ts';
import { type CertifiedBase, certificateDocument } from './certificate.ts';

const usd = (sum: string) => ({ sum, currency: 'USD' });
const { result: CALCULATED } = calculateReference({
  assets: WORKED_CASE_ASSETS,
  tape: WORKED_CASE_TAPE,
  contract: transactionContractSchema.parse(WORKED_CASE_CONTRACT),
  catalog: assetCatalog(),
  facility: { currency: 'USD', balances: [usd('700')], commitments: [usd('2000')], limits: [usd('2000')] },
});
const RESULT: BorrowingBaseResult = { ...CALCULATED, inputsHash: 'ab'.repeat(32) };

const pageOf = (result: BorrowingBaseResult, more: Partial<CertifiedBase> = {}): CertifiedBase => ({
  id: 'c'.repeat(24),
  generationId: 'd'.repeat(24),
  cutOffDate: '2026-10-31',
  calculatedAt: '2026-11-02T09:14:00.000Z',
  version: { superseded: null },
  result,
  transaction: { title: 'Northwind' },
  noteTitle: 'Senior note',
  contract: {
    id: '3'.repeat(24),
    revision: 4,
    since: '2026-07-01',
  },
  tape: { name: 'northwind.xlsx', isRepublished: false },
  ruleLabels: { state: 'State', borrowerId: 'Borrower' },
  valueUnits: {},
  ...more,
});
const print = (result: BorrowingBaseResult, more?: Partial<CertifiedBase>) =>
  certificateDocument(pageOf(result, more), { borrower: 'Northwind GmbH', lender: 'Harbour LLP' });
const tableOf = (printed: PrintedDocument, title: string) => {
  const found = printed.blocks.find((block) => block.kind === 'table' && block.title === title);
  if (found?.kind !== 'table') throw new Error(`There is no table ${title}`);
  return found;
};

it('prints what payments prove, and nothing without a payment file', () => {
  const proof = ['99.7% of the balance proved; 41 loans, 12,310.55 USD unexplained'];
  const cells = (more?: Partial<CertifiedBase>) => tableOf(print(RESULT, more), 'Inputs').rows.map((row) => row.cells);
  expect(cells({ proof })[1]).toEqual(['Proof with payments', ...proof]);
  expect(cells({ proof: [] })).toEqual(cells());
  expect(cells()).toHaveLength(3);
});

it('has the figures of the worked case, from pool to availability', () => {
  const printed = print(RESULT);
  expect(tableOf(printed, 'From pool to availability, in figures').rows.map(({ cells }) => cells)).toEqual([
    ['Relevant pool', '7', '1,200.00', 'USD'],
    ['Ineligible', '1', '−120.00', 'USD'],
    ['Non-performing', '1', '−80.00', 'USD'],
    ['Eligible or performing', '5', '1,000.00', 'USD'],
    ['Excess concentration', '4', '−190.00', 'USD'],
    ['Advance haircut', '5', '−120.47', 'USD'],
    ['Net borrowing base', '5', '689.53', 'USD'],
    ['Balance at cut-off', '', '−700.00', 'USD'],
    ['Availability at cut-off', '', '−10.47', 'USD'],
  ]);
  expect(tableOf(printed, 'Rules').total).toEqual(['Total excluded', '', '', '', '390.00', '32.50%']);
  expect(tableOf(printed, 'Concentration limits').rows.map(({ cells }) => cells.at(-1))).toEqual([
    'In breach',
    'In breach',
  ]);
  expect(tableOf(printed, 'Inputs').rows.at(-1)?.cells[1]).toBe(RESULT.inputsHash);
});

it('states a deficiency and how it is cured', () => {
  const notices = print(RESULT).blocks.find((block) => block.kind === 'notices');
  expect(notices).toMatchObject({
    notices: [
      'Deficiency of 10.47 USD. To cure it, repay that amount, or add eligible collateral of 12.30 USD at the weighted advance rate.',
    ],
  });
});

it('shows what is unknown as n/a, and says that a superseded result is one', () => {
  const totals = { ...RESULT.totals, balance: null, availability: null, byCurrency: [] };
  const printed = print({ ...RESULT, totals }, { version: { superseded: { timestamp: '2026-11-03T08:00:00.000Z' } } });
  expect(
    tableOf(printed, 'From pool to availability, in figures')
      .rows.slice(-2)
      .map(({ cells }) => cells[2]),
  ).toEqual(['n/a', 'n/a']);
  expect(printed.blocks.find((block) => block.kind === 'notices')).toMatchObject({
    notices: ['Superseded on 3 Nov 2026, 08:00 UTC by a later calculation.'],
  });
});

it('says that the tape was republished, also where the result is superseded as well', () => {
  const noticesOf = (more: Partial<CertifiedBase>) => {
    const block = print(RESULT, more).blocks.find(({ kind }) => kind === 'notices');
    return block?.kind === 'notices' ? block.notices.slice(0, -1) : [];
  };
  const tape = { name: 'northwind.xlsx', isRepublished: true };
  const republished =
    'The loan tape was republished after this calculation. The figures are those of the earlier assets.';
  expect(noticesOf({})).toEqual([]);
  expect(noticesOf({ tape: null })).toEqual([]);
  expect(noticesOf({ tape })).toEqual([republished]);
  expect(noticesOf({ tape, version: { superseded: { timestamp: '2026-11-03T08:00:00.000Z' } } })).toEqual([
    'Superseded on 3 Nov 2026, 08:00 UTC by a later calculation.',
    republished,
  ]);
});

it('lists groups in excess first, says how many are left out, and stays within the rows that may be printed', () => {
  const [rule] = RESULT.excessBreachDistribution;
  const group = (rank: number, breached: boolean): GroupExcess => ({
    key: `Group ${rank}`,
    rank,
    part: 'measured',
    count: 1,
    measure: '10',
    limit: '5',
    excess: { sum: usd(breached ? '5.00' : '0.00'), percentage: '0.5' },
    breached,
  });
  const many = Array.from({ length: 300 }, (_, index) => ({
    ...rule!,
    rule: index,
    title: `Limit ${index}`,
    groupCount: 5_000,
    breachedGroupCount: index === 299 ? 2_000 : 0,
    groups: Array.from({ length: index === 299 ? 2_000 : 100 }, (_unused, rank) => group(rank + 1, index === 299)),
  }));
  const printed = print({ ...RESULT, excessBreachDistribution: many });
  const { rows, remark } = tableOf(printed, 'Excess by group');
  expect(rows.filter(({ tones }) => tones)).toHaveLength(500);
  expect(remark).toMatch(/^1,499,500 more groups not listed here, 1,500 of them in excess/);
  const printedRows = printed.blocks.reduce((sum, block) => sum + (block.kind === 'table' ? block.rows.length : 0), 0);
  expect(printedRows).toBeLessThanOrEqual(MAX_PRINTED_ROWS);
  expect(tableOf(printed, 'Concentration limits').rows).toHaveLength(300);
});
