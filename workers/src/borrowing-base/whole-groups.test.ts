import { assetCatalog } from '@tapeline/domain/tapes/target-schema.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { amountAt, makeAmounts, PARTS, setBigInt } from './amount-columns.ts';
import { leaders } from './ranking.ts';
import { failWholeGroups } from './whole-groups.ts';

const found = assetCatalog().resolve('borrowerId');
const field = 'field' in found ? found.field : expect.fail('there is no such field');
const grouping = { field, parent: null };

/** An invoice: its group from 1, its amount in cents, and whether it fails the condition of the rule. */
type Invoice = readonly [group: number, cents: number, fails: boolean];

/** The groups that fail a rule, and which invoices it fails. */
function apply(invoices: readonly Invoice[], percent: string) {
  const outstanding = makeAmounts(invoices.length);
  const word = new Int32Array(invoices.length);
  // Codes of groups are dense, by first appearance.
  const seen = [...new Set(invoices.map(([group]) => group))];
  for (const [index, [, cents, fails]] of invoices.entries()) {
    outstanding.whole[index] = Math.floor(cents / 100);
    outstanding.part[index] = (cents % 100) * (PARTS / 100);
    // The bits beside that of the rule stay.
    word[index] = fails ? 0b110 : 0b100;
  }
  const prepared = { eligibility: [{ wholeGroup: { grouping, percent } }] };
  const layout = { eligibility: [{ word: 0, shift: 1 }], excepted: [null] };
  const {
    measured: [measured],
    failed: positions,
  } = failWholeGroups(prepared, {
    layout,
    words: [word],
    scope: new Int16Array(invoices.length),
    outstanding,
    codes: new Map([[field.path, Int32Array.from(invoices, ([group]) => seen.indexOf(group) + 1)]]),
  });
  expect([...new Set(word.map((bits) => bits & ~0b010))]).toEqual(invoices.length > 0 ? [0b100] : []);
  const failed = new Set(invoices.flatMap(([group], index) => (word[index]! & 0b010 ? [group] : [])));
  expect(measured?.failedGroupCount).toBe(failed.size);
  expect([...positions].sort((a, b) => a - b)).toEqual([...word.keys()].filter((index) => word[index]! & 0b010));
  return [...failed].sort((a, b) => a - b);
}

const many = (count: number, [group, cents, fails]: Invoice): Invoice[] =>
  Array.from({ length: count }, () => [group, cents, fails] as const);

test('a share exactly on the bound fails, also of many invoices with cents', () => {
  const invoices = [...many(40, [1, 10_050, true]), ...many(120, [1, 10_050, false])];
  expect(apply(invoices, '25')).toEqual([1]);
  expect(apply([...invoices, [1, 1, false]], '25')).toEqual([]);
  expect(apply([...invoices, [1, 1, false]], '24.9999')).toEqual([1]);
  expect(apply(many(40, [2, 10_099, true]), '100')).toEqual([2]);
  // Doubles do not tell one cent of a hundred billions.
  const large = (rest: number): Invoice[] => [
    [1, 2_500_000_000_000, true],
    [1, rest, false],
  ];
  expect(apply(large(7_500_000_000_000), '25')).toEqual([1]);
  expect(apply(large(7_500_000_000_001), '25')).toEqual([]);
});

test('property: groups fail as whole numbers say, near the bound and far from it', () => {
  const invoice = fc.tuple(fc.integer({ min: 1, max: 3 }), fc.constantFrom(1, 50, 99, 10_099, 1_000_050), fc.boolean());
  fc.assert(
    fc.property(
      fc.array(invoice, { maxLength: 120, size: 'max' }),
      fc.constantFrom('0.00000001', '10', '33.3333', '50', '50.5', '100'),
      (invoices, percent) => {
        const expected = [1, 2, 3].filter((group) => {
          const own = invoices.filter(([of]) => of === group);
          const sumOf = (of: readonly Invoice[]) => of.reduce((sum, [, cents]) => sum + BigInt(cents), 0n);
          const [whole, failing] = [sumOf(own), sumOf(own.filter(([, , fails]) => fails))];
          const scaled = BigInt(Math.round(Number(percent) * 1e8));
          return failing > 0n && failing * 100n * 100_000_000n >= whole * scaled;
        });
        expect(apply(invoices, percent)).toEqual(expected);
      },
    ),
    { numRuns: Number(process.env.FC_RUNS ?? 300) },
  );
});

