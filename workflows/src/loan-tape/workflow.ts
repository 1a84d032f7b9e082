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
  patched,
  proxyActivities,
  setHandler,
  sleep,
  workflowInfo,
} from '@temporalio/workflow';
import { borrowingBases } from '../borrowing-base/workflow.ts';
import { messageOf } from '../failure-message.ts';
import { OWN_QUEUES } from '../own-queues.ts';
import { BEGUN_FIRST } from '../priorities.ts';
import { RETRIED, UNTIL_DONE, WATCHED } from '../retries.ts';
import type {
  BegunTape,
  CarriedState,
  PublishedTape,
  StagedBatch,
  TapeComputeActivities,
  TapeIoActivities,
  TransformedBatch,
} from './activities.ts';
import { batchStagedSignal, cancelTapeSignal, heldUpSignal, tapeProgressQuery, turnSignal } from './messages.ts';
import { advance, beginTape, carry, knownBatches, resume, type TapeEvent } from './state.ts';

const io = proxyActivities<TapeIoActivities>({
  ...WATCHED,
  taskQueue: OWN_QUEUES.io,
  startToCloseTimeout: '2 minutes',
  retry: RETRIED,
});
const ending = proxyActivities<Pick<TapeIoActivities, 'failTape' | 'removeTape' | 'completeTape'>>({
  ...WATCHED,
  taskQueue: OWN_QUEUES.io,
  startToCloseTimeout: '10 minutes',
  retry: UNTIL_DONE,
  priority: BEGUN_FIRST,
});
const reading = proxyActivities<Pick<TapeIoActivities, 'readTape'>>({
  ...WATCHED,
  taskQueue: OWN_QUEUES.io,
  startToCloseTimeout: '2 hours',
  retry: RETRIED,
});
const compute = proxyActivities<Pick<TapeComputeActivities, 'transformBatch' | 'finalizeTape'>>({
  ...WATCHED,
  taskQueue: OWN_QUEUES.compute,
  startToCloseTimeout: '30 minutes',
  retry: RETRIED,
});
const atOnce = proxyActivities<Pick<TapeComputeActivities, 'processTape'>>({
  ...WATCHED,
  taskQueue: OWN_QUEUES.compute,
  // It reads, maps up to three parts and compares all rows: more than the sum of their own limits.
  startToCloseTimeout: '2 hours',
  retry: RETRIED,
});
const publishing = proxyActivities<Pick<TapeComputeActivities, 'publishTape'>>({
  ...WATCHED,
  taskQueue: OWN_QUEUES.compute,
  startToCloseTimeout: '30 minutes',
  retry: RETRIED,
  priority: BEGUN_FIRST,
});

/**
 * A file of at most this size is processed in one activity, unless it expands to many batches. They would gain nothing
 * from several workers, and each activity costs the server and the worker more than the work itself.
 */
const MAX_BYTES_AT_ONCE = 2 ** 20;

/** Maximum number of unfinished batches: more than any cluster processes at once, and few enough to wait for. */
const MAX_IN_WORK = 64;

export interface LoanTapeInput {
  tapeId: string;
  /** Size of its file. Not present for tapes that were started by an earlier version. */
  bytes?: number;
  /** The state in which the previous run stopped because its history had become too long. */
  carried?: { begun: BegunTape; state: CarriedState };
  /** Number of history events after which a run continues as new; by default, when Temporal suggests it. Its name is stored in histories. */
  mostEvents?: number;
}

/**
 * Processes one loan tape from upload to published assets: reads it, transforms it batch by batch during reading,
 * finalizes and publishes it, then calculates the borrowing bases. The query `progress` returns the progress; the
 * signal `cancel` removes everything that was written.
 *
 * A small tape is processed in one activity, so that tapes that arrive together are published one after the other. The
 * steps of a larger one are spread over all workers.
 *
 * Every batch adds to the run's history. If it becomes too long, the tape continues in a new run. All activities end
 * before that: a reader starts again and skips the parts that are already staged.
 */
