import type { WaitingDraw } from './activities.ts';

/** What the workflow knows of its request between two steps. */
export interface DrawProgress {
  waiting: WaitingDraw | null;
  /** Due dates that were reminded of. */
  reminded: readonly string[];
}

/** What the workflow of a request is started with. */
export interface DrawRequestInput {
  drawId: string;
  /** How long after its arrival a request is reminded of that arrives after the time of its reminder. */
  urgentAfterMs: number;
  /** Of an earlier run of the same workflow. */
  progress?: DrawProgress;
}

export const STARTED: DrawProgress = { waiting: null, reminded: [] };

export const checked = (progress: DrawProgress, waiting: WaitingDraw | null): DrawProgress => ({
  ...progress,
  waiting,
});

export const reminded = (progress: DrawProgress, dueDate: string): DrawProgress => ({
  ...progress,
  reminded: [...progress.reminded, dueDate],
});

/** A request that is decided, removed or deleted needs nothing any more. */
export const isOver = ({ waiting }: DrawProgress): boolean => !waiting?.isOpen;

/**
 * Milliseconds until the request is reminded of; null if it needs no reminder any more. A request that arrives after the
 * time of its reminder is reminded of a while after it arrived.
 */
export function untilReminder(
  { waiting, reminded: done }: DrawProgress,
  { now, urgentAfterMs }: { now: number; urgentAfterMs: number },
): number | null {
  if (!waiting?.isOpen || done.includes(waiting.dueDate)) return null;
  const at = Math.max(Date.parse(waiting.remindAt), Date.parse(waiting.requestedAt) + urgentAfterMs);
  return Math.max(0, at - now);
}
