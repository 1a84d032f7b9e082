export interface AmendmentActivities {
  /** Puts amendments in force whose day has come. */
  putAmendmentsInForce(): Promise<{ count: number }>;
}
