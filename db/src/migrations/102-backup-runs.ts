import { Migration } from '@mikro-orm/migrations';
import { EVERYTHING, oneOf, SYSTEM_ONLY, table } from './tenant-table.ts';

const runs = table({
  name: 'backup_runs',
  history: { exempt: 'It is a record of the system; no tenant has rows in it.' },
  columns: {
    kind: `${oneOf(['backup', 'restoreTest'])} primary key`,
    succeeded_at: 'timestamptz',
    failed_at: 'timestamptz',
    failure: 'text check (char_length({column}) between 1 and 1000)',
  },
  read: EVERYTHING,
  write: SYSTEM_ONLY,
});

/** When backups were last made, and when restoring one was last tried. */
export class BackupRuns extends Migration {
  override up(): void {
    this.addSql(runs);
  }
}
