import { Migration } from '@mikro-orm/migrations';
import { SYSTEM_ONLY, table } from './tenant-table.ts';

const heartbeats = table({
  name: 'worker_heartbeats',
  history: { exempt: 'It belongs to the program; no tenant has rows in it.' },
  columns: {
    id: 'text primary key check (length({column}) between 1 and 200)',
    queues: 'text[] not null check (cardinality({column}) between 1 and 8)',
    seen_at: 'timestamptz not null',
  },
  read: SYSTEM_ONLY,
  write: SYSTEM_ONLY,
});

/** Which worker processes are running, and what kinds of work they take. */
export class Workers extends Migration {
  override up(): void {
    this.addSql(heartbeats);
  }
}