export async function loanTape({ tapeId, bytes, carried, mostEvents }: LoanTapeInput): Promise<TapeProgress> {
  let state = carried ? resume(carried.state) : beginTape(Date.now());
  const happen = (event: TapeEvent) => {
    state = advance(state, event, Date.now());
  };
  const record = () => io.recordProgress({ tapeId, progress: state.progress });
  const isLong = () => {
    const { historyLength, continueAsNewSuggested } = workflowInfo();
    return mostEvents === undefined ? continueAsNewSuggested : historyLength >= mostEvents;
  };

  // Workflows that started before this patch ask again and again whether earlier tapes are done, as in their histories.
  const isInTurn = patched('tapes-in-turn');
  /** Whether an earlier tape of the company has ended since this one asked whether it is its turn. */
  let mayBeTurn = false;

  setHandler(tapeProgressQuery, () => state.progress);
  setHandler(turnSignal, () => {
    mayBeTurn = true;
  });
  setHandler(batchStagedSignal, (batch) => happen({ type: 'batchStaged', batch }));
  setHandler(heldUpSignal, (notice) => happen({ type: 'noticed', notice }));
  const work = new CancellationScope();
  // After publishing there is nothing to undo, so a late cancel has no effect.
  let cancellable = true;
  setHandler(cancelTapeSignal, () => {
    if (cancellable) work.cancel();
  });

  try {
    const { begun, isEnded } = await work.run(publish);
    if (!isEnded) await CancellationScope.nonCancellable(() => followPublishing(begun));
  } catch (error) {
    if (error instanceof ContinueAsNew) throw error;
    await CancellationScope.nonCancellable(() => endAttempt(error));
  }
  return state.progress;

  async function publish(): Promise<{ begun: BegunTape; isEnded: boolean }> {
    let published: PublishedTape | null = null;
    let isEnded = false;
    let begun = carried?.begun;
    if (!begun && isInTurn && bytes !== undefined && bytes <= MAX_BYTES_AT_ONCE) {
      const processed = await atOnce.processTape({ tapeId, progress: state.progress });
      ({ begun, published, isEnded = false } = processed);
      state = resume(processed.state);
    }
    begun ??= await io.beginTape({ tapeId });
    published ??= await finalizeInTurn(begun, await readAndTransform(begun));
    // Finalizing cannot be interrupted. If a cancel arrived in the meantime, honor it now.
    if (work.consideredCancelled) throw new CancelledFailure('cancelled while it was finalized');
    cancellable = false;
    if (!isEnded) {
      happen({ type: 'stageReached', stage: 'publish' });
      happen({ type: 'published', errored: published.errored });
    }
    return { begun, isEnded };
  }

  /**
   * Consistent checks compare with the latest published earlier tape, so a company's tapes are finalized in order. An
   * earlier tape that ends signals the next one.
   */
  async function finalizeInTurn(begun: BegunTape, transformed: TransformedBatch[]): Promise<PublishedTape> {
    if (state.progress.stage !== 'finalize') {
      happen({ type: 'stageReached', stage: 'finalize' });
      await record();
    }
    const read = state.read;
    if (!read) throw ApplicationFailure.nonRetryable('the sheet was transformed before it was read');
    const input = { ...begun.attempt, read, transformed };
    if (!isInTurn) {
      await waitForEarlierTapes(begun);
      return compute.finalizeTape(input);
    }
    for (;;) {
      mayBeTurn = false;
      const published = await publishing.publishTape(input);
      if (published) return published;
      if (isLong()) await goOnAnew(begun);
      await condition(() => mayBeTurn);
    }
  }

  /** Ends this run and continues in a new one from the same state. No activity of this run may still be in progress. */
  async function goOnAnew(begun: BegunTape): Promise<never> {
    if (work.consideredCancelled) throw new CancelledFailure('cancelled before it went on');
    const limit = mostEvents === undefined ? {} : { mostEvents };
    return continueAsNew<typeof loanTape>({
      tapeId,
      carried: { begun, state: carry(state) },
      ...(bytes === undefined ? {} : { bytes }),
      ...limit,
    });
  }

  /** The tape is already published. Failures here are reported, and undo nothing. */
  async function followPublishing({ attempt, calculateBB }: BegunTape) {
    try {
      if (!isInTurn) await io.discardStaged(attempt);
      if (calculateBB) await calculateBorrowingBases();
    } catch (error) {
      log.error('what follows publishing failed', { error });
      const notice = `The assets are published. ${messageOf(error, 'A later step failed')}`;
      happen({ type: 'noticed', notice: calculateBB ? `${notice} Then calculate the borrowing base again.` : notice });
    }
    happen({ type: 'finished' });
    await ending.completeTape({ tapeId, progress: state.progress, ...(isInTurn ? { attempt } : {}) });
  }

  /** Transforms each batch as soon as it is staged, while the reader continues. The first error stops all of them. */
  async function readAndTransform(begun: BegunTape): Promise<TransformedBatch[]> {
    const { attempt } = begun;
    const scope = new CancellationScope();
    const readingScope = new CancellationScope();
    const started = new Map<number, Promise<void>>();
    for (const index of state.transformed.keys()) started.set(index, Promise.resolve());
    let finished = state.read !== null;
    let stopped = false;
    let problem: { error: unknown } | null = null;
    const guard = (promise: Promise<void>) =>
      promise.catch((error: unknown) => {
        problem ??= { error };
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
    const isOneToBegin = () => state.staged.size > started.size && inWork < MAX_IN_WORK;
    const readOn = async () => {
      try {
        const read = await readingScope.run(() => reading.readTape({ ...attempt, known: knownBatches(state) }));
        happen({ type: 'readFinished', read });
        finished = true;
      } catch (error) {
        // The reader was asked to stop. It reads again in the next run, and reports any error there.
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
        if (problem || (finished && started.size === state.staged.size)) break;
        if (isLong()) {
          stopped = true;
          readingScope.cancel();
          break;
        }
        const wasFinished = finished;
        await CancellationScope.nonCancellable(() =>
          condition(() => problem !== null || finished !== wasFinished || isOneToBegin()),
        );
      }
      await Promise.all([reader, ...started.values()]);
    });
    if (problem) throw (problem as { error: unknown }).error;
    if (!finished || state.transformed.size < state.staged.size) await goOnAnew(begun);
    return [...state.transformed.values()].sort((a, b) => a.index - b.index);
  }

  /** As workflows did before the patch. */
  async function waitForEarlierTapes(begun: BegunTape): Promise<void> {
    for (let waitMs = 250; ; waitMs = Math.min(waitMs * 2, 15_000)) {
      const { tapeIds } = await io.earlierTapesInProgress({ tapeId });
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

  /** Honors a requested cancel even if the work ended with another error because a worker was killed. */
  async function endAttempt(error: unknown): Promise<void> {
    if (work.consideredCancelled || isCancellation(error)) {
      happen({ type: 'cancelled' });
      await ending.removeTape({ tapeId, progress: state.progress });
      return;
    }
    const failure = messageOf(error, 'The tape could not be processed');
    happen({ type: 'failed', failure });
    await ending.failTape({ tapeId, failure, progress: state.progress });
  }
}
