import type { BorrowingBaseResult, ConcentrationResult } from '@tapeline/domain/borrowing-base/result.ts';
import { compare, type DecimalText, subtract } from '@tapeline/domain/money/decimal.ts';
import { shareOf } from './tracked-rules.ts';

/** One concentration rule as it is agreed: what is measured, what it may be, and what room is left. */
export interface ConcentrationLimit {
  rule: number;
  title: string;
  /** Money is read as a share of the pool; anything else in its own unit. */
  unit: 'percent' | 'number';
  /** The group nearest to the limit, or farthest beyond it; null where nothing was measured. */
  measured: DecimalText | null;
  limit: DecimalText | null;
  /** Up to the limit; below zero beyond it. Null for a rule that has no sides (is, is not). */
  room: DecimalText | null;
  breached: boolean;
  /** False: a breach is only flagged. */
  removes: boolean;
}

const isFloor = ({ operand }: ConcentrationResult): boolean => operand === 'gt' || operand === 'gte';
const hasSides = ({ operand }: ConcentrationResult): boolean => operand !== 'eq' && operand !== 'neq';

/** The measure that decides: of groups measured one by one the largest under a cap, the smallest over a floor. */
function decisive(rule: ConcentrationResult): DecimalText | null {
  if (rule.measure !== null) return rule.measure;
  // The smallest of many groups may be one that is not listed.
  if (isFloor(rule) && !rule.breached && rule.groupCount > rule.groups.length) return null;
  const measures = rule.groups.flatMap(({ part, measure }) =>
    part === 'measured' && measure !== null ? [measure] : [],
  );
  const [first, ...rest] = measures;
  if (first === undefined) return null;
  const wanted = isFloor(rule) ? -1 : 1;
  return rest.reduce((worst, measure) => (compare(measure, worst) * wanted > 0 ? measure : worst), first);
}

export function concentrationLimits(result: BorrowingBaseResult): ConcentrationLimit[] {
  const pool = result.totals.pools.eligibleOrPerforming.amount.sum;
  return result.excessBreachDistribution.map((rule) => {
    const read = (value: DecimalText | null) => (value !== null && rule.money ? shareOf(value, pool) : value);
    const [measured, limit] = [read(decisive(rule)), read(rule.limit)];
    const room = measured === null || limit === null || !hasSides(rule) ? null : subtract(limit, measured);
    return {
      rule: rule.rule,
      title: rule.title,
      unit: rule.money ? 'percent' : 'number',
      measured,
      limit,
      room: room !== null && isFloor(rule) ? subtract('0', room) : room,
      breached: rule.breached,
      removes: rule.removes,
    };
  });
}
