import { daysBetween, fromEpochDay, toEpochDay } from '@tapeline/domain/dates/calendar-date.ts';
import type { FundTimelineEntry } from '@tapeline/domain/funds/fund.schema.ts';

interface Bar {
  readonly from: string;
  readonly to: string;
}

/** A stage as the timeline draws it. */
export interface Stage {
  readonly title: string;
  readonly description: string | null;
  readonly planned: Bar;
  /** Whether the stage has an end; without one it is a date. */
  readonly lasts: boolean;
  /** What has happened, what is still to come, and what happens only if the stage is activated. */
  readonly done: Bar | null;
  readonly toCome: Bar | null;
  readonly notActivated: Bar | null;
  readonly actual: string | null;
  /** Days from the planned to the actual start, or to today if it has not started; null before the planned start. */
  readonly daysLate: number | null;
  /** Days until the end of a stage that has started. */
  readonly daysLeft: number | null;
  readonly activated: boolean;
}

const later = (a: string, b: string): string => (a > b ? a : b);
const earlier = (a: string, b: string): string => (a < b ? a : b);

/** A stage as of a day. A stage that starts late keeps its planned end. */
export function stageOf(entry: FundTimelineEntry, today: string): Stage {
  const { planned, activated } = entry;
  const actual = entry.actual ?? null;
  const start = actual ?? planned;
  const end = later(entry.endTime ?? start, start);
  const takesPlace = actual !== null || activated;
  const hasStarted = actual !== null && actual <= today;
  return {
    title: entry.title,
    description: entry.description || null,
    planned: { from: planned, to: later(entry.endTime ?? planned, planned) },
    lasts: Boolean(entry.endTime),
    done: hasStarted ? { from: start, to: earlier(end, today) } : null,
    toCome: takesPlace && end > today ? { from: hasStarted ? later(start, today) : start, to: end } : null,
    notActivated: takesPlace ? null : { from: planned, to: end },
    actual,
    daysLate: actual ? daysBetween(planned, actual) : planned < today ? daysBetween(planned, today) : null,
    daysLeft: hasStarted && entry.endTime && end > today ? daysBetween(today, end) : null,
    activated,
  };
}

/** Places on a line from 0 to 100, which covers every stage and today, with some room on both sides. */
export function scaleOf(stages: readonly Stage[], today: string) {
  const days = [
    today,
    ...stages.flatMap(({ planned, done, toCome }) =>
      [planned, done, toCome].flatMap((bar) => (bar ? [bar.from, bar.to] : [])),
    ),
  ].sort();
  const first = toEpochDay(days[0] ?? today);
  const last = toEpochDay(days.at(-1) ?? today);
  const room = Math.max(15, Math.round((last - first) * 0.02));
  const [from, to] = [first - room, last + room];
  return {
    first: fromEpochDay(from),
    last: fromEpochDay(to),
    placeOf: (day: string): number => Math.round(((toEpochDay(day) - from) / (to - from)) * 10_000) / 100,
  };
}
