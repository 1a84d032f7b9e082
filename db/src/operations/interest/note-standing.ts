import { termsInForce } from '@tapeline/domain/facilities/in-force.ts';
import { type NoteLedger, type NotePosition, notePosition } from '@tapeline/domain/facilities/ledger.ts';
import { repayablePrincipal } from '@tapeline/domain/facilities/repayable.ts';
import type { TransactionInterest } from '@tapeline/domain/facilities/terms.schema.ts';
import type { NoteWithoutContracts } from '@tapeline/domain/facilities/transaction.schema.ts';
import { type AccruedInterest, noteInterest } from '@tapeline/domain/interest/accrual.ts';
import type { Amount } from '@tapeline/domain/money/amount.schema.ts';
import type { Session } from '../../store.ts';
import { noteLedger } from '../ledger/note-ledger.ts';
import { baseRateFixings } from './base-rates.ts';

/** What is owed on a note on one day. */
export interface NoteStanding {
  asOf: string;
  ledger: NoteLedger;
  position: NotePosition;
  /** The most principal that a repayment of the day can have, by currency. */
  repayable: Amount[];
  /** The interest in force; null if the terms have none. */
  terms: TransactionInterest | null;
  /** Null without terms or a recorded balance. */
  interest: AccruedInterest[] | null;
}

/** What is owed on a note at the start of `asOf`: a draw or repayment of the day itself counts in the balance. */
export async function noteStanding(
  session: Session,
  { managerId, note, asOf }: { managerId: string; note: NoteWithoutContracts & { id: string }; asOf: string },
): Promise<NoteStanding> {
  const ledger = await noteLedger(session, note.id);
  const terms = termsInForce(note).interest ?? null;
  const fixings = terms?.kind === 'variable' && ledger.isRecorded ? await baseRateFixings(session, managerId) : {};
  return {
    asOf,
    ledger,
    position: notePosition(ledger, asOf),
    repayable: repayablePrincipal(await noteLedger(session, note.id, { isWhole: true }), asOf),
    terms,
    interest: terms && ledger.isRecorded ? noteInterest(ledger, { interest: terms, fixings, asOf }) : null,
  };
}
