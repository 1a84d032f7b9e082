export interface ImportInput {
  importId: string;
}

/** A version of a draft. A change of the draft is another one. */
export interface ImportCheckInput {
  draftId: string;
  version: number;
}

export interface ImportIoActivities {
  /** Records why nothing was imported, and tells the person. An import that is over is left alone. */
  failImport(input: ImportInput & { failure: string }): Promise<void>;
  /** Records why a check gave no answer. One that is over, or was replaced by another version, is left alone. */
  failImportCheck(input: ImportCheckInput & { failure: string }): Promise<void>;
  /** Starts the workflow of each import and check that waits or runs, unless it runs. */
  startImports(): Promise<void>;
  /** The same, for runs that an earlier version started. */
  runDueImports(): Promise<void>;
  runDueChecks(): Promise<void>;
}

/** Heartbeats with the number of rows so far. */
export interface ImportWriteActivities {
  /** Writes all rows or none. */
  writeImport(input: ImportInput): Promise<void>;
}

/** Heartbeats with the number of rows so far. */
export interface ImportCheckActivities {
  /** Writes all rows and rolls them back. */
  checkImport(input: ImportCheckInput): Promise<void>;
}
