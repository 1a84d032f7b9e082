export interface ImportActivities {
  /**
   * Runs the imports that wait for a worker, and those whose worker was killed, until none is left. Any number of runs may
   * work at once: each import is written by one of them, all rows or none.
   */
  runDueImports(): Promise<RunImports>;
  /** Runs the checks of drafts that wait for a worker, until none is left: one of each user at once. */
  runDueChecks(): Promise<RunChecks>;
}

export interface RunImports {
  imported: number;
  /** Imports that wrote nothing. The reason is recorded with them. */
  failed: number;
}

export interface RunChecks {
  checked: number;
  /** Checks that gave no answer. The reason is recorded with them. */
  failed: number;
}
