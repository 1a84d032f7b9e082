import { expect, it } from 'vitest';
import { convertedRoll, explainedBy, type RollCell, rollForwardOf } from './roll-forward.ts';

const size = (count: number, balance: string) => ({ count, known: count, balance });
const NONE = { count: 0, known: 0, balance: '0' };
const BOTH = { from: 'current', to: 'current', currencyBefore: 'USD', currencyAfter: 'USD' } as const;

/** 2 loans of 300.00 of which one pays 0.25 and becomes past due, and a new one of 50.5. */
const CELLS: readonly RollCell[] = [
  { ...BOTH, line: 'unchanged', before: size(1, '100'), after: size(1, '100') },
  { ...BOTH, line: 'collected', to: 'pastDue', before: size(1, '200'), after: size(1, '199.75') },
  { ...BOTH, line: 'originated', from: null, currencyBefore: null, before: NONE, after: size(1, '50.5') },
];
const POOL = { currency: 'USD', before: '300', now: '350.25' };

it('begins with the opening balance and ends with the closing one', () => {
  const [roll] = rollForwardOf(CELLS).currencies;
  expect(roll).toMatchObject({
    currency: 'USD',
    opening: { count: 2, balance: '300' },
    changes: [
      { line: 'originated', before: 0, after: 1, change: '50.5' },
      { line: 'collected', before: 1, after: 1, change: '-0.25' },
      { line: 'unchanged', before: 1, after: 1, change: '0' },
    ],
    closing: { count: 3, balance: '350.25' },
  });
});

it('changes an asset in the part it was in, and then moves its closing balance', () => {
  const [roll] = rollForwardOf(CELLS).currencies;
  expect(roll?.moves).toEqual([{ from: 'current', to: 'pastDue', count: 1, balance: '199.75' }]);
  expect(
    roll?.parts.map(({ part, opening, movedIn, movedOut, closing }) => [part, opening, movedIn, movedOut, closing]),
  ).toEqual([
    ['current', counted(2, '300'), counted(0, '0'), counted(1, '199.75'), counted(2, '150.5')],
    ['pastDue', counted(0, '0'), counted(1, '199.75'), counted(0, '0'), counted(1, '199.75')],
  ]);
});

const counted = (count: number, balance: string) => ({ count, balance });

it('counts assets without a balance, and adds them to no balance', () => {
  const unknown = { ...BOTH, line: 'balanceUnknown', currencyAfter: null } as const;
  const cells: RollCell[] = [
    ...CELLS,
    { ...unknown, before: size(1, '7'), after: { count: 1, known: 0, balance: '0' } },
  ];
  const { opening, closing, currencies, lines } = rollForwardOf(cells);
  expect([opening, closing]).toEqual([
    { count: 3, known: 3 },
    { count: 4, known: 3 },
  ]);
  expect(lines).toContainEqual({ line: 'balanceUnknown', before: 1, after: 1 });
  expect(currencies[0]?.changes).toContainEqual({ line: 'balanceUnknown', before: 1, after: 0, change: '-7' });
});

it('explains two certified pools that it begins and ends with', () => {
  expect(explainedBy(rollForwardOf(CELLS), POOL)?.currency).toBe('USD');
});

it.each([
  ['another opening pool', { ...POOL, before: '300.01' }],
  ['another closing pool', { ...POOL, now: '350.24' }],
  ['another currency', { ...POOL, currency: 'EUR' }],
])('does not explain %s', (_, pool) => {
  expect(explainedBy(rollForwardOf(CELLS), pool)).toBeNull();
});

it('explains no pool in two currencies', () => {
  const euros = { currencyBefore: 'EUR', currencyAfter: 'EUR', before: size(1, '1'), after: size(1, '1') };
  expect(explainedBy(rollForwardOf([...CELLS, { ...CELLS[0]!, ...euros }]), POOL)).toBeNull();
});

it('converts changes at the earlier rates, and calls exchange what the rates made of the closing balance', () => {
  const euros = { currencyBefore: 'EUR', currencyAfter: 'EUR' };
  const cells: RollCell[] = [{ ...BOTH, ...euros, line: 'collected', before: size(1, '100'), after: size(1, '80') }];
  // A euro is 1.25 dollars at first and 2 later: 125 - 25 + 80 x 0.75 = 160.
  expect(convertedRoll(rollForwardOf(cells), 'USD', { before: { EUR: '0.8' }, after: { EUR: '0.5' } })).toEqual({
    currency: 'USD',
    opening: '125',
    changes: [{ line: 'collected', change: '-25' }],
    exchange: '60',
    closing: '160',
    leftOut: [],
  });
  const lacking = convertedRoll(rollForwardOf(cells), 'USD', { before: { EUR: '0.8' }, after: {} });
  expect(lacking).toMatchObject({ opening: '0', closing: '0', exchange: '0', leftOut: ['EUR'] });
});
