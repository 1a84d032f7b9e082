import { isDeepStrictEqual } from 'node:util';
import { CAPITAL_TRANSITIONS } from '@tapeline/domain/capital/states.ts';
import { chosenReminders, type ReminderKind } from '@tapeline/domain/cash/reminders.ts';
import { reason } from '@tapeline/domain/errors/reason.ts';
import { type OnRefusal, Refusal, refuse, refuseItem } from '@tapeline/domain/errors/refusal.ts';
import type { FundFeeTerms } from '@tapeline/domain/funds/fees.schema.ts';
import type { FundCreate, FundUpdate } from '@tapeline/domain/funds/fund.schema.ts';
import { documentSumProblem } from '@tapeline/domain/money/amount.schema.ts';
import { compare, decimalOf } from '@tapeline/domain/money/decimal.ts';
import { staleRefusal } from '../../database-refusals.ts';
import { Fund, LPCommitment, MainFund } from '../../entities/funds.ts';
import { ServiceProvider } from '../../entities/service-providers.ts';
import { newId } from '../../ids.ts';
import { asProgram, type Session } from '../../store.ts';
import { requireWithinLimits } from '../capital/within-limits.ts';
import { lockFunds } from '../commitments/change-commitments.ts';
import { tellOfOtherEntity } from '../entities/bank-mails.ts';
import { entitiesNamedBy, getEntity, resolveEntities } from '../entities/entities.ts';
import { externalCodesOf } from '../external-codes.ts';
import { getDocument } from '../listing/list-documents.ts';
import { changedMetadata, createdFrom, storeChange } from '../metadata.ts';
import { requirePermission, tenantOf } from '../permission.ts';
import { warnOfHardCaps } from '../warnings.ts';
import { requireFeeTerms, storedFeeTerms } from './fee-terms.ts';
import { FUNDS, type FundWithCommitments, getFundView } from './funds.ts';
import { termsAfter } from './terms-approval.ts';

/** @throws Refusal badRequest with a flag on each size that is in another currency than the fund */
export function requireSizesIn(currency: string, sizes: Pick<FundUpdate, 'targetSize' | 'hardCap'>): void {
  const flags = Object.fromEntries(
    (['targetSize', 'hardCap'] as const).flatMap((size) => {
      const problem = documentSumProblem(currency, sizes[size]);
      return problem === null ? [] : [[size, problem] as const];
    }),
  );
  if (Object.keys(flags).length > 0) {
    throw new Refusal('badRequest', `Enter the sizes in ${currency}, the currency of the fund`, { flags });
  }
}

/** The main funds that funds name, by id. */
async function readMainFunds(session: Session, managerId: string, ids: readonly (string | null | undefined)[]) {
  const named = ids.filter((id) => id != null);
  if (named.length === 0) return new Map<string, MainFund>();
  const found = await session.em.find(MainFund, { id: { $in: named }, managerId, status: { $ne: 'Removed' } });
  return new Map(found.map((mainFund) => [mainFund.id, mainFund]));
}

/** The main fund must be one of the manager, in the currency of the fund. */
function requireMainFund(mainFunds: ReadonlyMap<string, MainFund>, currency: string, id: string): void {
  const found = mainFunds.get(id);
  if (!found) {
    throw new Refusal('badRequest', 'The main fund does not exist', {
      flags: { mainFund: 'is not a main fund of this manager' },
    });
  }
  if (found.currency === currency) return;
  throw new Refusal('badRequest', `The main fund is in ${found.currency} and the fund in ${currency}`, {
    flags: { mainFund: reason('fundCurrency', { currency }) },
  });
}

type Parties = Pick<FundUpdate, 'entity' | 'GPs' | 'managementCompany' | 'serviceProviders'>;

/** What funds refer to, read once for all of them. */
async function readParties(session: Session, managerId: string, bodies: readonly Parties[]) {
  const named = bodies.flatMap(({ entity, GPs, managementCompany }) =>
    [entity ?? [], GPs, managementCompany ?? []].flat(),
  );
  const ids = [...new Set(bodies.flatMap(({ serviceProviders }) => serviceProviders))];
  const providers =
    ids.length === 0
      ? []
      : await session.em.find(ServiceProvider, { id: { $in: ids }, managerId, status: { $ne: 'Removed' } });
  return {
    managerId,
    entities: await entitiesNamedBy(session, managerId, named),
    providers: new Set(providers.map(({ id }) => id)),
  };
}

