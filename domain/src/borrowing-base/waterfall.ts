import { AVAILABILITY_AT_CUT_OFF, AVAILABLE_BASE, BALANCE_AT_CUT_OFF } from '../facilities/position-labels.ts';
import { compare, type DecimalText, isNegative, negate, subtract, sum } from '../money/decimal.ts';
import { availableBaseOf, type BorrowingBaseResult, heldBack, type RuleStage, ruleKey } from './result.ts';

/** A condition on an asset's borrowing-base results, in the filter language. */
export type AssetResultFilter = Record<string, unknown>;

/** In the order of the waterfall, which leaves out what does not apply. */
export const BORROWING_BASE_STEPS = [
  'relevant',
  'inEligible',
  'nonPerforming',
  'eligibleOrPerforming',
  'excess',
  'advanceHaircut',
  'netBB',
  'reserves',
  'adjustments',
  'beyondBase',
  'availableBase',
  'beyondCommitments',
  'balance',
  'availability',
] as const;
export type BorrowingBaseStep = (typeof BORROWING_BASE_STEPS)[number];

export interface WaterfallBar {
  step: BorrowingBaseStep;
  label: string;
  /** A level starts at the axis; a change starts at the end of the previous bar. Downward changes are negative. */
  kind: 'level' | 'change';
  /** Null if not recorded. */
  sum: DecimalText | null;
  currency: string;
  /** Number of assets behind the figure; null for a figure of the note. */
  count: number | null;
  /** Selects those assets; null for a figure of the note. */
  filter: AssetResultFilter | null;
}

const STATUS = 'borrowingBase.status';
const IN_POOL: AssetResultFilter = { [STATUS]: { in: ['eligible', 'performing'] } };

/**
 * The part of the available base above the commitments, which cannot be drawn: availability is based on the lesser of
 * the two. Null if there is no such part, or if it is unknown (no balance and so no availability, or commitments in
 * another currency than the pool).
 */
function beyondCommitments({ totals, currency }: BorrowingBaseResult): DecimalText | null {
  const { commitments, availability } = totals;
  const base = availableBaseOf(totals);
  if (!base || !commitments || !availability || commitments.currency !== currency) return null;
  return compare(base.sum, commitments.sum) > 0 ? subtract(base.sum, commitments.sum) : null;
}

/** What takes off more than there is, so that the available base stays at zero. */
const beyondLabel = ({ reserves, adjustments }: BorrowingBaseResult['totals']): string =>
  reserves && adjustments
    ? 'Reserves and adjustments above the base'
    : `${reserves ? 'Reserves' : 'Adjustments'} above the base`;

/** From the net borrowing base to what is left after reserves and adjustments; empty without any. */
function availableBars({ totals, currency }: BorrowingBaseResult): WaterfallBar[] {
  const { netBB, reserves, adjustments, availableBase } = totals;
  if (availableBase === undefined) return [];
  const bar = (step: BorrowingBaseStep, label: string, kind: WaterfallBar['kind'], amount: DecimalText | null) => ({
    ...{ step, label, kind, currency },
    sum: amount,
    count: null,
    filter: null,
  });
  const held = heldBack(reserves ?? []);
  const adjusted = sum((adjustments ?? []).map(({ amount }) => amount.sum));
  const left = held && sum([netBB.sum, negate(held), adjusted]);
  return [
    ...(reserves ? [bar('reserves', 'Reserves', 'change', held && negate(held))] : []),
    ...(adjustments ? [bar('adjustments', 'Adjustments', 'change', adjusted)] : []),
    ...(left && isNegative(left) ? [bar('beyondBase', beyondLabel(totals), 'change', negate(left))] : []),
    bar('availableBase', AVAILABLE_BASE, 'level', availableBase?.sum ?? null),
  ];
}

/**
 * The bars of the borrowing base page, from the relevant pool down to availability. The changes add up exactly to the
 * levels. Figures after netBB are in the note's main currency, so the waterfall of a pool in another currency ends at
 * netBB.
 */
