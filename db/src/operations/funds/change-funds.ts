import { CAPITAL_TRANSITIONS } from '@tapeline/domain/capital/states.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import type { FundCreate, FundUpdate } from '@tapeline/domain/funds/fund.schema.ts';
import { inCurrency } from '@tapeline/domain/money/amount.schema.ts';
import { Fund, LPCommitment, MainFund } from '../../entities/funds.ts';
import { ServiceProvider } from '../../entities/register.ts';
import { newId } from '../../ids.ts';
import { asProgram, type Session, staleRefusal } from '../../store.ts';
import { requireFunded } from '../capital/ledgers.ts';
import { lockFunds } from '../commitments/change-commitments.ts';
import { tellOfOtherEntity } from '../entities/bank-mails.ts';
import { resolveEntities } from '../entities/entities.ts';
import { getDocument } from '../listing/list-documents.ts';
import { changedMetadata, createdMetadata } from '../metadata.ts';
import { requirePermission, tenantOf } from '../permission.ts';
import { FUNDS, type FundWithCommitments, getFundView } from './funds.ts';

/** @throws Refusal badRequest with a flag on each size that is in another currency than the fund */
export function requireSizesIn(currency: string, sizes: Pick<FundUpdate, 'targetSize' | 'hardCap'>): void {
  const flags = Object.fromEntries(
    (['targetSize', 'hardCap'] as const)
      .filter((size) => !inCurrency(currency, sizes[size]))
      .map((size) => [size, `must be in ${currency}, the currency of the fund`]),
  );
  if (Object.keys(flags).length > 0) {
    throw new Refusal('badRequest', `Enter the sizes in ${currency}, the currency of the fund`, { flags });
  }
}

/** The main fund must be one of the manager, in the currency of the fund. */
async function requireMainFund(
  session: Session,
  fund: { managerId: string; currency: string },
  id: string,
): Promise<void> {
  const { managerId, currency } = fund;
  const found = await session.em.findOne(MainFund, { id, managerId, status: { $ne: 'Removed' } });
  if (!found) {
    throw new Refusal('badRequest', 'The main fund does not exist', {
      flags: { mainFund: 'is not a main fund of this manager' },
    });
  }
  if (found.currency === currency) return;
  throw new Refusal('badRequest', `The main fund is in ${found.currency} and the fund in ${currency}`, {
    flags: { mainFund: `must be in ${currency}, the currency of the fund` },
  });
}

async function requireServiceProviders(session: Session, managerId: string, ids: readonly string[]): Promise<void> {
  const found = await session.em.find(ServiceProvider, {
    id: { $in: [...ids] },
    managerId,
    status: { $ne: 'Removed' },
  });
  const known = new Set(found.map(({ id }) => id));
  const flags = Object.fromEntries(
    ids.flatMap((id, place) =>
      known.has(id) ? [] : [[`serviceProviders.${place}`, 'is not a service provider of this manager']],
    ),
  );
  if (Object.keys(flags).length > 0) {
    throw new Refusal('badRequest', 'A service provider does not exist. Choose one of the manager’s', { flags });
  }
}

/** What a fund's body refers to, as ids. New entities are added to the register. */
async function resolveParties(session: Session, managerId: string, body: FundCreate | FundUpdate) {
  const one = async (reference: FundCreate['entity'], path: string): Promise<string | null> => {
    if (!reference) return null;
    const [id] = await resolveEntities(session, managerId, [reference], () => path);
    return id ?? null;
  };
  await requireServiceProviders(session, managerId, body.serviceProviders);
  return {
    gpIds: [...new Set(await resolveEntities(session, managerId, body.GPs, (place) => `GPs.${place}`))],
    managementCompanyId: await one(body.managementCompany, 'managementCompany'),
    entityId: await one(body.entity, 'entity'),
    serviceProviderIds: [...new Set(body.serviceProviders)],
  };
}

const classesOf = (session: Session, classes: FundCreate['classes']): Fund['classes'] =>
  classes.map(({ name, uniqueKey }) => ({ name, uniqueKey: uniqueKey ?? newId(session.now) }));

const termsOf = (body: FundCreate | FundUpdate) => ({
  title: body.title,
  type: body.type,
  strategy: body.strategy,
  targetSize: body.targetSize.sum,
  hardCap: body.hardCap.sum,
  closingDate: body.closingDate ?? null,
  timeline: body.timeline,
  nonRecyclable: body.nonRecyclable ?? null,
  excludeFromIrrCalculations: body.excludeFromIRRCalculations,
  description: body.description || null,
  mainFundId: body.mainFund ?? null,
});

/**
 * Creates a fund of the actor's manager.
 * @param body as `fundCreateSchema` returns it
 * @throws Refusal forbidden without `funds/write`; badRequest for parties or a main fund that the manager does not have
 */
export async function createFund(session: Session, body: FundCreate): Promise<FundWithCommitments> {
  requirePermission(session, 'funds/write');
  const managerId = await tenantOf(session);
  const { currency } = body;
  if (body.mainFund) await requireMainFund(session, { managerId, currency }, body.mainFund);
  const fund = session.em.create(Fund, {
    id: newId(session.now),
    managerId,
    currency,
    ...termsOf(body),
    classes: classesOf(session, body.classes),
    ...(await resolveParties(session, managerId, body)),
    metadata: createdMetadata(session),
  });
  await session.em.flush();
  return getFundView(session, fund.id);
}

