import type { DrawCreate } from '@tapeline/domain/draws/draw.schema.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { Draw } from '../../entities/draws.ts';
import type { StoredNote } from '../../entities/lending.ts';
import { newId } from '../../ids.ts';
import type { Session } from '../../store.ts';
import { getDocument } from '../listing/list-documents.ts';
import { createdMetadata } from '../metadata.ts';
import { requirePermission } from '../permission.ts';
import { refuseSentTwice } from '../sent-requests/sent-requests.ts';
import { TRANSACTIONS } from '../transactions/transactions.ts';
import { mailWaiting } from './draw-mails.ts';
import { notActive, requireDueDate, resolveAttachments, storeChecks, userIdOf, valueAt } from './draw-terms.ts';
import { type DrawView, viewDraw } from './draw-views.ts';
import { otherRequests, runChecks } from './run-checks.ts';

/**
 * Requests a draw on a note, and checks it.
 * @throws Refusal forbidden; notFound; badRequest if the transaction is not Active, or has no such note
 */
export async function createDraw(session: Session, body: DrawCreate): Promise<DrawView> {
  requirePermission(session, 'transactionDraw/write');
  const transaction = await getDocument(session, TRANSACTIONS, body.transaction);
  if (transaction.status !== 'Active') throw notActive(transaction.status);
  const note = transaction.notes.find(({ title }) => title === body.noteTitle);
  if (!note) {
    throw new Refusal('badRequest', undefined, { flags: { noteTitle: 'is not a note of this facility' } });
  }
  await requireDueDate(session, note, body.dueDate);
  await refuseSentTwice(session, { noun: 'draw request', flag: 'draws', sent: body });
  const owner = { managerId: transaction.managerId, companyId: transaction.companyId, stored: [] };
  const draw = session.em.create(Draw, {
    id: newId(session.now),
    managerId: transaction.managerId,
    companyId: transaction.companyId,
    transactionId: transaction.id,
    noteId: note.id,
    cutOffDate: body.cutOffDate,
    dueDate: body.dueDate,
    ...(await valueAt(session, body.draws, note, body.cutOffDate)),
    description: body.description || null,
    attachments: await resolveAttachments(session, body.attachments, owner),
    requestedBy: userIdOf(session),
    termsChangedBy: userIdOf(session),
    metadata: createdMetadata(session),
  });
  // A new request is Pending. What the checks find is the first change to it.
  await session.em.flush();
  await storeChecks(session, draw, note, { stage: 'request', isUnchanged: false });
  await session.em.flush();
  const view = await viewDraw(session, draw);
  await mailWaiting(session, view);
  return view;
}

/** A request that may not exist yet, as its checks see it now: nothing is stored. */
export async function tryDraw(
  session: Session,
  body: Pick<DrawCreate, 'cutOffDate' | 'dueDate' | 'draws'>,
  { note, drawId }: { note: StoredNote; drawId: string | null },
) {
  const checked = await runChecks(session, { request: body, note, drawId, stage: drawId ? 'change' : 'request' });
  const { mainCurrency } = checked.figures;
  return {
    ...checked.stored,
    ...(await valueAt(session, body.draws, note, body.cutOffDate)),
    requested: await otherRequests(session, { noteId: note.id, drawId, mainCurrency }),
  };
}
