import type { RequestStatus } from '@tapeline/domain/approvals/request-status.ts';
import { withAdjustments } from '@tapeline/domain/borrowing-base/adjust.ts';
import type { AdjustmentBody } from '@tapeline/domain/borrowing-base/adjustment.schema.ts';
import { MAX_ADJUSTMENTS } from '@tapeline/domain/borrowing-base/adjustment-labels.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { minorUnitProblem } from '@tapeline/domain/money/amount.schema.ts';
import { BaseAdjustment, BorrowingBase } from '../../entities/lending.ts';
import { asProgram, type Session } from '../../store.ts';
import {
  decideRequest,
  enteredNow,
  requestFacts,
  requireOpenRequest,
  requireOwnRequest,
  requireSecondPerson,
} from '../approvals/requests.ts';
import { namedDocument } from '../files/files.ts';
import { requirePermission } from '../permission.ts';
import { pointToBorrowingBase } from '../tapes/calculations.ts';
import { getTape } from '../tapes/tapes.ts';
import { approvedAdjustments, ofCertificate } from './approved-adjustments.ts';
import { getBorrowingBase, replaceBorrowingBase } from './borrowing-bases.ts';

/** Where the files of adjustments are. */
export const ADJUSTMENT_BUCKET = 'capitalAccounts';
/** Who adjusts certificates, and decides about adjustments. */
function requireAdjusting(session: Session): void {
  requirePermission(session, 'transactions/write');
  requirePermission(session, 'borrowingBase/read');
}

/** An adjustment as calls and pages show it. */
export const shownAdjustment = (adjustment: BaseAdjustment) => ({
  id: adjustment.id,
  status: adjustment.status as RequestStatus,
  amount: { sum: adjustment.amount, currency: adjustment.currency },
  ...requestFacts(adjustment),
});
export type ShownAdjustment = ReturnType<typeof shownAdjustment>;

/** The adjustments of a certificate that the actor can see: those that wait, then the latest. @throws Refusal notFound; forbidden */
export async function listAdjustments(session: Session, baseId: string): Promise<BaseAdjustment[]> {
  requirePermission(session, 'borrowingBase/read');
  return ofCertificate(session, await getBorrowingBase(session, baseId));
}

/** Adjustments, and the versions that follow from them, of one certificate happen one after the other. */
const lockCertificate = (session: Session, tapeId: string) =>
  session.query('select 1 from loan_tapes where id = $1 for no key update', [tapeId]);

/**
 * Enters an adjustment of a certificate. Nothing changes until somebody else approves it.
 * @throws Refusal notFound; forbidden without `transactions/write` and `borrowingBase/read`; badRequest for a superseded version, more decimals
 *   than the currency has, a document that is no uploaded file, or too many adjustments
 */
export async function enterAdjustment(
  session: Session,
  { baseId, body }: { baseId: string; body: AdjustmentBody },
): Promise<BaseAdjustment> {
  requireAdjusting(session);
  const base = await getBorrowingBase(session, baseId);
  if (base.status !== 'Active') throw new Refusal('badRequest', 'This version is superseded. Adjust the latest one');
  const problem = minorUnitProblem(body.amount, base.currency);
  if (problem !== null) throw new Refusal('badRequest', undefined, { flags: { amount: problem } });
  const { tapeId, contractId, companyId, managerId, transactionId, currency } = base;
  await lockCertificate(session, tapeId);
  if ((await session.em.count(BaseAdjustment, { tapeId, contractId })) >= MAX_ADJUSTMENTS) {
    throw new Refusal('badRequest', `A certificate has at most ${MAX_ADJUSTMENTS} adjustments`);
  }
  // The borrower sees it with the adjustment, once that is approved.
  const file = await namedDocument(session, { bucket: ADJUSTMENT_BUCKET, document: body.document, companyId });
  const adjustment = session.em.create(BaseAdjustment, {
    ...enteredNow(session, body, file),
    ...{ managerId, companyId, tapeId, contractId, transactionId, currency },
    amount: body.amount,
  });
  await session.em.flush();
  return adjustment;
}

