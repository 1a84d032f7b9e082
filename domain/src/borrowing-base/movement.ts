import { add, type DecimalText, isZero, subtract } from '../money/decimal.ts';
import type { BorrowingBaseResult } from './result.ts';

export type MovementStage =
  | 'Pool'
  | 'Eligibility'
  | 'Performance'
  | 'Offset'
  | 'Concentration'
  | 'Advance rate'
  | 'Other';

/** How one rule moves the net borrowing base from one result to another. */
export interface RuleMovement {
  stage: MovementStage;
  title: string;
  /** Positive raises the net borrowing base. */
  change: DecimalText;
  /** Whether only one of the two contracts has the rule. */
  presence: 'both' | 'added' | 'removed';
}

/** What each rule takes away from the relevant pool on the way to the net borrowing base. */
function deductionsOf({
  rulesTracking,
  totals,
}: BorrowingBaseResult): Map<string, [MovementStage, string, DecimalText]> {
  const deductions = new Map<string, [MovementStage, string, DecimalText]>();
  const deduct = (stage: MovementStage, title: string, sum: DecimalText) => {
    const key = `${stage} ${title}`;
    deductions.set(key, [stage, title, add(deductions.get(key)?.[2] ?? '0', sum)]);
  };
  for (const rule of rulesTracking.eligible) deduct('Eligibility', rule.title, rule.first.amount.sum);
  for (const rule of rulesTracking.performing) deduct('Performance', rule.title, rule.first.amount.sum);
  for (const { title, taken } of totals.offsets ?? []) deduct('Offset', title, taken.sum);
  for (const rule of rulesTracking.concentration) deduct('Concentration', rule.title, rule.first.amount.sum);
  for (const rate of rulesTracking.advancing) deduct('Advance rate', rate.title, rate.haircut.sum);
  return deductions;
}

/**
 * How the net borrowing base moves from one contract's result to another's on the same tape, rule by rule: rules are
 * matched by title. The changes add up to the difference of the two net borrowing bases.
 */
export function movementsBetween(before: BorrowingBaseResult, after: BorrowingBaseResult): RuleMovement[] {
  const [was, is] = [deductionsOf(before), deductionsOf(after)];
  const movements: RuleMovement[] = [
    {
      stage: 'Pool',
      title: 'Relevant pool',
      change: subtract(after.totals.pools.relevant.amount.sum, before.totals.pools.relevant.amount.sum),
      presence: 'both',
    },
  ];
  for (const key of new Set([...is.keys(), ...was.keys()])) {
    const [earlier, later] = [was.get(key), is.get(key)];
    const [stage, title] = later ?? earlier ?? ['Other', ''];
    movements.push({
      stage,
      title,
      change: subtract(earlier?.[2] ?? '0', later?.[2] ?? '0'),
      presence: earlier && later ? 'both' : later ? 'added' : 'removed',
    });
  }
  const explained = movements.reduce((sum, { change }) => add(sum, change), '0');
  const rest = subtract(subtract(after.totals.netBB.sum, before.totals.netBB.sum), explained);
  if (!isZero(rest)) movements.push({ stage: 'Other', title: 'Overlap of limits', change: rest, presence: 'both' });
  const order: MovementStage[] = [
    'Pool',
    'Eligibility',
    'Performance',
    'Offset',
    'Concentration',
    'Advance rate',
    'Other',
  ];
  return movements
    .filter(({ change, presence }) => !isZero(change) || presence !== 'both')
    .sort((a, b) => order.indexOf(a.stage) - order.indexOf(b.stage));
}
