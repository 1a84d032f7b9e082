export interface SweepActivities {
  /** Deletes objects of attempts that nobody needs, and scratch folders of killed workers. */
  sweepStorage(): Promise<SweptStorage>;
  /** Tapes that stand as in work, with no workflow that works at them. */
  findStrandedTapes(): Promise<{ tapeIds: string[] }>;
  /** Ends those of the tapes that are stranded still: Pending with the reason, and free to be tried again. */
  endStrandedTapes(input: { tapeIds: string[] }): Promise<{ tapeIds: string[] }>;
}

export interface SweptStorage {
  /** Objects deleted. */
  objects: number;
  /** Attempts forgotten. */
  generations: number;
  /** Files that were announced, and never sent or never used. */
  uploads: number;
  /** Scratch folders removed, on the machine that swept. */
  scratchFolders: number;
}
