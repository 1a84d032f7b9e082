import { CAPITAL_TRANSITIONS } from '@tapeline/domain/capital/states.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import type { MainFundCreate, MainFundUpdate } from '@tapeline/domain/funds/main-fund.schema.ts';
import { staleRefusal } from '../../database-refusals.ts';
import { Fund, MainFund } from '../../entities/funds.ts';
import { newId } from '../../ids.ts';
import type { ReadSession } from '../../read-session.ts';
import type { Session } from '../../store.ts';
import { type ChoiceQuery, type Choices, findChoices } from '../listing/choices.ts';
import { listOf } from '../listing/define-lists.ts';
import { getDocument } from '../listing/list-documents.ts';
import { viewsOf } from '../listing/views.ts';
import { changedMetadata, createdMetadata, storeChange } from '../metadata.ts';
import { requirePermission, tenantOf } from '../permission.ts';
import { requireSizesIn } from './change-funds.ts';

export const MAIN_FUNDS = listOf('mainFunds', {});

/** A main fund with the member funds that the actor can see, by title. */
export type MainFundView = MainFund & { members: { id: string; title: string }[] };

const MEMBERS_OF_PAGE = `
  select id, title, main_fund_id as main from funds
  where main_fund_id = any (array(select id from page)) and status <> 'Removed' order by title, id`;

const withMembers = (mainFunds: readonly MainFund[], rows: readonly Record<string, unknown>[] = []): MainFundView[] =>
  mainFunds.map((mainFund) => ({
    ...mainFund,
    members: rows
      .filter(({ main }) => main === mainFund.id)
      .map(({ id, title }) => ({ id: String(id), title: String(title) })),
  }));

const { list, one: viewOf } = viewsOf(MAIN_FUNDS, [MEMBERS_OF_PAGE], (mainFunds, [rows]) =>
  withMembers(mainFunds, rows),
);
export const listMainFunds = list;

/** @throws Refusal notFound */
export const getMainFund = async (session: Session, id: string): Promise<MainFundView> =>
  viewOf(session, await getDocument(session, MAIN_FUNDS, id));

/** The classes of the member funds that the actor can see, by title. Funds may share a class. */
export const classesOfMainFund = (session: Session, id: string) =>
  session.query<{ key: string; title: string }>(
    `select one ->> 'uniqueKey' as key, min(one ->> 'name') as title
     from funds f cross join jsonb_array_elements(f.classes) one
     where f.main_fund_id = $1 and f.status <> 'Removed' group by 1 order by 2, 1`,
    [id],
  );

const termsOf = (body: MainFundCreate | MainFundUpdate) => ({
  title: body.title,
  type: body.type,
  strategy: body.strategy,
  targetSize: body.targetSize.sum,
  hardCap: body.hardCap.sum,
  closingDate: body.closingDate ?? null,
  nonRecyclable: body.nonRecyclable ?? null,
  description: body.description || null,
});

/**
 * Creates a main fund of the actor's manager, with its member funds.
 * @throws Refusal forbidden without `funds/write`; badRequest as `setMembers`
 */
export async function createMainFund(session: Session, body: MainFundCreate): Promise<MainFundView> {
  requirePermission(session, 'funds/write');
  const mainFund = session.em.create(MainFund, {
    id: newId(session.now),
    managerId: await tenantOf(session),
    currency: body.currency,
    ...termsOf(body),
    metadata: createdMetadata(session),
  });
  await session.em.flush();
  await setMembers(session, mainFund, body.classMembers);
  return viewOf(session, mainFund);
}

/** Changes the terms of a main fund. @throws Refusal notFound; badRequest if the version is stale */
export async function updateMainFund(
  session: Session,
  { id, body }: { id: string; body: MainFundUpdate },
): Promise<MainFundView> {
  requirePermission(session, 'funds/write');
  const mainFund = await getDocument(session, MAIN_FUNDS, id);
  if (mainFund.version !== body.version) throw staleRefusal(mainFund, body.version);
  requireSizesIn(mainFund.currency, body);
  session.em.assign(mainFund, termsOf(body));
  mainFund.metadata = changedMetadata(session, mainFund.metadata);
  await session.em.flush();
  return viewOf(session, mainFund);
}

/**
 * Makes exactly these funds the members of a main fund.
 * @throws Refusal badRequest with a flag at each fund that is unknown, in another currency, or in another main fund
 */
