import fc from 'fast-check';
import { expect, it } from 'vitest';
import { transactionContractSchema } from '../facilities/contract.schema.ts';
import { add, compare, subtract } from '../money/decimal.ts';
import { assetCatalog } from '../tapes/target-schema.ts';
import { movementsBetween } from './movement.ts';
import type { BorrowingBaseResult } from './result.ts';
import { calculateReference } from './testing/reference.ts';
import { WORKED_CASE_ASSETS, WORKED_CASE_CONTRACT, WORKED_CASE_TAPE } from './testing/worked-case.ts';

const calculate = (contract: object): BorrowingBaseResult =>
  calculateReference({
    assets: WORKED_CASE_ASSETS,
    tape: WORKED_CASE_TAPE,
    contract: transactionContractSchema.parse(contract),
    catalog: assetCatalog(),
  }).result;
const before = calculate(WORKED_CASE_CONTRACT);
const total = (after: BorrowingBaseResult) =>
  movementsBetween(before, after).reduce((sum, { change }) => add(sum, change), '0');

it('has no step where nothing changes', () => expect(movementsBetween(before, before)).toEqual([]));

it('names what a stricter rule takes, and what it no longer leaves for later rules', () => {
  const [rule, ...others] = WORKED_CASE_CONTRACT.eligibilityRules ?? [];
  const after = calculate({
    ...WORKED_CASE_CONTRACT,
    eligibilityRules: [...others, { ...rule, title: 'Stricter', filter: { 'creditScores.origination': { gte: 645 } } }],
  });
  expect(movementsBetween(before, after).map(({ stage, title, presence }) => [stage, title, presence])).toEqual(
    expect.arrayContaining([
      ['Eligibility', 'Stricter', 'added'],
      ['Eligibility', rule?.title, 'removed'],
    ]),
  );
  expect(compare(total(after), subtract(after.netBB.sum, before.netBB.sum))).toBe(0);
});

it('always adds up to the difference of the net borrowing bases', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 560, max: 720 }),
      fc.integer({ min: 0, max: 100 }),
      fc.integer({ min: 1, max: 100 }),
      fc.constantFrom('sequential', 'maximumPerAsset'),
      (score, rate, share, overlap) => {
        const after = calculate({
          ...WORKED_CASE_CONTRACT,
          overlap,
          eligibilityRules: [{ title: 'Score', filter: { 'creditScores.origination': { gte: score } } }],
          concentrationRules: (WORKED_CASE_CONTRACT.concentrationRules ?? []).map((limit) => ({
            ...limit,
            equator: { ...limit.equator, value: share },
          })),
          advanceRate: { ...WORKED_CASE_CONTRACT.advanceRate, defaultRate: rate },
        });
        expect(compare(total(after), subtract(after.netBB.sum, before.netBB.sum))).toBe(0);
        expect(movementsBetween(before, after).map(({ stage }) => stage)).not.toContain('Other');
      },
    ),
    { numRuns: 60 },
  );
});
