import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { DrawType } from '../facilities/ledger.ts';
import type { DrawLimits, TransactionTerms } from '../facilities/terms.schema.ts';
import { type NoteWithoutContracts, transactionNoteSchema } from '../facilities/transaction.schema.ts';
import type { Amount } from '../money/amount.schema.ts';
import { add, compare, decimalOf, fromScaled, isNegative, negate, subtract } from '../money/decimal.ts';
import { type CheckRule, type DrawLedger, type DrawToCheck, lastDueDate } from './check-rules.ts';
import { checkDraw, isExceeded, valueDraw } from './checks.ts';
import { mergeExceptions } from './exceptions.ts';
import { type DrawStatus, isOpenDraw } from './states.ts';

const timeline = { contractSigning: '2026-01-01', maturity: '2030-01-01' };
const money = (sum: number | string, currency = 'EUR'): Amount => ({ sum: decimalOf(sum), currency });

/** An amount with the digits of its currency. */
const eur = (sum: string): Amount => ({ sum, currency: 'EUR' });
const commitment = (sum: number, currency = 'EUR', additionalCurrencies: string[] = []) => ({
  amount: money(sum, currency),
  additionalCurrencies,
});

/** A note of 80 million EUR, of which 10 million may be drawn in GBP, with these limits. */
function noteWith(drawLimits?: DrawLimits, more: Partial<TransactionTerms> = {}): NoteWithoutContracts {
  return transactionNoteSchema.parse({
    title: 'Senior',
    mainCurrency: 'EUR',
    tranches: [
      {
        sequence: 1,
        sequenceActivated: true,
        title: 'A',
        type: 'ROFR',
        terms: {
          commitments: [commitment(70_000_000), commitment(10_000_000, 'EUR', ['GBP'])],
          timeline,
          drawLimits,
          ...more,
        },
      },
    ],
  });
}

const RATES = { EUR: '0.8', GBP: '0.4' };

interface Recorded {
  draws: readonly { status: DrawStatus; cutOffDate: string; draws: readonly { type: DrawType; amounts: Amount[] }[] }[];
  principalRepaid: readonly Amount[];
  base: DrawLedger['base'];
  covenants: DrawLedger['covenants'];
  rates: DrawLedger['rates'];
  today: DrawLedger['today'];
}

const ledgerOf = ({ draws = [], principalRepaid = [], ...more }: Partial<Recorded> = {}): DrawLedger => ({
  note: {
    isRecorded: draws.length > 0,
    draws: draws.filter(({ status }) => status === 'Approved').map((draw) => ({ ...draw, dueDate: draw.cutOffDate })),
    requests: draws.filter(({ status }) => isOpenDraw(status)).map((draw) => ({ ...draw, dueDate: draw.cutOffDate })),
    repayments: principalRepaid.map((amount) => ({
      cutOffDate: '2026-02-01',
      repayments: [
        { kind: 'principal', amount },
        { kind: 'interest', amount },
      ],
    })),
  },
  others: draws.map((draw) => ({
    ...draw,
    types: draw.draws.filter(({ amounts }) => amounts.length > 0).map(({ type }) => type),
  })),
  base: { id: 'base', cutOffDate: '2026-10-31', currency: 'EUR', netBB: '75000000', availableBase: '75000000' },
  covenants: [],
  rates: RATES,
  today: '2026-11-04',
  ...more,
});

const request = (...draws: [DrawType, ...Amount[]][]): DrawToCheck => ({
  cutOffDate: '2026-11-04',
  dueDate: '2026-11-11',
  draws: draws.map(([type, ...amounts]) => ({ type, amounts })),
});

const other = (status: DrawStatus, cutOffDate: string, ...draws: [DrawType, ...Amount[]][]) => ({
  status,
  cutOffDate,
  draws: draws.map(([type, ...amounts]) => ({ type, amounts })),
});

const approved = (...draws: [DrawType, ...Amount[]][]) => other('Approved', '2026-01-05', ...draws);

const check = (asked: DrawToCheck, ledger = ledgerOf(), note = noteWith()) => checkDraw(asked, note, ledger, 'request');
const found = (...given: Parameters<typeof check>) =>
  check(...given).exceptions.map(({ message, drawType, amount, exceededBy, currency }) => [
    message,
    drawType,
    amount === null ? null : Number(amount),
    exceededBy === null ? null : Number(exceededBy),
    currency,
  ]);

