import { Migration } from '@mikro-orm/migrations';

/** The last check of a draft, which a worker runs: one for each draft. */
const checks = `
alter table import_drafts
  add column check_status text check (check_status in ('Pending', 'Processing', 'Completed', 'Failed')),
  -- The version of the draft that is checked.
  add column check_version integer,
  -- Dropped once it is checked.
  add column check_input jsonb check (jsonb_typeof(check_input) = 'object' and octet_length(check_input::text) <= 64000000),
  add column check_total integer not null default 0 check (check_total >= 0),
  add column check_done integer not null default 0 check (check_done between 0 and check_total),
  add column check_attempts integer not null default 0 check (check_attempts >= 0),
  add column check_queued_at timestamptz,
  add column check_began_at timestamptz,
  add column check_ended_at timestamptz,
  add column check_result jsonb check (jsonb_typeof(check_result) = 'object'),
  add column check_failure text check (char_length(check_failure) <= 4000),
  add constraint import_drafts_checked check (check_status is null or (check_version is not null and check_queued_at is not null));
create index on import_drafts (check_queued_at) where check_status in ('Pending', 'Processing');`;

/** Checks of large files run in a worker, with their progress. */
export class ImportChecks extends Migration {
  override up(): void {
    this.addSql(checks);
  }
}