function requireServiceProviders(known: ReadonlySet<string>, ids: readonly string[]): void {
  const flags = Object.fromEntries(
    ids.flatMap((id, index) =>
      known.has(id) ? [] : [[`serviceProviders.${index}`, 'is not a service provider of this manager']],
    ),
  );
  if (Object.keys(flags).length > 0) {
    throw new Refusal('badRequest', 'A service provider does not exist. Choose one of the manager’s', { flags });
  }
}

/** What a fund's body refers to, as ids. New entities are added to the register. */
async function resolveParties(
  session: Session,
  { managerId, entities: known, providers }: Awaited<ReturnType<typeof readParties>>,
  body: Parties,
) {
  const options = { known, flush: false };
  const one = async (reference: FundCreate['entity'], path: string): Promise<string | null> => {
    if (!reference) return null;
    const [id] = await resolveEntities(session, managerId, [reference], () => path, options);
    return id ?? null;
  };
  requireServiceProviders(providers, body.serviceProviders);
  return {
    gpIds: [...new Set(await resolveEntities(session, managerId, body.GPs, (index) => `GPs.${index}`, options))],
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
  excuseCap: body.excuseCap == null ? null : decimalOf(body.excuseCap),
  description: body.description || null,
  mainFundId: body.mainFund ?? null,
});

/**
 * Creates a fund of the actor's manager.
 * @param body as `fundCreateSchema` returns it
 * @throws Refusal forbidden without `funds/write`; badRequest for parties or a main fund that the manager does not have
 */
export async function createFund(session: Session, body: FundCreate): Promise<FundWithCommitments> {
  const [fund] = await addFunds(session, [body], (refusal) => {
    throw refusal;
  });
  return getFundView(session, fund!.id);
}

/**
 * Creates funds, as `createFund` does. With `onRefusal`, funds that are refused are left out.
 * @param bodies `code` if the fund has a number already
 * @returns a fund for each body; null for one that was left out
 */
export async function addFunds(
  session: Session,
  bodies: readonly (FundCreate & { code?: number })[],
  onRefusal?: OnRefusal,
): Promise<(Fund | null)[]> {
  requirePermission(session, 'funds/write');
  const managerId = await tenantOf(session);
  const mainFunds = await readMainFunds(
    session,
    managerId,
    bodies.map(({ mainFund }) => mainFund),
  );
  const parties = await readParties(session, managerId, bodies);
  const requireFree = await externalCodesOf(session, 'funds', {
    managerId,
    codes: bodies.map(({ externalCode }) => externalCode),
  });
  const resolved: (Awaited<ReturnType<typeof resolveParties>> | null)[] = [];
  for (const [index, body] of bodies.entries()) {
    try {
      requireFree(body.externalCode);
      if (body.mainFund) requireMainFund(mainFunds, body.currency, body.mainFund);
      requireFeeTerms(body, body.feeTerms ?? []);
      resolved.push(await resolveParties(session, parties, body));
    } catch (error) {
      resolved.push(refuseItem(error, index, onRefusal));
    }
  }
  // An entity that is added after its fund would rename it, which takes minutes for thousands of them.
  await session.em.flush();
  const created = bodies.map((body, index) => {
    const of = resolved[index];
    return of
      ? session.em.create(Fund, {
          id: newId(session.now),
          managerId,
          ...(body.code === undefined ? {} : { code: body.code }),
          currency: body.currency,
          ...termsOf(body),
          equalization: body.equalization ?? null,
          ...(body.reminders ? { reminders: chosenReminders(body.reminders) } : {}),
          classes: classesOf(session, body.classes),
          feeTerms: storedFeeTerms(body.feeTerms ?? []),
          investmentPeriodEnd: body.investmentPeriodEnd ?? null,
          externalCode: body.externalCode || null,
          ...of,
          metadata: createdFrom(session, body),
        })
      : null;
  });
  await session.em.flush();
  return created;
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
  if (fund.version !== body.version) throw staleRefusal(fund, body.version);
  requireSizesIn(fund.currency, body);
  if (body.mainFund && body.mainFund !== fund.mainFundId) {
    requireMainFund(await readMainFunds(session, fund.managerId, [body.mainFund]), fund.currency, body.mainFund);
  }
  const {
    externalCode = fund.externalCode,
    feeTerms = fund.feeTerms,
    investmentPeriodEnd = fund.investmentPeriodEnd,
  } = body;
  const { managerId } = fund;
  (await externalCodesOf(session, 'funds', { managerId, codes: [externalCode], except: id }))(externalCode);
  const classes = classesOf(session, body.classes);
  await requireClassesKept(session, fund, classes);
  requireFeeTerms({ currency: fund.currency, classes }, feeTerms);
  const { entityId: before, nonRecyclable, hardCap } = fund;
  session.em.assign(fund, {
    ...termsOf(body),
    ...(body.equalization === undefined ? {} : { equalization: body.equalization }),
    ...(body.reminders ? { reminders: chosenReminders(body.reminders) } : {}),
    classes,
    ...(await termsAfter(session, 'funds', fund, {
      now: termsNow(fund),
      next: { feeTerms: storedFeeTerms(feeTerms), investmentPeriodEnd: investmentPeriodEnd ?? null },
    })),
    externalCode: externalCode || null,
    ...(await resolveParties(session, await readParties(session, fund.managerId, [body]), body)),
  });
  fund.metadata = changedMetadata(session, fund.metadata);
  await session.em.flush();
  // A fund whose history was beyond a limit before there was one can still be renamed.
  if (!isDeepStrictEqual(nonRecyclable ?? null, fund.nonRecyclable ?? null)) await requireStillFunded(session, fund);
  if (compare(fund.hardCap, hardCap) < 0) await warnOfHardCaps(session, [{ id, fundId: id }]);
  const { title: name, entityId: after, version } = fund;
  await tellOfOtherEntity(session, { resource: 'funds', id, name, version, before, after });
  return getFundView(session, fund.id);
}

