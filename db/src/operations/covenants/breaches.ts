import type { RequestStatus } from '@tapeline/domain/approvals/request-status.ts';
import type { CureBody, WaiverBody } from '@tapeline/domain/covenants/breach.schema.ts';
import { daysBetween } from '@tapeline/domain/dates/calendar-day.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { type Covenant, CovenantResult, CovenantWaiver } from '../../entities/covenants.ts';
import { asProgram, type Session } from '../../store.ts';
import { todayOf } from '../../today.ts';
import {
  decideRequest,
  enteredNow,
  requestFacts,
  requireOpenRequest,
  requireOwnRequest,
  requireSecondPerson,
} from '../approvals/requests.ts';
import { namedDocument } from '../files/files.ts';
import { actingPerson } from '../investors/payout-accounts.ts';
import { getDocument } from '../listing/list-documents.ts';
import { storeChange } from '../metadata.ts';
import { COVENANTS, type CovenantView, getCovenant, requireCovenants, resultsOfCovenant } from './covenants.ts';
import { COVENANT_BUCKET } from './facility-figures.ts';
import { testAll } from './test-due-covenants.ts';

/** A waiver lasts so many days at most. */
const MAX_WAIVED_DAYS = 366;

/** A waiver as calls and pages show it. */
export const shownWaiver = (waiver: CovenantWaiver) => ({
  id: waiver.id,
  status: waiver.status as RequestStatus,
  covenant: waiver.covenantId,
  result: waiver.resultId,
  until: waiver.waivedUntil,
  ...requestFacts(waiver),
});

/** The waivers of a covenant that the actor can see, the latest first. @throws Refusal notFound */
export async function listWaivers(session: Session, covenantId: string): Promise<CovenantWaiver[]> {
  await getDocument(session, COVENANTS, covenantId);
  return session.em.find(CovenantWaiver, { covenantId }, { orderBy: { code: 'desc' }, limit: 200 });
}

/** The latest result of a covenant that counts. The covenant is locked until the transaction ends. */
async function latestResult(session: Session, covenantId: string): Promise<CovenantResult | null> {
  await session.query('select 1 from covenants where id = $1 for no key update', [covenantId]);
  const [latest] = await session.em.find(
    CovenantResult,
    { covenantId, status: 'Active' },
    { orderBy: { testDate: 'desc' }, limit: 1, refresh: true },
  );
  return latest ?? null;
}

/** The latest result of a covenant, locked. @throws Refusal notFound; badRequest if it is no open breach */
async function openBreach(session: Session, covenantId: string): Promise<CovenantResult> {
  await getDocument(session, COVENANTS, covenantId);
  const latest = await latestResult(session, covenantId);
  if (latest?.outcome !== 'breached' || latest.curedOn) {
    throw new Refusal(
      'badRequest',
      'The latest test of this covenant is not breached, so there is nothing to cure or waive',
    );
  }
  return latest;
}

/**
 * Asks to waive the breach of the latest test until a day. Nothing changes until somebody else approves it.
 * @throws Refusal forbidden; notFound; badRequest if there is no breach, a request waits, or the day has passed or is far away
 */
export async function requestWaiver(
  session: Session,
  { covenantId, body }: { covenantId: string; body: WaiverBody },
): Promise<CovenantWaiver> {
  requireCovenants(session);
  const result = await openBreach(session, covenantId);
  const days = daysBetween(todayOf(session), body.until);
  if (days < 0 || days > MAX_WAIVED_DAYS) {
    throw new Refusal('badRequest', undefined, {
      flags: { until: `must be from today to ${MAX_WAIVED_DAYS} days ahead` },
    });
  }
  if ((await session.em.count(CovenantWaiver, { resultId: result.id, status: 'Requested' })) > 0) {
    throw new Refusal('badRequest', 'A waiver of this breach already waits for a decision');
  }
  const file = await namedDocument(session, {
    bucket: COVENANT_BUCKET,
    document: body.document,
    companyId: result.companyId,
  });
  const waiver = session.em.create(CovenantWaiver, {
    ...enteredNow(session, body, file),
    managerId: result.managerId,
    companyId: result.companyId,
    transactionId: result.transactionId,
    covenantId,
    resultId: result.id,
    waivedUntil: body.until,
  });
  await session.em.flush();
  return waiver;
}

/** @throws Refusal notFound; forbidden; badRequest if it is decided */
async function openWaiver(session: Session, id: string): Promise<CovenantWaiver> {
  requireCovenants(session);
  await session.query('select 1 from covenant_waivers where id = $1 for update', [id]);
  return requireOpenRequest(await session.em.findOne(CovenantWaiver, { id }, { refresh: true }), 'waiver');
}

