import { TAPE_STAGES, type TapeProgress, type TapeStage } from '@tapeline/domain/tapes/progress.ts';
import { formatCount, formatDuration, formatFigure } from '../../../components/figures/format.ts';

/** One step as `ProgressSteps` draws it. */
export interface TapeStep {
  readonly label: string;
  readonly state: 'waiting' | 'running' | 'done' | 'failed';
  readonly note: string;
  /** 0 to 1 while running. Null if the total is unknown. */
  readonly fraction?: number | null;
}

/** The facts, other than its progress, that the steps of a tape show. */
export interface StepFacts {
  /** Epoch milliseconds. */
  readonly now: number;
  /** Null until published. */
  readonly assets: number | null;
  readonly borrowingBases: number;
  /** Number of notes whose calculation failed. */
  readonly failedBases: number;
  /** Whether the upload requested borrowing bases. */
  readonly calculateBB: boolean;
}

const LABELS: Record<TapeStage, string> = {
  read: 'Read',
  transform: 'Transform',
  finalize: 'Finalize',
  publish: 'Publish',
  borrowingBase: 'Borrowing base',
};

/** The job's current or final stage: the last one that was reached. */
function lastStage(progress: TapeProgress): TapeStage {
  return TAPE_STAGES.filter((stage) => progress.reachedAt[stage] !== undefined).at(-1) ?? 'read';
}

/** When a stage was followed by the next one, or by the end of the job. Null while it is running. */
function leftAt(progress: TapeProgress, stage: TapeStage): number | null {
  const later = TAPE_STAGES.slice(TAPE_STAGES.indexOf(stage) + 1).map((next) => progress.reachedAt[next]);
  const ends = [progress.reachedAt.done, progress.reachedAt.failed, progress.reachedAt.cancelled];
  return [...later, ...ends].find((at) => at !== undefined) ?? null;
}

function stateOf(progress: TapeProgress, stage: TapeStage): TapeStep['state'] {
  const index = TAPE_STAGES.indexOf(stage);
  const reached = TAPE_STAGES.indexOf(lastStage(progress));
  if (index < reached) return 'done';
  if (index > reached) {
    // Batches are transformed while the sheet is still being read.
    return stage === 'transform' && progress.batchesTransformed > 0 ? 'running' : 'waiting';
  }
  if (progress.stage === 'done') return 'done';
  return progress.stage === 'failed' || progress.stage === 'cancelled' ? 'failed' : 'running';
}

function whatIsDone(progress: TapeProgress, stage: TapeStage, facts: StepFacts): string {
  switch (stage) {
    case 'read':
      return formatCount(progress.rowsRead, 'row');
    case 'transform':
      return `${formatFigure(progress.batchesTransformed)} of ${formatCount(progress.batches, 'batch', 'batches')}`;
    case 'finalize':
      return 'unique, consistent';
    case 'publish':
      return facts.assets === null ? 'publishing' : formatCount(facts.assets, 'asset');
    case 'borrowingBase':
      return facts.borrowingBases > 0 ? formatCount(facts.borrowingBases, 'note') : 'calculating';
  }
}

const WAITING: Record<TapeStage, string> = {
  read: 'queued',
  transform: 'waiting',
  finalize: 'waiting',
  publish: 'waiting',
  borrowingBase: 'waiting',
};

/** The steps of a tape as its page shows them. Progress is null until a worker has started the tape. */
export function tapeSteps(progress: TapeProgress | null, facts: StepFacts): TapeStep[] {
  return TAPE_STAGES.map((stage): TapeStep => {
    const label = LABELS[stage];
    if (stage === 'borrowingBase' && facts.failedBases > 0 && progress?.stage !== 'borrowingBase') {
      return { label, state: 'failed', note: `failed for ${formatCount(facts.failedBases, 'note')}` };
    }
    if (stage === 'borrowingBase' && progress?.reachedAt.borrowingBase === undefined) {
      if (facts.borrowingBases > 0) return { label, state: 'done', note: formatCount(facts.borrowingBases, 'note') };
      return { label, state: 'waiting', note: facts.calculateBB ? 'waiting' : 'on request' };
    }
    if (!progress) return { label, state: 'waiting', note: WAITING[stage] };
    const state = stateOf(progress, stage);
    if (state === 'waiting') return { label, state, note: WAITING[stage] };
    const from = progress.reachedAt[stage];
    const until = leftAt(progress, stage) ?? facts.now;
    const took = from === undefined ? null : formatDuration(Math.max(0, until - from));
    const note = [whatIsDone(progress, stage, facts), took].filter(Boolean).join(' · ');
    const fraction = state === 'running' ? fractionOf(progress, stage) : null;
    return { label, state, note, fraction };
  });
}

/** The total number of rows is estimated from the share of the sheet that is read. Null if it cannot be estimated. */
function fractionOf(
  { rowsRead, rowsTransformed, readShare, reachedAt }: TapeProgress,
  stage: TapeStage,
): number | null {
  const share = reachedAt.transform === undefined ? (readShare ?? null) : 1;
  if (stage === 'read') return share;
  if (stage !== 'transform' || share === null || rowsRead === 0) return null;
  return (rowsTransformed * share) / rowsRead;
}
