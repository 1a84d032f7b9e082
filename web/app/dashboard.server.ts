import { investorsOf, listCommitments, listFunds, totalCommitments } from '@tapeline/db/operations/funds/funds.ts';
import { listCompanies, listLPs, listManagers, listUsers } from '@tapeline/db/operations/people/people.ts';
import { type DecimalText, sum } from '@tapeline/domain/money/decimal.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import { readMonitoring } from './monitoring/monitoring.server.ts';
import type { Screen } from './screen.server.ts';
import { readTapeList } from './tapes/tape-list.server.ts';

const MOST = 500;
const SHOWN = 8;

export interface Total {
  readonly sum: DecimalText;
  readonly currency: string;
}

/** Amounts added up by currency, the currencies in the order of the alphabet. */
export function totalsByCurrency(amounts: readonly (Total | null)[]): Total[] {
  const known = amounts.flatMap((amount) => amount ?? []);
  return [...new Set(known.map(({ currency }) => currency))].sort().map((currency) => ({
    currency,
    sum: sum(known.filter((one) => one.currency === currency).map((one) => one.sum)),
  }));
}

/** Funds in sight with what is committed to them. */
async function readFunds(screen: Screen) {
  return screen.db(async (session) => {
    const { documents, total } = await listFunds(session, { sort: { title: 1 }, limit: SHOWN });
    const committed = await totalCommitments(session);
    return {
      total,
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

/** The investor's own commitments, one a line. */
async function readCommitments(screen: Screen) {
  return screen.db(async (session) => {
    const { documents } = await listCommitments(session, { sort: { closingDate: -1 }, limit: 100 });
    const funds = new Map(
      (await listFunds(session, { limit: MOST })).documents.map(({ fund }) => [fund.id, fund.title]),
    );
    const investors = await investorsOf(session, documents);
    return documents.map((one) => ({
      id: one.id,
      fundId: one.fundId,
      fund: funds.get(one.fundId) ?? null,
      investor: investors.get(one.investorLPId ?? one.investorFundId ?? '')?.title ?? null,
      Class: one.Class ?? null,
      closingDate: one.closingDate,
      currency: one.currency,
      maxCommitment: one.maxCommitment,
      activeCommitment: one.activeCommitment,
    }));
  });
}

/** Whom this installation serves. */
async function readTenants(screen: Screen) {
  return screen.db(async (session) => {
    const managers = await listManagers(session, { sort: { 'entity.name': 1 }, limit: 50 });
    const companies = (await listCompanies(session, { limit: MOST })).documents;
    const investors = (await listLPs(session, { limit: MOST })).documents;
    const funds = (await listFunds(session, { limit: MOST })).documents;
    return {
      total: managers.total,
      users: (await listUsers(session, { limit: 1 })).total,
      managers: managers.documents.map(({ id, entity }) => ({
        id,
        name: entity.name,
        companies: companies.filter(({ managerId }) => managerId === id).length,
        investors: investors.filter(({ managerId }) => managerId === id).length,
        funds: funds.filter(({ fund }) => fund.managerId === id).length,
      })),
    };
  });
}

/** The first page by role: only what the actor may see, and only figures that are recorded. */
export async function readDashboard(screen: Screen) {
  const { actor } = screen;
  const isInvestor = actor.type === 'LP' || actor.type === 'LPGroup';
  const lends = !isInvestor && can(actor, 'transactions/read');
  const tapes = !isInvestor && can(actor, 'assets/read') ? await readTapeList(screen) : null;
  return {
    type: actor.type,
    tenants: actor.type === 'admin' ? await readTenants(screen) : null,
    lending: lends ? await readMonitoring(screen) : null,
    tapes: tapes ? { total: tapes.total, latest: tapes.tapes.slice(0, SHOWN), mayUpload: tapes.mayUpload } : null,
    funds: actor.type !== 'company' && !isInvestor && can(actor, 'funds/read') ? await readFunds(screen) : null,
    commitments: isInvestor && can(actor, 'LPs/commitments/read') ? await readCommitments(screen) : null,
  };
}

export type DashboardView = Awaited<ReturnType<typeof readDashboard>>;
