import type { TapeProgress } from '@tapeline/domain/tapes/progress.ts';
import {
  ApplicationFailure,
  CancellationScope,
  CancelledFailure,
  ContinueAsNew,
  condition,
  continueAsNew,
  isCancellation,
  log,
  proxyActivities,
  setHandler,
  sleep,
  workflowInfo,
} from '@temporalio/workflow';
import { borrowingBases } from '../borrowing-base/workflow.ts';
import { TASK_QUEUES } from '../queues.ts';
import { messageOf } from '../refusal-message.ts';
import { TRIED_ON, UNTIL_DONE, WATCHED } from '../retries.ts';
import type {
  StagedBatch,
  TapeAttempt,
  TapeComputeActivities,
  TapeIoActivities,
  TransformedBatch,
} from './activities.ts';
import { batchStagedSignal, cancelTapeSignal, tapeProgressQuery } from './messages.ts';
import { advance, beginTape, type CarriedState, carry, knownBatches, resume, type TapeEvent } from './state.ts';

const io = proxyActivities<TapeIoActivities>({
  ...WATCHED,
  taskQueue: TASK_QUEUES.io,
  startToCloseTimeout: '2 minutes',
  retry: TRIED_ON,
});
const ending = proxyActivities<Pick<TapeIoActivities, 'failTape' | 'removeTape' | 'completeTape'>>({
  ...WATCHED,
  taskQueue: TASK_QUEUES.io,
  startToCloseTimeout: '10 minutes',
  retry: UNTIL_DONE,
});
const reading = proxyActivities<Pick<TapeIoActivities, 'readTape'>>({
  ...WATCHED,
  taskQueue: TASK_QUEUES.io,
  startToCloseTimeout: '2 hours',
  retry: TRIED_ON,
});
const compute = proxyActivities<TapeComputeActivities>({
  ...WATCHED,
  taskQueue: TASK_QUEUES.compute,
  startToCloseTimeout: '30 minutes',
  retry: TRIED_ON,
});

/** Batches begun and not done: more than any cluster works at, and few enough to be waited for. */
const MOST_IN_WORK = 64;

/** What a tape's workflow is started with. */
export interface LoanTapeInput {
  tapeId: string;
  /** Where the run before this one stopped, its history having grown long. */
  carried?: { begun: BegunTape; state: CarriedState };
  /** Events after which a run gives way to the next one; when Temporal suggests it where left out. */
  mostEvents?: number;
}

interface BegunTape {
  attempt: TapeAttempt;
  calculateBB: boolean;
}

/**
 * One loan tape from upload to published assets: read, transform batch by batch while reading goes on, settle, publish,
 * then the borrowing bases. Progress by the query `progress`; the signal `cancel` removes all it wrote.
 *
 * Every batch, and every look whether earlier tapes are done, adds to the run's history. Where it grows long the tape goes
 * on in a new run, before which nothing is left in work: a reader begins again and passes over the parts that are staged.
 */
