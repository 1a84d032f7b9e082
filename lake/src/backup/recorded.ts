import type { Environment } from '@tapeline/db/environment.ts';
import { type BackupRunKind, recordBackupRun } from '@tapeline/db/operations/backups/backup-runs.ts';
import { openStore, systemActor } from '@tapeline/db/store.ts';

const BACKUPS = systemActor('Backups');

/**
 * Does something, and records in the database when it succeeded or why it failed, for metrics and the doctor.
 * @param recordsFailure false for a run that somebody watches, who reads why it failed
 */
export async function recorded<Result>(
  environment: Pick<Environment, 'databaseUrl' | 'databasePoolSize'>,
  kind: BackupRunKind,
  work: () => Promise<Result>,
  { recordsFailure = true }: { recordsFailure?: boolean } = {},
): Promise<Result> {
  const record = async (failure: string | null) => {
    const store = await openStore(environment);
    try {
      await store.as(BACKUPS, (session) => recordBackupRun(session, kind, failure));
    } finally {
      await store.close();
    }
  };
  let result: Result;
  try {
    result = await work();
  } catch (error) {
    // The error itself says more than that it could not be recorded, for example because PostgreSQL is down.
    if (recordsFailure) await record(error instanceof Error ? error.message : String(error)).catch(() => {});
    throw error;
  }
  await record(null);
  return result;
}
