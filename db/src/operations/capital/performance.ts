import {
  type PerformanceFlow,
  type PerformancePoint,
  performanceCourse,
  performanceDates,
  performanceFlows,
} from '@tapeline/domain/capital/performance.ts';
import type { CalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import type { ReadSession } from '../../read-session.ts';
import { commitmentsInForce, ledgersOf } from './ledgers.ts';

/** Dates of a course, and how many figures of investors it may take. */
const MAX_DATES = 24;
const MAX_FIGURES = 6_000;

export interface FundPerformance {
  /** As of the day. */
  readonly now: PerformancePoint;
  /** The last one is the day itself. Fewer dates for more investors. */
  readonly course: readonly PerformancePoint[];
  readonly flows: readonly PerformanceFlow[];
}

/** How the visible commitments to a fund have performed until a day. Null if nothing was paid in yet. */
export async function fundPerformance(
  session: ReadSession,
  { fundId, at }: { fundId: string; at: CalendarDate },
): Promise<FundPerformance | null> {
  const commitments = await commitmentsInForce(session, { fundIds: [fundId] });
  const all = await ledgersOf(
    session,
    commitments.map(({ id }) => id),
  );
  const ledgers = [...all.values()];
  const [first] = ledgers
    .flatMap(({ calls }) => calls.map(({ dueDate }) => dueDate))
    .filter((date) => date <= at)
    .sort();
  if (first === undefined) return null;
  const most = Math.min(MAX_DATES, Math.floor(MAX_FIGURES / ledgers.length));
  const course = performanceCourse(ledgers, performanceDates(first, at, most));
  const now = course.at(-1);
  return now ? { now, course, flows: performanceFlows(ledgers, at) } : null;
}
