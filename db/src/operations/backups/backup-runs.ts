import type { ReadSession } from '../../read-session.ts';
import type { Session } from '../../store.ts';

/** Making a backup, or restoring one to see that it can be restored. */
export type BackupRunKind = 'backup' | 'restoreTest';

export interface BackupRunView {
  /** When one last succeeded; null if none has. */
  readonly succeededAt: Date | null;
  /** When one last failed, and why; null if none has since the last success. */
  readonly failure: { readonly at: Date; readonly reason: string } | null;
}

/**
 * The age from which a last success is late: backups are made every night, and restoring one is rehearsed every week. The
 * doctor says it, and the alerts of deploy/prometheus have the same limits.
 */
export const LATE_AFTER_HOURS: Readonly<Record<BackupRunKind, number>> = { backup: 36, restoreTest: 9 * 24 };

const MAX_REASON = 1000;

/** Records that a run succeeded (`failure` is null) or failed. Called as the system. */
export async function recordBackupRun(session: Session, kind: BackupRunKind, failure: string | null): Promise<void> {
  await session.query(
    `insert into backup_runs (kind, succeeded_at, failed_at, failure)
     values ($1, case when $3::text is null then $2::timestamptz end, case when $3 is not null then $2::timestamptz end, $3)
     on conflict (kind) do update set succeeded_at = coalesce(excluded.succeeded_at, backup_runs.succeeded_at),
       failed_at = excluded.failed_at, failure = excluded.failure`,
    [kind, session.now, failure?.slice(0, MAX_REASON) || null],
  );
}

/** Forgets the failed runs of a restored backup: they happened before it was made. Called as the system. */
export async function forgetFailedRuns(session: Session): Promise<void> {
  await session.query('update backup_runs set failed_at = null, failure = null where failed_at is not null');
}

/** The last runs of each kind. */
export async function lastBackupRuns(session: ReadSession): Promise<Record<BackupRunKind, BackupRunView>> {
  const rows = await session.query<{
    kind: BackupRunKind;
    succeededAt: string | null;
    failedAt: string | null;
    failure: string | null;
  }>(
    `select kind, to_json(succeeded_at) #>> '{}' as "succeededAt", to_json(failed_at) #>> '{}' as "failedAt", failure from backup_runs`,
  );
  const runOf = (kind: BackupRunKind): BackupRunView => {
    const row = rows.find((one) => one.kind === kind);
    return {
      succeededAt: row?.succeededAt ? new Date(row.succeededAt) : null,
      failure: row?.failedAt ? { at: new Date(row.failedAt), reason: row.failure ?? '' } : null,
    };
  };
  return { backup: runOf('backup'), restoreTest: runOf('restoreTest') };
}