export async function loanTape({ tapeId, carried, mostEvents }: LoanTapeInput): Promise<TapeProgress> {
  let state = carried ? resume(carried.state) : beginTape(Date.now());
  const happen = (event: TapeEvent) => {
    state = advance(state, event, Date.now());
  };
  const record = () => io.recordProgress({ tapeId, progress: state.progress });
  const isLong = () => {
    const { historyLength, continueAsNewSuggested } = workflowInfo();
    return mostEvents === undefined ? continueAsNewSuggested : historyLength >= mostEvents;
  };

  setHandler(tapeProgressQuery, () => state.progress);
  setHandler(batchStagedSignal, (batch) => happen({ type: 'batchStaged', batch }));
  const work = new CancellationScope();
  // After publishing there is nothing half done to undo: a late cancel changes nothing.
  let cancellable = true;
  setHandler(cancelTapeSignal, () => {
    if (cancellable) work.cancel();
  });

  try {
    const begun = await work.run(publish);
    await CancellationScope.nonCancellable(() => followPublishing(begun));
  } catch (error) {
    if (error instanceof ContinueAsNew) throw error;
    await CancellationScope.nonCancellable(() => endAttempt(error));
  }
  return state.progress;

  async function publish(): Promise<BegunTape> {
    const begun = carried?.begun ?? (await io.beginTape({ tapeId }));
    const transformed = await readAndTransform(begun);
    if (state.progress.stage !== 'settle') {
      happen({ type: 'stageReached', stage: 'settle' });
      await record();
    }
    await waitForEarlierTapes(begun);
    const read = state.read;
    if (!read) throw ApplicationFailure.nonRetryable('the sheet was transformed before it was read');
    const published = await compute.settleTape({ ...begun.attempt, read, transformed });
    // Settling does not stop half way. Who cancelled meanwhile gets what they asked for.
    if (work.consideredCancelled) throw new CancelledFailure('cancelled while it was settled');
    cancellable = false;
    happen({ type: 'stageReached', stage: 'publish' });
    happen({ type: 'published', errored: published.errored });
    return begun;
  }

  /** Ends this run and begins the next where it stops. Nothing of it may be in work any more. */
  async function goOnAnew(begun: BegunTape): Promise<never> {
    if (work.consideredCancelled) throw new CancelledFailure('cancelled before it went on');
    const limit = mostEvents === undefined ? {} : { mostEvents };
    return continueAsNew<typeof loanTape>({ tapeId, carried: { begun, state: carry(state) }, ...limit });
  }

  /** The tape is published by now: whatever fails here is told, and undoes nothing. */
  async function followPublishing({ attempt, calculateBB }: BegunTape) {
    try {
      await io.discardStaged(attempt);
      if (calculateBB) await calculateBorrowingBases();
    } catch (error) {
      log.error('what follows publishing failed', { error });
      const notice = 'The assets are published, and a later step failed because of a fault on our side.';
      happen({ type: 'noticed', notice: calculateBB ? `${notice} Calculate the borrowing base again.` : notice });
    }
    happen({ type: 'finished' });
    await ending.completeTape({ tapeId, progress: state.progress });
  }

  /** Transforms each batch as soon as it is staged, while the reader goes on. The first fault stops all of them. */
  async function readAndTransform(begun: BegunTape): Promise<TransformedBatch[]> {
    const { attempt } = begun;
    const scope = new CancellationScope();
    const readingScope = new CancellationScope();
    const started = new Map<number, Promise<void>>();
    for (const index of state.transformed.keys()) started.set(index, Promise.resolve());
    let finished = state.read !== null;
    let stopped = false;
    let fault: { error: unknown } | null = null;
    const guard = (promise: Promise<void>) =>
      promise.catch((error: unknown) => {
        fault ??= { error };
        scope.cancel();
      });
    let inWork = 0;
    const transform = async (batch: StagedBatch) => {
      inWork += 1;
      const done = await compute.transformBatch({ ...attempt, batch });
      happen({ type: 'batchTransformed', batch: done });
      await record();
      inWork -= 1;
    };
    const isOneToBegin = () => state.staged.size > started.size && inWork < MOST_IN_WORK;
    const readOn = async () => {
      try {
        const read = await readingScope.run(() => reading.readTape({ ...attempt, known: knownBatches(state) }));
        happen({ type: 'readFinished', read });
        finished = true;
      } catch (error) {
        // Told to stop, it reads again in the next run, and says there what is wrong.
        if (!stopped || work.consideredCancelled) throw error;
      }
    };
    await scope.run(async () => {
      const reader = finished ? Promise.resolve() : guard(readOn());
      for (;;) {
        for (const batch of state.staged.values()) {
          if (!isOneToBegin()) break;
          if (!started.has(batch.index)) started.set(batch.index, guard(transform(batch)));
        }
        if (fault || (finished && started.size === state.staged.size)) break;
        if (isLong()) {
          stopped = true;
          readingScope.cancel();
          break;
        }
        const wasFinished = finished;
        await CancellationScope.nonCancellable(() =>
          condition(() => fault !== null || finished !== wasFinished || isOneToBegin()),
        );
      }
      await Promise.all([reader, ...started.values()]);
    });
    if (fault) throw (fault as { error: unknown }).error;
    if (!finished || state.transformed.size < state.staged.size) await goOnAnew(begun);
    return [...state.transformed.values()].sort((a, b) => a.index - b.index);
  }

  /** Consistent compares with the latest published tape of an earlier date, so tapes of one company settle in order. */
  async function waitForEarlierTapes(begun: BegunTape): Promise<void> {
    for (let waitMs = 250; ; waitMs = Math.min(waitMs * 2, 15_000)) {
      const { tapeIds } = await io.earlierTapesInWork({ tapeId });
      if (tapeIds.length === 0) return;
      if (isLong()) await goOnAnew(begun);
      await sleep(waitMs);
    }
  }

  async function calculateBorrowingBases(): Promise<void> {
    happen({ type: 'stageReached', stage: 'borrowingBase' });
    await record();
    const { notices } = await borrowingBases({ tapeId });
    if (notices.length > 0) happen({ type: 'noticed', notice: notices.join(' ') });
  }

  /** Who asked for a cancel gets it, also where a killed worker made the work end by another fault. */
  async function endAttempt(error: unknown): Promise<void> {
    if (work.consideredCancelled || isCancellation(error)) {
      happen({ type: 'cancelled' });
      await ending.removeTape({ tapeId });
      return;
    }
    const failure = messageOf(error, 'The tape could not be processed');
    happen({ type: 'failed', failure });
    await ending.failTape({ tapeId, failure, progress: state.progress });
  }
}
