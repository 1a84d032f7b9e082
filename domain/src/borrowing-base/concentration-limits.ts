import { compare, type DecimalText, subtract } from '../money/decimal.ts';
import { shareOf } from '../money/shares.ts';
import type { BorrowingBaseResult, ConcentrationResult } from './result.ts';

/** One concentration rule as agreed: what is measured, the limit, and the remaining headroom. */
export interface ConcentrationLimit {
  rule: number;
  title: string;
  /**
   * Amounts of the pool are shown as a share of it, amounts of another field as money. Anything else has its own unit.
   */
  unit: 'percent' | 'money' | 'number';
  /** Path of the measured field. Null for the remaining amount. */
  field: string | null;
  /** The group closest to the limit, or farthest beyond it. Null if nothing was measured. */
  measured: DecimalText | null;
  limit: DecimalText | null;
  /** Headroom up to the limit, negative beyond it. Null for a rule without a direction (is, is not). */
  room: DecimalText | null;
  breached: boolean;
  /** False if a breach is only flagged. */
  removes: boolean;
}

const isFloor = ({ operand }: ConcentrationResult): boolean => operand === 'gt' || operand === 'gte';
const hasSides = ({ operand }: ConcentrationResult): boolean => operand !== 'eq' && operand !== 'neq';

/** The measure that decides. If groups are measured one by one: the largest under a cap, the smallest over a floor. */
function decisive(rule: ConcentrationResult): DecimalText | null {
  if (rule.measure !== null) return rule.measure;
  // The smallest of many groups may not be listed.
  if (isFloor(rule) && !rule.breached && rule.groupCount > rule.groups.length) return null;
  const measures = rule.groups.flatMap(({ part, measure }) =>
    part === 'measured' && measure !== null ? [measure] : [],
  );
  const [first, ...rest] = measures;
  if (first === undefined) return null;
  const wanted = isFloor(rule) ? -1 : 1;
  return rest.reduce((worst, measure) => (compare(measure, worst) * wanted > 0 ? measure : worst), first);
}

/** The unit of a rule's measure and limit. */
export const unitOf = ({ money, accumulatorField }: ConcentrationResult): ConcentrationLimit['unit'] => {
  if (!money) return 'number';
  return accumulatorField ? 'money' : 'percent';
};

export function concentrationLimits(result: BorrowingBaseResult): ConcentrationLimit[] {
  const pool = result.totals.pools.eligibleOrPerforming.amount.sum;
  return result.excessBreachDistribution.map((rule) => {
    const unit = unitOf(rule);
    const read = (value: DecimalText | null) => (value !== null && unit === 'percent' ? shareOf(value, pool) : value);
    const [measured, limit] = [read(decisive(rule)), read(rule.limit)];
    const room = measured === null || limit === null || !hasSides(rule) ? null : subtract(limit, measured);
    return {
      rule: rule.rule,
      title: rule.title,
      unit,
      field: rule.accumulatorField ?? null,
      measured,
      limit,
      room: room !== null && isFloor(rule) ? subtract('0', room) : room,
      breached: rule.breached,
      removes: rule.removes,
    };
  });
}
