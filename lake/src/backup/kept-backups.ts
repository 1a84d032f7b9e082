import type { BackupsKept } from '@tapeline/db/environment.ts';
import { fromEpochDay, toEpochDay } from '@tapeline/domain/dates/calendar-date.ts';

/** A backup is named by its day, with or without a time: 2026-11-26 or 2026-11-26T03-00-12Z. */
const NAME = /^(\d{4}-\d{2}-\d{2})(T\d{2}-\d{2}-\d{2}Z)?$/;

/** The name of a backup of a moment. It sorts by time. */
export const backupNameOf = (at: Date): string => at.toISOString().replaceAll(':', '-').replace(/\..*/, 'Z');

const WEEK = 7;
/** The Monday of a day's week. 1970-01-01, day 0, was a Thursday. */
const mondayOf = (day: string): string => {
  const epochDay = toEpochDay(day);
  return fromEpochDay(epochDay - ((((epochDay + 3) % WEEK) + WEEK) % WEEK));
};

const oursOf = (names: readonly string[]): string[] => names.filter((name) => NAME.test(name)).toSorted();

/** The latest of the backups that are named by their time; others, such as `before-upgrade`, do not tell theirs. */
export const latestBackup = (names: readonly string[]): string | undefined => oursOf(names).at(-1);

/**
 * The backups to remove: those that are not the latest of one of the last days, weeks or months that have backups. The
 * latest backup stays whatever is kept, and so do the one that was just made, which a wrong clock may have named, and every
 * name that no backup of ours has.
 */
export function backupsToRemove(names: readonly string[], kept: BackupsKept, justMade?: string): string[] {
  const ours = oursOf(names);
  const latestFirst = ours.toReversed();
  const stays = new Set([...latestFirst.slice(0, 1), justMade]);
  const dayOf = (name: string) => name.slice(0, 10);
  for (const [periodOf, count] of [
    [dayOf, kept.daily],
    [(name: string) => mondayOf(dayOf(name)), kept.weekly],
    [(name: string) => name.slice(0, 7), kept.monthly],
  ] as const) {
    const periods = new Set<string>();
    for (const name of latestFirst) {
      if (periods.size === count) break;
      const period = periodOf(name);
      if (!periods.has(period)) stays.add(name);
      periods.add(period);
    }
  }
  return ours.filter((name) => !stays.has(name));
}
