import { Draw } from '@tapeline/db/entities/draws.ts';
import { Transaction } from '@tapeline/db/entities/lending.ts';
import { User } from '@tapeline/db/entities/people.ts';
import { newId } from '@tapeline/db/ids.ts';
import { SYSTEM } from '@tapeline/db/store.ts';
import { productStore } from './product-store.ts';

/** Adds an approved draw to the Northwind facility of a manager, as if it had been requested and approved. */
export async function addApprovedDraw(
  managerEmail: string,
  { dueDate, sum }: { dueDate: string; sum: string },
): Promise<{ transactionId: string; transactionTitle: string; noteId: string; noteTitle: string }> {
  const store = await productStore();
  return store.as(SYSTEM, async ({ em, now }) => {
    const { managerId } = await em.findOneOrFail(User, { email: managerEmail });
    const transaction = await em.findOneOrFail(Transaction, {
      managerId: managerId as string,
      title: 'Northwind warehouse facility',
    });
    const note = transaction.notes[0]!;
    const amounts = [{ sum, currency: 'USD' }];
    em.create(Draw, {
      id: newId(now),
      managerId: transaction.managerId,
      companyId: transaction.companyId,
      transactionId: transaction.id,
      noteId: note.id,
      status: 'Approved',
      cutOffDate: dueDate,
      dueDate,
      draws: [{ type: 'Regular', amounts, valueInUSD: null, amountInMainCurrency: null }],
    });
    return {
      transactionId: transaction.id,
      transactionTitle: transaction.title,
      noteId: note.id,
      noteTitle: note.title,
    };
  });
}
