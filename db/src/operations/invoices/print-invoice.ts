import { type WireDetails, wireDetailsOf } from '@tapeline/domain/capital/notice-parts.ts';
import { printInvoice } from '@tapeline/domain/invoices/print/invoice.ts';
import type { PrintedDocument } from '@tapeline/domain/printing/printed-document.ts';
import { asProgram, type Session } from '../../store.ts';
import { addressLines, type LogoReader, letterheadOf, type NoticeParty, partiesIn } from '../capital/notice-context.ts';
import type { InvoiceView } from './invoice-view.ts';
import { getInvoice } from './invoices.ts';

const PARTIES = [
  partiesIn('managers', "'The manager'", 1),
  partiesIn('companies', 't.name', 2),
  partiesIn('funds', 't.title', 3),
].join(' union all ');

/** The manager, the borrower and the one fund that holds the note, whoever asks: their addresses and accounts are on the invoice. */
async function partiesOf(session: Session, { managerId, companyId, transactionId, noteId }: InvoiceView) {
  return asProgram(session, async () => {
    const [held] = await session.query<{ funds: string[] | null }>(
      'select holding_funds(t.notes, $2) as funds from transactions t where t.id = $1',
      [transactionId, noteId],
    );
    const funds = held?.funds?.length === 1 ? held.funds : [];
    const found = await session.query<NoticeParty>(PARTIES, [[managerId], [companyId], funds]);
    const byId = new Map(found.map((party) => [party.id, party]));
    return { manager: byId.get(managerId)!, company: byId.get(companyId)!, fund: byId.get(funds[0] ?? '') ?? null };
  });
}

/** The account to pay into: of the fund that holds the note alone, or else of the manager. */
function wireTo({ manager, fund }: { manager: NoticeParty; fund: NoticeParty | null }): WireDetails | null {
  const payee = fund?.banks[0] ? fund : manager;
  const [bank] = payee.banks;
  return bank ? wireDetailsOf(bank, payee.formalName) : null;
}

/** Where an invoice is paid to. */
export const wireOfInvoice = async (session: Session, invoice: InvoiceView): Promise<WireDetails | null> =>
  wireTo(await partiesOf(session, invoice));

/** An invoice that the actor can see, to be printed. @throws Refusal notFound */
export async function readPrintedInvoice(
  session: Session,
  id: string,
  readLogo: LogoReader | null,
): Promise<{ printed: PrintedDocument; name: string }> {
  const invoice = await getInvoice(session, id);
  const parties = await partiesOf(session, invoice);
  const printed = printInvoice({
    letterhead: await asProgram(session, () => letterheadOf(parties.manager, readLogo)),
    borrower: { formalName: parties.company.formalName, address: addressLines(parties.company.addresses) },
    facility: invoice.transactionTitle,
    note: invoice.noteTitle,
    number: invoice.number,
    reference: invoice.reference,
    currency: invoice.currency,
    from: invoice.periodFrom,
    to: invoice.periodTo,
    dueDate: invoice.dueDate,
    issuedOn: invoice.issuedOn ?? null,
    datedAt: invoice.issuedOn ? `${invoice.issuedOn}T00:00:00.000Z` : invoice.metadata.iat,
    lines: invoice.lines,
    waterfall: invoice.waterfall,
    received: invoice.received,
    description: invoice.description ?? null,
    wire: wireTo(parties),
  });
  return { printed, name: `Invoice ${invoice.number} of ${invoice.transactionTitle}` };
}
