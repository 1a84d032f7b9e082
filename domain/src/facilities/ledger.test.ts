import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { add, subtract } from '../money/decimal.ts';
import { totalByCurrency } from '../money/totals.ts';
import {
  availabilityOf,
  balancesOf,
  cureOf,
  currencyLimits,
  type DrawType,
  drawnByType,
  EMPTY_LEDGER,
  type LedgerDraw,
  type LedgerRepayment,
  type NoteLedger,
  notePosition,
  outstandingByType,
  type RepaymentKind,
  totalIn,
} from './ledger.ts';

const usd = (sum: string) => ({ sum, currency: 'USD' });
const eur = (sum: string) => ({ sum, currency: 'EUR' });
const draw = (dueDate: string, type: DrawType, ...amounts: { sum: string; currency: string }[]): LedgerDraw => ({
  dueDate,
  draws: [{ type, amounts }],
});
const repaid = (
  cutOffDate: string,
  amount: { sum: string; currency: string },
  kind: RepaymentKind = 'principal',
): LedgerRepayment => ({ cutOffDate, repayments: [{ kind, amount }] });
const ledger = (draws: LedgerDraw[], repayments: LedgerRepayment[] = []): NoteLedger => ({
  isRecorded: true,
  draws,
  requests: [],
  repayments,
});

describe('the balance of a note', () => {
  it('is unknown if nothing was ever recorded, and zero once something was', () => {
    expect(balancesOf(EMPTY_LEDGER)).toBeNull();
    expect(balancesOf({ ...EMPTY_LEDGER, isRecorded: true })).toEqual([]);
  });

  it('keeps currencies apart', () => {
    const both = ledger([draw('2026-01-05', 'Regular', usd('100.10'), eur('70'))], [repaid('2026-02-01', usd('40'))]);
    expect(balancesOf(both)).toEqual([eur('70'), usd('60.1')]);
  });

  it('counts a draw from its due date and a repayment from its cut-off date', () => {
    const dated = ledger([draw('2026-01-31', 'Regular', usd('100'))], [repaid('2026-02-28', usd('30'))]);
    expect(balancesOf(dated, { until: '2026-01-30' })).toEqual([]);
    expect(balancesOf(dated, { until: '2026-01-31' })).toEqual([usd('100')]);
    expect(balancesOf(dated, { until: '2026-02-27' })).toEqual([usd('100')]);
    expect(balancesOf(dated, { until: '2026-02-28' })).toEqual([usd('70')]);
    expect(balancesOf(dated)).toEqual([usd('70')]);
  });

  it('counts prefunding, and neither recycling draws nor interest and fees', () => {
    const mixed = ledger(
      [
        draw('2026-01-01', 'Regular', usd('100')),
        draw('2026-01-01', 'Prefunding', usd('20')),
        draw('2026-01-01', 'Recycling', usd('50')),
      ],
      [repaid('2026-01-02', usd('5'), 'interest'), repaid('2026-01-02', usd('1'), 'fees')],
    );
    expect(balancesOf(mixed)).toEqual([usd('120')]);
    expect(drawnByType(mixed)).toEqual({ Regular: [usd('100')], Prefunding: [usd('20')], Recycling: [usd('50')] });
  });

  it('keeps a currency that was repaid in full', () => {
    expect(balancesOf(ledger([draw('2026-01-01', 'Regular', usd('10'))], [repaid('2026-01-02', usd('10'))]))).toEqual([
      usd('0'),
    ]);
  });
});

describe('the position of a note on a day', () => {
  const recorded: NoteLedger = {
    isRecorded: true,
    draws: [
      draw('2026-01-31', 'Regular', usd('100'), eur('7')),
      draw('2026-02-01', 'Prefunding', usd('20')),
      draw('2026-02-01', 'Recycling', usd('50')),
    ],
    requests: [draw('2026-01-15', 'Regular', usd('9')), draw('2026-03-01', 'Recycling', usd('4'))],
    repayments: [repaid('2026-02-01', usd('30'))],
  };

  it('counts an approved draw in the balance from its due date, and beside it before', () => {
    expect(notePosition(recorded, '2026-01-30')).toEqual({
      balance: [],
      approved: [eur('7'), usd('120')],
      requested: [usd('9')],
    });
    expect(notePosition(recorded, '2026-01-31')).toMatchObject({
      balance: [eur('7'), usd('100')],
      approved: [usd('20')],
    });
    expect(notePosition(recorded, '2026-02-01')).toMatchObject({ balance: [eur('7'), usd('90')], approved: [] });
  });

  it('has an unknown balance if nothing was ever recorded', () => {
    expect(notePosition(EMPTY_LEDGER, '2026-01-01')).toEqual({ balance: null, approved: [], requested: [] });
  });
});

