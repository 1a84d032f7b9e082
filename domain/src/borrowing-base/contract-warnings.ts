import { type TransactionContract, thresholdBase } from '../facilities/contract.schema.ts';
import { DEFAULT_VALUES } from '../facilities/pools.ts';
import type { FilterInput } from '../filters/filter-input.schema.ts';
import type { BorrowingBaseResult } from './result.ts';

/** The parts of a contract whose items can be without effect. */
export type WarnedSection = 'eligibility' | 'performance' | 'concentration' | 'advance';

/** An item of a contract that does not do what somebody who writes one expects. */
export interface ContractWarning {
  readonly section: WarnedSection;
  /** Position in the contract's list. */
  readonly index: number;
  readonly title: string;
  /** A whole sentence. */
  readonly message: string;
}

const isWhole = (filter: FilterInput | null | undefined): boolean => {
  if (filter === undefined || filter === null || filter === '') return true;
  if (typeof filter === 'string') return filter.trim() === '' || filter.trim() === '{}';
  return Object.keys(filter).length === 0;
};

/**
 * What is without effect on any tape: limits that can never reduce the base, rules without a condition, and advance-rate
 * cases behind one that takes every asset. Items that are switched off are left out.
 */
export function contractWarnings(contract: TransactionContract): ContractWarning[] {
  const rules = (['eligibility', 'performance'] as const).flatMap((section) =>
    contract[`${section}Rules`].flatMap(({ title, filter, enabled }, index): ContractWarning[] =>
      enabled && isWhole(filter)
        ? [{ section, index, title, message: 'The rule has no condition, so no asset can fail it.' }]
        : [],
    ),
  );
  const limits = contract.concentrationRules.flatMap((rule, index): ContractWarning[] => {
    const message = rule.enabled ? ineffective(rule) : null;
    return message === null ? [] : [{ section: 'concentration', index, title: rule.title, message }];
  });
  const { cases } = contract.advanceRate;
  const rates = cases.flatMap(({ title, scope, filter }, index): ContractWarning[] => {
    const same = JSON.stringify(filter);
    const before = cases
      .slice(0, index)
      .find(
        (earlier) =>
          (!earlier.scope || earlier.scope === scope) &&
          (isWhole(earlier.filter) || JSON.stringify(earlier.filter) === same),
      );
    if (!before) return [];
    return [
      {
        section: 'advance',
        index,
        title,
        message: `No asset reaches this case: “${before.title}” comes first and takes all of them.`,
      },
    ];
  });
  return [...rules, ...limits, ...rates];
}

function ineffective({
  accumulator,
  accumulatorField,
  equator,
}: TransactionContract['concentrationRules'][number]): string | null {
  const { operand, unit, value } = equator;
  if (accumulator !== '$sum')
    return 'The limit tests an average: a breach is shown, and the borrowing base is not reduced.';
  if (operand !== 'lt' && operand !== 'lte') {
    return 'The limit can never reduce the borrowing base: only a sum that must be at most, or less than, a value removes an excess.';
  }
  const isOfPool = (DEFAULT_VALUES as readonly string[]).includes(thresholdBase(equator));
  if (unit === 'percentage' && value >= 100 && isOfPool && !accumulatorField) {
    return 'The limit can never reduce the borrowing base: no part of the pool is larger than all of it.';
  }
  return null;
}

/** What is without effect, or without exception, on the tape of a result. */
export function resultWarnings({
  totals,
  rulesTracking,
  excessBreachDistribution,
}: BorrowingBaseResult): ContractWarning[] {
  const pool = totals.pools.relevant.count;
  if (pool === 0) return [];
  const eligible = pool - totals.pools.inEligible.count;
  const rules = (
    [
      ['eligibility', rulesTracking.eligible, pool],
      ['performance', rulesTracking.performing, eligible],
    ] as const
  ).flatMap(([section, tracked, all]) =>
    tracked.flatMap(({ rule: index, title, failed: { count } }): ContractWarning[] => {
      // The built-in test that an asset has a balance is no rule of the contract.
      if (index < 0 || all === 0) return [];
      if (count === 0) return [{ section, index, title, message: 'No asset of this tape fails the rule.' }];
      return count >= all ? [{ section, index, title, message: 'Every asset of this tape fails the rule.' }] : [];
    }),
  );
  const limits = excessBreachDistribution.flatMap(({ rule: index, title, groupCount }): ContractWarning[] =>
    groupCount === 0
      ? [{ section: 'concentration', index, title, message: 'The limit measures no asset of this tape.' }]
      : [],
  );
  const rates = rulesTracking.advancing.flatMap(({ rule: index, title, taken }): ContractWarning[] =>
    index >= 0 && taken.count === 0
      ? [{ section: 'advance', index, title, message: 'No asset of this tape reaches this case.' }]
      : [],
  );
  return [...rules, ...limits, ...rates];
}
