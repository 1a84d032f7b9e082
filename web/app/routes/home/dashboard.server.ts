import {
  countCommittedFunds,
  fundTitlesOf,
  listCommitments,
  listFunds,
  totalCommitments,
} from '@tapeline/db/operations/funds/funds.ts';
import { countsOfManagers, listManagers } from '@tapeline/db/operations/managers/managers.ts';
import { listLatestTapesWithErrors } from '@tapeline/db/operations/monitoring/tapes-by-company.ts';
import { listUsers } from '@tapeline/db/operations/users/users.ts';
import { can, type UserActor } from '@tapeline/domain/people/actor.ts';
import { readCapital } from '../../commands/capital.server.ts';
import type { Screen } from '../../http/screen.server.ts';
import { ownCalls, ownDistributions, ownStatements } from '../capital/own-documents.server.ts';
import { readMonitoring } from '../monitoring/overview/monitoring.server.ts';
import type { MonitoringView } from '../monitoring/overview/monitoring-view.ts';
import { readDraws } from '../monitoring/overview/waiting-draws.server.ts';
import { readTapeList } from '../monitoring/tapes/tape-list.server.ts';
import { borrowerTasks, managerTasks } from './tasks.ts';

/** Rows shown in a dashboard table. If there are more, the heading shows the total count. */
const SHOWN = 8;
const TASKS_SHOWN = 12;
const COMMITMENTS_SHOWN = 100;
const MANAGERS_SHOWN = 50;

/** The visible funds with the amounts committed to them. */
async function readFunds(screen: Screen) {
  return screen.db(async (session) => {
    const { documents, total } = await listFunds(session, { sort: { title: 1 }, limit: SHOWN });
    const committed = await totalCommitments(session);
    return {
      total,
      capital: await readCapital(session, {}),
      committed: committed.map(({ currency, count, activeCommitment }) => ({ currency, count, sum: activeCommitment })),
      funds: documents.map(({ fund, commitments }) => ({
        id: fund.id,
        title: fund.title,
        type: fund.type,
        currency: fund.currency,
        hardCap: fund.hardCap,
        investors: commitments.investors,
        committed: commitments.totals.map(({ currency, activeCommitment }) => ({ currency, sum: activeCommitment })),
      })),
    };
  });
}

/** The investor's own commitments, one per line, and their total. */
async function readCommitments(screen: Screen) {
  return screen.db(async (session) => {
    const { documents, total } = await listCommitments(session, {
      sort: { closingDate: -1 },
      limit: COMMITMENTS_SHOWN,
    });
    const titles = await fundTitlesOf(
      session,
      documents.map(({ fundId }) => fundId),
    );
    const committed = await totalCommitments(session);
    return {
      total,
      capital: can(screen.actor, 'funds/read') ? await readCapital(session, {}) : null,
      funds: await countCommittedFunds(session),
      committed: committed.map(({ currency, activeCommitment }) => ({ currency, sum: activeCommitment })),
      rows: documents.map((one) => ({
        id: one.id,
        fund: titles.get(one.fundId) ?? null,
        investor: one.investor?.title ?? null,
        Class: one.Class ?? null,
        closingDate: one.closingDate,
        currency: one.currency,
        maxCommitment: one.maxCommitment,
        activeCommitment: one.activeCommitment,
      })),
    };
  });
}

/** What an investor has to pay, was paid last, and its latest statements. */
async function readOwnCapital({ db, actor }: Screen) {
  return db(async (session) => ({
    calls: can(actor, 'contributions/read')
      ? await ownCalls(session, { filter: { status: 'Upcoming' }, sort: { dueDate: 1 }, limit: SHOWN })
      : null,
    distributions: can(actor, 'distributions/read')
      ? await ownDistributions(session, { sort: { cutOffDate: -1 }, limit: SHOWN })
      : null,
    statements: can(actor, 'funds/read') ? await ownStatements(session, SHOWN) : null,
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

/** What waits for the actor, with the number of all of it. */
function tasksOf(actor: UserActor, lending: MonitoringView, errors: Errors | null) {
  const { draws, tapesDue } = lending;
  const sources = {
    // A person who cannot decide has no draws to decide.
    draws: can(actor, 'transactionDraw/write') ? (draws?.draws ?? []) : [],
    tapes: can(actor, 'assets/write') ? (tapesDue?.tapes ?? []) : [],
    errors: can(actor, 'assets/write') ? (errors?.tapes ?? []) : [],
  };
  const isBorrower = actor.type === 'company';
  const tasks = isBorrower ? borrowerTasks(sources) : managerTasks(sources);
  const notListed =
    (sources.draws.length > 0 && !isBorrower && draws ? draws.total - draws.draws.length : 0) +
    (sources.tapes.length > 0 && tapesDue ? Math.max(0, tapesDue.late - tapesDue.tapes.length) : 0) +
    (sources.errors.length > 0 && errors ? errors.total - errors.tapes.length : 0);
  return { total: tasks.length + notListed, tasks: tasks.slice(0, TASKS_SHOWN) };
}

/** The home page by role. It contains only what the actor may see, and only recorded figures. */
export async function readDashboard(screen: Screen) {
  const { actor } = screen;
  const isInvestor = actor.type === 'LP' || actor.type === 'LPGroup';
  const lends = !isInvestor && can(actor, 'transactions/read');
  const tapes = !isInvestor && can(actor, 'assets/read') ? await readTapeList(screen) : null;
  const errors = tapes ? await screen.db((session) => listLatestTapesWithErrors(session, { limit: SHOWN })) : null;
  const lending = lends ? await readMonitoring(screen, { limit: SHOWN }) : null;
  const isBorrower = actor.type === 'company';
  return {
    type: actor.type,
    tenants: actor.type === 'admin' ? await readTenants(screen) : null,
    lending,
    nextTape: isBorrower ? (lending?.tapesDue?.tapes[0] ?? null) : null,
    tasks: lending && tasksOf(actor, lending, errors),
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
    funds: actor.type !== 'company' && !isInvestor && can(actor, 'funds/read') ? await readFunds(screen) : null,
    own: isInvestor ? await readOwnCapital(screen) : null,
    commitments: isInvestor && can(actor, 'LPs/commitments/read') ? await readCommitments(screen) : null,
  };
}

export type DashboardView = Awaited<ReturnType<typeof readDashboard>>;
