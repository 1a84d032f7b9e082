import type { TapeDueState } from '@tapeline/domain/tapes/tape-due.ts';
import { formatCount } from '../../../components/figures/format.ts';

/** "Late by 3 days", "Due in 5 days", "Due today", "Processing": when the next tape of a company is expected. */
export function dueWords(tape: { state: TapeDueState; daysLeft: number; isProcessing: boolean }): string {
  if (tape.isProcessing) return 'Processing';
  if (tape.state === 'Late') return `Late by ${formatCount(-tape.daysLeft, 'day')}`;
  return tape.daysLeft === 0 ? 'Due today' : `Due in ${formatCount(tape.daysLeft, 'day')}`;
}