const rowOf = (checked: ReturnType<typeof checkDraw>, rule: CheckRule) =>
  checked.checks.flatMap(({ rows }) => rows).find((row) => row.rule === rule);

test('a request within every limit has every check with its figures, and no exception', () => {
  const checked = check(request(['Regular', money(1_000_000)]));
  expect(checked.exceptions).toEqual([]);
  expect(checked.checks.map(({ message }) => message)).toEqual([
    'Missing data',
    'Currency commitment exceeded',
    'Total commitment exceeded',
    'Draw frequency exceeded',
    'Draw limits exceeded',
    'Draw in deficit',
    'Due Date limits exceeded',
    'Availability period ended',
    'Covenant breached',
  ]);
  expect(rowOf(checked, 'totalCommitment')).toMatchObject({
    limit: '80000000.00',
    measured: '1000000.00',
    margin: '79000000',
    currency: 'EUR',
  });
  expect(checked).toMatchObject({
    figures: {
      balance: { before: { sum: '0.00' }, after: { sum: '1000000.00' } },
      position: { balance: eur('0.00'), approved: eur('0.00') },
      availability: { before: { sum: '75000000.00' }, after: { sum: '74000000.00' } },
    },
  });
});

test('a request is valued in dollars and in the main currency, per type and as a whole', () => {
  const { draws } = request(['Regular', money(100), money(10, 'GBP')], ['Prefunding', money(5, 'USD')]);
  expect(valueDraw(draws, noteWith(), RATES)).toMatchObject({
    draws: [
      { valueInUSD: '150.00', amountInMainCurrency: { sum: '120.00', currency: 'EUR' } },
      { valueInUSD: '5.00', amountInMainCurrency: { sum: '4.00', currency: 'EUR' } },
    ],
    valueInUsd: '155.00',
    amountInMainCurrency: { sum: '124.00', currency: 'EUR' },
  });
  expect(valueDraw(draws, noteWith(), { EUR: '0.8' })).toMatchObject({
    draws: [{ valueInUSD: null, amountInMainCurrency: null }, { valueInUSD: '5.00' }],
    valueInUsd: null,
    amountInMainCurrency: null,
  });
});

describe('reserves', () => {
  const one = (amount: number) => request(['Regular', money(amount, 'EUR')]);
  const on = (availableBase: string | null) => (amount: number) =>
    check(
      one(amount),
      ledgerOf({ base: { id: 'base', cutOffDate: '2026-10-31', currency: 'EUR', netBB: '5000000', availableBase } }),
    );

  test('are taken off the base', () => {
    const checked = on('1000000');
    expect(checked(1_000_000).exceptions.filter(({ message }) => message === 'Draw in deficit')).toEqual([]);
    expect(checked(1_000_001).exceptions).toContainEqual(
      expect.objectContaining({ message: 'Draw in deficit', amount: '1000000.00', exceededBy: '1' }),
    );
    expect(checked(1).figures).toMatchObject({ netBB: { sum: '5000000.00' }, availableBase: { sum: '1000000.00' } });
  });

  test('that are unknown are missing data', () => {
    const checked = on(null)(1);
    expect(checked.exceptions.filter(({ message }) => message === 'Missing data')).toMatchObject([
      { rule: 'reserves' },
    ]);
    expect(checked.figures).toMatchObject({ availableBase: null, availability: { before: null, after: null } });
  });
});

