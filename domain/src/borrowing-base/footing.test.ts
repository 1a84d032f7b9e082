import { expect, test } from 'vitest';
import { LIMIT_OVERLAPS, type LimitOverlap, transactionContractSchema } from '../facilities/contract.schema.ts';
import { add } from '../money/decimal.ts';
import { assetCatalog } from '../tapes/target-schema.ts';
import { footingProblems } from './footing.ts';
import type { BorrowingBaseResult } from './result.ts';
import { calculateReference } from './testing/reference.ts';
import { WORKED_CASE_ASSETS, WORKED_CASE_CONTRACT, WORKED_CASE_TAPE } from './testing/worked-case.ts';

const resultWith = (overlap: LimitOverlap) =>
  calculateReference({
    assets: WORKED_CASE_ASSETS,
    tape: WORKED_CASE_TAPE,
    contract: transactionContractSchema.parse({
      ...WORKED_CASE_CONTRACT,
      scopes: [{ title: 'Coast', filter: { state: { in: ['CA', 'NY'] } } }, { title: 'Rest' }],
      overlap,
    }),
    catalog: assetCatalog(),
  }).result;
const result = resultWith('sequential');

/** Paths of the figures that no other figure implies. */
const ALONE = [
  /unknown|excepted|groupCount|rank|topN|skipN|rule$|rate$/,
  /limit|measure|distance|percentage|weightedAdvanceRatePercent|values\.\d+\.value|outOfScope\.amount/,
  // Assets can fail several rules. The count must only be at least the number that the rule excludes first.
  /rulesTracking\.(eligible|performing|advancing)\.\d+\.failed|concentration\.\d+\.(failed\.amount|first\.count)/,
  // No other figure implies the count of a group that is not breached.
  /groups\.\d+\.count/,
  /balance|commitments|availability/,
  // The asset that received a residue. Other tests compare it between the engine and the reference.
  /residues\.\d+\.asset/,
];

/** For every count and amount of a result: its path, and the result with that figure increased by one. */
function* eachFigureOff(whole: BorrowingBaseResult): Generator<[path: string, result: BorrowingBaseResult]> {
  const walk = function* (value: unknown, path: readonly (string | number)[]): Generator<readonly (string | number)[]> {
    if (typeof value === 'number' || (typeof value === 'string' && path.at(-1) === 'sum')) yield path;
    else if (value !== null && typeof value === 'object')
      for (const [key, inner] of Object.entries(value)) yield* walk(inner, [...path, key]);
  };
  for (const path of walk(whole, [])) {
    const off = structuredClone(whole);
    const holder = path
      .slice(0, -1)
      .reduce<Record<string | number, unknown>>(
        (at, key) => at[key] as Record<string | number, unknown>,
        off as unknown as Record<string, unknown>,
      );
    const key = path.at(-1)!;
    const before = holder[key];
    holder[key] = typeof before === 'number' ? before + 1 : add(String(before), '0.01');
    yield [path.join('.'), off];
  }
}

test('a borrowing base that adds up has no problem', () => {
  expect(footingProblems(result)).toEqual([]);
});

test.each(LIMIT_OVERLAPS)('any figure that others imply is missed by one, and that is told (%s)', (overlap) => {
  const unnoticed: string[] = [];
  let noticed = 0;
  for (const [path, off] of eachFigureOff(resultWith(overlap))) {
    if (footingProblems(off).length > 0) noticed += 1;
    else if (!ALONE.some((alone) => alone.test(path))) unnoticed.push(path);
  }
  expect(unnoticed).toEqual([]);
  expect(noticed).toBeGreaterThan(90);
});

test('no rule removes more than its own excess, and none has more than the total', () => {
  const off = resultWith('maximumPerAsset');
  const [states, borrowers] = off.excessBreachDistribution;
  const [counted] = off.rulesTracking.concentration;
  expect(footingProblems(off)).toEqual([]);
  const more = structuredClone(off);
  for (const amounts of [states!.removed!.sum, counted!.first.amount]) amounts.sum = '100.01';
  expect(footingProblems(off)).toContain(`${states!.title}: what it removes: 100.01 is more than 100.00`);
  const beyond = more.excessBreachDistribution[1]!;
  beyond.excess.sum.sum = '190.01';
  expect(footingProblems(more)).toContain(`${borrowers!.title}: its excess: 190.01 is more than 190.00`);
});

test('a problem names the figures', () => {
  const off = structuredClone(result);
  off.totals.values[0]!.count = off.totals.assets;
  expect(footingProblems(off)).toEqual(['the value Total Eligible & Performing Pool: 7 assets are not 5']);
});

test('assets that a rule cut are those of its breached groups', () => {
  const off = structuredClone(result);
  const [states, borrowers] = off.rulesTracking.concentration;
  [states!.failed.count, borrowers!.failed.count] = [borrowers!.failed.count, states!.failed.count];
  expect(footingProblems(off).filter((problem) => problem.includes('assets of the groups it cuts'))).toHaveLength(2);
});
