import { Transaction } from '../../entities/lending.ts';
import type { Session } from '../../store.ts';
import { todayOf } from '../../today.ts';
import { putDueInForce } from './amended-notes.ts';

/** The facilities with amendments whose day has come and that are not in force. */
export async function facilitiesWithDueAmendments(session: Session): Promise<string[]> {
  const rows = await session.query<{ id: string }>(
    `select distinct a.transaction_id as id from amendments a join transactions t on t.id = a.transaction_id and t.status not in ('Removed', 'Closed')
     where a.status = 'Active' and a.replaced is null and a.effective_date <= $1`,
    [todayOf(session)],
  );
  return rows.map(({ id }) => id);
}

/** Puts the amendments of a facility in force whose day has come. @returns how many */
export async function putAmendmentsInForce(session: Session, transactionId: string): Promise<number> {
  await session.query('select 1 from transactions where id = $1 for no key update', [transactionId]);
  const transaction = await session.em.findOne(Transaction, { id: transactionId }, { refresh: true });
  if (!transaction) return 0;
  return putDueInForce(session, transaction);
}