const termsNow = ({ feeTerms, investmentPeriodEnd }: Fund) => ({
  feeTerms,
  investmentPeriodEnd: investmentPeriodEnd ?? null,
});

/**
 * Adds, replaces or removes fee terms of a fund. What was issued stays as it is.
 * @param command.replaces the terms that change or end; none to add some
 * @param command.terms the new terms; null to remove those that are replaced
 * @returns whether the change is only proposed, because it needs a second person
 * @throws Refusal notFound; badRequest if the version is stale, or two terms of a class begin on the same day
 */
export async function changeFeeTerms(
  session: Session,
  {
    id,
    version,
    replaces,
    terms,
  }: {
    id: string;
    version: number;
    replaces: Pick<FundFeeTerms, 'Class' | 'from'> | null;
    terms: FundFeeTerms | null;
  },
): Promise<{ isProposed: boolean }> {
  requirePermission(session, 'funds/write');
  await lockFunds(session, [id]);
  const fund = await getDocument(session, FUNDS, id);
  if (fund.version !== version) throw staleRefusal(fund, version);
  const isSame = (one: Pick<FundFeeTerms, 'Class' | 'from'>, other: Pick<FundFeeTerms, 'Class' | 'from'>) =>
    one.from === other.from && (one.Class ?? null) === (other.Class ?? null);
  const kept = fund.feeTerms.filter((one) => !(replaces && isSame(one, replaces)));
  if (replaces && kept.length === fund.feeTerms.length) throw new Refusal('notFound');
  if (terms && kept.some((one) => isSame(one, terms))) {
    refuse('Fee terms of this class already begin on this day. Change those', { 'feeTerms.0.from': 'is taken' });
  }
  if (terms) requireFeeTerms(fund, [terms]);
  const now = termsNow(fund);
  const next = { ...now, feeTerms: storedFeeTerms(terms ? [...kept, terms] : kept) };
  const after = await termsAfter(session, 'funds', fund, { now, next });
  if (after === now) return { isProposed: !isDeepStrictEqual(now, next) };
  await storeChange(session, fund, after);
  return { isProposed: false };
}