describe('availability', () => {
  const figures = { base: usd('900.005'), commitments: usd('700'), balance: usd('400') };

  it('is the lesser of base and commitments, less the balance, and today less approved draws', () => {
    expect(availabilityOf(figures)).toEqual(usd('300.00'));
    expect(availabilityOf({ ...figures, approved: usd('320') })).toEqual(usd('-20.00'));
    expect(availabilityOf({ ...figures, commitments: usd('1000') })).toEqual(usd('500.00'));
  });

  it('is limited by the base alone without commitments, and unknown if another figure is', () => {
    expect(availabilityOf({ ...figures, commitments: null })).toEqual(usd('500.00'));
    for (const unknown of [{ base: null }, { balance: null }, { approved: null }]) {
      expect(availabilityOf({ ...figures, ...unknown })).toBeNull();
    }
  });
});

describe('what is outstanding by draw type', () => {
  it('repays the earliest draw first, and regular before prefunding on one day', () => {
    const mixed = ledger(
      [
        draw('2026-02-01', 'Regular', usd('50')),
        draw('2026-01-01', 'Prefunding', usd('20')),
        draw('2026-01-01', 'Regular', usd('100')),
        draw('2026-01-01', 'Recycling', usd('7')),
      ],
      [repaid('2026-03-01', usd('110'))],
    );
    expect(outstandingByType(mixed)).toEqual({
      Regular: [usd('50')],
      Prefunding: [usd('10')],
      Recycling: [usd('7')],
    });
    expect(outstandingByType(mixed, { until: '2026-02-28' }).Regular).toEqual([usd('150')]);
  });

  it('shows principal beyond all draws as a negative regular balance', () => {
    const over = ledger([draw('2026-01-01', 'Prefunding', usd('20'))], [repaid('2026-01-02', usd('25'))]);
    expect(outstandingByType(over)).toMatchObject({ Regular: [usd('-5')], Prefunding: [usd('0')] });
  });

  it('adds up to the balance', () => {
    const amount = fc.record({
      sum: fc.integer({ min: 1, max: 10_000 }).map((cents) => (cents / 100).toFixed(2)),
      currency: fc.constantFrom('EUR', 'GBP', 'USD'),
    });
    const day = fc.integer({ min: 10, max: 28 }).map((number) => `2026-01-${number}`);
    const draws = fc.record({
      dueDate: day,
      draws: fc.array(
        fc.record({
          type: fc.constantFrom<DrawType>('Regular', 'Prefunding', 'Recycling'),
          amounts: fc.array(amount, { maxLength: 3 }),
        }),
        { maxLength: 3 },
      ),
    });
    const repayments = fc.record({
      cutOffDate: day,
      repayments: fc.array(
        fc.record({ kind: fc.constantFrom<RepaymentKind>('principal', 'interest', 'fees'), amount }),
        { maxLength: 3 },
      ),
    });
    fc.assert(
      fc.property(fc.array(draws, { maxLength: 8 }), fc.array(repayments, { maxLength: 8 }), day, (d, r, until) => {
        const parts = outstandingByType(ledger(d, r), { until });
        const total = totalByCurrency([...parts.Regular, ...parts.Prefunding]);
        const known = balancesOf(ledger(d, r), { until }) ?? [];
        const left = new Map(known.map(({ sum, currency }) => [currency, sum]));
        for (const { sum, currency } of total) left.set(currency, subtract(left.get(currency) ?? '0', sum));
        expect([...left.values()].filter((sum) => sum !== '0')).toEqual([]);
      }),
    );
  });
});

