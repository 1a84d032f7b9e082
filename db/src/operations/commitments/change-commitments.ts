import { isDeepStrictEqual } from 'node:util';
import { CAPITAL_TRANSITIONS, type CapitalStatus } from '@tapeline/domain/capital/states.ts';
import { deltaProblems } from '@tapeline/domain/commitments/active-commitment.ts';
import {
  ACTIVE_WITHIN_MAXIMUM,
  type BodyDelta,
  type CommitmentChange,
  type CommitmentCreate,
  type CommitmentDelta,
  type CommitmentUpdate,
} from '@tapeline/domain/commitments/commitment.schema.ts';
import { isTransferredBack, storedTitle, transferProblems } from '@tapeline/domain/commitments/transfer.ts';
import { reason, textOf } from '@tapeline/domain/errors/reason.ts';
import { atItem, checkAll, eachItem, type OnRefusal, Refusal, refuse } from '@tapeline/domain/errors/refusal.ts';
import { REQUIRED } from '@tapeline/domain/errors/required.ts';
import { requireRule } from '@tapeline/domain/errors/rule.ts';
import { requireClassOf } from '@tapeline/domain/funds/class-of-fund.ts';
import type { SideLetter } from '@tapeline/domain/funds/fees.schema.ts';
import { type DocumentSum, documentSumProblem } from '@tapeline/domain/money/amount.schema.ts';
import { compare, sum } from '@tapeline/domain/money/decimal.ts';
import { staleRefusal } from '../../database-refusals.ts';
import { Fund, LPCommitment } from '../../entities/funds.ts';
import { newId } from '../../ids.ts';
import { asProgram, type Session } from '../../store.ts';
import { requireWithinLimits } from '../capital/within-limits.ts';
import { type CommitmentView, getCommitment, LP_COMMITMENTS, viewCommitments } from '../funds/funds.ts';
import { termsAfter } from '../funds/terms-approval.ts';
import { getDocument } from '../listing/list-documents.ts';
import { changedMetadata, createdFrom, storeChange } from '../metadata.ts';
import { requirePermission } from '../permission.ts';
import { warnOfHardCaps } from '../warnings.ts';
import { commitmentContent, removeContent } from './commitment-content.ts';
import { readInvestors, requireKnownInvestor } from './commitment-investors.ts';
import { ownSideLetters, sideLettersOf } from './side-letters.ts';

/** Commitments to one fund change one after the other: what an investor may commit depends on the others. */
export async function lockFunds(session: Session, fundIds: readonly string[]): Promise<void> {
  await session.query('select id from funds where id = any ($1) order by id for update', [[...fundIds]], {
    kept: true,
  });
}

/** @throws Refusal badRequest with a flag at each sum that is in another currency than the fund, or has too many decimals */
function requireSums(
  fund: Pick<Fund, 'currency'>,
  {
    maxCommitment,
    activeCommitment,
    deltas = [],
  }: Partial<Pick<CommitmentCreate, 'maxCommitment' | 'activeCommitment'>> & {
    deltas?: readonly BodyDelta[] | undefined;
  },
): void {
  const sums: [string, DocumentSum | null | undefined][] = [
    ['maxCommitment', maxCommitment],
    ['activeCommitment', activeCommitment],
    ...deltas.map(({ amount, currency = null }, index): [string, DocumentSum] => [
      `deltas.${index}.amount`,
      { sum: amount, currency },
    ]),
  ];
  const flags = Object.fromEntries(
    sums.flatMap(([name, sum]) => {
      const problem = documentSumProblem(fund.currency, sum);
      return problem ? [[name, problem] as const] : [];
    }),
  );
  if (Object.keys(flags).length > 0) refuse(`Enter the sums in ${fund.currency}, the currency of the fund`, flags);
}