/** An adjustment by its id, and a version of the certificate that it must be of if the caller names one. */
export interface AdjustmentOf {
  readonly id: string;
  readonly baseId?: string;
}

/** The adjustment, locked until the transaction ends. @throws Refusal notFound; forbidden; badRequest if it is decided */
async function openAdjustment(session: Session, { id, baseId }: AdjustmentOf): Promise<BaseAdjustment> {
  requireAdjusting(session);
  const of = baseId === undefined ? null : await getBorrowingBase(session, baseId);
  await session.query('select 1 from base_adjustments where id = $1 for update', [id]);
  const adjustment = await session.em.findOne(
    BaseAdjustment,
    { id, ...(of && { tapeId: of.tapeId, contractId: of.contractId }) },
    { refresh: true },
  );
  return requireOpenRequest(adjustment, 'adjustment');
}

/** @throws Refusal as `openAdjustment`; badRequest for the person who entered it */
async function adjustmentToDecide(session: Session, wanted: AdjustmentOf): Promise<BaseAdjustment> {
  const adjustment = await openAdjustment(session, wanted);
  requireSecondPerson(session, adjustment, 'adjustment');
  return adjustment;
}

/**
 * Approves an adjustment: a new version of the certificate replaces the latest one, with its available base and
 * availability adjusted. What the tape and the contract gave stays.
 * @returns the new version
 * @throws Refusal as `adjustmentToDecide`; notFound if the certificate was removed
 */
export async function approveAdjustment(session: Session, wanted: AdjustmentOf): Promise<BorrowingBase> {
  const adjustment = await adjustmentToDecide(session, wanted);
  const { tapeId, contractId } = adjustment;
  await lockCertificate(session, tapeId);
  const tape = await getTape(session, tapeId);
  await decideRequest(session, adjustment, { status: 'Approved' });
  return asProgram(session, async () => {
    const approved = await approvedAdjustments(session, { tapeId, contractId });
    const next = await replaceBorrowingBase(session, { tapeId, contractId }, (result) =>
      withAdjustments(result, approved, tape.exchangeRates),
    );
    await pointToBorrowingBase(session, next);
    return next;
  });
}

/**
 * An adjustment, the latest version of its certificate, and what the version would be with it.
 * @returns after null for one that is decided
 * @throws Refusal notFound; forbidden without `transactions/write` and `borrowingBase/read`
 */
export async function reviewAdjustment(session: Session, id: string) {
  requireAdjusting(session);
  const adjustment = await session.em.findOne(BaseAdjustment, { id });
  const { tapeId = '', contractId = '' } = adjustment ?? {};
  const base = await session.em.findOne(BorrowingBase, { tapeId, contractId, status: 'Active' });
  if (!adjustment || !base) throw new Refusal('notFound');
  const tape = await getTape(session, tapeId);
  const others = await approvedAdjustments(session, base);
  const { amount } = shownAdjustment(adjustment);
  const asked = {
    id,
    amount,
    reason: adjustment.reason,
    enteredBy: adjustment.enteredBy.name,
    approvedBy: '',
    approvedAt: '',
  };
  return {
    adjustment,
    base,
    after:
      adjustment.status === 'Requested' ? withAdjustments(base.result, [...others, asked], tape.exchangeRates) : null,
  };
}

/** Declines an adjustment, with a reason. @throws Refusal as `adjustmentToDecide` */
export async function declineAdjustment(
  session: Session,
  { reason, ...wanted }: AdjustmentOf & { readonly reason: string },
): Promise<BaseAdjustment> {
  const adjustment = await adjustmentToDecide(session, wanted);
  return decideRequest(session, adjustment, { status: 'Declined', declineReason: reason });
}

/** Takes back an adjustment that is not decided. @throws Refusal as `openAdjustment`; badRequest for anyone else than who entered it */
export async function withdrawAdjustment(session: Session, wanted: AdjustmentOf): Promise<BaseAdjustment> {
  const adjustment = await openAdjustment(session, wanted);
  requireOwnRequest(session, adjustment, 'adjustment');
  return decideRequest(session, adjustment, { status: 'Withdrawn' });
}
