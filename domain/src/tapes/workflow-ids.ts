/**
 * Workflow ids name what a workflow works on, so that the same work never runs twice at once. They are prefixed with
 * the instance's name.
 */
export const WORKFLOW_IDS = {
  tape: (tapeId: string) => `loan-tape/${tapeId}`,
  /**
   * Corrected rows of a published tape. An empty `generationId` gives the prefix that all re-runs of the tape share.
   */
  rerun: (tapeId: string, generationId: string) => `loan-tape/${tapeId}/rerun/${generationId}`,
  borrowingBases: (tapeId: string) => `borrowing-bases/${tapeId}`,
  /** One of the previews that a user can run at once. */
  preview: (userId: string, slot: number) => `preview/${userId}/${slot}`,
  /** One of the checks of all rows that a user can run at once. */
  check: (userId: string, slot: number) => `check/${userId}/${slot}`,
  /** The comparison of two borrowing bases that a user waits for. */
  comparison: (userId: string, slot: number) => `comparison/${userId}/${slot}`,
  /** The scenarios of a certificate that a user waits for. */
  scenario: (userId: string, slot: number) => `scenario/${userId}/${slot}`,
  /** One of the files with the latest rows of loans that a user can ask for at once. */
  latestRows: (userId: string, slot: number) => `latest-rows/${userId}/${slot}`,
  draw: (drawId: string) => `draw/${drawId}`,
  sweep: () => 'sweep-orphans',
  compareStorage: () => 'compare-storage',
  endStranded: () => 'end-stranded',
  restartDraws: () => 'restart-draws',
  mail: () => 'send-mail',
  notices: () => 'make-notices',
  import: (importId: string) => `import/${importId}`,
  importCheck: (draftId: string, version: number) => `import-check/${draftId}/${version}`,
  startImports: () => 'run-imports',
  deliveredStatements: () => 'delivered-statements',
  lateTapes: () => 'late-tapes',
  dueCalls: () => 'due-calls',
  refreshRates: () => 'refresh-rates',
  retention: () => 'retention',
  amendments: () => 'due-amendments',
  covenants: () => 'covenants',
  deliverables: () => 'deliverables',
  /** The search of a manager's book for the same loan twice. */
  duplicates: (managerId: string) => `duplicates/${managerId}`,
  everyDuplicate: () => 'duplicates-of-every-manager',
} as const;