describe('missing data', () => {
  const one = request(['Regular', money(1, 'GBP')]);
  test.each([
    ['a borrowing base', check(one, ledgerOf({ base: null })), 'borrowingBase', null],
    ['the rate of a drawn currency', check(one, ledgerOf({ rates: { EUR: '0.8' } })), 'rate', 'GBP'],
    ['the rate of the main currency', check(one, ledgerOf({ rates: { GBP: '0.4' } })), 'rate', 'EUR'],
  ])('%s', (_, checked, rule, currency) => {
    const missing = checked.exceptions.filter(({ message }) => message === 'Missing data');
    expect(missing).toMatchObject([{ rule, currency, amount: null, exceededBy: null, stage: 'request' }]);
  });

  test('leaves what depends on it unknown, never zero', () => {
    const noRate = check(one, ledgerOf({ rates: { EUR: '0.8' } }));
    expect(noRate.figures).toMatchObject({ balance: { before: { sum: '0.00' }, after: null } });
    expect(rowOf(noRate, 'totalCommitment')).toMatchObject({ measured: null, margin: null });
    const noBase = check(one, ledgerOf({ base: null }));
    expect(rowOf(noBase, 'deficit')).toMatchObject({ limit: null, margin: null });
    expect(noBase.figures).toMatchObject({ netBB: null, availability: { before: null, after: null } });
  });

  test('needs no rate of the dollar', () => {
    expect(found(request(['Regular', money(1)]), ledgerOf({ rates: { EUR: '0.8' } }))).toEqual([]);
  });

  test('a note without commitments has the limit 0', () => {
    const bare = transactionNoteSchema.parse({ title: 'Bare', mainCurrency: 'EUR' });
    expect(found(request(['Regular', money(5)]), ledgerOf(), bare)).toEqual([
      ['Missing data', null, null, null, null],
      ['Currency commitment exceeded', null, 0, 5, 'EUR'],
      ['Total commitment exceeded', 'Regular', 0, 5, 'EUR'],
    ]);
  });
});

describe('commitments', () => {
  const base = {
    id: 'base',
    cutOffDate: '2026-10-31',
    currency: 'EUR',
    netBB: '900000000',
    availableBase: '900000000',
  };
  const rich = ledgerOf({ base });
  // 10 million EUR at 0.4 / 0.8 are 5 million GBP.
  test.each([
    [money(80_000_000), []],
    [
      money('80000000.01'),
      [
        ['Currency commitment exceeded', null, 80_000_000, 0.01, 'EUR'],
        ['Total commitment exceeded', 'Regular', 80_000_000, 0.01, 'EUR'],
      ],
    ],
    [money(5_000_000, 'GBP'), []],
    [money('5000000.01', 'GBP'), [['Currency commitment exceeded', null, 5_000_000, 0.01, 'GBP']]],
    [money(1, 'USD'), [['Currency commitment exceeded', null, 0, 1, 'USD']]],
  ])('%o', (amount, expected) => {
    expect(found(request(['Regular', amount]), rich)).toEqual(expected);
  });

  test('every currency has its own limit, and the total has one across them', () => {
    const two = request(['Regular', money(71_000_000)], ['Prefunding', money(5_000_000, 'GBP')]);
    expect(found(two, rich)).toEqual([['Total commitment exceeded', null, 80_000_000, 1_000_000, 'EUR']]);
    expect(found(request(['Regular', money(70_000_000)], ['Prefunding', money(5_000_000, 'GBP')]), rich)).toEqual([]);
  });

  test('count approved draws and principal, not requests that wait or were rejected', () => {
    const ledger = ledgerOf({
      base,
      draws: [
        approved(['Regular', money(60_000_000)], ['Recycling', money(50_000_000)]),
        other('Pending', '2026-10-01', ['Regular', money(40_000_000)]),
        other('In Review', '2026-10-01', ['Regular', money(40_000_000)]),
        other('Rejected', '2026-10-01', ['Regular', money(40_000_000)]),
        other('Removed', '2026-10-01', ['Regular', money(40_000_000)]),
      ],
      principalRepaid: [money(10_000_000)],
    });
    expect(found(request(['Regular', money(30_000_000)]), ledger)).toEqual([]);
    expect(found(request(['Regular', money(30_000_001)]), ledger)).toMatchObject([
      ['Currency commitment exceeded', null, 80_000_000, 1, 'EUR'],
      ['Total commitment exceeded', 'Regular', 80_000_000, 1, 'EUR'],
    ]);
  });

  test('recycling changes neither balance nor commitments', () => {
    expect(found(request(['Recycling', money(900_000_000), money(1, 'USD')]), rich)).toEqual([]);
  });

  test('only tranches up to the active one are in force', () => {
    const note = noteWith();
    const [tranche] = note.tranches;
    const later = { ...note, tranches: [...note.tranches, { ...tranche!, sequence: 2, sequenceActivated: false }] };
    expect(rowOf(check(request(['Regular', money(1)]), rich, later), 'totalCommitment')?.limit).toBe('80000000.00');
  });
});

