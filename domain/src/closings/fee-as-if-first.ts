import { managementFeesOf } from '../capital/investor-fees.ts';
import { addDays, type CalendarDate } from '../dates/calendar-date.ts';
import type { AgreedTerms } from '../funds/fee-terms.ts';
import { add, type DecimalText, isZero, max, min, subtract } from '../money/decimal.ts';

/** The days of a fee, both included. */
interface FeeDays {
  readonly from: CalendarDate;
  readonly until: CalendarDate;
}

/** Whether the management fee of an investor follows on each of these days from its commitment alone. */
const isOnCommitment = ({ on, changes }: AgreedTerms, { from, until }: FeeDays): boolean =>
  [from, ...changes.filter((day) => day > from && day <= until)].every((day) => {
    const { invested, interestIncome, assets, offset } = on(day).management ?? {};
    return !invested && !interestIncome && !assets && !offset;
  });

/** What decides what an entrant owes of an earlier fee. */
export interface FeeEntrant {
  /** What it had committed before the closing, and what it adds. */
  readonly before: DecimalText;
  readonly added: DecimalText;
  /** What it has paid of the fee. */
  readonly paid: DecimalText;
  readonly firstClosing: CalendarDate;
}

/**
 * What the own terms of an entrant come to for the days of a fee, as if it had closed first. An increase owes what the fee
 * on all of it is above the fee on the commitment before it, so that a minimum is charged once. Null if the fee does not
 * follow from the commitment alone.
 */
export function feeAsIfFirst(
  { before, added, paid, firstClosing }: FeeEntrant,
  agreed: AgreedTerms,
  days: FeeDays,
  digits: number,
): DecimalText | null {
  if (!isOnCommitment(agreed, days)) return null;
  const period = { from: days.from, to: addDays(days.until, 1) };
  const feeOn = (activeCommitment: DecimalText): DecimalText | null => {
    const commitment = { closingDate: firstClosing, activeCommitment, deltas: [] };
    const ledger = { commitment, calls: [], distributions: [], writeOffs: [], navs: [] };
    return managementFeesOf(ledger, agreed, period, digits).amount;
  };
  const whole = feeOn(add(before, added));
  const owedBefore = isZero(before) ? '0' : feeOn(before);
  if (whole === null || owedBefore === null) return null;
  const amount = max('0', subtract(whole, owedBefore));
  const { overallCap } = agreed.on(days.until);
  return overallCap == null ? amount : min(amount, max('0', subtract(overallCap, paid)));
}
