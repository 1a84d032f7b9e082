import type { Amount } from '../money/amount.schema.ts';
import { type DecimalText, isZero, round, subtract, toNumber } from '../money/decimal.ts';
import { minorUnitDigits } from '../money/minor-units.ts';
import type { CurrencyRates } from '../money/rates.ts';
import { shareOf } from '../money/shares.ts';
import { commitmentsInForce } from './in-force.ts';
import { availabilityOf, type NotePosition, totalIn } from './ledger.ts';
import type { NoteCommitments } from './transaction.schema.ts';

/** How far one note is drawn. What is not recorded is null, never zero. */
export interface NoteUtilization {
  transaction: string;
  noteId: string;
  noteTitle: string;
  mainCurrency: string | null;
  commitments: Amount | null;
  /** Approved draws due less principal repaid to date, at the latest rates. */
  balance: Amount | null;
  /** Approved draws that are not yet due. */
  approved: Amount | null;
  /** Draw requests that are not decided. */
  requested: Amount | null;
  /** Commitments less balance. */
  undrawn: Amount | null;
  /** Balance in per cent of commitments. */
  utilizationPercent: number | null;
  /** Of the latest borrowing base, in its tape's currency. */
  netBB: Amount | null;
  /** The same less reserves; null also if a reserve is unknown. */
  availableBase: Amount | null;
  /**
   * Availability today: the latest available base or the commitments, whichever is less, less the balance and less
   * approved draws that are not yet due.
   */
  availability: Amount | null;
  /** Id and cut-off date of that borrowing base. */
  borrowingBase: string | null;
  cutOffDate: string | null;
}

/** The latest borrowing base of a note. */
export interface BaseOfNote {
  id: string;
  noteId: string;
  cutOffDate: string;
  currency: string;
  netBB: DecimalText;
  /** Null if a reserve is unknown. */
  availableBase: DecimalText | null;
}

type Rates = CurrencyRates['rates'];

/**
 * @param recorded.figures borrowing bases of these notes, the earliest first: the last one of each note counts
 * @param recorded.positions the position of each note today; a note without one has recorded nothing
 * @param rates the latest: amounts in other currencies than the note's are converted by them
 */
export function notesUtilization(
  transactions: readonly { id: string; notes: readonly (NoteCommitments & { id: string; title: string })[] }[],
  { figures, positions }: { figures: readonly BaseOfNote[]; positions: ReadonlyMap<string, NotePosition> },
  { rates }: Pick<CurrencyRates, 'rates'>,
): NoteUtilization[] {
  const latest = new Map(figures.map((base) => [base.noteId, base]));
  return transactions.flatMap((transaction) =>
    transaction.notes.map((note): NoteUtilization => {
      const inForce = commitmentsInForce(note);
      const currency = inForce?.currency ?? null;
      const commitments =
        inForce && inForce.commitments.length > 0 ? known(inForce.currency, inForce.commitments, rates) : null;
      const position = positions.get(note.id);
      const inMain = (amounts: readonly Amount[] | null | undefined) =>
        currency && amounts ? known(currency, amounts, rates) : null;
      const balance = inMain(position?.balance);
      const approved = inMain(position?.approved);
      const base = latest.get(note.id);
      const inBase = (sum: DecimalText | null | undefined) => (base && sum ? { sum, currency: base.currency } : null);
      const availableBase = inBase(base?.availableBase);
      const share = balance && commitments && !isZero(commitments.sum) ? shareOf(balance.sum, commitments.sum) : null;
      return {
        transaction: transaction.id,
        noteId: note.id,
        noteTitle: note.title,
        mainCurrency: currency,
        commitments,
        balance,
        approved,
        requested: inMain(position?.requested),
        undrawn: balance && commitments && less(commitments, balance),
        utilizationPercent: share === null ? null : toNumber(share),
        netBB: inBase(base?.netBB),
        availableBase,
        availability: availabilityOf({
          base: inMain(availableBase && [availableBase]),
          commitments,
          balance,
          approved,
        }),
        borrowingBase: base?.id ?? null,
        cutOffDate: base?.cutOffDate ?? null,
      };
    }),
  );
}

/**
 * What a borrower can still request: availability less the requests that are not decided. An approved draw reduces it
 * already. Null if either is unknown.
 */
export const availabilityAfterRequests = ({
  availability,
  requested,
}: Pick<NoteUtilization, 'availability' | 'requested'>): Amount | null =>
  availability && requested && less(availability, requested);

/** The amounts in one currency; null if the table lacks a rate that they need. */
function known(currency: string, amounts: readonly Amount[], rates: Rates): Amount | null {
  const { amount, missing } = totalIn(currency, amounts, rates);
  return missing.length > 0 ? null : amount;
}

const less = ({ sum, currency }: Amount, what: Amount): Amount => ({
  sum: round(subtract(sum, what.sum), minorUnitDigits(currency)),
  currency,
});