/** The keys of the classes that commitments name. */
async function classesInUse(session: Session, fundId: string): Promise<Set<string>> {
  const rows = await session.query<{ key: string }>(
    `select distinct class as key from lp_commitments where fund_id = $1 and status <> 'Removed' and class is not null`,
    [fundId],
  );
  return new Set(rows.map(({ key }) => key));
}

/**
 * Changes a fund. Its currency never changes; a class that is in use stays, and its key never changes.
 * @throws Refusal notFound; badRequest if the version is stale, a class in use is missing, or as `createFund`
 */
export async function updateFund(
  session: Session,
  { id, body }: { id: string; body: FundUpdate },
): Promise<FundWithCommitments> {
  requirePermission(session, 'funds/write');
  await lockFunds(session, [id]);
  const fund = await getDocument(session, FUNDS, id);
  if (fund.version !== body.version) throw staleRefusal();
  requireSizesIn(fund.currency, body);
  if (body.mainFund && body.mainFund !== fund.mainFundId) await requireMainFund(session, fund, body.mainFund);
  const classes = classesOf(session, body.classes);
  await requireClassesKept(session, fund, classes);
  const before = fund.entityId;
  session.em.assign(fund, {
    ...termsOf(body),
    classes,
    ...(await resolveParties(session, fund.managerId, body)),
  });
  fund.metadata = changedMetadata(session, fund.metadata);
  await requireStillFunded(session, fund);
  const { title: name, entityId: after, version } = fund;
  await tellOfOtherEntity(session, { resource: 'funds', id, name, version, before, after });
  return getFundView(session, fund.id);
}

/** What may be called again depends on the fund, so a change of it can leave too much called. */
async function requireStillFunded(session: Session, { id }: Fund): Promise<void> {
  await session.em.flush();
  const rows = await asProgram(session, () =>
    session.query<{ id: string }>(`select id from lp_commitments where fund_id = $1 and status <> 'Removed'`, [id]),
  );
  await requireFunded(
    session,
    rows.map((row) => row.id),
    'nonRecyclable',
  );
}

async function requireClassesKept(session: Session, fund: Fund, classes: Fund['classes']): Promise<void> {
  const kept = new Set(classes.map(({ uniqueKey }) => uniqueKey));
  const dropped = fund.classes.filter(({ uniqueKey }) => !kept.has(uniqueKey));
  const isFirst = fund.classes.length === 0 && classes.length > 0;
  if (dropped.length === 0 && !isFirst) return;
  if (isFirst) {
    // A commitment to a fund without classes names none, and would belong to no class.
    const committed = await session.em.count(LPCommitment, { fundId: fund.id, status: { $ne: 'Removed' } });
    if (committed === 0) return;
    throw new Refusal('badRequest', 'This fund has commitments without a class, so it cannot have classes', {
      flags: { classes: 'cannot be added: the fund has commitments' },
    });
  }
  const used = await classesInUse(session, fund.id);
  const missing = dropped.find(({ uniqueKey }) => used.has(uniqueKey));
  if (!missing) return;
  throw new Refusal('badRequest', `The class ${missing.name} has commitments, so it cannot be removed`, {
    flags: { classes: `must keep ${missing.name}` },
  });
}

/**
 * Removes a fund (soft delete).
 * @throws Refusal notFound; badRequest if investors have committed to it, it invests in other funds, or it holds notes
 */
export async function removeFund(session: Session, id: string): Promise<void> {
  requirePermission(session, 'funds/write');
  const fund = await getDocument(session, FUNDS, id);
  const [uses] = await session.query<{ investors: number; investments: number; transactions: number }>(
    `select (select count(*)::int from lp_commitments where fund_id = $1 and status <> 'Removed') as investors,
       (select count(*)::int from lp_commitments where investor_fund_id = $1 and status <> 'Removed') as investments,
       (select count(*)::int from transactions where status <> 'Removed'
         and jsonb_path_exists(notes, '$[*].holdings[*] ? (@.fund == $fund)', jsonb_build_object('fund', $1::text))) as transactions`,
    [fund.id],
  );
  const counted = (count: number, one: string, many: string) =>
    count === 0 ? [] : [`${count} ${count === 1 ? one : many}`];
  const reasons = [
    ...counted(uses?.investors ?? 0, 'commitment to it', 'commitments to it'),
    ...counted(uses?.investments ?? 0, 'commitment to another fund', 'commitments to other funds'),
    ...counted(uses?.transactions ?? 0, 'transaction whose notes it holds', 'transactions whose notes it holds'),
  ];
  if (reasons.length > 0) {
    throw new Refusal('badRequest', `This fund cannot be removed. It has ${reasons.join(', ')}. Remove them first`);
  }
  CAPITAL_TRANSITIONS.require(fund.status, 'Removed');
  fund.status = 'Removed';
  fund.mainFundId = null;
  fund.metadata = changedMetadata(session, fund.metadata);
  await session.em.flush();
}
