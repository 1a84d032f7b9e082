import { reviewDraw } from '@tapeline/db/operations/draws/recheck-draws.ts';
import { jobFailureOf } from '@tapeline/db/operations/jobs/job-failures.ts';
import { managerNameOf } from '@tapeline/db/operations/managers/managers.ts';
import { deliveriesOf, seesDeliveries } from '@tapeline/db/operations/outbox/deliveries.ts';
import { pick } from '@tapeline/domain/documents/pick.ts';
import { isOpenDraw } from '@tapeline/domain/draws/states.ts';
import { availabilityAfterRequests } from '@tapeline/domain/facilities/utilization.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import { WORKFLOW_IDS } from '@tapeline/domain/tapes/workflow-ids.ts';
import { documentHistory } from '../../../../commands/history.server.ts';
import type { Screen } from '../../../../http/screen.server.ts';

const nameOf = (changedBy: { entity: object } | undefined): string | null => {
  if (!changedBy) return null;
  const { entity } = changedBy;
  if ('apiName' in entity) return String(entity.apiName);
  return 'firstName' in entity && 'lastName' in entity ? `${entity.firstName} ${entity.lastName}` : null;
};

/** A draw request with its checks, and what the actor may do with it. */
export async function viewDraw({ db, params, url, actor }: Screen) {
  return db(async (session) => {
    const { draw, checked, requested: others, exceptions, hasChanged } = await reviewDraw(session, params.id ?? '');
    const isOpen = isOpenDraw(draw.status);
    const mayWrite = can(actor, 'transactionDraw/write');
    const mayDecide = mayWrite && actor.type !== 'company';
    const isOwn = actor.userId === draw.requestedBy || actor.userId === draw.termsChangedBy;
    const { metadata } = draw;
    return {
      ...pick(draw, 'id', 'code', 'version', 'status', 'companyName', 'cutOffDate', 'dueDate'),
      ...pick(draw, 'transactionId', 'transactionTitle', 'noteId', 'noteTitle'),
      draws: draw.draws.filter(({ amounts }) => amounts.length > 0),
      valueInUsd: draw.valueInUsd ?? null,
      amountInMainCurrency: draw.amountInMainCurrency ?? null,
      exceptions: exceptions.map((each, index) => ({ ...each, index })),
      description: draw.description ?? null,
      rejectionMessage: draw.rejectionMessage ?? null,
      attachments: draw.attachments.map(({ name, size }) => ({ name, size })),
      requested: { by: nameOf(metadata.createdBy), at: metadata.iat },
      decided: draw.decidedAt ? { by: nameOf(metadata.changedBy), at: draw.decidedAt.toISOString() } : null,
      checked,
      others,
      /** What is left if all requests are approved, this one included. */
      afterRequests: availabilityAfterRequests({
        availability: checked?.figures.availability.after ?? null,
        requested: others,
      }),
      hasChanged,
      isOpen,
      isBorrower: actor.type === 'company',
      /** Who decides about the request of a borrower. */
      manager: actor.type === 'company' && isOpen ? await managerNameOf(session, draw.managerId) : null,
      /** Why the checks in the background failed; null if they did not. */
      jobFailure: isOpen ? ((await jobFailureOf(session, [WORKFLOW_IDS.draw(draw.id)]))?.reason ?? null) : null,
      mayChange: isOpen && mayWrite,
      mayDecide: isOpen && mayDecide,
      // The exceptions of now are stored before anyone can skip them.
      maySkip: isOpen && mayDecide && !hasChanged,
      mayRemove: mayWrite && (isOpen || (draw.status === 'Rejected' && mayDecide)),
      isOwn,
      canReadTransaction: can(actor, 'transactions/read'),
      confirms: url.searchParams.get('confirm'),
      deliveries: seesDeliveries(session, 'draws') ? await deliveriesOf(session, 'draws', [draw.id]) : null,
      history: await documentHistory(session, [{ resource: 'draws', ids: [draw.id] }], url.searchParams),
    };
  });
}

export type DrawPage = Awaited<ReturnType<typeof viewDraw>>;
