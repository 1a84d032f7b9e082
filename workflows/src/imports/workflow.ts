import { CANCELLED_IMPORT } from '@tapeline/domain/importer/states.ts';
import {
  ActivityFailure,
  type ActivityOptions,
  CancellationScope,
  continueAsNew,
  defineSignal,
  isCancellation,
  patched,
  proxyActivities,
  setHandler,
  TimeoutFailure,
  workflowInfo,
} from '@temporalio/workflow';
import { messageOf } from '../failure-message.ts';
import { NEVER_RETRIED } from '../failures.ts';
import { OWN_QUEUES } from '../own-queues.ts';
import { BEGUN_FIRST } from '../priorities.ts';
import { LOST_WORKER, RETRIED, SCHEDULED, UNTIL_DONE, WATCHED } from '../retries.ts';
import type {
  ImportCheckActivities,
  ImportCheckInput,
  ImportInput,
  ImportIoActivities,
  ImportWriteActivities,
} from './activities.ts';

// Faults of services are tried again here, and lost workers below, because rows that stop each worker must not stop many.
const rows = {
  ...WATCHED,
  startToCloseTimeout: '30 minutes',
  retry: { ...RETRIED, nonRetryableErrorTypes: [...NEVER_RETRIED, ...LOST_WORKER] },
} satisfies ActivityOptions;
const { writeImport } = proxyActivities<ImportWriteActivities>({ ...rows, taskQueue: OWN_QUEUES.imports });
const { checkImport } = proxyActivities<ImportCheckActivities>({ ...rows, taskQueue: OWN_QUEUES.importChecks });
const { failImport, failImportCheck } = proxyActivities<Pick<ImportIoActivities, 'failImport' | 'failImportCheck'>>({
  ...WATCHED,
  taskQueue: OWN_QUEUES.io,
  startToCloseTimeout: '10 minutes',
  retry: UNTIL_DONE,
  priority: BEGUN_FIRST,
});
// Few attempts are enough, because the schedule starts the next run within a minute.
const { startImports, runDueImports, runDueChecks } = proxyActivities<
  Pick<ImportIoActivities, 'startImports' | 'runDueImports' | 'runDueChecks'>
>({
  ...WATCHED,
  taskQueue: OWN_QUEUES.io,
  startToCloseTimeout: '30 minutes',
  retry: SCHEDULED,
});

/** Workers that may be lost during an import, or a check, before it fails. */
const MAX_STARTS = 3;
const STOPPED = `was started ${MAX_STARTS} times and stopped each time before all rows were`;
const FEWER = 'Import fewer rows at once, or contact the support.';

const isLostWorker = (error: unknown): boolean =>
  error instanceof ActivityFailure && error.cause instanceof TimeoutFailure;

/**
 * Does the work, again if its worker is lost. What ends it otherwise is recorded, and a cancelled run ends as cancelled.
 * @param texts the failure of one that loses its worker each time, of one that is cancelled, and what failed otherwise
 */
async function recorded(
  work: () => Promise<void>,
  texts: { tooOften: string; cancelled: string; otherwise: string },
  record: (failure: string) => Promise<void>,
): Promise<void> {
  for (let starts = 1; ; starts += 1) {
    try {
      return await work();
    } catch (error) {
      const isLost = isLostWorker(error);
      if (isLost && starts < MAX_STARTS) continue;
      const isCancelled = isCancellation(error);
      const failure = isCancelled ? texts.cancelled : isLost ? texts.tooOften : messageOf(error, texts.otherwise);
      await CancellationScope.nonCancellable(() => record(failure));
      if (isCancelled) throw error;
      return;
    }
  }
}

/** Writes the rows of an import, all or none, or records why it did not. */
export async function importRows({ importId }: ImportInput): Promise<void> {
  await recorded(
    () => writeImport({ importId }),
    {
      tooOften: `Nothing was imported. The import ${STOPPED} written. ${FEWER}`,
      cancelled: CANCELLED_IMPORT,
      otherwise: 'Nothing was imported',
    },
    (failure) => failImport({ importId, failure }),
  );
}

/** Checks the rows of a version of a draft, and keeps the answer with the draft. */
export async function importCheck(input: ImportCheckInput): Promise<void> {
  await recorded(
    () => checkImport(input),
    {
      tooOften: `The check ${STOPPED} checked. ${FEWER}`,
      cancelled: 'The check was cancelled.',
      otherwise: 'The rows could not be checked',
    },
    (failure) => failImportCheck({ ...input, failure }),
  );
}

/**
 * Starts the workflows of imports and checks that have none: Temporal could not be reached when they were accepted, or has
 * lost them. A schedule starts this workflow.
 */
export async function runImports(): Promise<void> {
  if (patched('imports-are-workflows')) await startImports();
  else await runDue(runDueImports, () => continueAsNew<typeof runImports>());
}

/** As web processes of an earlier version start it when a check is accepted. */
export const runImportChecks = (): Promise<void> => runDue(runDueChecks, () => continueAsNew<typeof runImportChecks>());

const importQueued = defineSignal('importQueued');
const RUNS = 2;

/** As in the histories of runs that an earlier version started, in which the activities did all that waited. */
async function runDue(run: () => Promise<void>, startAgain: () => Promise<never>): Promise<void> {
  let isWaiting = true;
  setHandler(importQueued, () => {
    isWaiting = true;
  });
  while (isWaiting) {
    if (workflowInfo().continueAsNewSuggested) await startAgain();
    isWaiting = false;
    await Promise.all(Array.from({ length: RUNS }, run));
  }
}
