import { fromScaled } from '../money/decimal.ts';
import { type Fraction, fractionToDecimal, reduceFraction } from './exact.ts';
import type { ConcentrationOutcome } from './outcome.ts';
import { isMoney, type PreparedConcentration } from './prepare.ts';
import { at, FIGURE_DIGITS, type Publisher, percentOf } from './publisher.ts';
import { AMOUNT_SCALE, type ConcentrationResult, type CutTerms } from './result.ts';
import { distanceOf } from './thresholds.ts';

export function publishConcentration(
  found: ConcentrationOutcome,
  rule: PreparedConcentration,
  units: { excess: bigint; removed: bigint },
  pool: bigint,
  publisher: Publisher,
): ConcentrationResult {
  const money = isMoney(rule);
  const figure = (value: Fraction) => fractionToDecimal(value, money ? publisher.digits : FIGURE_DIGITS);
  const share = (published: bigint, exact: bigint) => ({
    sum: publisher.amount(published),
    percentage: percentOf(exact, pool) ?? fromScaled(0n, FIGURE_DIGITS),
  });
  const parts = publisher.parts(
    found.groups.map((group) => group.removed),
    units.excess,
  );
  const end = rule.topN === null ? Number.POSITIVE_INFINITY : rule.skipN + rule.topN;
  return {
    rule: rule.rule,
    title: rule.title,
    groupBy: rule.groupBy?.path ?? null,
    accumulator: rule.accumulator,
    accumulatorField: rule.measured?.field.path ?? null,
    operand: rule.equator.operand,
    topN: rule.topN,
    skipN: rule.skipN,
    money,
    limit: figure(found.limit),
    measure: found.measure === null ? null : figure(found.measure),
    breached: found.breached,
    distance: found.distance === null ? null : figure(found.distance),
    removes: rule.removes,
    excess: share(units.excess, found.removed),
    removed: share(units.removed, found.counted.amount),
    groupCount: found.groupCount,
    breachedGroupCount: found.breachedGroupCount,
    groups: found.groups.map((group, index) => ({
      key: group.key,
      rank: group.rank + 1,
      part: group.rank < rule.skipN ? 'skipped' : group.rank < end ? 'measured' : 'beyond',
      count: group.count,
      measure: group.measure === null ? null : figure(group.measure),
      limit: figure(found.limit),
      distance:
        group.breached && group.measure !== null && found.measure === null
          ? figure(distanceOf(group.measure, found.limit))
          : null,
      excess: share(at(parts, index), group.removed),
      breached: group.breached,
    })),
    unknown: publisher.tally(found.unknown),
    excepted: publisher.tally(found.excepted),
  };
}

/**
 * A rule's own excess as published. The part of it that counts is rounded with the parts of the other rules, and may have
 * been rounded up, so the whole is never below it. It is never above the total either.
 */
export function ownExcess(own: bigint, counted: bigint, countsWhole: boolean, total: bigint): bigint {
  if (countsWhole || own < counted) return counted;
  return own > total ? total : own;
}

export function cutTerms(rule: PreparedConcentration, { groups, residues }: ConcentrationOutcome): CutTerms[] {
  const cut = groups.flatMap(({ key, kept }) => {
    if (kept === null) return [];
    const { numerator, denominator } = reduceFraction(kept);
    return [{ key, numerator: String(numerator), denominator: String(denominator) }];
  });
  const [first] = cut;
  if (!first) return [];
  const isTogether = rule.topN !== null || rule.groupBy === null;
  return [
    {
      rule: rule.rule,
      kept: isTogether ? [{ ...first, key: null }] : cut,
      isTogether,
      residues: [...residues]
        .sort((a, b) => a.asset - b.asset)
        .map(({ asset, amount }) => ({ asset, amount: fromScaled(amount, AMOUNT_SCALE) })),
    },
  ];
}
