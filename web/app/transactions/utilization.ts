import type { BorrowingBaseFigures } from '@tapeline/db/operations/borrowing-bases/borrowing-base-figures.ts';
import type { TransactionView } from '@tapeline/db/operations/transactions/transactions.ts';
import { commitmentsInForce } from '@tapeline/domain/facilities/transaction.schema.ts';
import type { Amount } from '@tapeline/domain/money/amount.schema.ts';
import { isZero, subtract, toNumber } from '@tapeline/domain/money/decimal.ts';
import { shareOf } from '../borrowing-bases/tracked-rules.ts';

/** How far one note is drawn. What is not recorded is null, never zero. */
export interface NoteUtilization {
  transaction: string;
  noteId: string;
  noteTitle: string;
  mainCurrency: string | null;
  commitments: Amount | null;
  balance: Amount | null;
  undrawn: Amount | null;
  /** Balance in per cent of commitments. */
  utilizationPercent: number | null;
  /** Of the latest borrowing base, in its tape's currency. */
  netBB: Amount | null;
  availability: Amount | null;
  /** Id and cut-off date of that borrowing base. */
  borrowingBase: string | null;
  cutOffDate: string | null;
}

/** @param figures of these notes, the earliest first */
export function notesUtilization(
  transactions: readonly Pick<TransactionView, 'id' | 'notes'>[],
  figures: readonly BorrowingBaseFigures[],
): NoteUtilization[] {
  const latest = new Map(figures.map((base) => [base.noteId, base]));
  return transactions.flatMap((transaction) =>
    transaction.notes.map((note): NoteUtilization => {
      const inForce = commitmentsInForce(note);
      const commitments = inForce?.commitments ?? null;
      const base = latest.get(note.id);
      const balance = base?.balance ?? null;
      const comparable = balance && commitments && balance.currency === commitments.currency ? balance : null;
      const share =
        comparable && commitments && !isZero(commitments.sum) ? shareOf(comparable.sum, commitments.sum) : null;
      return {
        transaction: transaction.id,
        noteId: note.id,
        noteTitle: note.title,
        mainCurrency: inForce?.currency ?? null,
        commitments,
        balance,
        undrawn:
          comparable && commitments
            ? { sum: subtract(commitments.sum, comparable.sum), currency: commitments.currency }
            : null,
        utilizationPercent: share === null ? null : toNumber(share),
        netBB: base ? { sum: base.netBB, currency: base.currency } : null,
        availability: base?.availability ?? null,
        borrowingBase: base?.id ?? null,
        cutOffDate: base?.cutOffDate ?? null,
      };
    }),
  );
}