describe('frequency', () => {
  const monthly = noteWith({ draw: { frequency: { limit: 2, interval: 'Monthly' } } });
  const regular = (status: 'Approved' | 'Pending' | 'In Review' | 'Rejected' | 'Removed', date: string) =>
    other(status, date, ['Regular', money(1)]);
  const asked = request(['Regular', money(1)]);
  const count = (...draws: Recorded['draws']) => found(asked, ledgerOf({ draws }), monthly);

  test('counts requests of the calendar period, this one included', () => {
    expect(count(regular('Approved', '2026-11-01'))).toEqual([]);
    expect(count(regular('Pending', '2026-11-01'), regular('In Review', '2026-11-30'))).toEqual([
      ['Draw frequency exceeded', 'Regular', 2, 1, null],
    ]);
    expect(count(regular('Approved', '2026-10-31'), regular('Approved', '2026-12-01'))).toEqual([]);
  });

  test('leaves out rejected and removed requests, and those of other types', () => {
    const others = [regular('Rejected', '2026-11-02'), regular('Removed', '2026-11-02')];
    expect(count(regular('Approved', '2026-11-01'), ...others)).toEqual([]);
    const empty = other('Approved', '2026-11-03', ['Prefunding', money(1)], ['Regular']);
    expect(count(regular('Approved', '2026-11-01'), empty)).toEqual([]);
  });

  // 2026-11-04 is a Wednesday.
  test.each([
    ['Daily', '2026-11-04', '2026-11-03', '2026-11-05'],
    ['Weekly', '2026-11-02', '2026-11-01', '2026-11-09'],
    ['Weekly', '2026-11-08', '2026-11-01', '2026-11-09'],
    ['Monthly', '2026-11-30', '2026-10-31', '2026-12-01'],
    ['Quarterly', '2026-12-31', '2026-09-30', '2027-01-01'],
    ['Quarterly', '2026-10-01', '2026-09-30', '2027-01-01'],
    ['Annualy', '2026-01-01', '2025-12-31', '2027-01-01'],
  ] as const)('%s counts %s, but neither %s nor %s', (interval, inside, before, after) => {
    const note = noteWith({ draw: { frequency: { limit: 1, interval } } });
    expect(found(asked, ledgerOf({ draws: [regular('Approved', inside)] }), note)).toHaveLength(1);
    const outside = [regular('Approved', before), regular('Approved', after)];
    expect(found(asked, ledgerOf({ draws: outside }), note)).toEqual([]);
  });

  test('has one limit for each type', () => {
    const note = noteWith({
      draw: { frequency: { limit: 1, interval: 'Monthly' } },
      prefunding: { frequency: { limit: 1, interval: 'Quarterly' } },
      recycling: { frequency: { limit: 1, interval: 'Daily' } },
    });
    const draws = [other('Approved', '2026-10-05', ['Prefunding', money(1)], ['Regular', money(1)])];
    expect(
      found(
        request(['Regular', money(1)], ['Prefunding', money(1)], ['Recycling', money(1)]),
        ledgerOf({ draws }),
        note,
      ),
    ).toEqual([['Draw frequency exceeded', 'Prefunding', 1, 1, null]]);
  });
});

