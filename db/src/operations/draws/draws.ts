import { isDeepStrictEqual } from 'node:util';
import type { FileMetadata } from '@tapeline/domain/documents/document.schema.ts';
import { impossibleTransition } from '@tapeline/domain/documents/transitions.ts';
import { DRAW_FILES } from '@tapeline/domain/draws/attachments.ts';
import { type DrawStage, lastDueDate, valueDraw } from '@tapeline/domain/draws/checks.ts';
import type { DrawCreate, DrawUpdate, StoredDraw } from '@tapeline/domain/draws/draw.schema.ts';
import {
  isPending,
  mergeExceptions,
  newlyPending,
  type StoredChecks,
  type StoredException,
} from '@tapeline/domain/draws/exceptions.ts';
import { DRAW_TRANSITIONS, isOpenDraw } from '@tapeline/domain/draws/states.ts';
import { REQUIRED } from '@tapeline/domain/errors/reason.ts';
import { atItem, isRefusal, Refusal } from '@tapeline/domain/errors/refusal.ts';
import type { Amount } from '@tapeline/domain/money/amount.schema.ts';
import { staleRefusal } from '../../database-refusals.ts';
import { Draw } from '../../entities/draws.ts';
import { type StoredNote, Transaction } from '../../entities/lending.ts';
import { newId } from '../../ids.ts';
import type { Session } from '../../store.ts';
import { ratesOfDay } from '../currencies/rates.ts';
import { uploadedFile } from '../files/files.ts';
import { lockNotesOf } from '../ledger/lock-notes.ts';
import { getDocument } from '../listing/list-documents.ts';
import { changedMetadata, createdMetadata } from '../metadata.ts';
import { completeAction } from '../notifications/notifications.ts';
import { isBorrower, refuseBorrower, requirePermission } from '../permission.ts';
import { refuseSentTwice } from '../sent-requests/sent-requests.ts';
import { TRANSACTIONS } from '../transactions/transactions.ts';
import { mailDecision, mailReminder, mailWaiting } from './draw-mails.ts';
import { DRAWS, type DrawView, viewDraw, viewDraws } from './draw-views.ts';
import { otherRequests, runChecks } from './run-checks.ts';

/**
 * The checks at approval found exceptions that nobody has skipped. If some are new, the request goes back to review: the
 * caller stores them in a transaction of their own, because this one is rolled back.
 */
export class UnapprovedDraw extends Refusal {
  readonly drawId: string;
  readonly drawVersion: number;
  readonly isNew: boolean;

  constructor(draw: Draw, merged: readonly StoredException[]) {
    const pending = merged.filter(isPending);
    const added = newlyPending(draw.exceptions, merged);
    const messages = [...new Set((added.length > 0 ? added : pending).map(({ exception }) => exception.message))];
    super(
      'badRequest',
      added.length > 0
        ? `The checks found new exceptions, so the draw request is in review again: ${messages.join(', ')}`
        : `Skip every exception with a reason, or reject the draw request. Pending: ${messages.join(', ')}`,
      {
        flags: {
          status: 'cannot become Approved while exceptions are pending',
          ...Object.fromEntries(
            merged.flatMap((each, at) => (isPending(each) ? [[`exceptions.${at}.status`, 'must be Skipped']] : [])),
          ),
        },
      },
    );
    this.drawId = draw.id;
    this.drawVersion = draw.version;
    this.isNew = added.length > 0;
  }
}

/** The approval that an error is about, also inside the error of a list's item. */
export function unapprovedDraw(error: unknown): UnapprovedDraw | null {
  if (error instanceof UnapprovedDraw) return error;
  return isRefusal(error) && error.cause !== undefined ? unapprovedDraw(error.cause) : null;
}

const notActive = (status: string): Refusal =>
  new Refusal('badRequest', `The transaction is ${status}. You can request draws only on an Active facility`, {
    flags: { transaction: `is ${status}` },
  });

