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

interface Parties {
  readonly manager: NoticeParty;
  readonly company: NoticeParty;
  readonly fund: NoticeParty | null;
}

type Payable = Pick<InvoiceView, 'id' | 'managerId' | 'companyId' | 'transactionId' | 'noteId'>;

/**
 * The manager, the borrower and the one fund that holds the note of each invoice, whoever asks: their addresses and accounts
 * are on the invoices.
 */
async function partiesOf(session: Session, invoices: readonly Payable[]): Promise<Map<string, Parties>> {
  return asProgram(session, async () => {
    const held = await session.query<{ id: string; funds: string[] | null }>(
      `select one.id, holding_funds(t.notes, one.note) as funds
       from unnest($1::text[], $2::text[], $3::text[]) as one (id, facility, note) join transactions t on t.id = one.facility`,
      [
        invoices.map(({ id }) => id),
        invoices.map(({ transactionId }) => transactionId),
        invoices.map(({ noteId }) => noteId),
      ],
    );
    const fundOf = new Map(held.map(({ id, funds }) => [id, funds?.length === 1 ? funds[0] : undefined]));
    const unique = (ids: readonly (string | undefined)[]) => [...new Set(ids.flatMap((id) => id ?? []))];
    const found = await session.query<NoticeParty>(PARTIES, [
      unique(invoices.map(({ managerId }) => managerId)),
      unique(invoices.map(({ companyId }) => companyId)),
      unique([...fundOf.values()]),
    ]);
    const byId = new Map(found.map((party) => [party.id, party]));
    return new Map(
      invoices.map(({ id, managerId, companyId }) => [
        id,
        {
          manager: byId.get(managerId)!,
          company: byId.get(companyId)!,
          fund: byId.get(fundOf.get(id) ?? '') ?? null,
        },
      ]),
    );
  });
}

/** The account to pay into: of the fund that holds the note alone, or else of the manager. */
function wireTo({ manager, fund }: Parties): WireDetails | null {
  const payee = fund?.banks[0] ? fund : manager;
  const [bank] = payee.banks;
  return bank ? wireDetailsOf(bank, payee.formalName) : null;
}

/** Where invoices are paid to, by their ids. */
export async function wiresOfInvoices(
  session: Session,
  invoices: readonly Payable[],
): Promise<Map<string, WireDetails | null>> {
  const parties = await partiesOf(session, invoices);
  return new Map([...parties].map(([id, of]) => [id, wireTo(of)]));
}

/** An invoice that the actor can see, to be printed. @throws Refusal notFound */
export async function readPrintedInvoice(
  session: Session,
  id: string,
  readLogo: LogoReader | null,
): Promise<{ printed: PrintedDocument; name: string }> {
  const invoice = await getInvoice(session, id);
  const parties = (await partiesOf(session, [invoice])).get(id)!;
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
