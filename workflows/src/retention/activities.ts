export interface RetentionActivities {
  /** The kinds of data that have a limit, in the order in which they are removed. */
  listRetention(): Promise<{ kinds: string[] }>;
  /** Removes what is older than its limit, in small batches. What is left after some minutes waits for the next run. */
  removeExpired(input: { kind: string }): Promise<{ removed: number }>;
}
