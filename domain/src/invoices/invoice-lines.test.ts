import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fromEpochDay, toEpochDay } from '../dates/calendar-day.ts';
import type { NoteLedger } from '../facilities/ledger.ts';
import { DAY_COUNTS, type TransactionFee, type TransactionInterest } from '../facilities/terms.schema.ts';
import type { NoteWithoutContracts } from '../facilities/transaction.schema.ts';
import { absolute, add, compare, subtract, sum } from '../money/decimal.ts';
import { feeLine, type InvoiceFeeBasis } from './fee-lines.ts';
import { accruedLines, billedCurrencies, nextPeriod, principalLine } from './invoice-lines.ts';
import { invoiceTotal, totalsByKind, unknownText } from './lines.ts';

const usd = (sum: string) => ({ sum, currency: 'USD' });
const QUARTER = { from: '2026-01-01', to: '2026-04-01' };
const fix: TransactionInterest = { kind: 'fix', value: 9, dayCount: 'ACT/360' };
const unusedFee: TransactionFee = {
  rate: 0.5,
  title: 'Unused fee',
  kind: 'Facility fee',
  frequency: 'Quarterly',
  feeType: 'Undrawn Amount',
};

const ledgerOf = (...draws: (readonly [dueDate: string, sum: string])[]): NoteLedger => ({
  isRecorded: true,
  draws: draws.map(([dueDate, sum]) => ({ dueDate, draws: [{ type: 'Regular' as const, amounts: [usd(sum)] }] })),
  requests: [],
  repayments: [],
});
const noteOf = (terms: { interest?: TransactionInterest; fees?: TransactionFee[] }, commitment = '15000000') =>
  ({
    title: 'Senior',
    operational: true,
    tranches: [],
    maxCommitments: [usd(commitment)],
    terms: {
      commitments: [{ amount: usd(commitment) }],
      timeline: { contractSigning: '2025-12-15', maturity: '2028-12-15' },
      ...terms,
    },
  }) as NoteWithoutContracts;
const basisOf = (commitments: [string, string][], balance: [string, string][]): InvoiceFeeBasis => ({
  currency: 'USD',
  commitments: commitments.map(([from, sum]) => ({ from, sum })),
  balance: balance.map(([from, sum]) => ({ from, sum })),
  mixedWith: null,
});
const charge = (fee: Partial<TransactionFee>, basis: InvoiceFeeBasis, period = QUARTER) =>
  feeLine(
    { ...unusedFee, ...fee },
    { period, basis, timeline: { contractSigning: '2025-12-15', maturity: '2028-12-15' }, dayCount: 'ACT/360' },
  );

test('the worked unused fee: two commitments in a quarter, rounded once', () => {
  const basis = basisOf(
    [
      ['2025-01-01', '15000000'],
      ['2026-03-15', '20000000'],
    ],
    [['2025-12-20', '10000000']],
  );
  expect(charge({}, basis)).toMatchObject({
    amount: '7430.56',
    pieces: [
      { from: '2026-01-01', to: '2026-03-15', days: 73, basis: '5000000', rate: '0.5', amount: '5069.444444' },
      { from: '2026-03-15', to: '2026-04-01', days: 17, basis: '10000000', rate: '0.5', amount: '2361.111111' },
    ],
  });
});

test('an unused fee is never charged on less than nothing, and a line of nothing is left out', () => {
  const basis = basisOf([['2025-01-01', '15000000']], [['2025-12-20', '16000000']]);
  expect(charge({}, basis)).toBeNull();
  expect(charge({ feeType: 'Drawn Amount' }, basis)?.amount).toBe('20000.00');
  expect(charge({ feeType: 'Commitment Amount' }, basis)?.amount).toBe('18750.00');
});

test('a fee that is charged once is on the invoice whose period has its day', () => {
  const basis = basisOf([['2025-01-01', '15000000']], [['2025-12-20', '10000000']]);
  const once = (frequency: 'Beginning' | 'Ending', start: string, end: string) =>
    charge(
      {
        frequency,
        rate: 1,
        feeType: 'Commitment Amount',
        dateRangeType: { start: 'custom', end: 'custom' },
        dateRange: { start, end },
      },
      basis,
    )?.amount;
  expect([
    once('Beginning', '2025-12-31', '2026-04-01'),
    once('Beginning', '2026-01-01', '2026-04-01'),
    once('Beginning', '2026-03-31', '2026-06-01'),
    once('Beginning', '2026-04-01', '2026-06-01'),
  ]).toEqual([undefined, '150000.00', '150000.00', undefined]);
  // The last day of a fee is the one before its end.
  expect([
    once('Ending', '2025-01-01', '2026-01-01'),
    once('Ending', '2025-01-01', '2026-01-02'),
    once('Ending', '2025-01-01', '2026-04-01'),
    once('Ending', '2025-01-01', '2026-04-02'),
  ]).toEqual([undefined, '150000.00', '150000.00', undefined]);
});