describe('draw limits', () => {
  const range = { currency: 'EUR', min: '100', max: '200' };
  const groups = { Regular: 'draw', Prefunding: 'prefunding', Recycling: 'recycling' } as const;
  const limits = (type: DrawType, amount: Amount, group: object, ledger = ledgerOf()) =>
    found(request([type, amount]), ledger, noteWith({ [groups[type]]: group }));

  test.each(['Regular', 'Prefunding', 'Recycling'] as const)('%s amounts stay in their range', (type) => {
    const amount = (sum: number | string) => limits(type, money(sum), { amountRange: range });
    expect(amount('99.99')).toEqual([['Draw limits exceeded', type, 100, 0.01, 'EUR']]);
    expect(amount(100)).toEqual([]);
    expect(amount(200)).toEqual([]);
    expect(amount('200.01')).toEqual([['Draw limits exceeded', type, 200, 0.01, 'EUR']]);
  });

  test('the range of one type does not bound another', () => {
    const note = noteWith({ draw: { amountRange: range } });
    expect(found(request(['Regular', money(150)], ['Prefunding', money(9000)]), ledgerOf(), note)).toEqual([]);
  });

  test('amounts in several currencies are converted to the range’s', () => {
    const note = noteWith({ draw: { amountRange: range } });
    expect(found(request(['Regular', money(100), money(50, 'GBP')]), ledgerOf(), note)).toEqual([]);
    expect(found(request(['Regular', money(100), money('50.01', 'GBP')]), ledgerOf(), note)).toEqual([
      ['Draw limits exceeded', 'Regular', 200, 0.02, 'EUR'],
    ]);
  });

  // 5% of 80 million are 4 million.
  test.each([
    ['Prefunding', { maxPercentage: 5 }],
    ['Prefunding', { maxAmount: money(4_000_000) }],
    ['Recycling', { maxPercentage: 5 }],
    ['Recycling', { maxAmount: money(4_000_000) }],
  ] as const)('%s: the outstanding total stays within %o', (type, group) => {
    const ledger = ledgerOf({
      draws: [approved([type, money(3_000_000)], ['Regular', money(9_000_000)])],
    });
    expect(limits(type, money(1_000_000), group, ledger)).toEqual([]);
    expect(limits(type, money(1_000_001), group, ledger)).toEqual([
      ['Draw limits exceeded', type, 4_000_000, 1, 'EUR'],
    ]);
  });

  test('repayments of a day reduce regular draws first, then prefunding', () => {
    const draws = [approved(['Prefunding', money(3_000_000)], ['Regular', money(9_000_000)])];
    const repaid = (sum: number) =>
      limits(
        'Prefunding',
        money(2_000_000),
        { maxAmount: money(4_000_000) },
        ledgerOf({ draws, principalRepaid: [money(sum)] }),
      );
    expect(repaid(9_000_000)).toHaveLength(1);
    expect(repaid(10_000_000)).toEqual([]);
  });

  test('maxCollectionAccount bounds one recycling draw', () => {
    const ledger = ledgerOf({ draws: [approved(['Recycling', money(500)])] });
    expect(limits('Recycling', money(100), { maxCollectionAccount: money(100) }, ledger)).toEqual([]);
    expect(limits('Recycling', money(101), { maxCollectionAccount: money(100) }, ledger)).toEqual([
      ['Draw limits exceeded', 'Recycling', 100, 1, 'EUR'],
    ]);
  });
});

describe('deficit', () => {
  const ledger = ledgerOf({ draws: [approved(['Regular', money(70_000_000)])] });
  test.each([
    ['Regular', 5_000_000, []],
    ['Regular', 5_000_001, [['Draw in deficit', 'Regular', 75_000_000, 1, 'EUR']]],
    ['Prefunding', 5_000_000, []],
    ['Prefunding', 5_000_001, [['Draw in deficit', 'Prefunding', 75_000_000, 1, 'EUR']]],
    ['Recycling', 900_000_000, []],
  ] as const)('%s of %d', (type, sum, expected) => {
    expect(found(request([type, money(sum)]), ledger)).toEqual(expected);
  });

  test('the base may be in another currency than the note', () => {
    const usd = ledgerOf({
      base: { id: 'base', cutOffDate: '2026-10-31', currency: 'USD', netBB: '1250', availableBase: '1250' },
    });
    expect(found(request(['Regular', money(1000)]), usd)).toEqual([]);
    expect(found(request(['Regular', money('1000.01')]), usd)).toEqual([
      ['Draw in deficit', 'Regular', 1000, 0.01, 'EUR'],
    ]);
  });
});

