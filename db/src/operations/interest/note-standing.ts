import { utilizedCommitments } from '@tapeline/domain/amendments/commitments-by-day.ts';
import { interestSteps } from '@tapeline/domain/amendments/terms-by-day.ts';
import { noteAsOf } from '@tapeline/domain/amendments/versions.ts';
import { termsInForce } from '@tapeline/domain/facilities/in-force.ts';
import { type NoteLedger, type NotePosition, notePosition } from '@tapeline/domain/facilities/ledger.ts';
import { pricingCovenants } from '@tapeline/domain/facilities/priced-by.ts';
import { repayablePrincipal } from '@tapeline/domain/facilities/repayable.ts';
import type { TransactionInterest } from '@tapeline/domain/facilities/terms.schema.ts';
import type { TermNames } from '@tapeline/domain/facilities/terms-in-words.ts';
import type { NoteWithoutContracts } from '@tapeline/domain/facilities/transaction.schema.ts';
import { type AccruedInterest, noteInterest } from '@tapeline/domain/interest/accrual.ts';
import type { InvoiceLine } from '@tapeline/domain/invoices/lines.ts';
import { prepaymentFees } from '@tapeline/domain/invoices/note-fees.ts';
import type { Amount } from '@tapeline/domain/money/amount.schema.ts';
import type { Session } from '../../store.ts';
import { amendmentsOf } from '../amendments/note-amendments.ts';
import { covenantTitles, pricingTests } from '../covenants/pricing-tests.ts';
import { noteLedger } from '../ledger/note-ledger.ts';
import { baseRateFixings } from './base-rates.ts';

/** What is owed on a note on one day. */
export interface NoteStanding {
  asOf: string;
  ledger: NoteLedger;
  position: NotePosition;
  /** The most principal that a repayment of the day can have, by currency. */
  repayable: Amount[];
  /** What is charged if all of it is repaid on the day before it is due, by currency. */
  prepayment: { currency: string; lines: InvoiceLine[] }[];
  /** The interest in force on the day; null if the terms have none. */
  terms: TransactionInterest | null;
  /** Titles of the covenant that prices it, for its words. */
  names: TermNames;
  /** Null without terms or a recorded balance. */
  interest: AccruedInterest[] | null;
}

/** What is owed on a note at the start of `asOf`: a draw or repayment of the day itself counts in the balance. */
export async function noteStanding(
  session: Session,
  { managerId, note, asOf }: { managerId: string; note: NoteWithoutContracts & { id: string }; asOf: string },
): Promise<NoteStanding> {
  const ledger = await noteLedger(session, note.id);
  const repayable = repayablePrincipal(await noteLedger(session, note.id, { isWhole: true }), asOf);
  const amendments = await amendmentsOf(session, note.id);
  const current = noteAsOf(note, amendments, asOf);
  const terms = termsInForce(current).interest ?? null;
  const steps = interestSteps({ note, amendments });
  const isVariable = steps.some(({ value }) => value?.kind === 'variable');
  const fixings = isVariable && ledger.isRecorded ? await baseRateFixings(session, managerId) : {};
  return {
    asOf,
    ledger,
    position: notePosition(ledger, asOf),
    repayable,
    prepayment: repayable.map(({ sum: principal, currency }) => ({
      currency,
      lines: prepaymentFees({ note, amendments }, { day: asOf, principal, currency }),
    })),
    terms,
    names: await covenantTitles(session, pricingCovenants(current)),
    interest:
      steps.length > 0 && ledger.isRecorded
        ? noteInterest(ledger, {
            interest: steps,
            fixings,
            asOf,
            commitments: utilizedCommitments({ note, amendments, ledger }),
            tests: await pricingTests(session, { note, amendments }),
          })
        : null,
  };
}
