import { POOL_MEMBERS, VALUE_POOLS } from '../facilities/pools.ts';
import type { Amount } from '../money/amount.schema.ts';
import { compare, max, negate, subtract, sum } from '../money/decimal.ts';
import type { BorrowingBaseResult, CountAndAmount } from './result.ts';

/**
 * Describes every place where a borrowing base does not add up; empty if it does. Compares each figure with the figures
 * that imply it: pools with their statuses and scopes, rules with the assets they exclude first, groups with their
 * rule, and the steps from the pool down to the net borrowing base. Money must match to the last published digit.
 */
export function footingProblems(result: BorrowingBaseResult): string[] {
  const { totals, scopes, rulesTracking, excessBreachDistribution } = result;
  const { pools } = totals;
  const problems: string[] = [];
  const counts = (what: string, parts: readonly number[], whole: number): void => {
    const found = parts.reduce((all, one) => all + one, 0);
    if (found !== whole) problems.push(`${what}: ${found} assets are not ${whole}`);
  };
  const amounts = (what: string, parts: readonly Amount[], whole: Amount): void => {
    const found = sum(parts.map((part) => part.sum));
    if (compare(found, whole.sum) !== 0) problems.push(`${what}: ${found} is not ${whole.sum}`);
  };
  const both = (what: string, parts: readonly CountAndAmount[], whole: CountAndAmount): void => {
    counts(
      what,
      parts.map((part) => part.count),
      whole.count,
    );
    amounts(
      what,
      parts.map((part) => part.amount),
      whole.amount,
    );
  };
  const atMost = (what: string, part: Amount, whole: Amount): void => {
    if (compare(part.sum, whole.sum) > 0) problems.push(`${what}: ${part.sum} is more than ${whole.sum}`);
  };
  const less = (whole: Amount, part: Amount): Amount => ({ ...whole, sum: subtract(whole.sum, part.sum) });

  counts('the tape', [pools.relevant.count, totals.outOfScope.count], totals.assets);
  for (const [of, own] of [
    ['the tape', pools],
    ...scopes.map((scope) => [scope.title ?? 'the scope', scope.pools]),
  ] as [string, typeof pools][]) {
    for (const pool of VALUE_POOLS) {
      both(
        `${pool} of ${of}`,
        POOL_MEMBERS[pool].map((status) => own[status]),
        own[pool],
      );
    }
  }
  for (const pool of VALUE_POOLS) {
    both(
      `${pool} over the scopes`,
      scopes.map((scope) => scope.pools[pool]),
      pools[pool],
    );
  }
  for (const figure of ['firstBB', 'excess', 'remaining', 'netBB'] as const) {
    amounts(
      `${figure} over the scopes`,
      scopes.map((scope) => scope[figure]),
      totals[figure],
    );
  }
  // The contract's default values must equal the pools.
  for (const [index, pool] of [pools.eligibleOrPerforming, pools.relevant].entries()) {
    const value = totals.values[index];
    if (value) counts(`the value ${value.title}`, [value.count], pool.count);
  }

  const { eligible, performing, concentration, advancing } = rulesTracking;
  const first = (rules: readonly { first: CountAndAmount }[]): CountAndAmount[] => rules.map((rule) => rule.first);
  both('assets first excluded as ineligible', first(eligible), pools.inEligible);
  both('assets first excluded as not performing', first(performing), pools.nonPerforming);
  both('assets by the rate they take', first(advancing), pools.eligibleOrPerforming);
  for (const rules of [eligible, performing, concentration]) {
    for (const { title, failed, first } of rules) {
      if (first.count > failed.count) problems.push(`${title}: ${first.count} excluded of ${failed.count} that fail`);
    }
  }
  amounts(
    'what the concentration rules remove',
    concentration.map((rule) => rule.first.amount),
    totals.excess,
  );
  for (const [index, rule] of excessBreachDistribution.entries()) {
    const breached = rule.groups.filter((group) => group.breached);
    counts(
      `${rule.title}: breached groups`,
      breached.map(() => 1),
      rule.breachedGroupCount,
    );
    amounts(
      `${rule.title}: what its groups lose`,
      rule.groups.map((group) => group.excess.sum),
      rule.excess.sum,
    );
    const tracked = concentration[index];
    if (!tracked) continue;
    // Results of earlier versions have only the excess: all of it is removed.
    const { sum: removed } = rule.removed ?? rule.excess;
    amounts(`${rule.title}: what it removes`, [tracked.first.amount], removed);
    if (result.overlap !== 'maximumPerAsset') amounts(`${rule.title}: its excess`, [removed], rule.excess.sum);
    else {
      atMost(`${rule.title}: what it removes`, removed, rule.excess.sum);
      atMost(`${rule.title}: its excess`, rule.excess.sum, totals.excess);
    }
    counts(
      `${rule.title}: assets of the groups it cuts`,
      rule.removes ? breached.map((group) => group.count) : [0],
      tracked.failed.count,
    );
  }

  for (const { title, taken, remaining, advanced, haircut, first } of advancing) {
    both(`${title}: assets at its rate`, [taken], first);
    amounts(`${title}: what is not lent`, [less(remaining, advanced)], haircut);
  }
  amounts(
    'what is left at each rate',
    advancing.map((rate) => rate.remaining),
    totals.remaining,
  );
  amounts(
    'what is lent at each rate',
    advancing.map((rate) => rate.advanced),
    totals.netBB,
  );
  amounts('the pool less its excess', [less(pools.eligibleOrPerforming.amount, totals.excess)], totals.remaining);
  amounts('what is left less its haircut', [less(totals.remaining, totals.advanceHaircut)], totals.netBB);
  const { reserves = [], adjustments = [], availableBase } = totals;
  if (availableBase) {
    const held = sum(reserves.map(({ amount }) => amount?.sum ?? '0'));
    const left = sum([totals.netBB.sum, negate(held), ...adjustments.map(({ amount }) => amount.sum)]);
    amounts(
      'the net borrowing base less reserves, with adjustments',
      [{ ...totals.netBB, sum: max(left, '0') }],
      availableBase,
    );
  }
  amounts('the first borrowing base', [result.firstBB], totals.firstBB);
  amounts('the net borrowing base', [result.netBB], totals.netBB);
  return problems;
}
