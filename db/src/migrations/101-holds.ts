import { Migration } from '@mikro-orm/migrations';
import { EVERYTHING, oneOf, SYSTEM_ONLY, table } from './tenant-table.ts';

const holds = table({
  name: 'holds',
  history: { exempt: 'A restore concerns the whole installation; no tenant has rows in it.' },
  columns: {
    id: 'object_id primary key',
    kind: oneOf(['email']),
    backup_at: 'timestamptz not null',
    started_at: 'timestamptz not null',
    ended_at: 'timestamptz',
    ended_by: 'object_id',
  },
  // One restore after another extends the hold.
  indexes: ['unique (kind) where ended_at is null'],
  read: EVERYTHING,
  write: SYSTEM_ONLY,
});

const heldMails = `
alter table outbox drop constraint outbox_status_check,
  add constraint outbox_status_check check (status in ('Queued', 'Held', 'Sent', 'Failed', 'Skipped')),
  add column hold_id object_id references holds (id),
  add column hold_decided_at timestamptz,
  add column hold_decided_by object_id,
  add constraint outbox_held check (status <> 'Held' or hold_id is not null);
create index on outbox (id) where status = 'Held';`;

/** What a restored backup would do again is held until an administrator decides. */
export class Holds extends Migration {
  override up(): void {
    this.addSql([holds, heldMails].join('\n'));
  }
}
