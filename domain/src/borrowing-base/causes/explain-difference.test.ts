import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { transactionContractSchema } from '../../facilities/contract.schema.ts';
import { absolute, add, compare, isZero, round, subtract, sum } from '../../money/decimal.ts';
import { assetCatalog } from '../../tapes/target-schema.ts';
import type { ReferenceAsset } from '../testing/reference.ts';
import { effectsOf, type ReferenceBase, referenceSteps, totalOf } from '../testing/reference-steps.ts';
import { adjustment, note, untidyBase, untidyPair } from '../testing/untidy-pairs.ts';
import { WORKED_CASE_ASSETS, WORKED_CASE_CONTRACT, WORKED_CASE_TAPE } from '../testing/worked-case.ts';
import { baseLines } from './base-lines.ts';
import { ASSET_CAUSES, CAUSES, isAssetCause } from './causes.ts';
import { type ExplainedDifference, explainDifference } from './explain-difference.ts';

const catalog = assetCatalog();

function explain(earlier: ReferenceBase, later: ReferenceBase) {
  const found = referenceSteps(earlier, later, catalog);
  return { ...found, explained: explainDifference(found.was, found.is, found.steps) };
}

const assets: readonly ReferenceAsset[] = WORKED_CASE_ASSETS;
const contract = transactionContractSchema.parse(WORKED_CASE_CONTRACT);
const worked: ReferenceBase = { assets, contract, tape: WORKED_CASE_TAPE, facility: note('400'), adjustments: [] };
/** The worked case with other values of its assets, by position. */
const changed = (changes: Record<number, ReferenceAsset>): ReferenceAsset[] =>
  assets.map((asset, index) => ({ ...asset, ...changes[index] }));

const effectOf = ({ explained }: ReturnType<typeof explain>) =>
  Object.fromEntries(
    explained.causes.filter(({ effect }) => !isZero(effect)).map(({ cause, effect }) => [cause, effect]),
  );

describe('one part of the worked case changes', () => {
  test('two equal certificates differ by nothing', () => {
    const found = explain(worked, worked);
    expect(effectOf(found)).toEqual({});
    expect(found.explained).toMatchObject({ figure: 'availability', total: { difference: '0', notExplained: '0' } });
  });

  test('a loan that is more than 30 days late is another status, with its effect on the limits', () => {
    const found = explain(worked, { ...worked, assets: changed({ 3: { daysPastDue: 45 } }) });
    expect(effectOf(found)).toEqual({ status: subtract(found.is.netBB.sum, found.was.netBB.sum) });
    const effects = effectsOf(found.steps, 'status');
    // The loan itself leaves the pool; limits of a smaller pool take more of the others.
    expect(effects[3]).toBe('-120');
    expect(effects.filter((effect) => !isZero(effect)).length).toBeGreaterThan(1);
    expect(compare(absolute(subtract(totalOf(effects), found.explained.causes[2]!.netEffect)), '0.01')).toBe(-1);
  });

  test('a paid loan, a lower balance and a new loan', () => {
    const later = [...changed({ 2: { 'sums.outstandingSum': '200' } }).slice(0, 6), { ...assets[3], assetId: '8' }];
    const drawable = { ...worked, facility: note('400', '2000') };
    const found = explain(drawable, { ...drawable, assets: later });
    expect(Object.keys(effectOf(found))).toEqual(['onlyInOne', 'amount']);
    expect(found.explained.lines.find(({ key }) => key === 'relevant')).toMatchObject({
      earlier: '1200.00',
      later: '1220.00',
      difference: '20',
      effects: ['70', '-50', ...Array(8).fill('0')],
    });
  });

  test('the example of the documentation', () => {
    const later = changed({ 2: { 'sums.outstandingSum': '240' }, 3: { daysPastDue: 45 } }).filter(
      ({ assetId }) => assetId !== '6',
    );
    const { steps, explained } = explain(worked, { ...worked, assets: later, facility: note('420') });
    const columns = (['onlyInOne', 'amount', 'status', 'balance'] as const).map((cause) => CAUSES.indexOf(cause));
    expect(
      explained.lines.map((line) => [
        line.key.split(' ')[0],
        line.difference,
        ...columns.map((index) => line.effects[index]),
        line.notExplained,
      ]),
    ).toEqual([
      ['relevant', '-130', '-120', '-10', '0', '0', '0'],
      ['inEligible', '120', '120', '0', '0', '0', '0'],
      ['nonPerforming', '-150', '0', '0', '-150', '0', '0'],
      ['eligibleOrPerforming', '-160', '0', '-10', '-150', '0', '0'],
      ['excess', '-64', '0', '-4', '-60', '0', '0'],
      ['excess', '-31.6', '0', '7.4', '-39', '0', '0'],
      ['advanceHaircut', '43.84', '0', '0.72', '43.12', '0', '0'],
      ['netBB', '-211.76', '0', '-5.88', '-205.88', '0', '0'],
      ['balance', '-20', '0', '0', '0', '-20', '0'],
      ['availability', '-231.76', '0', '-5.88', '-205.88', '-20', '0'],
    ]);
    expect(effectsOf(steps, 'status').map((effect) => round(effect, 4))).toEqual([
      '-42.5566',
      '-19.2000',
      '-17.6071',
      '-120.0000',
      '-6.5212',
      '0.0000',
      '0.0000',
    ]);
  });

  test('figures of the note explain what no loan does', () => {
    const reserves = [{ title: 'Servicing', kind: 'percentage' as const, percent: 1 }];
    const later = transactionContractSchema.parse({ ...WORKED_CASE_CONTRACT, reserves });
    const found = explain(worked, {
      ...worked,
      contract: later,
      facility: note('420', '650'),
      adjustments: [adjustment('-25')],
    });
    // 689.53 less 10.00 and 25.00 is 654.53, of which commitments of 650 allow all but 4.53.
    expect(effectOf(found)).toEqual({ reserve: '-10', adjustment: '-25', balance: '-20', commitments: '-4.53' });
    expect(found.explained.total).toMatchObject({ earlier: '289.53', later: '230.00', notExplained: '0' });
  });

  test('another rate, another limit and a rule that is new', () => {
    const { advanceRate, concentrationRules = [], performanceRules = [], ...rest } = WORKED_CASE_CONTRACT;
    const later = transactionContractSchema.parse({
      ...rest,
      performanceRules,
      eligibilityRules: [...(rest.eligibilityRules ?? []), { title: 'No grade A', filter: { grade: { neq: 'A' } } }],
      concentrationRules: concentrationRules.slice(1),
      advanceRate: { ...advanceRate, defaultRate: 75 },
    });
    const found = explain(worked, { ...worked, contract: later });
    expect(Object.keys(effectOf(found)).sort()).toEqual(['limit', 'rate', 'status']);
    expect(found.explained.total.notExplained).toBe('0');
  });

  test('a note without draws is explained up to its net borrowing base', () => {
    const { facility: _, ...withoutDraws } = worked;
    const found = explain(withoutDraws, { ...withoutDraws, assets: changed({ 0: { 'sums.outstandingSum': '310' } }) });
    expect(found.explained).toMatchObject({ figure: 'netBB', total: { notExplained: '0' } });
  });

  test('certificates in two currencies are not compared', () => {
    const { was } = referenceSteps(worked, worked, catalog);
    expect(() => explainDifference(was, { ...was, currency: 'EUR' }, [])).toThrow('Certificates in USD and EUR');
  });
});

