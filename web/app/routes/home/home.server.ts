import { listAnnouncements } from '@tapeline/db/operations/announcements/announcements.ts';
import { type Approval, listApprovals } from '@tapeline/db/operations/approvals/approvals.ts';
import { seesActivity } from '@tapeline/db/operations/capital/activity.ts';
import { capitalCourse } from '@tapeline/db/operations/capital/capital-course.ts';
import { listContributions } from '@tapeline/db/operations/capital/contributions.ts';
import { figuresByFund } from '@tapeline/db/operations/capital/figures.ts';
import {
  latestInvestorDocuments,
  ownPositions,
  paymentDetailsOf,
} from '@tapeline/db/operations/capital/own-capital.ts';
import { listObligations } from '@tapeline/db/operations/cash/obligations.ts';
import { waitingCertificates } from '@tapeline/db/operations/certifications/waiting-certificates.ts';
import { companyNamesOf } from '@tapeline/db/operations/companies/company-choices.ts';
import { urgentCovenants } from '@tapeline/db/operations/covenants/urgent-covenants.ts';
import {
  type AgreedTape,
  type UrgentDeliverable,
  urgentDeliverables,
} from '@tapeline/db/operations/deliverables/urgent-deliverables.ts';
import { countDuplicates, sumCountedTwice } from '@tapeline/db/operations/duplicates/duplicates.ts';
import { listExpiringRecords } from '@tapeline/db/operations/investors/expiring-records.ts';
import { listInvoices } from '@tapeline/db/operations/invoices/invoices.ts';
import { wiresOfInvoices } from '@tapeline/db/operations/invoices/print-invoice.ts';
import { listJobFailures } from '@tapeline/db/operations/jobs/job-failures.ts';
import { countsOfManagers, listManagers, NO_COUNTS } from '@tapeline/db/operations/managers/managers.ts';
import { listNearLimits } from '@tapeline/db/operations/monitoring/near-limits.ts';
import { readNotesOverview } from '@tapeline/db/operations/monitoring/note-overview.ts';
import {
  companyWithPool,
  listLatestTapesWithErrors,
  poolsByCutOffDate,
} from '@tapeline/db/operations/monitoring/tapes-by-company.ts';
import { listTapesDue } from '@tapeline/db/operations/monitoring/tapes-due.ts';
import { outboxBacklog } from '@tapeline/db/operations/outbox/backlog.ts';
import { listUsers } from '@tapeline/db/operations/users/users.ts';
import { countWorkers } from '@tapeline/db/operations/workers/heartbeats.ts';
import type { ReadSession } from '@tapeline/db/read-session.ts';
import { asProgram, type Session } from '@tapeline/db/store.ts';
import { coverageText } from '@tapeline/domain/capital/coverage.ts';
import { addDays, type CalendarDate, calendarDateOf, isCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { isReceivedHere } from '@tapeline/domain/deliverables/deliverable-labels.ts';
import { pick } from '@tapeline/domain/documents/pick.ts';
import { compare, isNegative, isZero } from '@tapeline/domain/money/decimal.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import { readCapital } from '../../commands/capital.server.ts';
import type { Screen as AnyScreen } from '../../http/screen.server.ts';
import { paths } from '../../paths.ts';
import { fundTitles } from '../capital/funds-of-headers.server.ts';
import { shownObligation } from '../cash/owed-table.tsx';
import { paidOf } from '../cash/paid.server.ts';
import { poolOverTapes } from '../monitoring/overview/pool-over-tapes.ts';
import { readDraws } from '../monitoring/overview/waiting-draws.server.ts';
import { tapeState } from '../monitoring/tapes/tape-words.ts';
import {
  certificateItem,
  covenantItem,
  decisionItem,
  deficitItem,
  deliverableItem,
  duplicatesItem,
  type Installation,
  installationItems,
  invoiceItem,
  limitItem,
  pickToday,
  recordItem,
  type TodayItem,
  tapeItem,
  type Urgency,
  wrongTapeItem,
} from './today.ts';

type Screen = Pick<AnyScreen, 'actor' | 'db' | 'url'>;

/** Rows of each table. The link beside its title leads to all. */
const MAX_ROWS = 6;
/** Of a borrower that also sees what it has to pay. */
const MAX_DRAWS_BESIDE_INVOICES = 2;
const MAX_TODAY = 6;
const MAX_CALLS = 2;
const MAX_DOCUMENTS = 5;
const ANNOUNCEMENTS_READ = 3;
/** Items of one kind that are read for Today, which shows six of all kinds. */
const MAX_READ = 50;
const TAPES_SHOWN = 12;

/** The capital figures of all that the actor can see as of a day, and their course. */
async function readFigures(session: ReadSession, query: { cutOffDate: string }) {
  const capital = await readCapital(session, query);
  return { capital, course: await capitalCourse(session, { ...query, currency: capital.currency }) };
}

/** The funds with the most called capital, and the figures of all of them, as of the day. */
async function readFunds({ db }: Screen, cutOffDate: string) {
  return db(async (session) => {
    const query = { cutOffDate };
    const byFund = (await figuresByFund(session, query)).sort((a, b) => compare(b.figures.called, a.figures.called));
    return {
      ...(await readFigures(session, query)),
      total: byFund.length,
      rows: byFund.slice(0, MAX_ROWS).map(({ id, title, figures }) => ({
        id,
        title,
        ...pick(figures, 'activeCommitment', 'called', 'nav', 'tvpi'),
        covers: coverageText(figures.coverage),
      })),
    };
  });
}

/** What each note may draw today, the one with the least left first, with what is wrong and what is near. */
async function readLending(screen: Screen) {
  const { actor, db } = screen;
  const withBases = can(actor, 'borrowingBase/read');
  const maySeeTapes = can(actor, 'assets/read');
  return db(async (session) => {
    const overview = await readNotesOverview(session, {
      withBases,
      limit: MAX_ROWS,
      exceptions: MAX_READ,
      order: 'used',
    });
    const due = maySeeTapes ? await listTapesDue(session, { limit: MAX_READ }) : null;
    const wrong = maySeeTapes ? await listLatestTapesWithErrors(session, { limit: MAX_READ }) : null;
    const near = withBases ? await listNearLimits(session, { limit: MAX_READ }) : { limits: [], bases: 0 };
    const names = await companyNamesOf(
      session,
      [...overview.notes, ...overview.withExceptions, ...near.limits, ...(wrong?.tapes ?? [])].map(
        ({ companyId }) => companyId,
      ),
    );
    const nameOf = (one: { companyId: string; transactionTitle: string }) =>
      names.get(one.companyId) ?? one.transactionTitle;
    return {
      totals: overview.totals,
      notes: overview.notes.map((note) => ({
        id: note.noteId,
        company: nameOf(note),
        ...pick(
          note,
          'transaction',
          'noteTitle',
          'netBB',
          'balance',
          'requested',
          'availability',
          'utilizationPercent',
        ),
        ...pick(note, 'borrowingBase', 'cutOffDate'),
      })),
      deficits: overview.withExceptions.flatMap((note) =>
        note.availability && isNegative(note.availability.sum)
          ? [
              {
                ...pick(note, 'noteId', 'transaction', 'noteTitle', 'cutOffDate'),
                availability: note.availability,
                company: nameOf(note),
              },
            ]
          : [],
      ),
      due,
      wrong: wrong?.tapes.map((tape) => ({
        ...pick(tape, 'id', 'name', 'failure'),
        company: names.get(tape.companyId) ?? null,
        state: tapeState(tape),
        errored: tape.counts?.errored ?? 0,
      })),
      wrongTotal: wrong?.total ?? 0,
      near: [
        ...Map.groupBy(
          near.limits.map((one) => ({ ...one, company: nameOf(one) })),
          ({ baseId }) => baseId,
        ).values(),
      ],
      nearTotal: near.bases,
      withBases,
    };
  });
}
type Lending = Awaited<ReturnType<typeof readLending>>;

/** The pool of the company with the most tapes, for those who see no funds. */
async function readPool({ db }: Screen) {
  return db(async (session) => {
    const company = await companyWithPool(session, { asked: null });
    if (!company) return null;
    const pools = await poolsByCutOffDate(session, { companyId: company.id, limit: TAPES_SHOWN });
    return { ...company, pool: poolOverTapes(pools, TAPES_SHOWN) };
  });
}

/** The investor's own commitments with their figures, and their total. */
async function readCommitments({ db }: Screen, cutOffDate: string) {
  return db(async (session) => ({
    ...(await ownPositions(session, { cutOffDate, limit: MAX_ROWS })),
    ...(await readFigures(session, { cutOffDate })),
  }));
}

/** Those of the latest announcements that the investor has not read. */
async function readUnread(session: Session) {
  const { documents } = await listAnnouncements(session, 'all', { limit: ANNOUNCEMENTS_READ });
  return documents.filter(({ isRead }) => !isRead).map((one) => pick(one, 'id', 'title'));
}

/** What an investor has to pay, where and by when, and its documents. */
async function readOwnCapital({ db, actor }: Screen) {
  return db(async (session) => {
    const calls = can(actor, 'contributions/read')
      ? await listContributions(session, { filter: { status: 'Upcoming' }, sort: { dueDate: 1 }, limit: MAX_CALLS })
      : null;
    const shown = calls?.documents ?? [];
    const payments = await paymentDetailsOf(
      session,
      shown.map(({ id }) => id),
    );
    const titles = await fundTitles(
      session,
      shown.map(({ fundId }) => fundId),
    );
    const { obligations } = await listObligations(session, { documents: shown.map(({ id }) => id) });
    const owedOf = new Map(obligations.map((one) => [one.documentId, one]));
    // Of a call that a distribution of its day pays in full, nothing is to be paid.
    const due = shown.filter(({ id }) => {
      const owed = owedOf.get(id);
      return !owed || isZero(owed.netted) || !isZero(owed.amount);
    });
    return {
      paid: can(actor, 'contributions/read')
        ? (await paidOf(session, { kind: 'contribution' }, { withRows: false })).currencies
        : [],
      callsTotal: (calls?.total ?? 0) - shown.length + due.length,
      calls: due.map((one) => ({
        ...pick(one, 'id', 'callNumber', 'dueDate', 'currency'),
        amount: owedOf.get(one.id)?.amount ?? one.amount,
        to: paths.capitalCall(one.activityId),
        fund: titles.get(one.fundId) ?? null,
        investor: one.investor?.title ?? null,
        issuedOn: one.issuedOn ?? null,
        payment: payments.get(one.id) ?? null,
      })),
      announcements: can(actor, 'announcements/read') ? await readUnread(session) : null,
      documents: can(actor, 'funds/read') ? await latestInvestorDocuments(session, { limit: MAX_DOCUMENTS }) : null,
    };
  });
}

/** The managers of this installation, and how the installation is. Only administrators read it. */
async function readInstallation(screen: Screen) {
  return screen.db(async (session) => {
    const { documents, total } = await listManagers(session, { sort: { 'entity.name': 1 }, limit: MAX_ROWS });
    const counts = await countsOfManagers(
      session,
      documents.map(({ id }) => id),
    );
    const users = (await listUsers(session, { limit: 1 })).total;
    const { workers, failures, backlog } = await asProgram(session, async () => ({
      workers: await countWorkers(session),
      failures: await listJobFailures(session),
      backlog: await outboxBacklog(session),
    }));
    const [latest] = failures;
    const state: Installation = {
      idleQueues: Object.entries(workers).flatMap(([queue, count]) => (count === 0 ? [queue] : [])),
      failures: failures.length,
      latestFailure: latest ? pick(latest, 'reason', 'lastAt') : null,
      ...pick(backlog, 'held', 'failed', 'oldestSeconds'),
    };
    return {
      total,
      users,
      workers: Math.max(...Object.values(workers)),
      ...pick(backlog, 'queued', 'failed'),
      oldestSeconds: backlog.oldestSeconds,
      state,
      managers: documents.map(({ id, entity, status }) => ({
        id,
        name: entity.name,
        status,
        ...(counts.get(id) ?? NO_COUNTS),
      })),
    };
  });
}

/** Of a kind of which only a part was read, the rest counts as well. */
interface Found {
  readonly items: readonly TodayItem[];
  readonly unread: Partial<Record<Urgency, number>>;
}

function lendingToday(
  lending: Lending,
  today: string,
  { isBorrower, mayWrite }: { isBorrower: boolean; mayWrite: boolean },
): Found {
  const expected = (lending.due?.tapes ?? []).filter(
    ({ state, isProcessing }) => !isProcessing && (state === 'Late' || (isBorrower && state === 'Due')),
  );
  return {
    items: [
      ...lending.deficits.map((note) => deficitItem(note, today)),
      ...(mayWrite ? expected.map((tape) => tapeItem(tape, today, isBorrower)) : []),
      ...(mayWrite ? (lending.wrong ?? []).map(wrongTapeItem) : []),
      // A limit is the lender's to watch.
      ...(isBorrower ? [] : lending.near.map((limits) => limitItem(limits, today))),
    ],
    unread: {
      late:
        lending.totals.deficits -
        lending.deficits.length +
        (mayWrite && lending.due
          ? Math.max(0, lending.due.late - lending.due.tapes.filter(({ state }) => state === 'Late').length)
          : 0),
      // Failed tapes come first, so that those that were not read have errored rows.
      watch:
        (mayWrite ? lending.wrongTotal - (lending.wrong ?? []).length : 0) +
        (isBorrower ? 0 : lending.nearTotal - lending.near.length),
    },
  };
}

/** Covenants that are breached, or whose figures are late. */
async function covenantsToday({ db }: Screen, today: string): Promise<Found> {
  const { covenants, breached, unknown } = await db((session) => urgentCovenants(session, { limit: MAX_READ }));
  const items = covenants.map((covenant) => covenantItem(covenant, today));
  const late = items.filter(({ urgency }) => urgency === 'late').length;
  return { items, unread: { late: breached - late, watch: unknown - (items.length - late) } };
}

/** Loans that are certainly or likely on two tapes. */
async function duplicatesToday({ db }: Screen): Promise<Found> {
  const { open, sums } = await db(async (session) => ({
    open: (await countDuplicates(session)).open,
    sums: await sumCountedTwice(session, ['certain', 'likely']),
  }));
  const item = duplicatesItem(open, sums);
  return { items: item ? [item] : [], unread: {} };
}

/** Certificates that wait for the person's side of a facility. */
async function certificatesToday({ db }: Screen, today: string): Promise<Found> {
  const { certificates, total } = await db((session) => waitingCertificates(session, { limit: MAX_READ }));
  return {
    items: certificates.map((certificate) => certificateItem(certificate, today)),
    unread: { decide: total - certificates.length },
  };
}

/** Items that a borrower sees of what it owes. */
const MAX_OWED = 4;
/** Days ahead that a borrower sees what it owes. */
const OWED_DAYS = 45;

/** What is late, waits for acceptance, or is owed soon. */
const readUrgentDeliverables = ({ db }: Screen, today: CalendarDate) =>
  db((session) => urgentDeliverables(session, { until: addDays(today, OWED_DAYS) }));

/** The tapes that are expected: of those that are agreed with a borrower, its deliverables say what is owed. */
function withoutAgreed(lending: Lending, agreed: readonly AgreedTape[]): Lending {
  if (!lending.due) return lending;
  const known = new Set(agreed.map(({ companyId, cutOffDate }) => `${companyId}/${cutOffDate}`));
  const isAgreed = ({ companyId, cutOffDate }: (typeof lending.due.tapes)[number]) =>
    known.has(`${companyId}/${cutOffDate}`);
  const late = lending.due.late - lending.due.tapes.filter((tape) => isAgreed(tape) && tape.state === 'Late').length;
  return { ...lending, due: { ...lending.due, late, tapes: lending.due.tapes.filter((tape) => !isAgreed(tape)) } };
}

/** What the manager's people see of deliverables: those that are late, and those to review. */
function deliverablesToday(found: readonly UrgentDeliverable[], today: string, mayWrite: boolean): Found {
  const late = found.filter(({ isToReview, dueDate }) => !isToReview && dueDate < today);
  const toReview = mayWrite ? found.filter(({ isToReview }) => isToReview) : [];
  const shown = [...late.slice(0, MAX_READ), ...toReview.slice(0, MAX_READ)];
  return {
    items: shown.map((one) => deliverableItem(one, today)),
    unread: { late: Math.max(0, late.length - MAX_READ), decide: Math.max(0, toReview.length - MAX_READ) },
  };
}

/** What a borrower owes, the earliest due first, with where to send it. */
function owedDeliverables(found: readonly UrgentDeliverable[], today: string, maySend: boolean) {
  const owed = found.filter(({ isToReview }) => !isToReview);
  if (owed.length === 0) return null;
  return {
    total: owed.length,
    late: owed.filter(({ dueDate }) => dueDate < today).length,
    rows: owed.slice(0, MAX_OWED).map((one) => ({
      ...pick(one, 'id', 'title', 'period', 'periodEnd', 'dueDate', 'returned'),
      key: `${one.id}/${one.periodEnd}`,
      sendLabel: one.kind === 'tape' ? 'Upload tape' : 'Send file',
      sendTo: !maySend
        ? null
        : one.kind === 'tape'
          ? paths.newTape({ company: one.companyId })
          : isReceivedHere(one.kind)
            ? null
            : paths.deliverableStep(one.id, 'send', { period: one.periodEnd }),
    })),
  };
}

/** Investors of whose record something has expired or expires soon. */
async function recordsToday({ db }: Screen, today: string): Promise<Found> {
  const { records, total, expired } = await db((session) => listExpiringRecords(session, { limit: MAX_READ }));
  const items = records.map((record) => recordItem(record, today));
  const late = items.filter(({ urgency }) => urgency === 'late').length;
  return { items, unread: { late: expired - late, watch: total - expired - (items.length - late) } };
}

/** Invoices that borrowers have not paid in time. */
async function invoicesToday({ db }: Screen, today: string): Promise<Found> {
  const { obligations, total } = await db((session) =>
    listObligations(session, { kind: 'invoice', overdueOn: today, limit: MAX_READ }),
  );
  const items = obligations.map(
    ({ documentId, number, party, facility, open, allocated, currency, dueDate, daysLate }) =>
      invoiceItem(
        {
          id: documentId,
          number: number ?? '',
          company: party?.title ?? '',
          facility: facility?.title ?? '',
          open: { sum: open, currency },
          received: { sum: allocated, currency },
          dueDate,
          daysLate,
        },
        today,
      ),
  );
  return { items, unread: { late: total - items.length } };
}

/** The invoices that a borrower has to pay, the earliest due first, with where to. */
async function readOwedInvoices({ db }: Screen) {
  return db(async (session) => {
    const { obligations, total, sums } = await listObligations(session, {
      kind: 'invoice',
      isOpen: true,
      limit: MAX_ROWS,
    });
    // Nothing is read of a borrower that owes nothing.
    if (total === 0) return null;
    const { documents } = await listInvoices(session, {
      filter: { id: { in: obligations.map(({ documentId }) => documentId) } },
      limit: MAX_ROWS,
    });
    const wires = await wiresOfInvoices(session, documents);
    return {
      total,
      sums: sums.map((one) => pick(one, 'currency', 'open', 'overdue')),
      rows: obligations.map((one) => ({
        ...shownObligation(one),
        number: one.number,
        facility: one.facility?.title ?? '',
        wire: wires.get(one.documentId) ?? null,
      })),
    };
  });
}

function decisionsToday(
  approvals: readonly Approval[],
  { mine, late }: { mine: number; late: number },
  today: string,
): Found {
  const items = approvals.map((approval) => decisionItem(approval, today));
  const shownLate = items.filter(({ urgency }) => urgency === 'late').length;
  return { items, unread: { late: late - shownLate, decide: mine - late - (items.length - shownLate) } };
}

function todayOf(found: readonly Found[], approvals: number) {
  const items = found.flatMap((one) => one.items);
  const count = (urgency: Urgency) =>
    items.filter((item) => item.urgency === urgency).length +
    found.reduce((sum, { unread }) => sum + (unread[urgency] ?? 0), 0);
  const shown = pickToday(items, MAX_TODAY);
  const counts = { late: count('late'), decide: count('decide'), watch: count('watch') };
  return { items: shown, counts, approvals };
}

/** The home page by kind of account. It contains only what the actor may see, and only recorded figures. */
export async function readHome(screen: Screen) {
  const { actor, url, db } = screen;
  const today = calendarDateOf(new Date());
  const given = url.searchParams.get('date');
  const date = isCalendarDate(given) ? given : today;
  const isInvestor = actor.type === 'LP' || actor.type === 'LPGroup';
  const isBorrower = actor.type === 'company';
  // An administrator who acts for no manager sees the installation; the managers' work is theirs.
  const isAdministrator = actor.type === 'admin' && actor.managerId === null;
  const lends = !isInvestor && !isAdministrator && can(actor, 'transactions/read');
  const hasFunds = !isInvestor && !isBorrower && !isAdministrator && can(actor, 'funds/read');
  const installation = isAdministrator ? await readInstallation(screen) : null;
  const expected = lends ? await readLending(screen) : null;
  const agreed = expected ? await readUrgentDeliverables(screen, today) : null;
  const lending = expected && agreed ? withoutAgreed(expected, agreed.tapes) : null;
  const page =
    isInvestor || isBorrower || isAdministrator
      ? null
      : await db((session) => listApprovals(session, { tab: 'mine', kind: null, skip: 0, limit: MAX_TODAY }));
  const deliverables = agreed?.urgent ?? [];
  const toDeliver = isBorrower ? owedDeliverables(deliverables, today, can(actor, 'assets/write')) : null;
  const owed = isBorrower && can(actor, 'repayments/read') ? await readOwedInvoices(screen) : null;
  const found: Found[] = [
    ...(lending ? [lendingToday(lending, today, { isBorrower, mayWrite: can(actor, 'assets/write') })] : []),
    ...(page ? [decisionsToday(page.approvals, { mine: page.tabs.mine, late: page.due.late }, today)] : []),
    ...(lends ? [await covenantsToday(screen, today), await certificatesToday(screen, today)] : []),
    ...(page && lends && can(actor, 'assets/write') ? [await duplicatesToday(screen)] : []),
    ...(lends && !isBorrower ? [deliverablesToday(deliverables, today, can(actor, 'transactions/write'))] : []),
    ...(page && can(actor, 'LPs/read') ? [await recordsToday(screen, today)] : []),
    ...(page && lends && can(actor, 'repayments/read') ? [await invoicesToday(screen, today)] : []),
    ...(installation ? [{ items: installationItems(installation.state, today), unread: {} }] : []),
  ];
  return {
    type: actor.type,
    today,
    date,
    greeting: { hour: new Date().getUTCHours(), firstName: actor.firstName },
    mayUpload: lends && can(actor, 'assets/write'),
    mayCall: hasFunds && can(actor, 'contributions/write'),
    mayDraw: isBorrower && lends && can(actor, 'transactionDraw/write'),
    mayAddManager: isAdministrator && can(actor, 'managers/write'),
    todo: isInvestor ? null : todayOf(found, page?.tabs.mine ?? 0),
    installation,
    lending: lending && pick(lending, 'totals', 'notes', 'withBases'),
    nextTape: isBorrower ? (lending?.due?.tapes[0] ?? null) : null,
    // Home is one screen: what is owed comes before the pool, which the page of each tape has.
    pool: lends && !hasFunds && !toDeliver && can(actor, 'assets/read') ? await readPool(screen) : null,
    draws:
      isBorrower && can(actor, 'transactionDraw/read')
        ? await db((session) =>
            readDraws(session, {
              sort: { 'metadata.iat': -1 },
              limit: owed ? MAX_DRAWS_BESIDE_INVOICES : MAX_ROWS,
            }),
          )
        : null,
    owed,
    owedDeliverables: toDeliver,
    funds: hasFunds ? await readFunds(screen, date) : null,
    own: isInvestor ? await readOwnCapital(screen) : null,
    commitments: isInvestor && seesActivity(actor) ? await readCommitments(screen, date) : null,
  };
}

export type HomeView = Awaited<ReturnType<typeof readHome>>;
