import {
  type BorrowingBaseFigures,
  listBorrowingBaseFigures,
} from '@tapeline/db/operations/borrowing-bases/borrowing-base-figures.ts';
import { getBorrowingBase } from '@tapeline/db/operations/borrowing-bases/borrowing-bases.ts';
import { listCalendarEvents } from '@tapeline/db/operations/calendar/calendar-events.ts';
import { listObligations } from '@tapeline/db/operations/cash/obligations.ts';
import { type CovenantView, covenantStandings } from '@tapeline/db/operations/covenants/covenants.ts';
import { listDraws } from '@tapeline/db/operations/draws/draw-views.ts';
import { listInvoices } from '@tapeline/db/operations/invoices/invoices.ts';
import { listLimitRooms } from '@tapeline/db/operations/monitoring/room-in-limits.ts';
import type { Session } from '@tapeline/db/store.ts';
import { todayOf } from '@tapeline/db/today.ts';
import { compareBases } from '@tapeline/domain/borrowing-base/compare-bases.ts';
import { addDays } from '@tapeline/domain/dates/calendar-date.ts';
import { pick } from '@tapeline/domain/documents/pick.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import type { Screen } from '../../../http/screen.server.ts';
import { paidOf } from '../../cash/paid.server.ts';
import { openItemsOf } from '../deliverables/deliverable-list.server.ts';
import { readDraws } from '../overview/waiting-draws.server.ts';
import type { Opened } from './opened-transaction.ts';
import { viewStanding } from './standing.server.ts';

/** Cut-off dates that the chart of the overview draws, and that the tab of borrowing bases lists. */
const DRAWN_BASES = 12;
const LISTED_BASES = 24;
const MAX_LIMITS = 6;
const MAX_OPEN_DRAWS = 4;
const MAX_DATES = 4;
const DAYS_AHEAD = 365;
/** Draws on their tab; the list has all. */
const MAX_DRAWS = 10;
/** Invoices on the same tab: those of two years, if one is for a quarter. */
const MAX_INVOICES = 8;

/** The latest borrowing base of each cut-off date, earliest first. */
const byCutOff = (bases: readonly BorrowingBaseFigures[]): BorrowingBaseFigures[] => [
  ...new Map(bases.map((base) => [base.cutOffDate, base])).values(),
];

/** The latest certificate next to the one before it. The change is null without one. */
async function certificateOf(session: Session, bases: readonly BorrowingBaseFigures[]) {
  const [before, last] = [bases.at(-2), bases.at(-1)];
  if (!last) return null;
  const { result } = await getBorrowingBase(session, last.id);
  const earlier = before?.currency === last.currency ? await getBorrowingBase(session, before.id) : null;
  return {
    ...pick(last, 'id', 'tapeId', 'cutOffDate', 'currency'),
    before: earlier?.cutOffDate ?? null,
    earlier: earlier && before ? pick(before, 'id', 'tapeId') : null,
    figures: compareBases(earlier?.result ?? result, result),
  };
}

/** What the page of a facility shows of a covenant: its latest result, and when it is tested next. */
const shownCovenant = ({ results: [latest], ...covenant }: CovenantView) => ({
  ...pick(covenant, 'id', 'title', 'state', 'unit', 'currency', 'bound', 'nextTest', 'limit'),
  // The result of a springing test that does not apply is that of its condition.
  latest:
    latest && latest.outcome !== 'notApplicable'
      ? pick(latest, 'testDate', 'value', 'headroom', 'cureUntil', 'waivedUntil')
      : null,
});

/** Where the note stands: its availability, the latest certificate, its limits, open draws and next dates. */
export async function readOverviewTab(
  session: Session,
  { transaction, note, utilizations }: Opened,
  { actor }: Screen,
) {
  const seesBases = can(actor, 'borrowingBase/read');
  const bases = seesBases
    ? byCutOff(await listBorrowingBaseFigures(session, { noteIds: [note.id], perNote: DRAWN_BASES * 2 }))
    : [];
  const today = todayOf(session);
  return {
    bases: bases.slice(-DRAWN_BASES),
    seesBases,
    certificate: await certificateOf(session, bases),
    limits: seesBases ? await listLimitRooms(session, { noteIds: [note.id], limit: MAX_LIMITS }) : null,
    deliverables: await openItemsOf(session, { note: note.id, company: transaction.company }),
    covenants: (await covenantStandings(session, { noteId: note.id })).map(shownCovenant),
    draws: can(actor, 'transactionDraw/read')
      ? await readDraws(session, {
          filter: { note: note.id, status: { in: ['Pending', 'In Review'] } },
          sort: { dueDate: 1 },
          limit: MAX_OPEN_DRAWS,
        })
      : null,
    dates: (
      await listCalendarEvents(session, {
        from: today,
        to: addDays(today, DAYS_AHEAD),
        parties: [transaction.id, transaction.company],
        limit: MAX_DATES,
      })
    ).events,
    userType: actor.type,
    notes: transaction.notes.flatMap(({ id, title }) => {
      const utilization = utilizations.find(({ noteId }) => noteId === id);
      return utilization ? [{ id, title, utilization }] : [];
    }),
  };
}

export async function readBasesTab(session: Session, { note }: Opened) {
  return {
    bases: byCutOff(await listBorrowingBaseFigures(session, { noteIds: [note.id], perNote: LISTED_BASES * 2 })).slice(
      -LISTED_BASES,
    ),
  };
}

/** The latest invoices of a note, with how far each is paid. */
async function invoicesOf(session: Session, noteId: string) {
  const { documents, total } = await listInvoices(session, { filter: { noteId }, limit: MAX_INVOICES });
  const { obligations } = await listObligations(session, { documents: documents.map(({ id }) => id) });
  const owed = new Map(obligations.map((one) => [one.documentId, pick(one, 'state', 'daysLate')]));
  return {
    total,
    rows: documents.map((invoice) => ({
      ...pick(invoice, 'id', 'number', 'status', 'currency', 'dueDate', 'amount', 'received', 'open'),
      from: invoice.periodFrom,
      to: invoice.periodTo,
      owed: owed.get(invoice.id) ?? null,
    })),
  };
}

/** What was drawn and repaid, the balance that follows, and its interest. */
export async function readDrawsTab(
  session: Session,
  { transaction: { id, managerId }, note }: Opened,
  { actor }: Screen,
) {
  const draws = can(actor, 'transactionDraw/read')
    ? await listDraws(session, { filter: { note: note.id }, limit: MAX_DRAWS })
    : null;
  return {
    standing: await viewStanding(session, { managerId, note }),
    mayReadRepayments: can(actor, 'repayments/read'),
    invoices: can(actor, 'repayments/read') ? await invoicesOf(session, note.id) : null,
    paid: draws && (await paidOf(session, { kind: 'draw', facility: id })),
    draws: draws && {
      total: draws.total,
      rows: draws.documents.map((draw) => ({
        ...pick(draw, 'id', 'code', 'status', 'cutOffDate', 'dueDate'),
        amount: draw.amountInMainCurrency ?? null,
      })),
    },
  };
}
