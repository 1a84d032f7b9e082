import { TAPE_STAGES, type TapeEnd, type TapeProgress } from '@tapeline/domain/tapes/progress.ts';
import { tapeRows, tapeStages, tapes } from '@tapeline/telemetry/metrics.ts';
import type { WorkerContext } from '../context.ts';

/** Logs one line for a tape that has ended, and counts it. A tape that waits for an answer is no failure. */
export function reportEnded(
  { log }: Pick<WorkerContext, 'log'>,
  tapeId: string,
  outcome: TapeEnd | 'asked',
  progress: TapeProgress | undefined,
): void {
  tapes.add(1, { outcome });
  if (!progress) return void log.info({ event: 'tape ended', tapeId, outcome }, 'tape ended');
  const endedAt = progress.reachedAt[outcome === 'asked' ? 'failed' : outcome] ?? Date.now();
  const stages = stageDurations(progress, endedAt);
  for (const [stage, durationMs] of Object.entries(stages)) tapeStages.record(durationMs / 1000, { stage });
  tapeRows.add(progress.rowsRead, { rows: 'read' });
  tapeRows.add(progress.rowsTransformed, { rows: 'transformed' });
  tapeRows.add(progress.rowsErrored, { rows: 'errored' });
  const line = {
    event: 'tape ended',
    tapeId,
    outcome,
    rowsRead: progress.rowsRead,
    rowsTransformed: progress.rowsTransformed,
    rowsErrored: progress.rowsErrored,
    batches: progress.batches,
    durationMs: endedAt - progress.startedAt,
    stageMs: stages,
    ...(outcome === 'failed' && progress.failure !== null ? { failure: progress.failure } : {}),
  };
  if (outcome === 'failed') log.warn(line, 'tape ended');
  else log.info(line, 'tape ended');
}

/** How long the tape was in each stage that it reached, in milliseconds. */
export function stageDurations(
  { reachedAt }: Pick<TapeProgress, 'reachedAt'>,
  endedAt: number,
): Record<string, number> {
  const reached = TAPE_STAGES.flatMap((stage) => {
    const at = reachedAt[stage];
    return at === undefined ? [] : [{ stage, at }];
  });
  return Object.fromEntries(
    reached.map(({ stage, at }, index) => [stage, Math.max(0, (reached[index + 1]?.at ?? endedAt) - at)]),
  );
}
