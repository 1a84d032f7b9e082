export interface DeliverableActivities {
  /** Reminds borrowers of what they owe, and reviewers of tapes and certificates that wait. */
  remindOfDeliverables(): Promise<{ told: number }>;
}
