import type { TapeProgress, TapeStage } from '@tapeline/domain/tapes/progress.ts';
import type { CarriedState, ReadResult, StagedBatch, TransformedBatch } from './activities.ts';

/** The state of a tape job. Only the functions below change it. They are pure, so tests need no server. */
export interface TapeState {
  readonly staged: ReadonlyMap<number, StagedBatch>;
  readonly transformed: ReadonlyMap<number, TransformedBatch>;
  readonly read: ReadResult | null;
  readonly progress: TapeProgress;
}

export type TapeEvent =
  | { type: 'batchStaged'; batch: StagedBatch }
  | { type: 'readFinished'; read: ReadResult }
  | { type: 'batchTransformed'; batch: TransformedBatch }
  | { type: 'stageReached'; stage: TapeStage }
  | { type: 'published'; errored: number }
  | { type: 'noticed'; notice: string }
  | { type: 'finished' }
  | { type: 'failed'; failure: string }
  | { type: 'cancelled' };

/**
 * Percentages of the whole job, from measured tapes. Reading and transforming run at the same time and take about
 * equally long. The later stages are short.
 */
const PERCENT_OF = { read: 45, transform: 45 } as const;
const PERCENT_AT: Record<Exclude<TapeStage, 'read' | 'transform'>, number> = {
  finalize: 90,
  publish: 96,
  borrowingBase: 97,
};

export function beginTape(now: number): TapeState {
  return {
    staged: new Map(),
    transformed: new Map(),
    read: null,
    progress: {
      stage: 'read',
      rowsRead: 0,
      rowsTransformed: 0,
      rowsErrored: 0,
      batches: 0,
      batchesTransformed: 0,
      percent: 0,
      startedAt: now,
      reachedAt: { read: now },
      failure: null,
      notice: null,
    },
  };
}

export const carry = ({ staged, transformed, read, progress }: TapeState): CarriedState => ({
  staged: [...staged.values()],
  transformed: [...transformed.values()],
  read,
  progress,
});

export const resume = ({ staged, transformed, read, progress }: CarriedState): TapeState => ({
  staged: new Map(staged.map((batch) => [batch.index, batch])),
  transformed: new Map(transformed.map((batch) => [batch.index, batch])),
  read,
  progress,
});

/** The number of known batches from the start of the sheet, without gaps. */
export function knownBatches({ staged }: TapeState): number {
  let known = 0;
  while (staged.has(known)) known += 1;
  return known;
}

/** Applies one event to the state. A batch that is reported twice (by a retried activity) counts once. */
export function advance(state: TapeState, event: TapeEvent, now: number): TapeState {
  switch (event.type) {
    case 'batchStaged':
      return counted({ ...state, staged: withBatch(state.staged, event.batch) });
    case 'readFinished':
      return counted({
        ...state,
        read: event.read,
        staged: new Map(event.read.batches.map((batch) => [batch.index, batch])),
        progress: goingOn(reached(state.progress, 'transform', now)),
      });
    case 'batchTransformed':
      return counted({
        ...state,
        transformed: withBatch(state.transformed, event.batch),
        progress: goingOn(state.progress),
      });
    case 'stageReached':
      return counted({ ...state, progress: goingOn(reached(state.progress, event.stage, now)) });
    case 'published':
      return { ...state, progress: { ...state.progress, rowsErrored: event.errored } };
    case 'noticed':
      return { ...state, progress: { ...state.progress, notice: event.notice } };
    case 'finished':
      return { ...state, progress: { ...reached(state.progress, 'done', now), percent: 100 } };
    case 'failed':
      return { ...state, progress: { ...reached(state.progress, 'failed', now), failure: event.failure } };
    case 'cancelled':
      return { ...state, progress: reached(state.progress, 'cancelled', now) };
  }
}

/** Clears the notice, because the work is no longer blocked. */
const goingOn = (progress: TapeProgress): TapeProgress => ({ ...progress, notice: null });

function withBatch<T extends { index: number }>(batches: ReadonlyMap<number, T>, batch: T): Map<number, T> {
  return new Map(batches).set(batch.index, batch);
}

function reached(progress: TapeProgress, stage: TapeProgress['stage'], now: number): TapeProgress {
  return { ...progress, stage, reachedAt: { ...progress.reachedAt, [stage]: now } };
}

function total<T>(batches: ReadonlyMap<number, T>, rows: (batch: T) => number): number {
  let sum = 0;
  for (const batch of batches.values()) sum += rows(batch);
  return sum;
}

function counted(state: TapeState): TapeState {
  const rowsRead = state.read?.dataRows ?? total(state.staged, (batch) => batch.rows);
  const rowsTransformed = total(state.transformed, (batch) => batch.assets + batch.errored);
  const readShare = state.read ? 1 : Math.max(0, ...[...state.staged.values()].map((batch) => batch.readShare ?? 0));
  const progress: TapeProgress = {
    ...state.progress,
    rowsRead,
    ...(readShare > 0 ? { readShare } : {}),
    rowsTransformed,
    rowsErrored: total(state.transformed, (batch) => batch.errored),
    batches: state.staged.size,
    batchesTransformed: state.transformed.size,
  };
  // The number of remaining rows is an estimate. Never let the percentage decrease.
  return { ...state, progress: { ...progress, percent: Math.max(state.progress.percent, percentDone(progress)) } };
}

function percentDone(progress: TapeProgress): number {
  const { stage, rowsRead, rowsTransformed, readShare = 0 } = progress;
  if (stage === 'done') return 100;
  if (stage === 'failed' || stage === 'cancelled') return progress.percent;
  if (stage !== 'read' && stage !== 'transform') return PERCENT_AT[stage];
  if (readShare === 0 || rowsRead === 0) return 0;
  const rowsToCome = rowsRead / readShare;
  return Math.floor(PERCENT_OF.read * readShare + (PERCENT_OF.transform * rowsTransformed) / rowsToCome);
}
