import { isDeepStrictEqual } from 'node:util';
import { impossibleTransition } from '@tapeline/domain/documents/transitions.ts';
import type { DrawUpdate } from '@tapeline/domain/draws/draw.schema.ts';
import { isPending, mergeExceptions, type StoredException } from '@tapeline/domain/draws/exceptions.ts';
import { DRAW_TRANSITIONS, isOpenDraw } from '@tapeline/domain/draws/states.ts';
import { atItem, Refusal } from '@tapeline/domain/errors/refusal.ts';
import { REQUIRED } from '@tapeline/domain/errors/required.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import { staleRefusal } from '../../database-refusals.ts';
import type { Draw } from '../../entities/draws.ts';
import { plainJson } from '../../plain-json.ts';
import type { Session } from '../../store.ts';
import { getDocument } from '../listing/list-documents.ts';
import { changedMetadata } from '../metadata.ts';
import { completeAction } from '../notifications/notifications.ts';
import { isBorrower, refuseBorrower, requirePermission } from '../permission.ts';
import { mailDecision, mailWaiting } from './draw-mails.ts';
import { changeTerms, noteOf, requireDueDate, requireOpen, userIdOf } from './draw-terms.ts';
import { DRAWS, type DrawView, viewDraws } from './draw-views.ts';
import { lockDraws } from './lock-draws.ts';
import { runChecks } from './run-checks.ts';
import { UnapprovedDraw } from './unapproved-draw.ts';

const nameOf = ({ actor }: Session): string =>
  actor.kind === 'user' ? `${actor.firstName} ${actor.lastName}`.trim() : actor.name;

const asksApproval = ({ status }: Pick<DrawUpdate, 'status'>): boolean => status === 'Approved';

/**
 * Changes a request, skips its exceptions, approves, rejects or removes it. The body may be the whole document as a call
 * returned it: only what differs from the stored request counts.
 * @throws Refusal forbidden; notFound; badRequest if the version is stale, the request is decided, or an approval is not
 *   possible (UnapprovedDraw)
 */
export async function updateDraw(session: Session, command: { id: string; body: DrawUpdate }): Promise<DrawView> {
  const { id, body } = command;
  requirePermission(session, 'transactionDraw/write');
  await lockDraws(session, [id], asksApproval(body) ? [id] : []);
  const [view] = await told(session, [await applyUpdate(session, id, body)]);
  if (!view) throw new Refusal('notFound');
  return view;
}

/** What was done to a request. */
interface Applied {
  draw: Draw;
  was: { status: Draw['status']; changedTerms: boolean };
}

const completeWaiting = (session: Session, documentIds: readonly string[]): Promise<void> =>
  completeAction(session, { resource: 'draws', documentIds, kinds: ['drawWaits', 'drawReminder'] });

/** The requests as they are now. Those concerned are told of new terms and of decisions. */
async function told(session: Session, applied: readonly Applied[]): Promise<DrawView[]> {
  const views = await viewDraws(
    session,
    applied.map(({ draw }) => draw),
  );
  // Nothing waits any more, or the new terms wait instead.
  const settled = views.filter((view, index) => !isOpenDraw(view.status) || applied[index]?.was.changedTerms);
  await completeWaiting(
    session,
    settled.map(({ id }) => id),
  );
  for (const [index, view] of views.entries()) {
    const was = applied[index]?.was;
    if (view.status !== was?.status && (view.status === 'Approved' || view.status === 'Rejected')) {
      await mailDecision(session, view);
    } else if (was?.changedTerms && isOpenDraw(view.status)) await mailWaiting(session, view);
  }
  return views;
}

/** Changes up to 500 requests, all of them or none. */
export async function updateDraws(
  session: Session,
  items: readonly (DrawUpdate & { id: string })[],
): Promise<DrawView[]> {
  requirePermission(session, 'transactionDraw/write');
  const ids = items.map(({ id }) => id);
  await lockDraws(
    session,
    ids,
    items.filter(asksApproval).map(({ id }) => id),
  );
  const changed: Applied[] = [];
  for (const [index, { id, ...body }] of items.entries()) {
    try {
      changed.push(await applyUpdate(session, id, body));
    } catch (error) {
      throw atItem(error, index);
    }
  }
  return told(session, changed);
}

async function applyUpdate(session: Session, id: string, body: DrawUpdate): Promise<Applied> {
  const draw = await getDocument(session, DRAWS, id);
  if (draw.version !== body.version) throw staleRefusal(draw, body.version);
  const stored = plainJson(draw);
  const before = draw.status;
  skipExceptions(session, draw, body.exceptions);
  const changedTerms = await changeTerms(session, draw, body);
  const status = body.reject ? 'Rejected' : (body.status ?? draw.status);
  // A rejection sends the status as it was read, or none.
  if (body.reject && body.status && ![before, 'Rejected'].includes(body.status)) {
    throw impossibleTransition('a rejected draw request', 'Rejected', body.status);
  }
  if (status === 'Approved' && draw.status !== 'Approved') await approve(session, draw);
  else if (status === 'Rejected' && draw.status !== 'Rejected') reject(session, draw, body.rejectionMessage ?? '');
  else if (status === 'Removed') remove(session, draw);
  else if (status !== draw.status && status !== 'Approved' && status !== 'Rejected') review(session, draw, status);
  if (!isDeepStrictEqual(plainJson(draw), stored)) draw.metadata = changedMetadata(session, draw.metadata);
  await session.em.flush();
  return { draw, was: { status: before, changedTerms } };
}