describe('due date', () => {
  const dueIn = (days: number, limits: DrawLimits, type: DrawType = 'Regular') =>
    found(
      { ...request([type, money(1)]), dueDate: new Date(Date.UTC(2026, 10, 4 + days)).toISOString().slice(0, 10) },
      ledgerOf(),
      noteWith(limits),
    );
  const limit = { dueDateLimit: { min: 7, max: 30 } };
  test.each([
    [6, [['Due Date limits exceeded', 'Regular', 7, 1, null]]],
    [7, []],
    [30, []],
    [31, [['Due Date limits exceeded', 'Regular', 30, 1, null]]],
  ])('%d days after the cut-off date', (days, expected) => {
    expect(dueIn(days, { draw: limit })).toEqual(expected);
  });

  test('has one limit for each type', () => {
    expect(dueIn(6, { draw: limit }, 'Prefunding')).toEqual([]);
    expect(dueIn(6, { recycling: limit }, 'Recycling')).toHaveLength(1);
  });
});

test('limits of the active tranche override those of the note', () => {
  const own = noteWith({ draw: { dueDateLimit: { min: 0, max: 7 } } });
  const note = { ...own, terms: { drawLimits: { draw: { dueDateLimit: { min: 0, max: 1 } } } } };
  expect(found(request(['Regular', money(1)]), ledgerOf(), note)).toEqual([]);
  const inherited = {
    ...note,
    tranches: note.tranches.map((each) => ({ ...each, terms: { ...each.terms, drawLimits: null } })),
  };
  expect(found(request(['Regular', money(1)]), ledgerOf(), inherited)).toEqual([
    ['Due Date limits exceeded', 'Regular', 1, 6, null],
  ]);
});

test('every check can find an exception in the same request, per draw type', () => {
  const limits = {
    amountRange: { currency: 'EUR', min: '1', max: '2' },
    frequency: { limit: 1, interval: 'Annualy' },
    dueDateLimit: { min: 0, max: 1 },
  } as const;
  const note = noteWith({ draw: limits, prefunding: { ...limits, maxPercentage: 1, maxAmount: money(1) } });
  const ledger = ledgerOf({
    draws: [approved(['Regular', money(1)], ['Prefunding', money(1)])],
    base: { id: 'base', cutOffDate: '2026-10-31', currency: 'CHF', netBB: '1', availableBase: '1' },
  });
  const checked = check(request(['Regular', money(90_000_000)], ['Prefunding', money(1_000_000)]), ledger, note);
  expect(checked.exceptions.map(({ message, rule, drawType }) => [message, rule, drawType])).toEqual([
    ['Missing data', 'rate', null],
    ['Currency commitment exceeded', 'currencyCommitment', null],
    ['Total commitment exceeded', 'totalCommitment', null],
    ['Draw frequency exceeded', 'frequency', 'Regular'],
    ['Draw frequency exceeded', 'frequency', 'Prefunding'],
    ['Draw limits exceeded', 'maximum', 'Regular'],
    ['Draw limits exceeded', 'maximum', 'Prefunding'],
    ['Draw limits exceeded', 'percentage', 'Prefunding'],
    ['Draw limits exceeded', 'maxAmount', 'Prefunding'],
    ['Due Date limits exceeded', 'maxDays', 'Regular'],
    ['Due Date limits exceeded', 'maxDays', 'Prefunding'],
  ]);
});

const sums = fc.bigInt({ min: 1n, max: 10n ** 12n }).map((units) => fromScaled(units, 2));
const amounts = fc.record({ sum: sums, currency: fc.constantFrom('EUR', 'GBP', 'USD') });
const typed = fc.record({
  type: fc.constantFrom<DrawType>('Regular', 'Prefunding', 'Recycling'),
  amounts: fc.array(amounts, { minLength: 1, maxLength: 3 }),
});

const draws = fc.uniqueArray(typed, { minLength: 1, maxLength: 3, selector: ({ type }) => type });
const ledgers = fc.record({
  draws: fc.array(
    fc.record({
      status: fc.constantFrom('Approved', 'Rejected', 'Pending', 'In Review', 'Removed'),
      cutOffDate: fc.constantFrom('2026-11-01', '2026-10-31', '2026-06-30'),
      draws,
    }),
    { maxLength: 5 },
  ),
  principalRepaid: fc.array(amounts, { maxLength: 3 }),
});

const bounded = noteWith({
  draw: {
    amountRange: { currency: 'GBP', min: '1000', max: '5000000000' },
    frequency: { limit: 2, interval: 'Monthly' },
  },
  prefunding: { maxPercentage: 12.5, maxAmount: money(9_000_000_000, 'USD') },
  recycling: { maxCollectionAccount: money(1_000_000_000) },
});