async function setMembers(session: Session, mainFund: MainFund, ids: readonly string[]): Promise<void> {
  const { managerId, currency } = mainFund;
  const wanted = await session.em.find(Fund, { id: { $in: [...ids] }, managerId, status: { $ne: 'Removed' } });
  const byId = new Map(wanted.map((fund) => [fund.id, fund]));
  const problemOf = (fund: Fund | undefined): string | null => {
    if (!fund) return 'is not a fund of this manager';
    if (fund.currency !== currency) return `is in ${fund.currency}, and the main fund in ${currency}`;
    return fund.mainFundId && fund.mainFundId !== mainFund.id ? 'is already in another main fund' : null;
  };
  const flags: Record<string, string> = {};
  for (const [index, id] of ids.entries()) {
    const problem = problemOf(byId.get(id));
    if (problem) flags[`classMembers.${index}`] = problem;
  }
  if (Object.keys(flags).length > 0) {
    throw new Refusal('badRequest', 'Some funds cannot be members of this main fund', { flags });
  }
  const current = await session.em.find(Fund, { mainFundId: mainFund.id, status: { $ne: 'Removed' } });
  const changed = [
    ...current.filter(({ id }) => !byId.has(id)).map((fund) => [fund, null] as const),
    ...wanted.filter(({ mainFundId }) => mainFundId !== mainFund.id).map((fund) => [fund, mainFund.id] as const),
  ];
  for (const [fund, mainFundId] of changed) {
    fund.mainFundId = mainFundId;
    fund.metadata = changedMetadata(session, fund.metadata);
  }
  await session.em.flush();
}

/** Replaces the member funds. @throws Refusal notFound; badRequest as `setMembers` */
export async function replaceMembers(
  session: Session,
  { id, funds }: { id: string; funds: readonly string[] },
): Promise<MainFundView> {
  requirePermission(session, 'funds/write');
  const mainFund = await getDocument(session, MAIN_FUNDS, id);
  await setMembers(session, mainFund, funds);
  return viewOf(session, mainFund);
}

/** Takes one fund out of a main fund. @throws Refusal notFound, also for a fund that is not a member */
export async function removeMember(
  session: Session,
  { id, fundId }: { id: string; fundId: string },
): Promise<MainFundView> {
  requirePermission(session, 'funds/write');
  const mainFund = await getDocument(session, MAIN_FUNDS, id);
  const fund = await session.em.findOne(Fund, { id: fundId, mainFundId: mainFund.id, status: { $ne: 'Removed' } });
  if (!fund) throw new Refusal('notFound');
  await storeChange(session, fund, { mainFundId: null });
  return viewOf(session, mainFund);
}

/** Removes a main fund without members (soft delete). @throws Refusal notFound; badRequest if it has members */
export async function removeMainFund(session: Session, id: string): Promise<void> {
  requirePermission(session, 'funds/write');
  const mainFund = await getDocument(session, MAIN_FUNDS, id);
  const members = await session.em.count(Fund, { mainFundId: mainFund.id, status: { $ne: 'Removed' } });
  if (members > 0) {
    const funds = members === 1 ? '1 fund' : `${members} funds`;
    throw new Refusal('badRequest', `This main fund has ${funds}. Take them out of it first`);
  }
  CAPITAL_TRANSITIONS.require(mainFund.status, 'Removed');
  await storeChange(session, mainFund, { status: 'Removed' });
}

/** A page of a manager's main funds for a picker, by title. @param currency only those of this currency */
export const mainFundChoices = (
  session: ReadSession,
  managerId: string,
  { currency, ...query }: ChoiceQuery & { currency?: string } = {},
): Promise<Choices<{ id: string; name: string }>> =>
  findChoices(session, query, {
    read: 'funds/read',
    columns: `t.id, t.title || ', ' || t.currency as name`,
    offered: `main_funds t where t.status <> 'Removed' and t.manager_id = $1 and ($2::text is null or t.currency = $2)`,
    values: [managerId, currency ?? null],
  });

/** A page of the funds that can become members of a main fund: those of its currency that are in none. */
export const memberChoices = (
  session: ReadSession,
  { managerId, currency }: Pick<MainFund, 'managerId' | 'currency'>,
  query: ChoiceQuery = {},
): Promise<Choices<{ id: string; name: string }>> =>
  findChoices(session, query, {
    read: 'funds/read',
    columns: 't.id, t.title as name',
    offered: `funds t where t.status <> 'Removed' and t.manager_id = $1 and t.currency = $2 and t.main_fund_id is null`,
    values: [managerId, currency],
  });

/** Titles of the visible main funds among these ids, by id. */
export async function mainFundTitlesOf(
  session: ReadSession,
  ids: Iterable<string>,
): Promise<ReadonlyMap<string, string>> {
  const rows = await session.query<{ id: string; title: string }>(
    'select id, title from main_funds where id = any ($1)',
    [[...new Set(ids)]],
  );
  return new Map(rows.map(({ id, title }) => [id, title]));
}
