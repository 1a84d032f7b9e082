export interface CovenantActivities {
  /** Makes the tests of covenants whose date has come and whose figures are known. */
  testCovenants(): Promise<{ tested: number }>;
}