test('an exception is exactly a row whose margin is negative, and exceededBy is that margin', () => {
  fc.assert(
    fc.property(draws, ledgers, (drawn, ledger) => {
      const checked = check({ ...request(), draws: drawn }, ledgerOf(ledger as Partial<Recorded>), bounded);
      for (const { rows, exceptions } of checked.checks) {
        expect(exceptions.map(({ exceededBy }) => exceededBy)).toEqual(
          rows.filter(isExceeded).map(({ margin }) => negate(margin!)),
        );
        for (const { limit, measured, margin, bound } of rows) {
          if (limit === null || measured === null) expect(margin).toBeNull();
          else expect(isNegative(margin!)).toBe(compare(measured, limit) === (bound === 'most' ? 1 : -1));
        }
      }
    }),
  );
});

test('what is added to the balance leaves the availability, to the cent', () => {
  fc.assert(
    fc.property(draws, ledgers, (drawn, ledger) => {
      const { balance, availability } = check(
        { ...request(), draws: drawn },
        ledgerOf(ledger as Partial<Recorded>),
        bounded,
      ).figures;
      const added = subtract(balance.after!.sum, balance.before!.sum);
      expect(compare(subtract(availability.before!.sum, availability.after!.sum), added)).toBe(0);
      if (drawn.every(({ type }) => type === 'Recycling')) expect(compare(added, '0')).toBe(0);
    }),
  );
});

test('drawing more never clears an exception of a commitment, a total or the deficit', () => {
  const monotone = ['currencyCommitment', 'totalCommitment', 'percentage', 'maxAmount', 'collectionAccount', 'deficit'];
  const keys = (checked: ReturnType<typeof checkDraw>) =>
    checked.exceptions.filter(({ rule }) => monotone.includes(rule)).map(({ rule, currency }) => `${rule}|${currency}`);
  fc.assert(
    fc.property(draws, ledgers, sums, (drawn, ledger, extra) => {
      const given = ledgerOf(ledger as Partial<Recorded>);
      const before = keys(check({ ...request(), draws: drawn }, given, bounded));
      const more = drawn.map((each) => ({
        ...each,
        amounts: each.amounts.map((amount) => ({ ...amount, sum: add(amount.sum, extra) })),
      }));
      expect(keys(check({ ...request(), draws: more }, given, bounded))).toEqual(expect.arrayContaining(before));
    }),
  );
});

describe('draws that are approved and not yet due', () => {
  const later = { ...approved(['Regular', money(60_000_000)]), cutOffDate: '2026-11-20' };
  const recorded = ledgerOf({
    draws: [approved(['Regular', money(5_000_000)]), later, other('Pending', '2026-11-04', ['Regular', money(1)])],
  });

  test('count in the checks like the balance, and are separate figures', () => {
    const { figures, checks } = check(request(['Regular', money(10_000_000)]), recorded);
    expect(figures).toMatchObject({
      position: { balance: eur('5000000.00'), approved: eur('60000000.00') },
      balance: { before: eur('65000000.00'), after: eur('75000000.00') },
      availability: { before: eur('10000000.00'), after: eur('0.00') },
    });
    expect(checks.flatMap(({ exceptions }) => exceptions)).toEqual([]);
    expect(found(request(['Regular', money('10000000.01')]), recorded)).toEqual([
      ['Draw in deficit', 'Regular', 75_000_000, 0.01, 'EUR'],
    ]);
  });

  test('availability is limited by the commitments where the base is larger', () => {
    const { figures } = check(
      request(['Regular', money(1_000_000)]),
      ledgerOf({
        base: { id: 'base', cutOffDate: '2026-10-31', currency: 'EUR', netBB: '90000000', availableBase: '90000000' },
      }),
    );
    expect(figures.availability).toEqual({ before: eur('80000000.00'), after: eur('79000000.00') });
  });
});

