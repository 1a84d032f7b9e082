import type { CalendarDate } from '../../dates/calendar-date.ts';
import { add, compare, type DecimalText, fromScaled, subtract, toScaled } from '../../money/decimal.ts';
import { minorUnitDigits } from '../../money/minor-units.ts';
import type { PaydownCell, PaydownOutcome } from '../paydown.ts';
import { type FateFacts, fateOf } from './fate-of.ts';
import { type FollowedAsset, lastById } from './followed.ts';

/** A loan whose payments are followed from one tape to the next. */
export interface PaydownLoan extends FateFacts, FollowedAsset {
  readonly daysPastDue: number | null;
  /** Outstanding principal; the outstanding sum if the tape has no principal. */
  readonly principal: { readonly sum: DecimalText; readonly currency: string } | null;
  /** A month's instalment. */
  readonly payment: { readonly sum: DecimalText; readonly currency: string } | null;
  /** Yearly, in points. */
  readonly ratePoints: DecimalText | null;
  readonly remainingDays: number | null;
  readonly nextPaymentDate: CalendarDate | null;
}

const LAKE_DIGITS = 4;

const YEARLY_POINTS = 1200n * 10n ** 8n;

/**
 * The principal that falls due over some monthly instalments: each pays the month's interest (a twelfth of the yearly
 * rate, rounded half up to the minor unit), and the rest reduces the principal. If the tape has no instalment, the
 * level one of the remaining term is used. Null: unknown.
 */
export function scheduledPrincipal(
  loan: {
    readonly principal: DecimalText;
    readonly currency: string;
    readonly payment: DecimalText | null;
    readonly ratePoints: DecimalText | null;
    readonly remainingDays: number | null;
  },
  instalments: number,
): DecimalText | null {
  if (loan.ratePoints === null || instalments < 0) return null;
  const unit = 10n ** BigInt(LAKE_DIGITS - Math.min(LAKE_DIGITS, minorUnitDigits(loan.currency)));
  const rate = toScaled(loan.ratePoints, 8);
  const opening = toScaled(loan.principal, LAKE_DIGITS);
  const payment =
    loan.payment === null
      ? levelPayment(loan.principal, loan.ratePoints, loan.remainingDays, unit)
      : toScaled(loan.payment, LAKE_DIGITS);
  if (payment === null) return null;
  let balance = opening;
  for (let month = 0; month < instalments; month += 1) {
    const interest = ((2n * balance * rate + YEARLY_POINTS * unit) / (2n * YEARLY_POINTS * unit)) * unit;
    const due = payment - interest;
    balance -= due < 0n ? 0n : due > balance ? balance : due;
  }
  return fromScaled(opening - balance, LAKE_DIGITS);
}

/**
 * In ten-thousandths, rounded up to the minor unit as lenders do; in floating point, since the tape has no instalment.
 */
function levelPayment(
  principal: DecimalText,
  ratePoints: DecimalText,
  remainingDays: number | null,
  unit: bigint,
): bigint | null {
  const months = remainingDays === null ? 0 : Math.floor(remainingDays / 30.4375 + 0.5);
  if (months < 1) return null;
  const monthly = Number(ratePoints) / 1200;
  const payment =
    monthly === 0 ? Number(principal) / months : (Number(principal) * monthly) / (1 - (1 + monthly) ** -months);
  return BigInt(Math.ceil((payment * 10 ** LAKE_DIGITS) / Number(unit))) * unit;
}

/**
 * What the loans of one tape paid by the next. Loans are followed if they are open and not in default on the earlier
 * tape, with an id and principal. A loan that stays and was not past due has prepaid what it paid beyond its schedule;
 * one that was past due catches up instead. A prepaid loan has prepaid what its schedule left; one repaid as agreed has
 * prepaid nothing.
 * @param months between the two tapes
 */
export function paydownCells(
  before: { readonly cutOffDate: CalendarDate; readonly loans: readonly PaydownLoan[] },
  after: { readonly cutOffDate: CalendarDate; readonly loans: readonly PaydownLoan[] },
  months: number,
): PaydownCell[] {
  const later = lastById(after.loans);
  const cells = new Map<string, PaydownCell>();
  for (const loan of before.loans) {
    if (loan.assetId === null || loan.principal === null || compare(loan.principal.sum, '0') <= 0) continue;
    if (fateOf(loan, before.cutOffDate) !== null) continue;
    const { sum: opening, currency } = loan.principal;
    const next = later.get(loan.assetId);
    const outcome: PaydownOutcome = next ? (fateOf(next, after.cutOffDate)?.fate ?? 'open') : 'vanished';
    const instalments = loan.nextPaymentDate !== null && loan.nextPaymentDate > after.cutOffDate ? 0 : months;
    const payment = loan.payment?.currency === currency ? loan.payment.sum : null;
    const due = scheduledPrincipal({ ...loan, principal: opening, currency, payment }, instalments);
    const scheduled = outcome === 'default' ? '0' : outcome === 'repaid' ? opening : (due ?? '0');
    const closing = next?.principal?.currency === currency ? next.principal.sum : null;
    const key = `${outcome} ${currency}`;
    const known = cells.get(key) ?? {
      outcome,
      currency,
      count: 0,
      opening: '0',
      scheduled: '0',
      prepaid: '0',
      withoutSchedule: 0,
    };
    cells.set(key, {
      ...known,
      count: known.count + 1,
      opening: add(known.opening, opening),
      scheduled: add(known.scheduled, scheduled),
      prepaid: add(known.prepaid, prepaidOf(outcome, { opening, closing, due, daysPastDue: loan.daysPastDue })),
      withoutSchedule: known.withoutSchedule + (due === null && outcome !== 'repaid' && outcome !== 'default' ? 1 : 0),
    });
  }
  return [...cells.values()];
}

function prepaidOf(
  outcome: PaydownOutcome,
  loan: { opening: DecimalText; closing: DecimalText | null; due: DecimalText | null; daysPastDue: number | null },
): DecimalText {
  if (outcome === 'prepaid') return subtract(loan.opening, loan.due ?? '0');
  if (outcome !== 'open' || loan.closing === null || loan.due === null) return '0';
  if (loan.daysPastDue === null || !(loan.daysPastDue < 1)) return '0';
  const beyond = subtract(subtract(loan.opening, loan.closing), loan.due);
  return compare(beyond, '0') > 0 ? beyond : '0';
}