/** @throws Refusal badRequest if the due date is after maturity or termination, when nothing can be drawn */
export function requireDueDate(note: StoredNote, dueDate: string): void {
  const last = lastDueDate(note);
  if (last === null || dueDate <= last.date) return;
  throw new Refusal('badRequest', `The due date ${dueDate} is after the ${last.of} of the note on ${last.date}`, {
    flags: { dueDate: `is after the ${last.of} on ${last.date}` },
  });
}

/** As JSON, for comparisons: undefined properties are dropped. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

const userOf = ({ actor }: Session): string | null => (actor.kind === 'user' ? actor.userId : null);
const nameOf = ({ actor }: Session): string =>
  actor.kind === 'user' ? `${actor.firstName} ${actor.lastName}`.trim() : actor.name;

async function valueAt(session: Session, draws: DrawCreate['draws'], note: StoredNote, cutOffDate: string) {
  const { rates } = await ratesOfDay(session, cutOffDate);
  return valueDraw(draws, note, rates);
}

/** The registered files of a body. New ones must belong to the draw's company. */
async function resolveAttachments(
  session: Session,
  attachments: DrawCreate['attachments'],
  owner: { managerId: string; companyId: string; stored: readonly FileMetadata[] },
): Promise<FileMetadata[]> {
  const known = new Map(owner.stored.map((file) => [file.key, file]));
  const resolved: FileMetadata[] = [];
  for (const [index, { key }] of attachments.entries()) {
    const stored = known.get(key);
    if (stored) {
      resolved.push(stored);
      continue;
    }
    const file = await uploadedFile(session, { bucket: DRAW_FILES.bucket, keyOrId: key }).catch((error: unknown) => {
      if (!isRefusal(error)) throw error;
      throw new Refusal('badRequest', error.message, {
        flags: {
          [`attachments.${index}`]: error.code === 'notFound' ? 'is not an uploaded file' : error.message,
        },
      });
    });
    // The borrower and the manager both see the draw, so both see its files.
    file.companyId ??= owner.companyId;
    file.managerId ??= owner.managerId;
    if (file.companyId !== owner.companyId) {
      throw new Refusal('badRequest', 'This file belongs to another company', {
        flags: { [`attachments.${index}`]: 'is a file of another company' },
      });
    }
    const { bucket, name, size, type } = file;
    resolved.push({ bucket, key: file.key, name, size, type, checksum: file.checksum ?? null });
  }
  await session.em.flush();
  return resolved;
}

/** Stores what the checks found. The request is in review if an exception is pending. */
async function check(
  session: Session,
  draw: Draw,
  note: StoredNote,
  command: { stage: DrawStage; isUnchanged: boolean },
): Promise<void> {
  const found = await runChecks(session, { request: draw, note, drawId: draw.id, stage: command.stage });
  draw.exceptions = mergeExceptions(draw.exceptions, found.exceptions, command);
  draw.checked = found.stored;
  if (draw.exceptions.some(isPending)) draw.status = DRAW_TRANSITIONS.enter(draw.status, 'In Review');
}

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
    throw new Refusal('badRequest', undefined, { flags: { noteTitle: 'is not a note of this transaction' } });
  }
  requireDueDate(note, body.dueDate);
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
    requestedBy: userOf(session),
    termsChangedBy: userOf(session),
    metadata: createdMetadata(session),
  });
  // A new request is Pending. What the checks find is the first change to it.
  await session.em.flush();
  await check(session, draw, note, { stage: 'request', isUnchanged: false });
  await session.em.flush();
  const view = await viewDraw(session, draw);
  await mailWaiting(session, view);
  return view;
}

/**
 * Locks the requests, and for those that are to be approved their transactions, so that their terms stay, and their
 * notes, so that their balances stay. Locks are taken in one order, which avoids deadlocks.
 */
