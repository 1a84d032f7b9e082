import type { LoanTape } from '@tapeline/db/entities/tapes.ts';
import { isEnd, laterProgress, type TapeProgress } from '@tapeline/domain/tapes/progress.ts';

/** Tapes in progress that somebody looks at. Without the memory of one, its page can only fall back a little. */
const MAX_TAPES = 1000;
const shown = new Map<string, TapeProgress>();

/**
 * The progress to show for a tape in progress. The workflow's answer is ahead of what is recorded, so that a question
 * that is not answered in time would set the page back: the latest progress that this process has shown is kept.
 * @param answered by the workflow; null if it did not answer
 */
export function shownProgress(
  tape: Pick<LoanTape, 'id' | 'fence' | 'progress'>,
  answered: TapeProgress | null,
): TapeProgress | null {
  // A failed job ends the fence, so that what was shown of it does not outlive its retry.
  const key = `${tape.id}/${tape.fence}`;
  // Until a retry has begun, Temporal asks the workflow that failed.
  const current = answered && !isEnd(answered.stage) ? answered : null;
  const latest = laterProgress(laterProgress(shown.get(key) ?? null, tape.progress ?? null), current);
  if (latest === null) return null;
  shown.delete(key);
  shown.set(key, latest);
  const [oldest] = shown.keys();
  if (shown.size > MAX_TAPES && oldest !== undefined) shown.delete(oldest);
  return latest;
}
