import type { CreditReturn } from '@tapeline/domain/cash/cash.schema.ts';
import type { Direction } from '@tapeline/domain/cash/labels.ts';
import type { CalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { documentSumProblem } from '@tapeline/domain/money/amount.schema.ts';
import { add, compare, type DecimalText, subtract, sum } from '@tapeline/domain/money/decimal.ts';
import { writtenAmount } from '@tapeline/domain/money/format-figure.ts';
import { Payment } from '../../entities/cash.ts';
import { newId } from '../../ids.ts';
import type { ReadSession } from '../../read-session.ts';
import type { Session } from '../../store.ts';
import { touchedMetadata } from '../metadata.ts';
import { requirePermission } from '../permission.ts';
import { lockCash } from './cash-locks.ts';
import { type CashParty, partySql } from './parties.ts';
import { lockPayments, type PaymentView, usedOf, viewPayments } from './payments.ts';

/** The columns that say whom a payment is with. */
const partyOf = ({ investorLPId, investorFundId, companyId }: Payment) => ({
  investorLPId: investorLPId ?? null,
  investorFundId: investorFundId ?? null,
  companyId: companyId ?? null,
});
const isSame = (one: Payment, other: Payment): boolean =>
  JSON.stringify(partyOf(one)) === JSON.stringify(partyOf(other));
const hasParty = (payment: Payment): boolean => Object.values(partyOf(payment)).some((id) => id !== null);

/** Why a payment cannot give back what is left of another; null if it can. */
function problemOf(payment: Payment, other: Payment | undefined): string | null {
  if (!other || other.currency !== payment.currency || other.managerId !== payment.managerId)
    return `is not a payment in ${payment.currency}`;
  if (other.status !== 'Active') return 'is removed';
  if (other.direction === payment.direction)
    return payment.direction === 'out' ? 'went out as well, and is no credit' : 'came in as well, and is no credit';
  if (!hasParty(other)) return 'is with nobody yet: say first whose credit it is';
  if (hasParty(payment) && !isSame(payment, other)) return 'is with somebody else';
  return payment.fundId && other.fundId && payment.fundId !== other.fundId ? 'is of the account of another fund' : null;
}

/**
 * Gives back credits with a payment that went the other way: what an investor or borrower had paid too much, or we. Both
 * payments have less left, and the book has both. A reversal of either part takes back both.
 * @throws Refusal forbidden without payments/write; notFound; badRequest with a flag at each problem, or if the version is stale
 */
export async function returnCredits(session: Session, id: string, command: CreditReturn): Promise<PaymentView> {
  requirePermission(session, 'payments/write');
  const ids = command.returns.map((one) => one.payment);
  await lockCash(session, { payments: [id, ...ids], documents: [] });
  const [payment] = await lockPayments(session, [{ id, version: command.version }]);
  if (!payment) throw new Refusal('notFound');
  const found = await session.em.find(Payment, { id: { $in: ids } }, { refresh: true });
  const credits = new Map(found.map((credit) => [credit.id, credit]));
  const used = await usedOf(session, [id, ...ids]);
  const leftOf = (one: Payment): DecimalText => subtract(one.amount, used.get(one.id) ?? '0');
  const { currency } = payment;
  const most = (left: DecimalText, of: string) => `must be at most the ${writtenAmount({ sum: left, currency })} ${of}`;
  const flags: Record<string, NonNullable<ReturnType<typeof documentSumProblem>>> = {};
  const taken = new Map<string, DecimalText>();
  for (const [index, { payment: named, amount }] of command.returns.entries()) {
    const credit = credits.get(named);
    const problem = problemOf(payment, credit);
    const currencyProblem = documentSumProblem(currency, amount);
    const before = taken.get(named) ?? '0';
    if (currencyProblem) flags[`returns.${index}.amount`] = currencyProblem;
    else if (problem) flags[`returns.${index}.payment`] = problem;
    else {
      const left = subtract(leftOf(credit!), before);
      if (compare(amount.sum, left) > 0) flags[`returns.${index}.amount`] = most(left, 'of the credit');
      if (!hasParty(payment)) Object.assign(payment, partyOf(credit!));
    }
    taken.set(named, add(before, amount.sum));
  }
  const left = leftOf(payment);
  if (compare(sum(command.returns.map(({ amount }) => amount.sum)), left) > 0)
    flags['returns.0.amount'] ??= most(left, 'that is left of the payment');
  if (Object.keys(flags).length > 0) throw new Refusal('badRequest', undefined, { flags });
  for (const one of [payment, ...found]) one.metadata = touchedMetadata(session, one.metadata);
  await session.em.flush();
  const rows = command.returns.flatMap(({ payment: credit, amount }) => [
    { id: newId(session.now), payment: id, document: credit, amount: amount.sum },
    { id: newId(session.now), payment: credit, document: id, amount: amount.sum },
  ]);
  await session.query(
    `insert into allocations (id, payment_id, obligation_kind, document_id, amount)
     select id, payment, 'credit', document, amount from jsonb_to_recordset($1::jsonb) as row (id text, payment text, document text, amount numeric)`,
    [JSON.stringify(rows)],
  );
  return (await viewPayments(session, [payment]))[0]!;
}

/** What is left of one payment of a party. */
export interface CreditPayment {
  readonly id: string;
  readonly code: number;
  readonly party: CashParty;
  readonly bookedOn: CalendarDate;
  readonly left: DecimalText;
}

/** Credits that a payment can give back, the latest first. */
export async function returnableCredits(
  session: ReadSession,
  payment: Pick<Payment, 'managerId' | 'currency' | 'fundId'> & {
    readonly direction: Direction;
    readonly party: CashParty | null;
  },
  limit: number,
): Promise<CreditPayment[]> {
  requirePermission(session, 'payments/read');
  return session.query<CreditPayment & Record<string, unknown>>(
    `select p.id, p.code, ${partySql('p')} as party, p.booked_on::text as "bookedOn", p.left::text from (
       select p.*, p.amount - coalesce((select sum(a.amount) from allocations a where a.payment_id = p.id and a.reversed_at is null), 0) as left
       from payments p where p.manager_id = $1 and p.status = 'Active' and p.direction <> $2 and p.currency = $3 and p.own_item is null
         and num_nonnulls(p.investor_lp_id, p.investor_fund_id, p.company_id) = 1
         and ($4::text is null or $4 in (p.investor_lp_id, p.investor_fund_id, p.company_id))
         and ($5::text is null or p.fund_id is null or p.fund_id = $5)) p
     where p.left > 0 order by p.booked_on desc, p.id desc limit $6`,
    [payment.managerId, payment.direction, payment.currency, payment.party?.id ?? null, payment.fundId ?? null, limit],
  );
}
