import { getCompany } from '@tapeline/db/operations/companies/companies.ts';
import { deliverablesInForce } from '@tapeline/db/operations/deliverables/deliverables.ts';
import { namesakesOf } from '@tapeline/db/operations/entities/parties.ts';
import { shownPayout } from '@tapeline/db/operations/investors/payout-accounts.ts';
import { listTapes } from '@tapeline/db/operations/tapes/tapes.ts';
import { utilizationOfNotes } from '@tapeline/db/operations/transactions/note-utilization.ts';
import { listTransactions } from '@tapeline/db/operations/transactions/transactions.ts';
import type { Session } from '@tapeline/db/store.ts';
import { todayOf } from '@tapeline/db/today.ts';
import { pick } from '@tapeline/domain/documents/pick.ts';
import { AVAILABILITY_AFTER_REQUESTS, AVAILABILITY_TODAY } from '@tapeline/domain/facilities/position-labels.ts';
import { availabilityAfterRequests } from '@tapeline/domain/facilities/utilization.ts';
import { totalByCurrency } from '@tapeline/domain/money/totals.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import { documentHistory } from '../../../commands/history.server.ts';
import { payoutAccountsOf } from '../../../components/organizations/account-request.server.ts';
import { connectedTo, shownEntity } from '../../../components/organizations/organization-page.server.ts';
import { viewOf } from '../../../components/page/view-of.ts';
import type { Screen } from '../../../http/screen.server.ts';
import { listedItems } from '../deliverables/deliverable-list.server.ts';
import { ITEMS_PER_PAGE } from '../deliverables/deliverable-words.ts';
import { byItemUrgency } from '../deliverables/shown-item.ts';

/** Transactions shown on a company's page. The rest are in the list of transactions. */
const SHOWN_TRANSACTIONS = 100;

type Company = Awaited<ReturnType<typeof getCompany>>;
type Load = (session: Session, company: Company, screen: Screen) => Promise<object>;

/** The facilities of the company, a row per note, with what is drawn and what can be; null without permission. */
async function facilitiesOf(session: Session, { id }: Company) {
  if (!can(session.actor, 'transactions/read')) return null;
  const { documents, total } = await listTransactions(session, {
    filter: { company: id },
    limit: SHOWN_TRANSACTIONS,
  });
  const utilizations = await utilizationOfNotes(session, documents, {
    withBases: can(session.actor, 'borrowingBase/read'),
  });
  const isBorrower = session.actor.kind === 'user' && session.actor.type === 'company';
  const ofNote = new Map(utilizations.map((one) => [one.noteId, one]));
  const rows = documents.flatMap((transaction) =>
    transaction.notes.map((note) => ({
      id: note.id,
      transaction: transaction.id,
      title: transaction.title,
      note: transaction.notes.length > 1 ? note.title : null,
      type: transaction.type.kind === 'equity' ? transaction.type.equityType : transaction.type.loanType,
      status: transaction.status,
      ...pick(ofNote.get(note.id)!, 'commitments', 'balance'),
      availability: isBorrower ? availabilityAfterRequests(ofNote.get(note.id)!) : ofNote.get(note.id)!.availability,
    })),
  );
  const active = rows.filter(({ status }) => status === 'Active');
  const totalOf = (figure: 'commitments' | 'balance' | 'availability') => {
    const known = active.flatMap((row) => row[figure] ?? []);
    return { totals: totalByCurrency(known), known: known.length };
  };
  return {
    /** A borrower sees what it can still request. */
    availabilityLabel: isBorrower ? AVAILABILITY_AFTER_REQUESTS : AVAILABILITY_TODAY,
    rows,
    shown: documents.length,
    total,
    notes: active.length,
    commitments: totalOf('commitments'),
    balance: totalOf('balance'),
    availability: totalOf('availability'),
  };
}

async function latestTapeOf(session: Session, { id }: Company) {
  if (!can(session.actor, 'assets/read')) return null;
  const { documents, total } = await listTapes(session, {
    filter: { company: id },
    sort: { cutOffDate: -1 },
    limit: 1,
  });
  return { total, latest: documents[0]?.cutOffDate ?? null };
}

/** The tape that the scores of the borrower's reporting end with. */
async function latestPublishedOf(session: Session, { id }: Company): Promise<string | null> {
  const [latest] = await session.query<{ id: string }>(
    `select id from loan_tapes where company_id = $1 and status = 'Active' and generation_id is not null
     order by cut_off_date desc, code desc limit 1`,
    [id],
  );
  return latest?.id ?? null;
}

const LOADERS = {
  overview: async () => ({}),
  deliverables: async (session, { id }) => {
    const today = todayOf(session);
    const deliverables = await deliverablesInForce(session, { company: id });
    return {
      items: deliverables
        .flatMap((one) => listedItems(one, today))
        .sort(byItemUrgency)
        .slice(0, ITEMS_PER_PAGE),
      today,
    };
  },
  reporting: async (session, company) => ({ latestTape: await latestPublishedOf(session, company) }),
  details: async (session, { id, domains, entity, entityId, payoutAccounts }, { actor }) => ({
    domains,
    payouts: await payoutAccountsOf(session, actor, {
      ...{ kind: 'companies', id },
      accounts: payoutAccounts.map(shownPayout),
    }),
    entity: shownEntity(entity),
    connected: await connectedTo(session, { kind: 'company', id }, entityId),
  }),
  history: async (session, { id, entityId }, { url }) => ({
    history: await documentHistory(
      session,
      [
        { resource: 'companies', ids: [id] },
        { resource: 'entities', ids: [entityId] },
      ],
      url.searchParams,
    ),
  }),
} satisfies Record<string, Load>;

export type CompanyView = keyof typeof LOADERS;

type Loaded = { [View in CompanyView]: { view: View } & Awaited<ReturnType<(typeof LOADERS)[View]>> }[CompanyView];

/** The tabs that the actor may read. Without facilities, a company is described by its details. */
function viewsOf({ actor }: Screen): CompanyView[] {
  const isShown: Record<CompanyView, boolean> = {
    overview: can(actor, 'transactions/read'),
    deliverables: can(actor, 'transactions/read'),
    reporting: can(actor, 'assets/read'),
    details: true,
    history: can(actor, 'history/read'),
  };
  return (Object.keys(LOADERS) as CompanyView[]).filter((view) => isShown[view]);
}

/** A company with its figures, and the tab that the address asks for. */
export const viewCompany = (screen: Screen) =>
  screen.db(async (session) => {
    const { actor, params, url } = screen;
    const company = await getCompany(session, params.id ?? '');
    const views = viewsOf(screen);
    const view = viewOf(url, views);
    const { id, code, status, externalCode, metadata, entity } = company;
    return {
      id,
      code,
      status,
      externalCode,
      createdAt: metadata.iat,
      name: entity.name,
      country: entity.nationality.country,
      businessType: entity.business?.type ?? null,
      facilities: await facilitiesOf(session, company),
      tapes: await latestTapeOf(session, company),
      namesakes: can(actor, 'companies/write') ? await namesakesOf(session, 'companies', company) : [],
      mayReadDictionary: can(actor, 'assets/ETL/read') && can(actor, 'assets/read'),
      mayWrite: can(actor, 'companies/write'),
      mayInvite: company.status === 'Active' && can(actor, 'users/write'),
      views,
      tab: { view, ...(await LOADERS[view](session, company, screen)) } as Loaded,
    };
  });

export type CompanyPage = Awaited<ReturnType<typeof viewCompany>>;
