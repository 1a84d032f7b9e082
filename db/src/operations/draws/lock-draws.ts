import type { Session } from '../../store.ts';
import { lockNotesOf } from '../ledger/lock-notes.ts';

/**
 * Locks the requests, and for those that are to be approved their transactions, so that their terms stay, and their
 * notes, so that their balances stay. Locks are taken in one order, which avoids deadlocks.
 */
export async function lockDraws(session: Session, ids: readonly string[], approved: readonly string[]): Promise<void> {
  if (approved.length > 0) {
    await session.query(
      `select 1 from transactions where id in (select transaction_id from draws where id = any ($1))
       order by id for no key update`,
      [[...approved]],
    );
    await lockNotesOf(session, 'draws', approved);
  }
  await session.query('select 1 from draws where id = any ($1) order by id for update', [[...ids]]);
}
