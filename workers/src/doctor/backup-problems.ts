import {
  type BackupRunKind,
  type BackupRunView,
  LATE_AFTER_HOURS,
} from '@tapeline/db/operations/backups/backup-runs.ts';

const HOUR_MS = 3_600_000;
const NAMES: Record<BackupRunKind, string> = { backup: 'backup', restoreTest: 'rehearsal of a restore' };

const ageOf = (hours: number): string => (hours < 72 ? `${Math.floor(hours)} hours` : `${Math.floor(hours / 24)} days`);

/** What is wrong with the last run of each kind. An installation that has never made one is not asked for it here. */
export function backupProblems(runs: Record<BackupRunKind, BackupRunView>, now = Date.now()): string[] {
  return (['backup', 'restoreTest'] as const).flatMap((kind) => {
    const { succeededAt, failure } = runs[kind];
    if (failure) return [`The last ${NAMES[kind]} failed on ${failure.at.toISOString()}: ${failure.reason}`];
    const hours = succeededAt ? (now - succeededAt.getTime()) / HOUR_MS : 0;
    return hours > LATE_AFTER_HOURS[kind]
      ? [
          `The last ${NAMES[kind]} is ${ageOf(hours)} old. Look at \`systemctl list-timers\` and the journal of its unit.`,
        ]
      : [];
  });
}
