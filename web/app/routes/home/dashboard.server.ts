import { listAnnouncements } from '@tapeline/db/operations/announcements/announcements.ts';
import { listCallHeaders, listDistributionHeaders } from '@tapeline/db/operations/capital/calls-and-distributions.ts';
import { capitalCourse } from '@tapeline/db/operations/capital/capital-course.ts';
import { listContributions } from '@tapeline/db/operations/capital/contributions.ts';
import { figuresByFund, topFundInvestors } from '@tapeline/db/operations/capital/figures.ts';
import {
  latestInvestorDocuments,
  ownPositions,
  paymentDetailsOf,
} from '@tapeline/db/operations/capital/own-capital.ts';
import { countsOfManagers, listManagers } from '@tapeline/db/operations/managers/managers.ts';
import { listLatestTapesWithErrors } from '@tapeline/db/operations/monitoring/tapes-by-company.ts';
import { listUsers } from '@tapeline/db/operations/users/users.ts';
import type { ReadSession } from '@tapeline/db/read-session.ts';
import { coverageText } from '@tapeline/domain/capital/coverage.ts';
import { markdownToText } from '@tapeline/domain/communication/markdown.ts';
import { isCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { compare } from '@tapeline/domain/money/decimal.ts';
import { can, type UserActor } from '@tapeline/domain/people/actor.ts';
import { readCapital } from '../../commands/capital.server.ts';
import type { Screen } from '../../http/screen.server.ts';
import { paths } from '../../paths.ts';
import { fundTitles } from '../capital/funds-of-headers.server.ts';
import { ownDistributions, ownStatements } from '../capital/own-documents.server.ts';
import { type MonitoringView, readMonitoring } from '../monitoring/overview/monitoring.server.ts';
import { readDraws } from '../monitoring/overview/waiting-draws.server.ts';
import { readTapeList } from '../monitoring/tapes/tape-list.server.ts';
import { borrowerTasks, managerTasks } from './tasks.ts';

/** Rows shown in a dashboard table. If there are more, the heading shows the total count. */
const SHOWN = 8;
const TASKS_SHOWN = 12;
const COMMITMENTS_SHOWN = 100;
const CALLS_SHOWN = 4;
const STATEMENTS_SHOWN = 5;
const ANNOUNCEMENTS_SHOWN = 4;
const MANAGERS_SHOWN = 50;

/** The visible funds and investors with the largest figures, and the course of all of them, as of the day. */
async function readFunds({ db }: Screen, cutOffDate: string) {
  return db(async (session) => {
    const query = { cutOffDate };
    const byFund = (await figuresByFund(session, query)).sort((a, b) => compare(b.figures.called, a.figures.called));
    const investors = await topFundInvestors(session, query);
    return {
      ...(await readFigures(session, query)),
      funds: byFund.slice(0, SHOWN).map(({ id, title, figures: { coverage, ...figures } }) => ({
        id,
        title,
        ...figures,
        covers: coverageText(coverage),
      })),
      fundsTotal: byFund.length,
      investors: investors.slice(0, SHOWN),
      investorsTotal: investors.length,
    };
  });
}

/** The capital figures of all that the actor can see as of a day, and their course. */
async function readFigures(session: ReadSession, query: { cutOffDate: string }) {
  const capital = await readCapital(session, query);
  return { capital, course: await capitalCourse(session, { ...query, currency: capital.currency }) };
}

/** The investor's own commitments with their figures, and their total. */
async function readCommitments({ db }: Screen, cutOffDate: string) {
  return db(async (session) => ({
    ...(await ownPositions(session, { cutOffDate, limit: COMMITMENTS_SHOWN })),
    ...(await readFigures(session, { cutOffDate })),
  }));
}

/** The latest announcements to the actor. */
async function readAnnouncements(session: ReadSession) {
  const { documents, total } = await listAnnouncements(session, 'all', { limit: ANNOUNCEMENTS_SHOWN });
  const rows = documents.map(({ id, title, subTitle, description, metadata, isRead }) => ({
    id,
    title,
    lead: subTitle ?? (markdownToText(description).split('\n')[0] ?? '').slice(0, 300),
    publishedAt: metadata.iat,
    isRead,
  }));
  return { rows, total };
}

/** What an investor has to pay with the payment details, what it was paid last, and its latest documents. */
async function readOwnCapital({ db, actor }: Screen) {
  return db(async (session) => {
    const calls = can(actor, 'contributions/read')
      ? await listContributions(session, {
          filter: { status: 'Upcoming' },
          sort: { dueDate: 1 },
          limit: CALLS_SHOWN,
        })
      : null;
    const shown = calls?.documents ?? [];
    const [payments, titles] = [
      await paymentDetailsOf(
        session,
        shown.map(({ id }) => id),
      ),
      await fundTitles(
        session,
        shown.map(({ fundId }) => fundId),
      ),
    ];
    return {
      callsTotal: calls?.total ?? 0,
      calls:
        calls &&
        shown.map((one) => ({
          id: one.id,
          to: paths.capitalCall(one.activityId),
          callNumber: one.callNumber,
          fund: titles.get(one.fundId) ?? null,
          investor: one.investor?.title ?? null,
          issuedOn: one.issuedOn ?? null,
          dueDate: one.dueDate,
          amount: one.amount,
          currency: one.currency,
          purposes: one.purposes.map(({ title, amount }) => ({ title, amount })),
          unfunded: one.unfunded,
          noticeId: one.file ? (one.fileId ?? null) : null,
          payment: payments.get(one.id) ?? null,
        })),
      distributions: can(actor, 'distributions/read')
        ? await ownDistributions(session, { sort: { cutOffDate: -1 }, limit: SHOWN })
        : null,
      statements: can(actor, 'funds/read') ? await ownStatements(session, STATEMENTS_SHOWN) : null,
      announcements: can(actor, 'announcements/read') ? await readAnnouncements(session) : null,
      documents: can(actor, 'funds/read') ? await latestInvestorDocuments(session, { limit: SHOWN }) : null,
    };
  });
}

/** Calls and distributions that the actor can issue: drafts, those due first. */
async function readDrafts({ db, actor }: Screen) {
  const query = { filter: { status: 'Draft' }, limit: SHOWN };
  return db(async (session) => ({
    calls: can(actor, 'contributions/write')
      ? await listCallHeaders(session, { ...query, sort: { dueDate: 1 } })
      : { rows: [], total: 0 },
    distributions: can(actor, 'distributions/write')
      ? await listDistributionHeaders(session, { ...query, sort: { cutOffDate: 1 } })
      : { rows: [], total: 0 },
  }));
}

/** The managers of this installation, and what belongs to each. */
async function readTenants(screen: Screen) {
  return screen.db(async (session) => {
    const { documents, total } = await listManagers(session, { sort: { 'entity.name': 1 }, limit: MANAGERS_SHOWN });
    const counts = await countsOfManagers(
      session,
      documents.map(({ id }) => id),
    );
    return {
      total,
      users: (await listUsers(session, { limit: 1 })).total,
      managers: documents.map(({ id, entity }) => ({
        id,
        name: entity.name,
        ...(counts.get(id) ?? { companies: 0, investors: 0, funds: 0 }),
      })),
    };
  });
}

type Errors = Awaited<ReturnType<typeof listLatestTapesWithErrors>>;

type Drafts = Awaited<ReturnType<typeof readDrafts>>;

/** What waits for the actor, with the number of all of it. */
function tasksOf(
  actor: UserActor,
  { lending, errors, drafts }: { lending: MonitoringView | null; errors: Errors | null; drafts: Drafts | null },
  today: string,
) {
  const { draws, tapesDue } = lending ?? { draws: null, tapesDue: null };
  const sources = {
    // A person who cannot decide has no draws to decide.
    draws: can(actor, 'transactionDraw/write') ? (draws?.draws ?? []) : [],
    tapes: can(actor, 'assets/write') ? (tapesDue?.tapes ?? []) : [],
    errors: can(actor, 'assets/write') ? (errors?.tapes ?? []) : [],
    calls: drafts?.calls.rows ?? [],
    distributions: drafts?.distributions.rows ?? [],
    today,
  };
  const isBorrower = actor.type === 'company';
  const tasks = isBorrower ? borrowerTasks(sources) : managerTasks(sources);
  const notListed =
    (sources.draws.length > 0 && !isBorrower && draws ? draws.total - draws.draws.length : 0) +
    (sources.tapes.length > 0 && tapesDue ? Math.max(0, tapesDue.late - tapesDue.tapes.length) : 0) +
    (sources.errors.length > 0 && errors ? errors.total - errors.tapes.length : 0) +
    (drafts ? drafts.calls.total - drafts.calls.rows.length : 0) +
    (drafts ? drafts.distributions.total - drafts.distributions.rows.length : 0);
  return { total: tasks.length + notListed, tasks: tasks.slice(0, TASKS_SHOWN) };
}

/** The home page by role. It contains only what the actor may see, and only recorded figures. */
export async function readDashboard(screen: Screen) {
  const { actor, url } = screen;
  const today = new Date().toISOString().slice(0, 10);
  const given = url.searchParams.get('date');
  const date = isCalendarDate(given) ? given : today;
  const isInvestor = actor.type === 'LP' || actor.type === 'LPGroup';
  const lends = !isInvestor && can(actor, 'transactions/read');
  const tapes = !isInvestor && can(actor, 'assets/read') ? await readTapeList(screen) : null;
  const errors = tapes ? await screen.db((session) => listLatestTapesWithErrors(session, { limit: SHOWN })) : null;
  const lending = lends ? await readMonitoring(screen, { limit: SHOWN }) : null;
  const isBorrower = actor.type === 'company';
  const hasFunds = !isBorrower && !isInvestor && can(actor, 'funds/read');
  const drafts = hasFunds ? await readDrafts(screen) : null;
  return {
    type: actor.type,
    today,
    date,
    tenants: actor.type === 'admin' ? await readTenants(screen) : null,
    lending,
    nextTape: isBorrower ? (lending?.tapesDue?.tapes[0] ?? null) : null,
    tasks: lending || drafts ? tasksOf(actor, { lending, errors, drafts }, today) : null,
    draws:
      isBorrower && can(actor, 'transactionDraw/read')
        ? await screen.db((session) => readDraws(session, { sort: { 'metadata.iat': -1 }, limit: SHOWN }))
        : null,
    tapes: tapes && {
      total: tapes.total,
      latest: tapes.tapes.slice(0, SHOWN),
      erroredRows: errors?.erroredRows ?? 0,
      mayUpload: tapes.mayUpload,
    },
    funds: hasFunds ? await readFunds(screen, date) : null,
    own: isInvestor ? await readOwnCapital(screen) : null,
    commitments: isInvestor && can(actor, 'LPs/commitments/read') ? await readCommitments(screen, date) : null,
  };
}

export type DashboardView = Awaited<ReturnType<typeof readDashboard>>;