/** Both certificates and every cause: changes lead from level to level. */
function expectToFoot({ lines }: ExplainedDifference): void {
  for (const column of [...CAUSES.keys(), 'earlier', 'later'] as const) {
    let level = '0';
    for (const line of lines) {
      const of = typeof column === 'number' ? (line.effects[column] ?? '') : line[column];
      if (line.kind === 'level' && line.key !== 'relevant') expect(isZero(subtract(level, of))).toBe(true);
      level = line.kind === 'level' ? of : add(level, of);
    }
  }
}

describe('any two certificates', () => {
  test('causes add up to the difference of every line, lines to levels, and the effects of loans to their cause', () => {
    fc.assert(
      fc.property(untidyPair, ([earlier, later]) => {
        const { was, is, steps, explained } = explain(earlier, later);
        const { lines, causes, figure, total } = explained;
        for (const line of lines) {
          expect(sum([line.earlier, ...line.effects])).toBe(subtract(line.later, '0'));
          expect(line.notExplained).toBe('0');
        }
        const net = lines.find(({ key }) => key === 'netBB');
        expect(net?.difference).toBe(subtract(is.netBB.sum, was.netBB.sum));
        expect(sum(causes.map(({ effect }) => effect))).toBe(total.difference);
        const figureOf = ({ totals }: typeof is) => totals[figure] ?? totals.netBB;
        expect(total.difference).toBe(subtract(figureOf(is).sum, figureOf(was).sum));
        expectToFoot(explained);
        for (const { cause, netEffect } of causes) {
          const rest = absolute(subtract(totalOf(effectsOf(steps, cause)), netEffect));
          // Each of two steps rounds to the nearest cent.
          if (isAssetCause(cause)) expect(compare(rest, '0.0100000001')).toBe(-1);
          else expect(rest).toBe('0');
        }
      }),
      { numRuns: 300 },
    );
  });

  test('a cause whose part did not change has no effect', () => {
    fc.assert(
      fc.property(untidyBase, (base) => {
        const { explained } = explain(base, base);
        expect(explained.causes.filter(({ effect, netEffect }) => !isZero(effect) || !isZero(netEffect))).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });
});

test('the lines of a certificate are its waterfall with every rule, and add up to it', () => {
  const { was } = referenceSteps(worked, worked, catalog);
  expect(baseLines(was).map(({ label, sum: of }) => [label, of])).toEqual([
    ['Relevant pool', '1200.00'],
    ['FICO is at least 600', '-120'],
    ['Days past due is at most 30', '-80'],
    ['Eligible or performing', '1000.00'],
    ['Any one state at most 40%', '-100'],
    ['Largest 2 borrowers at most 50%', '-90'],
    ['Advance haircut', '-120.47'],
    ['Net borrowing base', '689.53'],
    ['Balance at cut-off', '-400'],
    ['Availability at cut-off', '289.53'],
  ]);
  expect(CAUSES.filter(isAssetCause)).toEqual([...ASSET_CAUSES]);
});