/** @throws Refusal badRequest with a flag at each change that leaves the commitment below zero or above its maximum */
function requireWithinMost(
  commitment: Pick<LPCommitment, 'closingDate' | 'activeCommitment' | 'maxCommitment' | 'deltas'>,
): void {
  requireRule(ACTIVE_WITHIN_MAXIMUM, commitment, 'The active commitment is above the maximum commitment');
  const problems = deltaProblems(commitment, commitment.maxCommitment);
  const [first] = problems.values();
  if (first === undefined) return;
  const flags = Object.fromEntries([...problems].map(([index, problem]) => [`deltas.${index}`, problem]));
  refuse(`A change of the commitment ${textOf(first)}`, flags);
}

/** A class for a fund with classes, and none for a fund without. */
function requireClass(fund: Fund, Class: string | null): void {
  if (fund.classes.length === 0) {
    if (Class !== null) refuse('This fund has no classes', { Class: 'must be empty: the fund has no classes' });
    return;
  }
  if (Class === null) refuse('Choose a class of the fund', { Class: REQUIRED });
  requireClassOf([fund], Class);
}

const partiesOf = (commitment: Pick<LPCommitment, 'fundId' | 'Class' | 'investorLPId' | 'investorFundId'>): string =>
  JSON.stringify([commitment.fundId, commitment.Class ?? null, commitment.investorLPId ?? commitment.investorFundId]);

/** The commitments that funds have. One per fund, class and investor: a later closing is a change of it. */
async function readParties(session: Session, fundIds: readonly string[]): Promise<Set<string>> {
  const rows = await session.query<Parameters<typeof partiesOf>[0]>(
    `select fund_id as "fundId", class as "Class", investor_lp_id as "investorLPId", investor_fund_id as "investorFundId"
     from lp_commitments where fund_id = any ($1) and status <> 'Removed'`,
    [fundIds],
  );
  return new Set(rows.map(partiesOf));
}

/** @throws Refusal badRequest (flag on `investor.id`) if there is such a commitment; otherwise there is one from now on */
function takeParties(parties: Set<string>, commitment: LPCommitment): void {
  const key = partiesOf(commitment);
  if (parties.has(key)) {
    refuse('This investor has already committed to this fund and class. Add a change to that commitment instead', {
      'investor.id': reason('commitmentTaken'),
    });
  }
  parties.add(key);
}

const deltasOf = (deltas: readonly CommitmentDelta[]): LPCommitment['deltas'] =>
  deltas.map(({ date, amount, title, transfer }) => ({
    date,
    amount,
    title: storedTitle({ amount, title, transfer }),
    ...(transfer ? { transfer } : {}),
  }));

/** @throws Refusal badRequest with a flag at each change that would alter one side of a transfer */
function requireTransfersKept(stored: LPCommitment['deltas'], edited: readonly CommitmentDelta[]): void {
  const problems = transferProblems(stored, edited);
  if (problems.size === 0) return;
  const flags = Object.fromEntries(
    [...problems].map(([index, problem]) => [index < 0 ? 'deltas' : `deltas.${index}`, problem]),
  );
  refuse('A transfer changes two commitments and cannot be edited in one of them. Transfer the amount back', flags);
}

/**
 * Commits an investor to a fund, or to one of its classes.
 * @param body as `commitmentCreateSchema` returns it
 * @throws Refusal forbidden without `LPs/commitments/write`; notFound for a fund that is not visible; badRequest with flags
 */
export async function createCommitment(session: Session, body: CommitmentCreate): Promise<CommitmentView> {
  const [commitment] = await addCommitments(session, [body], (refusal) => {
    throw refusal;
  });
  return getCommitment(session, commitment!.id);
}

/**
 * Commits investors to funds, as `createCommitment` does. With `onRefusal`, commitments that are refused are left out.
 * @returns a commitment for each body; null for one that was left out
 */
