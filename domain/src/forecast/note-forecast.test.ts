import { describe, expect, test } from 'vitest';
import type { TransactionFee, TransactionInterest } from '../facilities/terms.schema.ts';
import type { NoteWithoutContracts } from '../facilities/transaction.schema.ts';
import type { Billed } from '../invoices/interest-of-note.ts';
import { accruedLines } from '../invoices/invoice-lines.ts';
import { totalsByKind } from '../invoices/lines.ts';
import { sum } from '../money/decimal.ts';
import { curveSchema, forecastQuerySchema, MAX_CURVE_POINTS } from './forecast.schema.ts';
import { type ForecastCurve, forecastFixings, forecastNote } from './note-forecast.ts';

const usd = (amount: string) => ({ sum: amount, currency: 'USD' });
const floating: TransactionInterest = { kind: 'variable', baseRate: 'SOFR', spread: 4, minimumInterest: 0 };
const unusedFee: TransactionFee = {
  ...{ rate: 0.5, title: 'Unused fee', kind: 'Facility fee', frequency: 'Quarterly', feeType: 'Undrawn Amount' },
};
const billedOf = (interest: TransactionInterest | undefined, more: Partial<Billed> = {}): Billed => ({
  note: {
    title: 'Senior',
    operational: true,
    tranches: [],
    maxCommitments: [usd('15000000')],
    terms: {
      commitments: [{ amount: usd('15000000') }],
      timeline: { contractSigning: '2026-01-01', maturity: '2026-12-16' },
      ...(interest ? { interest } : {}),
      fees: [unusedFee],
    },
  } as NoteWithoutContracts,
  ledger: {
    isRecorded: true,
    draws: [{ dueDate: '2026-01-01', draws: [{ type: 'Regular', amounts: [usd('10000000')] }] }],
    requests: [],
    repayments: [],
  },
  fixings: { SOFR: [{ date: '2026-01-01', rate: '4.5' }] },
  ...more,
});
const today = '2026-05-10';
const flat: ForecastCurve = { points: [], shift: 0 };
const forecast = (billed: Billed, curve: ForecastCurve = flat) =>
  forecastNote(billed, { currency: 'USD', curve, today });
const issuedQ1 = { id: 'i1', number: 1, currency: 'USD', from: '2026-01-01', to: '2026-04-01', lines: [] };

describe('a forecast', () => {
  // 8.5% on 10,000,000 for 91, 92 and 76 days; 0.5% on 5,000,000 for the same days.
  test('goes from the end of the last invoice to the maturity', () => {
    const found = forecast(billedOf(floating, { issued: [issuedQ1] }));
    expect(found).toMatchObject({ baseRate: 'SOFR', maturity: '2026-12-16', interest: '611527.78', fees: '17986.11' });
    expect(found.periods).toMatchObject([
      { from: '2026-04-01', to: '2026-07-01', balance: '10000000.00', interest: '214861.11', fees: '6319.44' },
      { from: '2026-07-01', to: '2026-10-01', interest: '217222.22', fees: '6388.89', total: '223611.11' },
      { from: '2026-10-01', to: '2026-12-16', interest: '179444.45', fees: '5277.78' },
    ]);
  });

  test('is what the invoices of the same rates ask for', () => {
    const billed = billedOf(floating);
    const { periods, interest, fees } = forecast(billed);
    expect(periods[0]?.from).toBe('2026-01-01');
    const lines = periods.flatMap(({ from, to }) => accruedLines(billed, 'USD', { from, to }));
    expect({ interest, fees }).toEqual({
      interest: totalsByKind(lines)?.interest,
      fees: totalsByKind(lines)?.fees,
    });
  });

  // 10,000,000 x 12% x 91 / 360, of which 3 points are added; then 10,075,833.33 for 92 days, and 10,153,081.39 for 76. All of it
  // is rounded once: what accrued until each end.
  test('grows by the interest that is paid in kind', () => {
    const interest: TransactionInterest = { kind: 'fix', value: 12, paidInKind: 3, dayCount: 'ACT/360' };
    const found = forecast(billedOf(interest, { issued: [issuedQ1] }));
    expect(found.periods).toMatchObject([
      { balance: '10000000.00', interest: '303333.33', inKind: '75833.33', fees: '6319.44', total: '233819.44' },
      { balance: '10075833.33', interest: '308992.23', inKind: '77248.06' },
      { balance: '10153081.39', interest: '257211.39', inKind: '64302.85' },
    ]);
    expect(sum([found.inKind ?? '0', found.total ?? '0'])).toBe(sum([found.interest ?? '0', found.fees ?? '0']));
  });

  // From 11 May at 4.75: 40 days at 8.5% and 51 days at 8.75%; from 1 October at 4.25, 76 days at 8.25%.
  test('has the rates of the curve after today, each with the shift', () => {
    const points = [
      { date: '2026-05-01', rate: '4.5' },
      { date: '2026-10-01', rate: '4' },
    ];
    const found = forecast(billedOf(floating, { issued: [issuedQ1] }), { points, shift: 25 });
    expect(found.periods).toMatchObject([
      { interest: '218402.78', rates: { lowest: '8.5', highest: '8.75' } },
      { interest: '223611.11', rates: { lowest: '8.75', highest: '8.75' } },
      { interest: '174166.67', rates: { lowest: '8.25', highest: '8.25' } },
    ]);
  });

  test('has approved draws that are not due yet, and terms that are agreed for a later day', () => {
    const billed = billedOf({ kind: 'fix', value: 9 }, { issued: [issuedQ1] });
    const later = {
      ...billed,
      ledger: {
        ...billed.ledger,
        draws: [
          ...billed.ledger.draws,
          { dueDate: '2026-10-01', draws: [{ type: 'Regular' as const, amounts: [usd('2000000')] }] },
        ],
      },
      amendments: [
        {
          ...{ id: 'a1', title: 'Repricing', effectiveDate: '2026-10-01', tranche: null, replaced: null },
          terms: { interest: { kind: 'fix' as const, value: 8 } },
        },
      ],
    };
    expect(forecast(later).periods).toMatchObject([
      { balance: '10000000.00', interest: '227500.00' },
      { balance: '10000000.00', interest: '230000.00' },
      // 12,000,000 x 8% x 76 / 360.
      { balance: '12000000.00', interest: '202666.67', rates: { lowest: '8', highest: '8' } },
    ]);
  });

  test('is unknown where a base rate is missing, never zero', () => {
    const none = billedOf(floating, { fixings: {}, issued: [issuedQ1] });
    const found = forecast(none);
    expect(found).toMatchObject({ interest: null, total: null, fees: '17986.11' });
    expect(found.periods[0]).toMatchObject({
      ...{ interest: null, total: null, fees: '6319.44', rates: null },
      unknown: [{ title: 'Interest', why: 'noFixing', of: '2026-01-01' }],
    });
  });

  test('is unknown without a balance, and empty without a maturity', () => {
    const billed = billedOf(floating);
    const unrecorded = forecast({ ...billed, ledger: { ...billed.ledger, isRecorded: false, draws: [] } });
    expect(unrecorded.periods[0]).toMatchObject({ balance: null, interest: null, fees: null });
    const endless = {
      ...billed,
      note: { ...billed.note, terms: { ...billed.note.terms, timeline: { contractSigning: '2026-01-01' } } },
    };
    expect(forecast(endless)).toMatchObject({ maturity: null, periods: [], total: null });
  });

  test('has no interest where the terms have none', () => {
    const { periods, interest } = forecast(billedOf(undefined));
    expect(interest).toBe('0.00');
    expect(sum(periods.map(({ fees }) => fees ?? '0'))).toBe('24236.11');
  });
});