test('a fixed amount is charged for each whole month, quarter or year that ends in the period', () => {
  const basis = basisOf([], []);
  const fixed = (frequency: TransactionFee['frequency'], period = QUARTER, start = '2025-01-15') =>
    charge(
      {
        frequency,
        rate: usd('1000.10'),
        dateRangeType: { start: 'custom', end: 'maturity' },
        dateRange: { start },
      },
      basis,
      period,
    )?.amount;
  expect([fixed('Monthly'), fixed('Quarterly'), fixed('Annually')]).toEqual(['3000.3', '1000.1', undefined]);
  // December ends when January begins, which is the beginning of this period and the end of the one before.
  expect(fixed('Annually', { from: '2025-12-01', to: '2026-01-01' }, '2025-01-01')).toBe('1000.1');
  expect(fixed('Annually', { from: '2025-12-01', to: '2026-01-01' }, '2025-01-02')).toBeUndefined();
  expect(fixed('Monthly', { from: '2026-01-02', to: '2026-01-31' })).toBeUndefined();
  expect(fixed('Beginning', { from: '2025-01-01', to: '2025-02-01' })).toBe('1000.10');
});

test('a fixed amount is on invoices in its currency alone', () => {
  expect(charge({ rate: { sum: '10', currency: 'EUR' } }, basisOf([], []))).toBeNull();
});

test('what cannot be calculated says why', () => {
  const known = basisOf([['2025-01-01', '15000000']], [['2025-12-20', '10000000']]);
  const why = (fee: Partial<TransactionFee>, basis: InvoiceFeeBasis) => {
    const unknown = charge(fee, basis)?.unknown;
    return unknown && unknownText(unknown);
  };
  expect(why({ feeType: null }, known)).toBe('The terms do not say what the percentage is of');
  expect(why({}, { ...known, balance: null })).toBe('No draw or repayment is recorded for the note');
  expect(why({}, { ...known, commitments: null })).toBe('The terms have no commitments');
  expect(why({}, { ...known, mixedWith: 'EUR' })).toBe(
    'What is undrawn depends on exchange rates, because the commitment is also drawn in EUR',
  );
  expect(why({ dateRangeType: { start: 'revolvingStart', end: 'maturity' } }, known)).toBe(
    'The terms have no date for Revolving period start',
  );
  const line = charge({ feeType: null }, known)!;
  expect(invoiceTotal([principalLine('5'), line])).toBeNull();
});

test('interest is what accrued to the end less what had accrued to the beginning, with pieces to check it', () => {
  const ledger = ledgerOf(['2025-12-20', '10000000'], ['2026-02-15', '2000000']);
  const [line, ...more] = accruedLines({ note: noteOf({ interest: fix }), ledger, fixings: {} }, 'USD', QUARTER);
  expect(more).toEqual([]);
  expect(line).toMatchObject({
    kind: 'interest',
    amount: '247500.00',
    accrued: { from: '30000.00', to: '277500.00' },
    pieces: [
      { from: '2026-01-01', to: '2026-02-15', days: 45, basis: '10000000', rate: '9', amount: '112500.000000' },
      { from: '2026-02-15', to: '2026-04-01', days: 45, basis: '12000000', rate: '9', amount: '135000.000000' },
    ],
  });
});

test('variable interest without a fixing is unknown, and so is a note without a record', () => {
  const variable: TransactionInterest = { kind: 'variable', baseRate: 'SOFR', spread: 4, minimumInterest: 0 };
  const ledger = ledgerOf(['2025-12-20', '10000000']);
  const fixings = { SOFR: [{ date: '2026-01-01', rate: '4.3' }] };
  const [line] = accruedLines({ note: noteOf({ interest: variable }), ledger, fixings }, 'USD', QUARTER);
  expect(line).toMatchObject({ amount: null, unknown: { why: 'noFixing', of: '2025-12-20' } });
  expect(unknownText(line!.unknown!)).toBe('The base rate has no fixing on or before 20 Dec 2025');
  const empty = { isRecorded: false, draws: [], requests: [], repayments: [] };
  const [other] = accruedLines({ note: noteOf({ interest: fix }), ledger: empty, fixings: {} }, 'USD', QUARTER);
  expect(other?.unknown?.why).toBe('noBalance');
});

test('the commitment of another currency is not charged, and what is drawn in it makes the undrawn part unknown', () => {
  const note = noteOf({ fees: [unusedFee] });
  note.terms!.commitments![0]!.additionalCurrencies = ['EUR'];
  const ledger = ledgerOf(['2025-12-20', '10000000']);
  const inEuro = {
    dueDate: '2026-02-01',
    draws: [{ type: 'Regular' as const, amounts: [{ sum: '5', currency: 'EUR' }] }],
  };
  const lines = (extra: NoteLedger['draws'], currency: string) =>
    accruedLines({ note, ledger: { ...ledger, draws: [...ledger.draws, ...extra] }, fixings: {} }, currency, QUARTER);
  expect(lines([], 'USD').map(({ amount }) => amount)).toEqual(['6250.00']);
  expect(lines([], 'GBP')).toEqual([]);
  expect(lines([inEuro], 'USD')[0]?.unknown).toEqual({ why: 'mixedCurrencies', of: 'EUR' });
  expect(billedCurrencies({ note, ledger: { ...ledger, draws: [...ledger.draws, inEuro] } })).toEqual(['USD', 'EUR']);
});