export async function addCommitments(
  session: Session,
  bodies: readonly CommitmentCreate[],
  onRefusal?: OnRefusal,
): Promise<(LPCommitment | null)[]> {
  requirePermission(session, 'LPs/commitments/write');
  const fundIds = [...new Set(bodies.map(({ fund }) => fund))];
  await lockFunds(session, fundIds);
  const found = await session.em.find(Fund, { id: { $in: fundIds }, status: { $ne: 'Removed' } });
  const funds = new Map(found.map((fund) => [fund.id, fund]));
  const investors = await readInvestors(
    session,
    bodies.map(({ investor }) => investor),
  );
  const parties = await readParties(session, fundIds);
  const created = eachItem(
    bodies,
    (body) => {
      const fund = funds.get(body.fund);
      if (!fund) throw new Refusal('notFound');
      const commitment = newCommitment(session, fund, body);
      checkAll(
        () => requireSums(fund, body),
        () => requireClass(fund, body.Class ?? null),
        () => requireKnownInvestor(investors, fund, body.investor),
        () => requireTransfersKept([], body.deltas),
        () => requireWithinMost(commitment),
      );
      takeParties(parties, commitment);
      if (body.investor.kind === 'fund') {
        const others = investors.fundsOf.get(body.investor.id) ?? [];
        investors.fundsOf.set(body.investor.id, [...others, { fund: fund.id, investor: body.investor.id }]);
      }
      session.em.persist(commitment);
      return commitment;
    },
    onRefusal,
  );
  for (const [index, commitment] of created.entries()) {
    const { sideLetters } = bodies[index]!;
    if (commitment && sideLetters) commitment.sideLetters = await sideLettersOf(session, commitment, sideLetters);
  }
  await session.em.flush();
  await ownSideLetters(
    session,
    created.flatMap((commitment) => commitment ?? []),
  );
  await warnOfHardCaps(
    session,
    created.filter((commitment) => commitment !== null),
  );
  return created;
}

function newCommitment(session: Session, fund: Fund, body: CommitmentCreate): LPCommitment {
  const { id, kind } = body.investor;
  return session.em.create(
    LPCommitment,
    {
      id: newId(session.now),
      managerId: fund.managerId,
      status: body.status ?? 'Active',
      fundId: fund.id,
      investorKind: kind,
      investorLPId: kind === 'LP' ? id : null,
      investorFundId: kind === 'fund' ? id : null,
      Class: body.Class ?? null,
      currency: fund.currency,
      closingDate: body.closingDate,
      maxCommitment: body.maxCommitment.sum,
      activeCommitment: (body.activeCommitment ?? body.maxCommitment).sum,
      deltas: deltasOf(body.deltas),
      fees: body.fees,
      metadata: createdFrom(session, body),
    },
    { persist: false },
  );
}

/** Locks the funds of these commitments, and reads them all. */
export async function lockFundsOf(session: Session, ids: readonly string[]): Promise<void> {
  const rows = await session.query<{ fund: string }>(
    'select distinct fund_id as fund from lp_commitments where id = any ($1)',
    [[...ids]],
  );
  await lockFunds(
    session,
    rows.map(({ fund }) => fund),
  );
  await session.em.find(LPCommitment, { id: { $in: [...ids] } });
}

const totalOf = ({ activeCommitment, deltas }: LPCommitment) =>
  sum([activeCommitment, ...deltas.map(({ amount }) => amount)]);

/** @param raised gets the commitment if it becomes larger */
async function change(
  session: Session,
  id: string,
  body: CommitmentChange | CommitmentUpdate,
  raised: LPCommitment[],
): Promise<LPCommitment> {
  const commitment = await getDocument(session, LP_COMMITMENTS, id);
  const before = totalOf(commitment);
  const { status: statusBefore, managerId } = commitment;
  if (commitment.version !== body.version) throw staleRefusal(commitment, body.version);
  const { closingDate, maxCommitment, activeCommitment, deltas, fees, sideLetters, status } = body;
  requireSums(commitment, { ...(maxCommitment ? { maxCommitment } : {}), activeCommitment, deltas });
  if (status) commitment.status = CAPITAL_TRANSITIONS.enter(commitment.status, status as CapitalStatus);
  if (closingDate) commitment.closingDate = closingDate;
  if (maxCommitment) commitment.maxCommitment = maxCommitment.sum;
  if (activeCommitment) commitment.activeCommitment = activeCommitment.sum;
  if (deltas) {
    requireTransfersKept(commitment.deltas, deltas);
    commitment.deltas = deltasOf(deltas);
  }
  const now = { fees: commitment.fees, sideLetters: commitment.sideLetters };
  const next = {
    fees: fees ?? now.fees,
    sideLetters: sideLetters ? await sideLettersOf(session, commitment, sideLetters) : now.sideLetters,
  };
  // Terms of a draft apply at once, also those that are entered when it becomes Active.
  const termed = { id, managerId, status: statusBefore };
  Object.assign(commitment, await termsAfter(session, 'LPCommitments', termed, { now, next }));
  requireWithinMost(commitment);
  if (compare(totalOf(commitment), before) > 0) raised.push(commitment);
  commitment.metadata = changedMetadata(session, commitment.metadata);
  return commitment;
}