async function lockDraws(session: Session, ids: readonly string[], approved: readonly string[]): Promise<void> {
  if (approved.length > 0) {
    await session.query(
      `select 1 from transactions where id in (select transaction_id from draws where id = any ($1))
       order by id for no key update`,
      [[...approved]],
    );
    await lockNotesOf(session, 'draws', approved);
  }
  await session.query('select 1 from draws where id = any ($1) order by id for update', [[...ids]]);
}

/** The note of a request, in the terms that are in force now. */
async function noteOf(session: Session, draw: Draw): Promise<StoredNote> {
  const transaction = await session.em.findOne(Transaction, { id: draw.transactionId }, { refresh: true });
  const note = transaction?.notes.find(({ id }) => id === draw.noteId);
  if (!transaction || !note) throw new Refusal('notFound');
  if (transaction.status !== 'Active') throw notActive(transaction.status);
  return note;
}

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
  const stored = plain(draw);
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
  if (!isDeepStrictEqual(plain(draw), stored)) draw.metadata = changedMetadata(session, draw.metadata);
  await session.em.flush();
  return { draw, was: { status: before, changedTerms } };
}

/** Changes that differ from what is stored. @throws Refusal badRequest if the request is decided */
const requireOpen = (draw: Draw): void => {
  if (isOpenDraw(draw.status)) return;
  throw new Refusal('badRequest', `The draw request is ${draw.status} and cannot be changed`, {
    flags: { status: `is ${draw.status}` },
  });
};

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
    if (text === null) {
      throw new Refusal('badRequest', 'Enter the reason for skipping the exception', {
        flags: { [`exceptions.${at}.reason`]: REQUIRED },
      });
    }
    return {
      exception: stored.exception,
      status,
      reason: text,
      skippedBy: { id: userOf(session) ?? '', name: nameOf(session) },
      skippedAt: session.now.toISOString(),
    };
  });
  if (!isDeepStrictEqual(next, draw.exceptions)) draw.exceptions = next;
}

const termsOf = (draws: readonly { type: string; amounts: readonly Amount[] }[]) =>
  draws
    .filter(({ amounts }) => amounts.length > 0)
    .map(({ type, amounts }) => [type, amounts.map(({ sum, currency }) => [sum, currency])])
    .sort(([a], [b]) => String(a).localeCompare(String(b)));

/**
 * Changed amounts or dates are checked again, and every exception that they have is pending.
 * @returns whether amounts or dates changed
 */
async function changeTerms(session: Session, draw: Draw, body: DrawUpdate): Promise<boolean> {
  const { cutOffDate = draw.cutOffDate, dueDate = draw.dueDate, draws = draw.draws } = body;
  const changesAmounts = !isDeepStrictEqual(termsOf(draws), termsOf(draw.draws));
  const changesTerms = changesAmounts || cutOffDate !== draw.cutOffDate || dueDate !== draw.dueDate;
  const description = body.description === undefined ? draw.description : body.description?.trim() || null;
  const keys = (files: readonly { key: string }[]) => files.map(({ key }) => key);
  const changesFiles = body.attachments && !isDeepStrictEqual(keys(body.attachments), keys(draw.attachments));
  const changesText = (description ?? null) !== (draw.description ?? null);
  if (!changesTerms && !changesFiles && !changesText) return false;
  requireOpen(draw);
  if (changesText) draw.description = description ?? null;
  if (body.attachments && changesFiles) {
    const owner = { managerId: draw.managerId, companyId: draw.companyId, stored: draw.attachments };
    draw.attachments = await resolveAttachments(session, body.attachments, owner);
  }
  if (!changesTerms) return false;
  const note = await noteOf(session, draw);
  requireDueDate(note, dueDate);
  Object.assign(draw, { cutOffDate, dueDate, ...(await valueAt(session, draws as StoredDraw[], note, cutOffDate)) });
  draw.termsChangedBy = userOf(session);
  await check(session, draw, note, { stage: 'change', isUnchanged: false });
  return true;
}

