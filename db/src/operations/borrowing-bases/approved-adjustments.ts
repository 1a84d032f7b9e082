import { MAX_ADJUSTMENTS } from '@tapeline/domain/borrowing-base/adjustment-labels.ts';
import type { AdjustmentResult } from '@tapeline/domain/borrowing-base/result.ts';
import { BaseAdjustment, type BorrowingBase } from '../../entities/lending.ts';
import { findDocuments, type ReadSession } from '../../read-session.ts';

/** What a borrowing base is a version of: a tape under a contract. */
export type Certificate = Pick<BorrowingBase, 'tapeId' | 'contractId'>;

/** The adjustments of a certificate that the actor can see: those that wait, then the latest. */
export const ofCertificate = (session: ReadSession, { tapeId, contractId }: Certificate): Promise<BaseAdjustment[]> =>
  findDocuments(
    session,
    BaseAdjustment,
    `where t.tape_id = $1 and t.contract_id = $2 order by t.status <> 'Requested', t.code desc limit $3`,
    [tapeId, contractId, MAX_ADJUSTMENTS],
  );

/** The approved ones, in the order of their approval, as the result of the certificate has them. */
export async function approvedAdjustments(session: ReadSession, certificate: Certificate): Promise<AdjustmentResult[]> {
  const approved = await findDocuments(
    session,
    BaseAdjustment,
    `where t.tape_id = $1 and t.contract_id = $2 and t.status = 'Approved'`,
    [certificate.tapeId, certificate.contractId],
  );
  return approved
    .map(({ id, amount, currency, reason, enteredBy, decidedBy, decidedAt }) => ({
      id,
      amount: { sum: amount, currency },
      reason,
      enteredBy: enteredBy.name,
      approvedBy: decidedBy?.name ?? '',
      approvedAt: decidedAt?.toISOString() ?? '',
    }))
    .sort((a, b) => a.approvedAt.localeCompare(b.approvedAt) || a.id.localeCompare(b.id));
}