/** The field that can leave less committed than was called. */
const flagOf = ({ deltas, activeCommitment }: CommitmentUpdate): string =>
  deltas.length === 0 && activeCommitment ? 'activeCommitment' : 'deltas';

/**
 * Changes a commitment. Its fund, class and investor never change.
 * @throws Refusal notFound; badRequest if the version is stale, less would be committed than was called, or as
 *   `createCommitment`
 */
export async function updateCommitment(
  session: Session,
  { id, body }: { id: string; body: CommitmentUpdate },
): Promise<CommitmentView> {
  requirePermission(session, 'LPs/commitments/write');
  await lockFundsOf(session, [id]);
  const raised: LPCommitment[] = [];
  const changed = await change(session, id, body, raised);
  await requireWithinLimits(session, [id], { flag: flagOf(body), limits: ['called'] });
  await ownSideLetters(session, [changed]);
  await warnOfHardCaps(session, raised);
  return getCommitment(session, id);
}

/**
 * Adds, replaces or removes a side letter of a commitment. What was issued stays as it is.
 * @param command.replaces the day of the letter that changes or ends; null to add one
 * @param command.letter the new letter; null to remove the one that is replaced
 * @returns whether the change is only proposed, because it needs a second person
 * @throws Refusal notFound; badRequest if the version is stale, or a letter of that day exists
 */
export async function changeSideLetter(
  session: Session,
  {
    id,
    version,
    replaces,
    letter,
  }: { id: string; version: number; replaces: string | null; letter: SideLetter | null },
): Promise<{ isProposed: boolean }> {
  requirePermission(session, 'LPs/commitments/write');
  await lockFundsOf(session, [id]);
  const commitment = await getDocument(session, LP_COMMITMENTS, id);
  if (commitment.version !== version) throw staleRefusal(commitment, version);
  const kept = commitment.sideLetters.filter(({ from }) => from !== replaces);
  if (replaces !== null && kept.length === commitment.sideLetters.length) throw new Refusal('notFound');
  if (letter && kept.some(({ from }) => from === letter.from)) {
    refuse('A side letter already begins on this day. Change that one', { 'sideLetters.0.from': 'is taken' });
  }
  const [stored] = letter ? await sideLettersOf(session, commitment, [letter]) : [];
  const now = { fees: commitment.fees, sideLetters: commitment.sideLetters };
  const letters = [...kept, ...(stored ? [stored] : [])].toSorted((a, b) => (a.from < b.from ? -1 : 1));
  const next = { ...now, sideLetters: letters };
  const after = await termsAfter(session, 'LPCommitments', commitment, { now, next });
  if (after === now) return { isProposed: !isDeepStrictEqual(now, next) };
  await storeChange(session, commitment, after);
  await ownSideLetters(session, [commitment]);
  return { isProposed: false };
}

