import type { Amount } from '../money/amount.schema.ts';
import { type DecimalText, isZero, subtract, toNumber } from '../money/decimal.ts';
import type { CurrencyRates } from '../money/rates.ts';
import { shareOf } from '../money/shares.ts';
import { totalIn } from './ledger.ts';
import { commitmentsInForce, type NoteWithoutContracts } from './transaction.schema.ts';

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

/** The figures of a note's borrowing base that its utilization is measured by. */
export interface BaseOfNote {
  id: string;
  noteId: string;
  cutOffDate: string;
  currency: string;
  netBB: DecimalText;
  balance: Amount | null;
  availability: Amount | null;
}

/**
 * @param figures of these notes, the earliest first: the last one of each note counts
 * @param rates the latest: commitments in other currencies than the note's are converted by them
 */
export function notesUtilization(
  transactions: readonly { id: string; notes: readonly (NoteWithoutContracts & { id: string })[] }[],
  figures: readonly BaseOfNote[],
  { rates }: Pick<CurrencyRates, 'rates'>,
): NoteUtilization[] {
  const latest = new Map(figures.map((base) => [base.noteId, base]));
  return transactions.flatMap((transaction) =>
    transaction.notes.map((note): NoteUtilization => {
      const inForce = commitmentsInForce(note);
      const commitments = inForce ? knownTotal(inForce.currency, inForce.commitments, rates) : null;
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

/** The amounts in one currency; null where there are none, and where the table lacks a rate that they need. */
function knownTotal(currency: string, amounts: readonly Amount[], rates: CurrencyRates['rates']): Amount | null {
  if (amounts.length === 0) return null;
  const { amount, missing } = totalIn(currency, amounts, rates);
  return missing.length > 0 ? null : amount;
}