test('one part of a unit decides a group of thousands of assets, whatever is excepted, negative or another rule', () => {
  const [fails, excepted, other] = [0b001, 0b010, 0b100];
  const unit = 10n ** 12n;
  const count = 4_000;
  /** Whether 1,000 of 4,000 assets, which fail, are a quarter of their group if one of the others differs by some parts. */
  function isQuarterFailed(difference: bigint) {
    const amounts: bigint[] = [];
    const word = new Int32Array(count + 3);
    for (let index = 0; index < count; index += 1) {
      amounts.push(1_234_567n * unit + 123_456_789_012n);
      if (index % 4 === 0) word[index] = index % 8 === 0 ? fails | other : fails;
    }
    amounts[1] = amounts[1]! + difference;
    // Amounts below zero count as zero, and excepted assets not at all.
    amounts.push(-5_000_000n * unit, -5_000_000n * unit, 5_000_000_000n * unit);
    word[count] = fails;
    word[count + 2] = excepted;
    const outstanding = makeAmounts(amounts.length);
    for (const [index, amount] of amounts.entries()) setBigInt(outstanding, index, amount);
    expect(amountAt(outstanding, count)).toBe(-5_000_000n * unit);
    const rules = [
      { wholeGroup: { grouping, percent: '25' } },
      { wholeGroup: { grouping, percent: '100' } },
      { wholeGroup: { grouping, percent: '12.5' } },
    ];
    const exceptedBit = { word: 0, shift: 1 };
    const layout = {
      eligibility: [{ word: 0, shift: 0 }, null, { word: 0, shift: 2 }],
      excepted: [exceptedBit, null, null],
    };
    const { measured } = failWholeGroups(
      { eligibility: rules },
      {
        layout,
        words: [word],
        scope: new Int16Array(amounts.length),
        outstanding,
        codes: new Map([[field.path, new Int32Array(amounts.length).fill(1)]]),
      },
    );
    expect(measured.map((rule) => rule?.groupCount)).toEqual([1, 1, 1]);
    // The excepted asset is not in the answer, and the largest asset makes the share of the other rule too small.
    expect(word[count + 2]! & fails).toBe(0);
    expect(measured.slice(1).map((rule) => rule?.failedGroupCount)).toEqual([0, 0]);
    const [largest] = measured[0]!.largest;
    if (largest !== undefined) {
      const whole = amounts.slice(0, count).reduce((sum, amount) => sum + amount, 0n);
      expect(largest).toEqual({ count: count + 2, amount: whole, first: 0, failing: amounts[0]! * 1_000n });
      // All assets of the group fail, also those below zero.
      expect([...new Set(word.slice(0, count + 2).map((bits) => bits & fails))]).toEqual([fails]);
    }
    return measured[0]!.failedGroupCount === 1;
  }
  expect([-1n, 0n, 1n].map(isQuarterFailed)).toEqual([true, true, false]);
});

test('groups that fail as a whole are listed with exact sums by each rule, and tie', () => {
  const count = 600;
  const word = Int32Array.from({ length: count }, (_, index) => (index % 2 === 0 ? 0b10 : 0b01));
  const outstanding = makeAmounts(count);
  outstanding.whole.fill(10);
  outstanding.part.fill(PARTS / 10);
  // One part more makes an asset the largest.
  outstanding.part[501] = PARTS / 10 + 1;
  const prepared = {
    eligibility: ['100', '100'].map((percent) => ({ wholeGroup: { grouping, percent } })),
  };
  const layout = {
    eligibility: [0, 1].map((shift) => ({ word: 0, shift })),
    excepted: [null, null],
  };
  const { measured } = failWholeGroups(prepared, {
    layout,
    words: [word],
    scope: new Int16Array(count),
    outstanding,
    codes: new Map([[field.path, Int32Array.from({ length: count }, (_, index) => index + 1)]]),
  });
  const amount = 10_100_000_000_000n;
  const listed = (first: number) => ({ count: 1, amount, first, failing: amount });
  const all = measured.map((rule) => [...rule!.largest].sort((a, b) => a.first - b.first));
  const expected = Array.from({ length: count }, (_, index) => listed(index));
  expected[501] = { count: 1, amount: amount + 1n, first: 501, failing: amount + 1n };
  expect(all).toEqual([1, 0].map((rest) => expected.filter(({ first }) => first % 2 === rest)));
});

test('groups that are as near as the error of their sums to the last of the largest are among them', () => {
  const units = Float64Array.from({ length: 300 }, (_, at) => 1_000 - at);
  units[120] = 991 * (1 - 1e-9);
  units[121] = 991 * (1 - 1e-6);
  const groups = Int32Array.from(units.keys());
  expect([...leaders(groups, units, 10, 1e-8)]).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 120]);
  expect([...leaders(groups, units, 10)]).toHaveLength(10);
});