/** The statuses in the body, by the position of each exception. Unchanged ones are not touched. */
function skipExceptions(session: Session, draw: Draw, given: DrawUpdate['exceptions']): void {
  if (!given) return;
  if (given.length !== draw.exceptions.length) {
    throw new Refusal('badRequest', 'Send every exception of the draw request, in its order', {
      flags: { exceptions: `must have ${draw.exceptions.length} items` },
    });
  }
  const next = draw.exceptions.map((stored, at): StoredException => {
    const { status, reason } = given[at] ?? stored;
    const text = reason?.trim() || null;
    if (status === stored.status && (status === 'Pending' || text === stored.reason)) return stored;
    refuseBorrower(session, 'Only the manager can skip exceptions of a draw request');
    requireOpen(draw);
    if (status === 'Pending') return { exception: stored.exception, status, reason: null };
    if (stored.exception.covenant?.stops && !can(session.actor, 'transactions/write')) {
      throw new Refusal('forbidden', 'A covenant stops draws. Only people who may waive covenants can skip it');
    }
    if (text === null) {
      throw new Refusal('badRequest', 'Enter the reason for skipping the exception', {
        flags: { [`exceptions.${at}.reason`]: REQUIRED },
      });
    }
    return {
      exception: stored.exception,
      status,
      reason: text,
      skippedBy: { id: userIdOf(session) ?? '', name: nameOf(session) },
      skippedAt: session.now.toISOString(),
    };
  });
  if (!isDeepStrictEqual(next, draw.exceptions)) draw.exceptions = next;
}

async function approve(session: Session, draw: Draw): Promise<void> {
  refuseBorrower(session, 'Only the manager can approve a draw request');
  DRAW_TRANSITIONS.require(draw.status, 'Approved');
  const user = userIdOf(session);
  if (user !== null && user === draw.requestedBy) {
    throw new Refusal('forbidden', 'You requested this draw, so someone else must approve it');
  }
  if (user !== null && user === draw.termsChangedBy) {
    throw new Refusal(
      'forbidden',
      'You last changed the amounts or dates of this draw, so someone else must approve it',
    );
  }
  const note = await noteOf(session, draw);
  await requireDueDate(session, note, draw.dueDate);
  const found = await runChecks(session, { request: draw, note, drawId: draw.id, stage: 'approval' });
  const merged = mergeExceptions(draw.exceptions, found.exceptions, { isUnchanged: true });
  if (merged.some(isPending)) throw new UnapprovedDraw(draw, merged);
  draw.exceptions = merged;
  draw.checked = found.stored;
  draw.status = 'Approved';
  draw.decidedBy = user;
  draw.decidedAt = session.now;
}

function reject(session: Session, draw: Draw, message: string): void {
  refuseBorrower(session, 'Only the manager can reject a draw request. Remove it to withdraw it');
  DRAW_TRANSITIONS.require(draw.status, 'Rejected');
  const reason = message.trim();
  if (!reason) {
    throw new Refusal('badRequest', 'Enter the reason for the rejection', {
      flags: { rejectionMessage: REQUIRED },
    });
  }
  draw.status = 'Rejected';
  draw.rejectionMessage = reason;
  draw.decidedBy = userIdOf(session);
  draw.decidedAt = session.now;
}

function remove(session: Session, draw: Draw): void {
  DRAW_TRANSITIONS.require(draw.status, 'Removed');
  if (isBorrower(session) && !isOpenDraw(draw.status)) {
    throw new Refusal('forbidden', 'Only the manager can remove a decided draw request');
  }
  draw.status = 'Removed';
}

function review(session: Session, draw: Draw, status: 'Pending' | 'In Review'): void {
  refuseBorrower(session, 'Only the manager can put a draw request in review');
  draw.status = DRAW_TRANSITIONS.enter(draw.status, status);
}

/** Removes draw requests that are not approved: a borrower withdraws them. All of them, or none. */
export async function removeDraws(session: Session, ids: readonly string[]): Promise<void> {
  requirePermission(session, 'transactionDraw/write');
  await lockDraws(session, ids, []);
  for (const [index, id] of ids.entries()) {
    try {
      const draw = await getDocument(session, DRAWS, id);
      remove(session, draw);
      draw.metadata = changedMetadata(session, draw.metadata);
    } catch (error) {
      throw ids.length === 1 ? error : atItem(error, index);
    }
  }
  await session.em.flush();
  await completeWaiting(session, ids);
}
