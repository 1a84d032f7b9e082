export interface SweepActivities {
  /** Removes objects that are recorded as dropped, and scratch folders of killed workers. */
  sweepStorage(): Promise<SweptStorage>;
  /**
   * Compares a share of what the database refers to with the object storage, and the storage with the database.
   * @throws Refusal, which names the objects, if any is missing or differs
   */
  compareStorage(): Promise<void>;
  /**
   * Ends the tapes and calculations that are recorded as in progress but have no running workflow: they show the reason
   * and can be retried.
   */
  endStrandedTapes(input: { graceMs: number }): Promise<{ tapeIds: string[] }>;
  /** Signals the workflows of draw requests that missed a change, and starts those that do not run. */
  restartUnwatchedDraws(input: { graceMs: number }): Promise<{ drawIds: string[] }>;
}

export interface SweptStorage {
  /** Object counts: newly recorded as dropped, moved to the trash, deleted from it, moved back because still needed. */
  recorded: number;
  trashed: number;
  deleted: number;
  putBack: number;
  /** Objects that the database does not know. They are left alone. */
  unknown: number;
  /** Attempts whose records were removed. */
  generations: number;
  /** Files that were announced but never uploaded, or never used. */
  uploads: number;
  /** Questions and answers of previews that their callers did not delete. */
  previews: number;
  /** Scratch folders removed on the machine that ran the sweep. */
  scratchFolders: number;
}
