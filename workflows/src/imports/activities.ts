export interface ImportActivities {
  /**
   * Runs the imports that wait for a worker, and those whose worker was killed, until none is left. Any number of runs may
   * work at once: each import is written by one of them, all rows or none.
   */
  runDueImports(): Promise<RunImports>;
}

export interface RunImports {
  imported: number;
  /** Imports that wrote nothing. The reason is recorded with them. */
  failed: number;
}
