import type { DrawStage } from '@tapeline/domain/draws/checks.ts';

/** One version of a draw request, and why its checks run. */
export interface DrawCheckCommand {
  drawId: string;
  version: number;
  stage: DrawStage;
}

/** What the workflow needs to know of a request. */
export interface WaitingDraw {
  /** Nobody has decided it yet. */
  isOpen: boolean;
  dueDate: string;
  /** ISO instants. */
  requestedAt: string;
  remindAt: string;
}

export interface DrawActivities {
  /**
   * Runs the checks of a version of a request, and stores what they find. Idempotent: the same version is checked
   * with the same result, and a version that is no longer the latest is left alone.
   * @returns null if the request does not exist
   */
  checkDraw(input: DrawCheckCommand): Promise<WaitingDraw | null>;
  /** Queues the reminder of a waiting request. Idempotent: each person gets one for each due date. */
  remindOfDraw(input: { drawId: string; dueDate: string }): Promise<void>;
}
