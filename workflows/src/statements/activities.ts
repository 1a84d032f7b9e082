/** What came of the files that banks delivered. */
export interface TakenStatements {
  imported: number;
  refused: number;
}

export interface StatementActivities {
  /** Imports or refuses the files of bank statements that wait in the object storage. What is left waits for the next run. */
  takeStatements(): Promise<TakenStatements>;
}