/** Chooses which reminders of its calls a fund sends. @throws Refusal notFound; badRequest if the version is stale */
export async function setReminders(
  session: Session,
  { id, version, reminders }: { id: string; version: number; reminders: readonly ReminderKind[] },
): Promise<void> {
  requirePermission(session, 'funds/write');
  await lockFunds(session, [id]);
  const fund = await getDocument(session, FUNDS, id);
  if (fund.version !== version) throw staleRefusal(fund, version);
  const chosen = chosenReminders(reminders);
  if (isDeepStrictEqual(chosen, chosenReminders(fund.reminders))) return;
  await storeChange(session, fund, { reminders: chosen });
}

/**
 * Gives a fund without an entity one of its manager's register, with the bank account that notices state.
 * @throws Refusal notFound; badRequest if the fund has an entity
 */
export async function giveFundEntity(
  session: Session,
  { id, entityId }: { id: string; entityId: string },
): Promise<void> {
  requirePermission(session, 'funds/write');
  await lockFunds(session, [id]);
  const fund = await getDocument(session, FUNDS, id);
  const entity = await getEntity(session, entityId);
  if (fund.entityId) throw new Refusal('badRequest', `${fund.title} already has an entity. Edit that one.`);
  if (entity.managerId !== fund.managerId) throw new Refusal('notFound', 'No such entity');
  await storeChange(session, fund, { entityId });
  const { title: name, version } = fund;
  await tellOfOtherEntity(session, { resource: 'funds', id, name, version, before: null, after: entityId });
}

/** What may be called again depends on the fund, so a change of it can leave too much called. */
async function requireStillFunded(session: Session, { id }: Fund): Promise<void> {
  const rows = await asProgram(session, () =>
    session.query<{ id: string }>(`select id from lp_commitments where fund_id = $1 and status <> 'Removed'`, [id]),
  );
  await requireWithinLimits(
    session,
    rows.map((row) => row.id),
    { flag: 'nonRecyclable', limits: ['called', 'writtenOff'] },
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

/** What keeps a fund from being removed, in words: "2 commitments to it". */
async function usesOf(session: Session, ids: readonly string[]): Promise<{ id: string; uses: string[] }[]> {
  const rows = await session.query<{ id: string; investors: number; investments: number; transactions: number }>(
    `select f.id, (select count(*)::int from lp_commitments where fund_id = f.id and status <> 'Removed') as investors,
       (select count(*)::int from lp_commitments where investor_fund_id = f.id and status <> 'Removed') as investments,
       (select count(*)::int from transactions where status <> 'Removed'
         and jsonb_path_exists(notes, '$[*].holdings[*] ? (@.fund == $fund)', jsonb_build_object('fund', f.id::text))) as transactions
     from funds f where f.id = any ($1)`,
    [[...ids]],
  );
  const counted = (count: number, one: string, many: string) =>
    count === 0 ? [] : [`${count} ${count === 1 ? one : many}`];
  return rows.map(({ id, investors, investments, transactions }) => ({
    id,
    uses: [
      ...counted(investors, 'commitment to it', 'commitments to it'),
      ...counted(investments, 'commitment to another fund', 'commitments to other funds'),
      ...counted(transactions, 'facility whose notes it holds', 'facilities whose notes it holds'),
    ],
  }));
}

/**
 * Removes a fund (soft delete).
 * @throws Refusal notFound; badRequest if investors have committed to it, it invests in other funds, or it holds notes
 */
export async function removeFund(session: Session, id: string): Promise<void> {
  await getDocument(session, FUNDS, id);
  await removeFunds(session, [id]);
}

/** Removes funds (soft delete), all or none. @throws Refusal as `removeFund` */
export async function removeFunds(session: Session, ids: readonly string[]): Promise<void> {
  requirePermission(session, 'funds/write');
  const funds = await session.em.find(Fund, { id: { $in: [...ids] }, status: { $ne: 'Removed' } });
  const used = (await usesOf(session, ids)).find(({ uses }) => uses.length > 0);
  if (used) {
    throw new Refusal('badRequest', `This fund cannot be removed. It has ${used.uses.join(', ')}. Remove them first`);
  }
  for (const fund of funds) {
    CAPITAL_TRANSITIONS.require(fund.status, 'Removed');
    fund.status = 'Removed';
    fund.mainFundId = null;
    fund.metadata = changedMetadata(session, fund.metadata);
  }
  await session.em.flush();
}
