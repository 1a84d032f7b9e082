import { describe, expect, it } from 'vitest';
import { type PaymentMapping, proposedColumns, readPayments } from './payment-proof.ts';

const HEADERS = ['Loan ID', 'Payment date', 'Principal', 'Interest', 'Write-off', 'Further advance', 'Ccy'];
const MAPPING: PaymentMapping = {
  assetId: 'Loan ID',
  principal: 'Principal',
  advance: 'Further advance',
  writtenOff: 'Write-off',
  date: 'Payment date',
  currency: 'Ccy',
};
const PERIOD = { after: '2026-09-30', upTo: '2026-10-31' };
const read = (rows: string[][], more: Partial<PaymentMapping> = {}, kind: 'xlsx' | 'csv' = 'csv') =>
  readPayments(
    { kind, headers: HEADERS, rows: rows.map((cells, index) => ({ row: index + 2, cells })) },
    { ...MAPPING, ...more },
    PERIOD,
  );

describe('the columns of a payment file', () => {
  it('are proposed by their headers', () => {
    expect(proposedColumns(HEADERS)).toEqual(MAPPING);
    expect(
      proposedColumns(['Account No.', 'Outstanding principal balance', 'Principal paid', 'Drawn', 'Charged off']),
    ).toEqual({
      assetId: 'Account No.',
      principal: 'Principal paid',
      advance: 'Drawn',
      writtenOff: 'Charged off',
      date: null,
      currency: null,
    });
    expect(proposedColumns([])).toMatchObject({ assetId: null, principal: null });
  });
});

describe('payments', () => {
  it('are added up by loan and currency, exactly, and a blank amount is none', () => {
    const { loans, rows } = read([
      ['A', '2026-10-01', '0.10', '9', '', '', 'USD'],
      ['A', '2026-10-31', '0.20', '9', '1,000.05', '-', 'usd'],
      ['A', '2026-10-31', '5', '', '', '7', ''],
      ['', '', '(3)', '', '', '', ''],
    ]);
    expect(rows).toBe(4);
    expect(loans).toEqual([
      { assetId: 'A', currency: 'USD', principal: '0.3', advance: '0', writtenOff: '1000.05' },
      { assetId: 'A', currency: null, principal: '5', advance: '7', writtenOff: '0' },
      { assetId: null, currency: null, principal: '-3', advance: '0', writtenOff: '0' },
    ]);
  });

  it('are those after the earlier cut-off date, up to the later one', () => {
    const day = (date: string) => ['A', date, '1', '', '', '', ''];
    const found = read(['2026-09-30', '2026-10-01', '2026-10-31', '2026-11-01'].map(day));
    expect([found.rows, found.otherPeriod]).toEqual([2, 2]);
    expect(read(['2026-09-30'].map(day), { date: null }).rows).toBe(1);
  });

  it.each([
    ['principal', ['A', '', 'paid', '', '', '', ''], 'paid'],
    ['principal', ['A', '', '0.00001', '', '', '', ''], '0.00001'],
    ['principal', ['A', '', '100000000000000', '', '', '', ''], '100000000000000'],
    ['date', ['A', 'soon', '1', '', '', '', ''], 'soon'],
    ['currency', ['A', '', '1', '', '', '', 'XXQ'], 'XXQ'],
    ['writtenOff', ['A', '', '1', '', '?', '', ''], '?'],
  ] as const)('with a %s that cannot be read are left out with their row: %j', (column, cells, cell) => {
    const { loans, rows, unread } = read([[...cells]]);
    expect([loans, rows, unread]).toEqual([[], 0, [{ row: 2, column, cell }]]);
  });

  it('on each side of the limits of an amount are read, and not', () => {
    const amount = (text: string) => read([['A', '', text, '', '', '', '']]).loans[0]?.principal;
    expect([amount('0.0001'), amount('99999999999999')]).toEqual(['0.0001', '99999999999999']);
    expect([amount('0.00001'), amount('99999999999999.01')]).toEqual([undefined, undefined]);
  });
});