describe('amounts of several currencies in one', () => {
  it('rounds the total once', () => {
    // A third of a cent each: rounded one by one they would be nothing.
    const found = totalIn('USD', [eur('0.01'), eur('0.01'), usd('1')], { EUR: '3' });
    expect(found).toEqual({ amount: usd('1.01'), missing: [] });
  });

  it('uses the minor unit of the currency', () => {
    expect(totalIn('JPY', [usd('1')], { JPY: '150.4' }).amount).toEqual({ sum: '150', currency: 'JPY' });
  });

  it('reports a missing rate', () => {
    expect(totalIn('USD', [{ sum: '5', currency: 'ISK' }], {})).toEqual({ amount: usd('5.00'), missing: ['ISK'] });
  });
});

describe('the limit of each currency', () => {
  const RATES = { EUR: '0.8', GBP: '0.5' };
  const commitment = (sum: string, currency: string, additionalCurrencies?: string[]) => ({
    amount: { sum, currency },
    additionalCurrencies,
  });
  const tranche = (sequence: number, sequenceActivated: boolean, commitments: object[]) => ({
    sequence,
    sequenceActivated,
    terms: { commitments },
  });
  const note = {
    mainCurrency: 'USD',
    maxCommitments: [],
    tranches: [
      tranche(1, false, [commitment('100', 'USD', ['EUR'])]),
      tranche(2, true, [commitment('40', 'EUR'), commitment('10', 'GBP')]),
      tranche(3, false, [commitment('999', 'USD')]),
    ],
  } as never;

  it('adds the commitments in it to those that list it, of tranches in force', () => {
    expect(currencyLimits(note, RATES)).toEqual([
      { currency: 'EUR', amount: eur('120.00'), missing: [] },
      { currency: 'GBP', amount: { sum: '10.00', currency: 'GBP' }, missing: [] },
      { currency: 'USD', amount: usd('100.00'), missing: [] },
    ]);
  });
});

describe('the cure of a deficiency', () => {
  it('is to repay it, or to add collateral at the advance rate, rounded up', () => {
    const figures = { availability: '-100', balance: '500', commitments: '1000' };
    expect(cureOf(figures, '80', 2)).toEqual({ repay: '100', addCollateral: '125.00' });
    expect(cureOf(figures, '84.6', 2)).toEqual({ repay: '100', addCollateral: '118.21' });
    expect(cureOf(figures, '84.6', 0)).toEqual({ repay: '100', addCollateral: '119' });
  });

  it('is nothing without a deficiency', () => {
    expect(cureOf({ availability: '0', balance: '5', commitments: null }, '80', 2)).toBeNull();
    expect(cureOf({ availability: '-0.01', balance: '5', commitments: null }, '80', 2)?.repay).toBe('0.01');
  });

  it('is only repayment if the balance exceeds the commitments, or nothing is advanced', () => {
    const figures = { availability: '-10', balance: '110', commitments: '100' };
    expect(cureOf(figures, '80', 2)).toEqual({ repay: '10', addCollateral: null });
    expect(cureOf({ ...figures, commitments: '110' }, '80', 2)?.addCollateral).toBe('12.50');
    expect(cureOf({ ...figures, commitments: null }, '0', 2)?.addCollateral).toBeNull();
    expect(cureOf({ ...figures, commitments: null }, null, 2)?.addCollateral).toBeNull();
  });

  it('always suffices, and a unit less does not', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1_000_000 }), fc.integer({ min: 1, max: 10_000 }), (cents, points) => {
        const [deficit, rate] = [(cents / 100).toFixed(2), (points / 100).toFixed(2)];
        const cure = cureOf({ availability: `-${deficit}`, balance: deficit, commitments: null }, rate, 2);
        const collateral = BigInt(String(cure?.addCollateral).replace('.', ''));
        const lent = (units: bigint) => units * BigInt(points);
        expect(lent(collateral) >= BigInt(cents) * 10_000n).toBe(true);
        expect(lent(collateral - 1n) < BigInt(cents) * 10_000n).toBe(true);
        expect(add(cure?.repay ?? '0', `-${deficit}`)).toBe('0');
      }),
    );
  });
});