test('a curve leaves what was fixed until today, and base rates of other notes, as they are', () => {
  const fixings = { SOFR: [{ date: '2026-05-10', rate: '4' }], SONIA: [{ date: '2026-05-01', rate: '3' }] };
  const points = [{ date: '2026-08-01', rate: '5' }];
  expect(forecastFixings(fixings, { points, shift: -50 }, { today, baseRate: 'SOFR' })).toEqual({
    SOFR: [
      { date: '2026-05-10', rate: '4' },
      { date: '2026-05-11', rate: '3.5' },
      { date: '2026-08-01', rate: '4.5' },
    ],
    SONIA: [
      { date: '2026-05-01', rate: '3' },
      { date: '2026-05-11', rate: '2.5' },
    ],
    LABOR: [],
  });
});

describe('the curve that is entered', () => {
  const problem = (text: string) => curveSchema.safeParse(text).error?.issues[0]?.message ?? null;

  test('has a day and a rate in each line, or after each semicolon', () => {
    expect(curveSchema.parse('2027-07-01, 3.85%\n\n2027-01-01 4.1; 2028-01-01: -0.5')).toEqual([
      { date: '2027-01-01', rate: '4.1' },
      { date: '2027-07-01', rate: '3.85' },
      { date: '2028-01-01', rate: '-0.5' },
    ]);
    expect(curveSchema.parse(' \n')).toEqual([]);
  });

  test.each(['2027-02-30 4', '2027-01-01', '2027-01-01 four', '2027-01-01 100.1', '2027-01-01 -10.1', '4 2027-01-01'])(
    'refuses %s',
    (line) => expect(problem(line)).toContain('is not a day and a rate'),
  );

  test('has one rate for each day, and so many at most', () => {
    expect(problem('2027-01-01 4;2027-01-01 5')).toBe('2027-01-01 has two rates');
    const days = (count: number) => Array.from({ length: count }, (_, index) => `${2027 + index}-01-01 4`).join(';');
    expect(problem(days(MAX_CURVE_POINTS))).toBeNull();
    expect(problem(days(MAX_CURVE_POINTS + 1))).toBe('At most 120 rates');
    expect(problem('x'.repeat(4001))).toBe('At most 4000 characters');
  });

  test('is shifted by up to 1,000 basis points', () => {
    const ids = { transaction: 'a'.repeat(24), note: 'b'.repeat(24) };
    for (const shift of ['-1000', '1000', '0'])
      expect(forecastQuerySchema.safeParse({ ...ids, shift }).success).toBe(true);
    for (const shift of ['-1001', '1001', '0.5', 'x']) {
      expect(forecastQuerySchema.safeParse({ ...ids, shift }).success).toBe(false);
    }
  });
});