async function approve(session: Session, draw: Draw): Promise<void> {
  refuseBorrower(session, 'Only the manager can approve a draw request');
  DRAW_TRANSITIONS.require(draw.status, 'Approved');
  const user = userOf(session);
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
  requireDueDate(note, draw.dueDate);
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
  draw.decidedBy = userOf(session);
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

/** A request as its workflow sees it. */
export interface DrawState {
  isOpen: boolean;
  version: number;
  dueDate: string;
  /** ISO instant. */
  requestedAt: string;
}

const stateOf = (draw: Draw): DrawState => ({
  isOpen: isOpenDraw(draw.status),
  version: draw.version,
  dueDate: draw.dueDate,
  requestedAt: draw.metadata.iat,
});

/**
 * Runs the checks of a waiting request again, and stores what differs. Running it twice changes nothing the second time.
 * A request with a later version is left alone: the change that made it is checked by itself.
 * @returns null if the request does not exist
 */
export async function recheckDraw(
  session: Session,
  command: { drawId: string; version: number; stage: DrawStage },
): Promise<DrawState | null> {
  await lockDraws(session, [command.drawId], []);
  const draw = await session.em.findOne(Draw, { id: command.drawId });
  if (!draw) return null;
  if (!isOpenDraw(draw.status) || draw.version !== command.version) return stateOf(draw);
  const transaction = await session.em.findOne(Transaction, { id: draw.transactionId });
  const note = transaction?.notes.find(({ id }) => id === draw.noteId);
  if (!note) return stateOf(draw);
  const found = await runChecks(session, { request: draw, note, drawId: draw.id, stage: command.stage });
  const merged = mergeExceptions(draw.exceptions, found.exceptions, { isUnchanged: true });
  if (!isDeepStrictEqual(plain(merged), plain(draw.exceptions))) {
    draw.exceptions = merged;
    draw.checked = found.stored;
    if (merged.some(isPending)) draw.status = DRAW_TRANSITIONS.enter(draw.status, 'In Review');
    draw.metadata = changedMetadata(session, draw.metadata);
    await session.em.flush();
  }
  return stateOf(draw);
}

/**
 * Queues the reminder of a request that still waits for this due date; each person gets it once.
 * @returns how many people it was queued for
 */
export async function remindOfDraw(session: Session, command: { drawId: string; dueDate: string }): Promise<number> {
  const draw = await session.em.findOne(Draw, { id: command.drawId });
  if (!draw || !isOpenDraw(draw.status) || draw.dueDate !== command.dueDate) return 0;
  return mailReminder(session, await viewDraw(session, draw));
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

export interface ReviewedDraw {
  draw: DrawView;
  /** While it waits, of now; once decided, of the decision. */
  checked: StoredChecks | null;
  /** Other requests of the note that the actor can see, in its main currency; null once decided, or if unknown. */
  requested: Amount | null;
  /** What `checked` found. */
  exceptions: readonly StoredException[];
  /** Whether they differ from what is stored, because of other draws, repayments, bases or rates. */
  hasChanged: boolean;
}

/** A request with its checks. @throws Refusal notFound */
export async function reviewDraw(session: Session, id: string): Promise<ReviewedDraw> {
  const draw = await viewDraw(session, await getDocument(session, DRAWS, id));
  const transaction = await session.em.findOne(Transaction, { id: draw.transactionId });
  const note = transaction?.notes.find((one) => one.id === draw.noteId);
  if (!isOpenDraw(draw.status) || !note) {
    return { draw, checked: draw.checked ?? null, requested: null, exceptions: draw.exceptions, hasChanged: false };
  }
  const found = await runChecks(session, { request: draw, note, drawId: draw.id, stage: 'change' });
  const merged = mergeExceptions(draw.exceptions, found.exceptions, { isUnchanged: true });
  return {
    draw,
    checked: found.stored,
    requested: await otherRequests(session, {
      noteId: note.id,
      drawId: draw.id,
      mainCurrency: found.figures.mainCurrency,
    }),
    exceptions: merged,
    hasChanged: !isDeepStrictEqual(plain(merged), plain(draw.exceptions)),
  };
}