export function waterfallOf(result: BorrowingBaseResult): WaterfallBar[] {
  const { totals, currency } = result;
  const { pools } = totals;
  const level = (
    step: BorrowingBaseStep,
    label: string,
    sum: DecimalText,
    count: number,
    filter: AssetResultFilter,
  ): WaterfallBar => ({ step, label, kind: 'level', sum, currency, count, filter });
  const change = (
    step: BorrowingBaseStep,
    label: string,
    sum: DecimalText,
    count: number | null,
    filter: AssetResultFilter | null,
  ): WaterfallBar => ({ step, label, kind: 'change', sum: negate(sum), currency, count, filter });
  const poolCount = pools.eligibleOrPerforming.count;
  const beyond = beyondCommitments(result);
  // Count each asset once, at the rule that cut it first.
  const cutCount = result.rulesTracking.concentration.reduce((count, rule) => count + rule.first.count, 0);
  return [
    level('relevant', 'Relevant pool', pools.relevant.amount.sum, pools.relevant.count, {
      [STATUS]: { neq: 'outOfScope' },
    }),
    change('inEligible', 'Ineligible', pools.inEligible.amount.sum, pools.inEligible.count, { [STATUS]: 'inEligible' }),
    change('nonPerforming', 'Non-performing', pools.nonPerforming.amount.sum, pools.nonPerforming.count, {
      [STATUS]: 'nonPerforming',
    }),
    level('eligibleOrPerforming', 'Eligible or performing', pools.eligibleOrPerforming.amount.sum, poolCount, IN_POOL),
    change('excess', 'Excess concentration', totals.excess.sum, cutCount, {
      'borrowingBase.failed': { like: '%,concentration:%' },
    }),
    change('advanceHaircut', 'Advance haircut', totals.advanceHaircut.sum, poolCount, {
      ...IN_POOL,
      'borrowingBase.rate': { lt: 100 },
    }),
    level('netBB', 'Net borrowing base', totals.netBB.sum, poolCount, IN_POOL),
    ...availableBars(result),
    ...(beyond ? [change('beyondCommitments', 'Above commitments', beyond, null, null)] : []),
    {
      step: 'balance',
      label: BALANCE_AT_CUT_OFF,
      kind: 'change',
      sum: totals.balance && negate(totals.balance.sum),
      currency: totals.balance?.currency ?? currency,
      count: null,
      filter: null,
    },
    {
      step: 'availability',
      label: AVAILABILITY_AT_CUT_OFF,
      kind: 'level',
      sum: totals.availability?.sum ?? null,
      currency: totals.availability?.currency ?? currency,
      count: null,
      filter: null,
    },
  ];
}

const ENDS: Partial<Record<BorrowingBaseStep, string>> = {
  availability: 'availability',
  availableBase: 'available base',
};

/** What the last of the bars that are drawn shows. */
export const endOf = (bars: readonly Pick<WaterfallBar, 'step'>[]): string =>
  ENDS[bars.at(-1)?.step ?? 'netBB'] ?? 'net borrowing base';

/** Selects the assets that fail a rule, or that a concentration rule cut. */
export const assetsFailing = (stage: RuleStage, rule: number): AssetResultFilter => ({
  'borrowingBase.failed': { like: `%,${ruleKey(stage, rule)},%` },
});

/** Selects the assets that a rule is the first to exclude. */
export const assetsFirstExcludedBy = (stage: Exclude<RuleStage, 'concentration'>, rule: number): AssetResultFilter => ({
  'borrowingBase.firstFailed': ruleKey(stage, rule),
});

/** Selects the assets of a concentration group that the rule cut. A null `key` is the unknown group. */
export function assetsOfGroup(rule: number, groupBy: string | null, key: string | null): AssetResultFilter {
  const failing = assetsFailing('concentration', rule);
  if (groupBy === null) return failing;
  return { ...failing, [groupBy]: key === null ? { exists: false } : key };
}
