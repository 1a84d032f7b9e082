import { Migration } from '@mikro-orm/migrations';

/**
 * Imports and their checks are workflows: Temporal counts their attempts, knows their progress and starts them in turn.
 * What waits or runs stays as it is: the schedule of imports starts its workflow.
 *
 * The columns of the earlier queue stay until a later migration, because processes of the version before this one still
 * read them during an upgrade: `attempts` and `done_count` of imports, and `check_attempts`, `check_done` and
 * `check_queued_at` of drafts.
 */
const workflows = `
-- A check that is being accepted holds a lock on the table, and this one makes all others wait.
set local lock_timeout = '10s';
alter table import_drafts
  drop constraint import_drafts_checked,
  add constraint import_drafts_checked check (check_status is null or check_version is not null);
create index on import_drafts (id) where check_status in ('Pending', 'Processing');
set local lock_timeout = default;`;

/** Lets a check wait without a time in the earlier queue. */
export class ImportWorkflows extends Migration {
  override up(): void {
    this.addSql(workflows);
  }
}