test('totals by kind', () => {
  const ledger = ledgerOf(['2025-12-20', '10000000']);
  const lines = accruedLines(
    { note: noteOf({ interest: fix, fees: [unusedFee] }), ledger, fixings: {} },
    'USD',
    QUARTER,
  );
  expect(totalsByKind([...lines, principalLine('1000')])).toEqual({
    principal: '1000',
    interest: '225000',
    fees: '6250',
  });
  expect(invoiceTotal([...lines, principalLine('1000')])).toBe('232250');
});

test('the next period goes on where the last one ended, to the end of a month or quarter', () => {
  const ledger = ledgerOf(['2026-01-20', '10000000']);
  const next = (fees: TransactionFee[], lastTo: string | null, of = ledger) =>
    nextPeriod({ note: noteOf({ interest: fix, fees }), ledger: of }, 'USD', lastTo);
  expect(next([], null)).toEqual({ from: '2026-01-20', to: '2026-04-01' });
  expect(next([unusedFee], null)).toEqual({ from: '2025-12-15', to: '2026-01-01' });
  expect(next([unusedFee], '2026-04-01')).toEqual({ from: '2026-04-01', to: '2026-07-01' });
  expect(next([{ ...unusedFee, frequency: 'Monthly' }], '2026-12-10')).toEqual({
    from: '2026-12-10',
    to: '2027-01-01',
  });
  expect(next([], null, { isRecorded: false, draws: [], requests: [], repayments: [] })).toBeNull();
});

const day = fc.integer({ min: toEpochDay('2025-01-01'), max: toEpochDay('2028-12-31') }).map(fromEpochDay);
const cents = fc
  .integer({ min: 1, max: 2_000_000_000 })
  .map((value) => `${Math.floor(value / 100)}.${String(value % 100).padStart(2, '0')}`);
const draws = fc.array(fc.tuple(day, cents), { minLength: 1, maxLength: 6 });
/** Four days in order: the ends of three periods. */
const cuts = fc.uniqueArray(day, { minLength: 4, maxLength: 4 }).map((days) => days.toSorted());
const periodsOf = (days: string[]) => days.slice(1).map((to, index) => ({ from: days[index]!, to }));

test('splitting a period never changes the total of interest', () => {
  fc.assert(
    fc.property(
      draws,
      cuts,
      fc.constantFrom(...DAY_COUNTS),
      fc.integer({ min: 0, max: 2500 }),
      (drawn, days, dayCount, rate) => {
        const note = noteOf({ interest: { kind: 'fix', value: rate / 100, dayCount } });
        const billed = { note, ledger: ledgerOf(...drawn), fixings: {} };
        const interest = (period: { from: string; to: string }) =>
          accruedLines(billed, 'USD', period).find(({ kind }) => kind === 'interest')?.amount ?? '0';
        const parts = sum(periodsOf(days).map(interest));
        expect(compare(parts, interest({ from: days[0]!, to: days[3]! }))).toBe(0);
      },
    ),
    { numRuns: 300 },
  );
});

test('splitting a period changes a fee by at most half a cent for each rounding', () => {
  const types = ['Commitment Amount', 'Drawn Amount', 'Undrawn Amount'] as const;
  fc.assert(
    fc.property(
      draws,
      cuts,
      fc.constantFrom(...DAY_COUNTS),
      fc.constantFrom(...types),
      fc.integer({ min: 1, max: 500 }),
      (drawn, days, dayCount, feeType, rate) => {
        const note = noteOf({
          interest: { kind: 'fix', value: 1, dayCount },
          fees: [{ ...unusedFee, feeType, rate: rate / 100 }],
        });
        const billed = { note, ledger: ledgerOf(...drawn), fixings: {} };
        const fee = (period: { from: string; to: string }) =>
          accruedLines(billed, 'USD', period).find(({ kind }) => kind === 'fees')?.amount ?? '0';
        const off = absolute(subtract(sum(periodsOf(days).map(fee)), fee({ from: days[0]!, to: days[3]! })));
        expect(compare(off, '0.02')).toBeLessThanOrEqual(0);
      },
    ),
    { numRuns: 300 },
  );
});

test('the pieces of a line add up to it', () => {
  fc.assert(
    fc.property(draws, cuts, fc.constantFrom(...DAY_COUNTS), (drawn, days, dayCount) => {
      const note = noteOf({ interest: { kind: 'fix', value: 9.125, dayCount }, fees: [unusedFee] });
      const lines = accruedLines({ note, ledger: ledgerOf(...drawn), fixings: {} }, 'USD', {
        from: days[0]!,
        to: days[3]!,
      });
      for (const { amount, pieces } of lines) {
        const total = pieces.reduce((all, piece) => add(all, piece.amount), '0');
        expect(compare(absolute(subtract(total, amount!)), '0.011')).toBeLessThanOrEqual(0);
      }
    }),
    { numRuns: 200 },
  );
});
