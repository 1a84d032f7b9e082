import type { OwnItems } from '@tapeline/domain/cash/match.schema.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { ownItemRefusal, staleRefusal } from '../../database-refusals.ts';
import { Payment } from '../../entities/cash.ts';
import type { Session } from '../../store.ts';
import { changedMetadata } from '../metadata.ts';
import { requirePermission } from '../permission.ts';
import { lockCash } from './cash-locks.ts';
import { type PaymentView, viewPayments } from './payments.ts';

/**
 * Says why payments are with no investor or borrower, so that nobody has to match them, or takes that back: all of them or none.
 * @throws Refusal forbidden without payments/write; notFound; badRequest if a version is stale, or a payment is removed, has a
 *   party or pays something
 */
export async function setOwnItems(session: Session, items: OwnItems): Promise<PaymentView[]> {
  requirePermission(session, 'payments/write');
  const ids = items.map(({ id }) => id);
  await lockCash(session, { payments: ids, documents: [] });
  const found = new Map((await session.em.find(Payment, { id: { $in: ids } })).map((one) => [one.id, one]));
  const payments: Payment[] = [];
  for (const { id, version, ownItem } of items) {
    const payment = found.get(id);
    if (!payment) throw new Refusal('notFound');
    if (payment.version !== version) throw staleRefusal(payment, version);
    if (payment.status === 'Removed') throw new Refusal('badRequest', 'This payment is removed');
    if (payment.investorLPId || payment.investorFundId || payment.companyId) throw ownItemRefusal();
    if ((payment.ownItem ?? null) !== ownItem) {
      Object.assign(payment, { ownItem, metadata: changedMetadata(session, payment.metadata) });
    }
    payments.push(payment);
  }
  await session.em.flush();
  return viewPayments(session, payments);
}