describe('the dates of the terms', () => {
  const asked = (dueDate: string) => ({ ...request(['Regular', money(1)]), dueDate });
  const revolving = { ...timeline, revolvingStart: '2026-01-02', revolvingEnd: '2026-11-30' };

  test.each([
    ['2026-11-30', []],
    ['2026-12-01', [['Availability period ended', null, 26, 1, null]]],
  ])('a draw due on %s meets the end of the revolving period', (dueDate, exceptions) => {
    expect(found(asked(dueDate), ledgerOf(), noteWith(undefined, { timeline: revolving }))).toEqual(exceptions);
  });

  test.each([
    [undefined, '2026-12-15', []],
    [undefined, '2026-12-16', [['Missing data', null, 45, 1, null]]],
    [11, '2026-11-11', []],
    [10, '2026-11-11', [['Missing data', null, 10, 1, null]]],
  ])(
    'a base may be %s days old on the due date, so that of October is too old from a day on (%s)',
    (maxBaseAgeDays, dueDate, exceptions) => {
      expect(found(asked(dueDate), ledgerOf(), noteWith(undefined, { maxBaseAgeDays }))).toEqual(exceptions);
    },
  );

  test('nothing is due after maturity or termination, whichever is earlier', () => {
    const last = (dates: object) => lastDueDate(noteWith(undefined, { timeline: { ...timeline, ...dates } }));
    expect(last({})).toEqual({ date: '2030-01-01', of: 'maturity' });
    expect(last({ termination: '2030-01-02' })).toEqual({ date: '2030-01-01', of: 'maturity' });
    expect(last({ termination: '2029-12-31' })).toEqual({ date: '2029-12-31', of: 'termination' });
  });
});

const covenant = (changes: Partial<DrawLedger['covenants'][number]> = {}): DrawLedger['covenants'][number] => ({
  id: 'covenant',
  title: '60+ days past due',
  testDate: '2026-10-31',
  unit: 'percent',
  currency: null,
  bound: 'atMost',
  value: '5.1',
  limit: '5',
  consequence: 'drawStop',
  foundOn: '2026-11-10',
  ...changes,
});

test.each([
  ['drawStop', true],
  ['reason', false],
] as const)('a breached covenant with the consequence %s is an exception of every draw', (consequence, stops) => {
  const found = check(request(['Regular', money(1_000_000)]), ledgerOf({ covenants: [covenant({ consequence })] }));
  expect(found.exceptions).toMatchObject([
    {
      message: 'Covenant breached',
      rule: 'covenant',
      amount: '5',
      exceededBy: '0.1',
      covenant: { title: '60+ days past due', testDate: '2026-10-31', stops },
    },
  ]);
});

test('each breached covenant is an exception of its own, of its own test', () => {
  const covenants = [covenant(), covenant({ id: 'other', bound: 'atLeast', value: '4', limit: '6' })];
  const found = check(request(['Regular', money(1_000_000)]), ledgerOf({ covenants })).exceptions;
  expect(found.map(({ exceededBy }) => exceededBy)).toEqual(['0.1', '2']);
  const stored = found.map((exception) => ({ exception, status: 'Skipped' as const, reason: 'Agreed' }));
  const later = ledgerOf({ covenants: [covenants[0]!, { ...covenants[1]!, testDate: '2026-11-30' }] });
  const next = check(request(['Regular', money(1_000_000)]), later).exceptions;
  expect(mergeExceptions(stored, next, { isUnchanged: true }).map(({ status }) => status)).toEqual([
    'Skipped',
    'Pending',
  ]);
});

test('a covenant that is unknown is missing data', () => {
  const found = check(
    request(['Regular', money(1_000_000)]),
    ledgerOf({ covenants: [covenant({ value: null, limit: null })] }),
  );
  expect(found.exceptions).toMatchObject([{ message: 'Missing data', rule: 'covenant', exceededBy: null }]);
});

test('from the day on which a covenant began the amortisation, draws are beyond the availability period', () => {
  const amortising = (foundOn: string) =>
    check(
      request(['Regular', money(1_000_000)]),
      ledgerOf({ covenants: [covenant({ consequence: 'amortisation', foundOn })] }),
    );
  // The request is due on 11 November.
  expect(amortising('2026-11-11').exceptions).toEqual([]);
  expect(amortising('2026-11-10').exceptions).toMatchObject([
    { message: 'Availability period ended', exceededBy: '1' },
  ]);
});
