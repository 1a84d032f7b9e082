/** Where the files are that borrowers send. */
export const DELIVERABLE_FILES = { bucket: 'loanTapes', directory: 'deliverables' } as const;
