/** Task queues: workflows and short io together, computing apart so that a worker never runs more of it than it has cores. */
export const TASK_QUEUES = { workflows: 'tapeline', io: 'tapeline-io', compute: 'tapeline-compute' } as const;

/** Error type of an expected failure crossing an activity: never retried, its message is for people. */
export const REFUSAL_FAILURE = 'Refusal';

export const loanTapeWorkflowId = (tapeId: string): string => `loan-tape/${tapeId}`;