/** Changes several commitments, all or none. @throws Refusal as `updateCommitment`, naming the item */
export async function updateCommitments(
  session: Session,
  items: readonly CommitmentChange[],
): Promise<CommitmentView[]> {
  requirePermission(session, 'LPs/commitments/write');
  await lockFundsOf(
    session,
    items.map(({ id }) => id),
  );
  const changed: LPCommitment[] = [];
  const raised: LPCommitment[] = [];
  for (const [index, item] of items.entries()) {
    try {
      changed.push(await change(session, item.id, item, raised));
    } catch (error) {
      throw atItem(error, index);
    }
  }
  await requireWithinLimits(
    session,
    changed.map(({ id }) => id),
    { flag: 'deltas', limits: ['called'] },
  );
  await ownSideLetters(session, changed);
  await warnOfHardCaps(session, raised);
  return viewCommitments(session, changed);
}

/**
 * Removes a commitment (soft delete).
 * @param command.isDeleteAll also the same investor's commitments in the other classes of the fund
 * @param command.deleteAllContent also their calls, distributions, NAVs, write-offs and statements
 * @returns the ids of the commitments that were removed
 * @throws Refusal notFound; badRequest while a part of it is transferred, so that the fund's total never changes by it,
 *   or if it has documents and `deleteAllContent` is not set
 */
export async function removeCommitment(
  session: Session,
  command: { id: string; isDeleteAll: boolean; deleteAllContent: boolean },
): Promise<{ ids: string[] }> {
  requirePermission(session, 'LPs/commitments/write');
  await lockFundsOf(session, [command.id]);
  const commitment = await getDocument(session, LP_COMMITMENTS, command.id);
  const { fundId, investorLPId, investorFundId } = commitment;
  const removed = command.isDeleteAll
    ? await session.em.find(LPCommitment, {
        fundId,
        investorLPId: investorLPId ?? null,
        investorFundId: investorFundId ?? null,
        status: { $ne: 'Removed' },
      })
    : [commitment];
  await requireTransferredBack(session, removed);
  const content = await commitmentContent(
    session,
    removed.map(({ id }) => id),
  );
  if (content.length > 0 && !command.deleteAllContent) {
    throw new Refusal(
      'badRequest',
      `This commitment has ${content.join(', ')}. Remove them first, or together with the commitment`,
      { flags: { deleteAllContent: `must be set: there are ${content.join(', ')}` } },
    );
  }
  if (content.length > 0) await removeContent(session, removed);
  await markRemoved(session, removed);
  return { ids: removed.map(({ id }) => id) };
}

/** Removes commitments (soft delete), all or none. @throws Refusal badRequest as `removeCommitment`, if one has documents */
export async function removeCommitments(session: Session, ids: readonly string[]): Promise<void> {
  requirePermission(session, 'LPs/commitments/write');
  await lockFundsOf(session, ids);
  const removed = await session.em.find(LPCommitment, { id: { $in: [...ids] }, status: { $ne: 'Removed' } });
  await requireTransferredBack(session, removed);
  const content = await commitmentContent(session, ids);
  if (content.length > 0) {
    throw new Refusal('badRequest', `The commitments have ${content.join(', ')}. Remove them first`);
  }
  await markRemoved(session, removed);
}

/** An interest that was transferred is part of what the other holder has. */
async function requireTransferredBack(session: Session, commitments: readonly LPCommitment[]): Promise<void> {
  const [found] = await asProgram(session, () =>
    session.query(
      `select from transfers where share_percent is not null and (commitment_id = any ($1) or to_commitment_id = any ($1)) limit 1`,
      [commitments.map(({ id }) => id)],
    ),
  );
  if (found) {
    throw new Refusal('badRequest', 'An interest was transferred from or to this commitment, so it cannot be removed');
  }
  if (commitments.every(({ deltas }) => isTransferredBack(deltas))) return;
  throw new Refusal('badRequest', 'A part of this commitment was transferred. Transfer it back before you remove it');
}

async function markRemoved(session: Session, removed: readonly LPCommitment[]): Promise<void> {
  for (const one of removed) {
    CAPITAL_TRANSITIONS.require(one.status, 'Removed');
    one.status = 'Removed';
    one.metadata = changedMetadata(session, one.metadata);
  }
  await session.em.flush();
}
