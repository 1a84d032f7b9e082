import type { RequestStatus } from '@tapeline/domain/approvals/request-status.ts';
import type { DocumentMetadata } from '@tapeline/domain/documents/document.schema.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import type { PayoutPerson } from '@tapeline/domain/investors/investor-record.schema.ts';
import type { BaseAdjustment } from '../../entities/lending.ts';
import { newId } from '../../ids.ts';
import type { Session } from '../../store.ts';
import { actingPerson } from '../investors/payout-accounts.ts';
import { changedMetadata, createdMetadata } from '../metadata.ts';

/** What one person enters and another decides: an adjustment of a certificate, a waiver of a covenant. */
interface EnteredRequest {
  status: string;
  readonly enteredBy: PayoutPerson;
  metadata: DocumentMetadata;
}

type StoredRequest = Pick<
  BaseAdjustment,
  'reason' | 'fileId' | 'enteredBy' | 'enteredAt' | 'decidedBy' | 'decidedAt' | 'declineReason'
>;

type Noun = 'adjustment' | 'waiver';

/** What is stored of what the acting person enters now: an id, the reason, its document and when. */
export const enteredNow = (session: Session, { reason }: { reason: string }, file: { id: string } | null) => ({
  id: newId(session.now),
  reason,
  fileId: file?.id ?? null,
  enteredBy: actingPerson(session),
  enteredAt: session.now,
  metadata: createdMetadata(session),
});

/** What is shown of what a person entered: why, with which document, by whom and when. */
export const enteredFacts = (entered: Pick<StoredRequest, 'reason' | 'fileId' | 'enteredBy' | 'enteredAt'>) => ({
  reason: entered.reason,
  document: entered.fileId ?? null,
  enteredBy: entered.enteredBy.name,
  enteredAt: entered.enteredAt.toISOString(),
});

/** What all requests show: why, by whom, and how they were decided. */
export const requestFacts = (request: StoredRequest) => ({
  ...enteredFacts(request),
  decidedBy: request.decidedBy?.name ?? null,
  decidedAt: request.decidedAt?.toISOString() ?? null,
  declineReason: request.declineReason ?? null,
});

/** @throws Refusal notFound; badRequest if it is decided */
export function requireOpenRequest<Request extends EnteredRequest>(request: Request | null, noun: Noun): Request {
  if (!request) throw new Refusal('notFound');
  if (request.status === 'Requested') return request;
  throw new Refusal('badRequest', `This ${noun} was already ${request.status.toLowerCase()}. Reload the page`);
}

const isOwn = (session: Session, { enteredBy }: EnteredRequest): boolean => enteredBy.id === actingPerson(session).id;

/** @throws Refusal badRequest for the person who entered it */
export function requireSecondPerson(session: Session, request: EnteredRequest, noun: Noun): void {
  if (isOwn(session, request)) {
    throw new Refusal('badRequest', `You entered this ${noun}, so someone else must decide`);
  }
}

/** @throws Refusal badRequest for anyone else than the person who entered it */
export function requireOwnRequest(session: Session, request: EnteredRequest, noun: Noun): void {
  if (!isOwn(session, request)) {
    throw new Refusal('badRequest', `Someone else entered this ${noun}. Decline it with a reason instead`);
  }
}

/** Stores a decision, which is final. */
export async function decideRequest<Request extends EnteredRequest & object>(
  session: Session,
  request: Request,
  decision: { status: Exclude<RequestStatus, 'Requested'>; declineReason?: string },
): Promise<Request> {
  Object.assign(request, {
    ...decision,
    decidedBy: actingPerson(session),
    decidedAt: session.now,
    metadata: changedMetadata(session, request.metadata),
  });
  await session.em.flush();
  return request;
}
