import { isDeepStrictEqual } from 'node:util';
import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import type { FileMetadata } from '@tapeline/domain/documents/document.schema.ts';
import { DRAW_FILES } from '@tapeline/domain/draws/attachments.ts';
import { lastDueDate } from '@tapeline/domain/draws/check-rules.ts';
import { type DrawStage, valueDraw } from '@tapeline/domain/draws/checks.ts';
import type { DrawCreate, DrawUpdate, StoredDraw } from '@tapeline/domain/draws/draw.schema.ts';
import { isPending, mergeExceptions } from '@tapeline/domain/draws/exceptions.ts';
import { DRAW_TRANSITIONS, isOpenDraw } from '@tapeline/domain/draws/states.ts';
import { isRefusal, Refusal } from '@tapeline/domain/errors/refusal.ts';
import type { Amount } from '@tapeline/domain/money/amount.schema.ts';
import type { Draw } from '../../entities/draws.ts';
import { type StoredNote, Transaction } from '../../entities/lending.ts';
import type { Session } from '../../store.ts';
import { noteOnDay } from '../amendments/note-amendments.ts';
import { ratesOfDay } from '../currencies/rates.ts';
import { uploadedFile } from '../files/files.ts';
import { runChecks } from './run-checks.ts';

export const notActive = (status: string): Refusal =>
  new Refusal('badRequest', `The facility is ${status}. You can request draws only on an Active facility`, {
    flags: { transaction: `is ${status}` },
  });

/** The note of a request, in the terms that are in force now. */
export async function noteOf(session: Session, draw: Draw): Promise<StoredNote> {
  const transaction = await session.em.findOne(Transaction, { id: draw.transactionId }, { refresh: true });
  const note = transaction?.notes.find(({ id }) => id === draw.noteId);
  if (!transaction || !note) throw new Refusal('notFound');
  if (transaction.status !== 'Active') throw notActive(transaction.status);
  return note;
}

/** @throws Refusal badRequest if the due date is after maturity or termination in its terms, when nothing can be drawn */
export async function requireDueDate(session: Session, note: StoredNote, dueDate: string): Promise<void> {
  const last = lastDueDate(await noteOnDay(session, note, dueDate));
  if (last === null || dueDate <= last.date) return;
  throw new Refusal(
    'badRequest',
    `The due date ${formatCalendarDate(dueDate)} is after the ${last.of} of the note on ${formatCalendarDate(last.date)}`,
    {
      flags: { dueDate: `is after the ${last.of} on ${formatCalendarDate(last.date)}` },
    },
  );
}

/** @throws Refusal badRequest if the request is decided, after which it cannot be changed */
export const requireOpen = (draw: Draw): void => {
  if (isOpenDraw(draw.status)) return;
  throw new Refusal('badRequest', `The draw request is ${draw.status} and cannot be changed`, {
    flags: { status: `is ${draw.status}` },
  });
};

export const userIdOf = ({ actor }: Session): string | null => (actor.kind === 'user' ? actor.userId : null);

export async function valueAt(session: Session, draws: DrawCreate['draws'], note: StoredNote, cutOffDate: string) {
  const { rates } = await ratesOfDay(session, cutOffDate);
  return valueDraw(draws, note, rates);
}

/** The registered files of a body. New ones must belong to the draw's company. */
export async function resolveAttachments(
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
      throw new Refusal('badRequest', 'This file belongs to another borrower', {
        flags: { [`attachments.${index}`]: 'is a file of another borrower' },
      });
    }
    const { bucket, name, size, type } = file;
    resolved.push({ bucket, key: file.key, name, size, type, checksum: file.checksum ?? null });
  }
  await session.em.flush();
  return resolved;
}

/** Stores what the checks found. The request is in review if an exception is pending. */
export async function storeChecks(
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

const termsOf = (draws: readonly { type: string; amounts: readonly Amount[] }[]) =>
  draws
    .filter(({ amounts }) => amounts.length > 0)
    .map(({ type, amounts }) => [type, amounts.map(({ sum, currency }) => [sum, currency])])
    .sort(([a], [b]) => String(a).localeCompare(String(b)));

/**
 * Changed amounts or dates are checked again, and every exception that they have is pending.
 * @returns whether amounts or dates changed
 */
export async function changeTerms(session: Session, draw: Draw, body: DrawUpdate): Promise<boolean> {
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
  await requireDueDate(session, note, dueDate);
  Object.assign(draw, { cutOffDate, dueDate, ...(await valueAt(session, draws as StoredDraw[], note, cutOffDate)) });
  draw.termsChangedBy = userIdOf(session);
  await storeChecks(session, draw, note, { stage: 'change', isUnchanged: false });
  return true;
}
