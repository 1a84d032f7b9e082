import { isDeepStrictEqual } from 'node:util';
import type { DrawStage } from '@tapeline/domain/draws/checks.ts';
import {
  isPending,
  mergeExceptions,
  type StoredChecks,
  type StoredException,
} from '@tapeline/domain/draws/exceptions.ts';
import { DRAW_TRANSITIONS, isOpenDraw } from '@tapeline/domain/draws/states.ts';
import type { Amount } from '@tapeline/domain/money/amount.schema.ts';
import { Draw } from '../../entities/draws.ts';
import { Transaction } from '../../entities/lending.ts';
import { plainJson } from '../../plain-json.ts';
import type { Session } from '../../store.ts';
import { getDocument } from '../listing/list-documents.ts';
import { changedMetadata } from '../metadata.ts';
import { mailReminder } from './draw-mails.ts';
import { DRAWS, type DrawView, viewDraw } from './draw-views.ts';
import { lockDraws } from './lock-draws.ts';
import { otherRequests, runChecks } from './run-checks.ts';

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
  if (!isDeepStrictEqual(plainJson(merged), plainJson(draw.exceptions))) {
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
    hasChanged: !isDeepStrictEqual(plainJson(merged), plainJson(draw.exceptions)),
  };
}
