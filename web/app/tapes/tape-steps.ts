import { TAPE_STAGES, type TapeProgress, type TapeStage } from '@tapeline/domain/tapes/progress.ts';
import { formatCount, formatDuration, formatFigure } from '../figures/format.ts';

/** One step as `ProgressSteps` draws it. */
export interface TapeStep {
  readonly label: string;
  readonly state: 'waiting' | 'running' | 'done' | 'failed';
  readonly note: string;
  /** 0 to 1 while running; null where the whole is not known. */
  readonly fraction?: number | null;
}

/** What the steps of a tape say besides its progress. */
export interface StepFacts {
  /** Epoch milliseconds. */
  readonly now: number;
  /** Null until published. */
  readonly assets: number | null;
  readonly borrowingBases: number;
  /** Whether the upload asked for them. */
  readonly calculateBB: boolean;
}

const LABELS: Record<TapeStage, string> = {
  read: 'Read',
  transform: 'Transform',
  settle: 'Settle',
  publish: 'Publish',
  borrowingBase: 'Borrowing base',
};

/** The stage in which the job is, or in which it ended: the last one that was reached. */
function lastStage(progress: TapeProgress): TapeStage {
  return TAPE_STAGES.filter((stage) => progress.reachedAt[stage] !== undefined).at(-1) ?? 'read';
}

/** When a stage gave way to the next one, or to the end of the job; null while it lasts. */
function leftAt(progress: TapeProgress, stage: TapeStage): number | null {
  const later = TAPE_STAGES.slice(TAPE_STAGES.indexOf(stage) + 1).map((next) => progress.reachedAt[next]);
  const ends = [progress.reachedAt.done, progress.reachedAt.failed, progress.reachedAt.cancelled];
  return [...later, ...ends].find((at) => at !== undefined) ?? null;
}

function stateOf(progress: TapeProgress, stage: TapeStage): TapeStep['state'] {
  const place = TAPE_STAGES.indexOf(stage);
  const reached = TAPE_STAGES.indexOf(lastStage(progress));
  if (place < reached) return 'done';
  if (place > reached) {
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
    case 'settle':
      return 'unique, consistent';
    case 'publish':
      return facts.assets === null ? 'making it visible' : formatCount(facts.assets, 'asset');
    case 'borrowingBase':
      return facts.borrowingBases > 0 ? formatCount(facts.borrowingBases, 'note') : 'calculating';
  }
}

const WAITING: Record<TapeStage, string> = {
  read: 'queued',
  transform: 'waiting',
  settle: 'waiting',
  publish: 'waiting',
  borrowingBase: 'waiting',
};

/** The steps of a tape as its page shows them. Progress is null until a worker has taken it. */
export function tapeSteps(progress: TapeProgress | null, facts: StepFacts): TapeStep[] {
  return TAPE_STAGES.map((stage): TapeStep => {
    const label = LABELS[stage];
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

/** Rows to come are told from the share of the sheet that is read; null where nobody knows how many there are. */
function fractionOf(
  { rowsRead, rowsTransformed, readShare, reachedAt }: TapeProgress,
  stage: TapeStage,
): number | null {
  const share = reachedAt.transform === undefined ? (readShare ?? null) : 1;
  if (stage === 'read') return share;
  if (stage !== 'transform' || share === null || rowsRead === 0) return null;
  return (rowsTransformed * share) / rowsRead;
}

/** Below this share the guess would jump about. */
const LEAST_PERCENT = 10;

/** Milliseconds that are probably left; null where there is too little to tell it from. */
export function timeLeftMs(progress: TapeProgress | null, now: number): number | null {
  if (!progress || progress.percent < LEAST_PERCENT || progress.percent >= 100) return null;
  if (progress.stage === 'failed' || progress.stage === 'cancelled') return null;
  const elapsedMs = Math.max(0, now - progress.startedAt);
  return (elapsedMs * (100 - progress.percent)) / progress.percent;
}
