export interface DuplicateActivities {
  /** The managers whose books are searched. */
  listBooks(): Promise<{ managerIds: string[] }>;
  /** Searches the latest tapes of every borrower of a manager, and stores the pairs. */
  findDuplicates(input: { managerId: string }): Promise<{ found: number }>;
  recordFailedSearch(input: { managerId: string; reason: string }): Promise<void>;
}

/** A search that takes longer is ended. */
export const SEARCH_SECONDS = 30 * 60;
