import { concentrationLimits } from '@tapeline/domain/borrowing-base/concentration-limits.ts';
import { resultWarnings } from '@tapeline/domain/borrowing-base/contract-warnings.ts';
import { movementsBetween } from '@tapeline/domain/borrowing-base/movement.ts';
import {
  availableBaseOf,
  type BorrowingBaseResult,
  type RuleTracking,
} from '@tapeline/domain/borrowing-base/result.ts';
import { AVAILABILITY_AT_CUT_OFF, AVAILABLE_BASE } from '@tapeline/domain/facilities/position-labels.ts';
import { describeCode } from '@tapeline/domain/filters/spoken-value.ts';
import { type DecimalText, subtract } from '@tapeline/domain/money/decimal.ts';
import type { TrialResult } from '@tapeline/workflows/preview/preview.ts';

/** Changed assets on the page. The file has all that the trial returns. */
const ASSETS_SHOWN = 100;

/** Groups that fail whole, named at their rule. */
const GROUPS_SHOWN = 3;

const row = <Key extends string>(
  key: Key,
  label: string,
  read: (totals: BorrowingBaseResult['totals']) => DecimalText | null,
) => ({ key, label, read });
const ROWS = [
  row('relevant', 'Relevant pool', ({ pools }) => pools.relevant.amount.sum),
  row('eligibleOrPerforming', 'Eligible or performing', ({ pools }) => pools.eligibleOrPerforming.amount.sum),
  row('excess', 'Excess concentration', ({ excess }) => excess.sum),
  row('firstBB', 'Gross borrowing base', ({ firstBB }) => firstBB.sum),
  row('netBB', 'Net borrowing base', ({ netBB }) => netBB.sum),
  row('availableBase', AVAILABLE_BASE, (totals) => availableBaseOf(totals)?.sum ?? null),
  row('availability', AVAILABILITY_AT_CUT_OFF, ({ availability }) => availability?.sum ?? null),
];

const countsOf = (stage: string, rules: readonly RuleTracking[]) =>
  rules.map((rule) => [`${stage}:${rule.rule}`, rule.failed.count] as const);

/** The parts of a worker's answer that the page shows: the contract's results on a tape. */
export function trialOf(answer: TrialResult, tape: { id: string; name: string; cutOffDate: string }) {
  const draft = answer.draft as BorrowingBaseResult;
  const active = answer.active as BorrowingBaseResult | null;
  const { rulesTracking } = draft;
  return {
    tape,
    currency: draft.currency,
    figures: ROWS.filter(({ key }) => key !== 'availableBase' || draft.totals.reserves || active?.totals.reserves).map(
      ({ key, label, read }) => {
        const [now, was] = [read(draft.totals), active ? read(active.totals) : null];
        return {
          key,
          label,
          draft: now,
          active: was,
          change: now !== null && was !== null ? subtract(now, was) : null,
        };
      },
    ),
    /** By part and index, how many assets fail the rule at all, or get the rate (`advance:0`). */
    counts: Object.fromEntries([
      ...countsOf('eligibility', rulesTracking.eligible),
      ...countsOf('performance', rulesTracking.performing),
      ...(draft.totals.offsets ?? []).map(({ rule, count }) => [`offsets:${rule}`, count] as const),
      ...countsOf('concentration', rulesTracking.concentration),
      ...rulesTracking.advancing.map((rate) => [`advance:${rate.rule}`, rate.taken.count] as const),
      ...draft.scopes.map((scope, index) => [`scopes:${index}`, scope.pools.relevant.count] as const),
    ]) as Record<string, number>,
    /** Number of assets that the rules are applied to. */
    pool: draft.totals.pools.relevant.count,
    statusChanges: answer.statusChanges,
    changedAssets: answer.changedAssets.slice(0, ASSETS_SHOWN),
    /** How the net borrowing base moves from the contract in force to this one. */
    movements: active ? movementsBetween(active, draft) : [],
    limits: active ? limitsOf(active, draft) : [],
    /** The largest groups that each rule about whole groups excludes, by the rule's index. */
    wholeGroups: Object.fromEntries(
      (draft.wholeGroups ?? []).map(({ rule, failedGroupCount, groupCount, groups }) => [
        rule,
        {
          ...{ failedGroupCount, groupCount },
          largest: groups.slice(0, GROUPS_SHOWN).map(({ key, percentage }) => ({ key, percentage })),
        },
      ]),
    ),
    /** The groups with the largest amounts to take, by the offset's index. */
    offsets: Object.fromEntries(
      (draft.totals.offsets ?? []).map(({ rule, groupCount, taken, leftOver, groups }) => [
        rule,
        {
          ...{ groupCount, taken: taken.sum, leftOver: leftOver.sum },
          largest: groups.slice(0, GROUPS_SHOWN).map(({ key, taken, leftOver }) => ({
            key,
            taken: taken.sum,
            leftOver: leftOver.sum,
          })),
        },
      ]),
    ),
    /** What is without effect on the tape. */
    warnings: resultWarnings(draft),
    hasActive: active !== null,
  };
}

export type Trial = ReturnType<typeof trialOf>;

/** Either the trial, or the reason why there is none. The page works without it. */
export type TrialAnswer = { trial: Trial; problem: null } | { trial: null; problem: string };

/** The limits of both contracts by title, those of the draft first. Null if a contract does not have the limit. */
function limitsOf(active: BorrowingBaseResult, draft: BorrowingBaseResult) {
  const figuresOf = (result: BorrowingBaseResult) => {
    const excess = new Map(result.excessBreachDistribution.map((rule) => [rule.rule, rule.excess.sum.sum]));
    return new Map(
      concentrationLimits(result).map(({ title, unit, measured, limit, breached, rule }) => [
        title,
        { unit, measured, limit, breached, excess: excess.get(rule) ?? '0' },
      ]),
    );
  };
  const [was, is] = [figuresOf(active), figuresOf(draft)];
  return [...new Set([...is.keys(), ...was.keys()])].map((title) => ({
    title,
    unit: (is.get(title) ?? was.get(title))?.unit ?? 'number',
    active: was.get(title) ?? null,
    draft: is.get(title) ?? null,
  }));
}

/** "203 assets change status: 196 become ineligible, 7 become performing." */
export function describeSwitches(changes: Trial['statusChanges']): string {
  const total = changes.reduce((count, change) => count + change.assets, 0);
  if (total === 0) return 'No assets change status.';
  const byTarget = new Map<string, number>();
  for (const { to, assets } of changes) byTarget.set(to, (byTarget.get(to) ?? 0) + assets);
  const parts = [...byTarget].map(([to, count]) => `${count.toLocaleString('en')} become ${describeCode(to)}`);
  return `${total.toLocaleString('en')} ${total === 1 ? 'asset changes' : 'assets change'} status: ${parts.join(', ')}.`;
}
