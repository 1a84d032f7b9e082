import type { Billed } from '@tapeline/domain/invoices/interest-of-note.ts';
import type { InvoiceLine, IssuedInvoice } from '@tapeline/domain/invoices/lines.ts';
import type { StoredNote } from '../../entities/lending.ts';
import { asProgram, type Session } from '../../store.ts';
import { amendmentsOf } from '../amendments/note-amendments.ts';
import { pricingTests } from '../covenants/pricing-tests.ts';
import { baseRateFixings } from '../interest/base-rates.ts';
import { noteLedger } from '../ledger/note-ledger.ts';

/**
 * What the invoices of a note are calculated from.
 * @param isWhole also what the actor cannot see: an invoice has all or nothing
 */
export const billedOf = async (
  session: Session,
  note: StoredNote,
  managerId: string,
  { isWhole = true } = {},
): Promise<Billed> => {
  const readIssued = () =>
    session.query<IssuedInvoice>(
      `select id, number, currency, period_from::text as from, period_to::text as to, lines from invoices
       where note_id = $1 and status = 'Active' order by period_from`,
      [note.id],
    );
  const amendments = await amendmentsOf(session, note.id);
  return {
    note,
    amendments,
    tests: await pricingTests(session, { note, amendments }),
    ledger: await noteLedger(session, note.id, { isWhole }),
    fixings: await baseRateFixings(session, managerId),
    issued: await (isWhole ? asProgram(session, readIssued) : readIssued()),
  };
};

/** The amendments that an invoice was calculated with: those of days in its period, or of one that it corrects. */
export function amendmentsOfInvoice(
  { amendments = [] }: Billed,
  { to, lines }: { readonly to: string; readonly lines: readonly InvoiceLine[] },
): string[] {
  const [last] = [to, ...lines.flatMap(({ corrects }) => corrects?.to ?? [])].sort().reverse();
  return amendments.flatMap(({ id, effectiveDate }) => (effectiveDate < last! ? [id] : []));
}