/** @throws Refusal as `openWaiver`; badRequest for the person who entered it */
async function waiverToDecide(session: Session, id: string): Promise<CovenantWaiver> {
  const waiver = await openWaiver(session, id);
  requireSecondPerson(session, waiver, 'waiver');
  return waiver;
}

/** Whether the breach that a waiver is for is still the latest test of its covenant, and not cured. */
async function isOfOpenBreach(session: Session, { covenantId, resultId }: CovenantWaiver): Promise<boolean> {
  const latest = await latestResult(session, covenantId);
  return latest?.id === resultId && latest.outcome === 'breached' && !latest.curedOn;
}

/**
 * Approves a waiver: until its day, the breach has no consequences.
 * @throws Refusal as `waiverToDecide`; badRequest if its day has passed, or a later test or a cure replaced the breach
 */
export async function approveWaiver(session: Session, id: string): Promise<CovenantWaiver> {
  const waiver = await waiverToDecide(session, id);
  if (waiver.waivedUntil < todayOf(session)) {
    throw new Refusal('badRequest', 'The last day of this waiver has passed. Decline it, and ask for another one');
  }
  if (!(await isOfOpenBreach(session, waiver))) {
    throw new Refusal('badRequest', 'A later test or a cure has replaced this breach. Decline the waiver');
  }
  return decideRequest(session, waiver, { status: 'Approved' });
}

/** Declines a waiver, with a reason. @throws Refusal as `waiverToDecide` */
export const declineWaiver = async (session: Session, { id, reason }: { id: string; reason: string }) =>
  decideRequest(session, await waiverToDecide(session, id), { status: 'Declined', declineReason: reason });

/** Takes back a waiver that is not decided. @throws Refusal as `openWaiver`; badRequest for anyone else than who entered it */
export async function withdrawWaiver(session: Session, id: string): Promise<CovenantWaiver> {
  const waiver = await openWaiver(session, id);
  requireOwnRequest(session, waiver, 'waiver');
  return decideRequest(session, waiver, { status: 'Withdrawn' });
}

/** A waiver with its covenant, and the result whose breach it waives. @throws Refusal notFound; forbidden without the permission to change covenants */
export async function reviewWaiver(session: Session, id: string) {
  requireCovenants(session);
  const waiver = await session.em.findOne(CovenantWaiver, { id });
  if (!waiver) throw new Refusal('notFound');
  const covenant = await getCovenant(session, waiver.covenantId);
  const result = (await resultsOfCovenant(session, covenant.id)).find((one) => one.id === waiver.resultId);
  if (!result) throw new Refusal('notFound');
  return { waiver, covenant, result };
}

/**
 * Records that the breach of the latest test is cured: its consequences end.
 * @throws Refusal forbidden; notFound; badRequest if there is no breach, or it cannot be cured any more
 */
export async function recordCure(
  session: Session,
  { covenantId, body }: { covenantId: string; body: CureBody },
): Promise<CovenantView> {
  requireCovenants(session);
  const result = await openBreach(session, covenantId);
  const today = todayOf(session);
  if (!result.cureUntil || today > result.cureUntil) {
    throw new Refusal(
      'badRequest',
      result.cureUntil
        ? 'The days to cure this breach have passed. Ask for a waiver instead'
        : 'The agreement gives no days to cure this breach. Ask for a waiver instead',
    );
  }
  const file = await namedDocument(session, {
    bucket: COVENANT_BUCKET,
    document: body.document,
    companyId: result.companyId,
  });
  await storeChange(session, result, {
    curedOn: today,
    curedBy: actingPerson(session),
    cureReason: body.reason,
    cureFileId: file?.id ?? null,
  });
  return getCovenant(session, covenantId);
}

/**
 * Makes the test of the latest result again, from what is known now. The earlier result is kept as superseded.
 * @throws Refusal forbidden; notFound; badRequest if nothing was tested, or the figures are not known any more
 */
export async function testAgain(session: Session, covenantId: string): Promise<CovenantView> {
  requireCovenants(session);
  const covenant: Covenant = await getDocument(session, COVENANTS, covenantId);
  const latest = await latestResult(session, covenantId);
  if (!latest) throw new Refusal('badRequest', 'Nothing was tested yet');
  await storeChange(session, latest, { status: 'Superseded' });
  // A result does not depend on what the person who asks for it can see.
  const [again] = await asProgram(session, () => testAll(session, [{ covenant, date: latest.testDate }]));
  if (!again) throw new Refusal('badRequest', 'The figures of this test are not known any more, so its result stays');
  return getCovenant(session, covenantId);
}
