import { Migration } from '@mikro-orm/migrations';
import { IMPORT_KINDS, IMPORT_STATES, IMPORT_STATUSES, MAX_FILES_OF_IMPORTS, MAX_IMPORTED_ROWS } from './as-landed.ts';
import { list, object, oneOf, references, SYSTEM_ONLY, table, tenantTable } from './tenant-table.ts';

const imports = tenantTable({
  name: 'imports',
  tenant: 'manager',
  // The rows are read once, by the worker; what they become has a history of its own.
  history: { resource: 'importer', silent: ['rows', 'done_count', 'attempts', 'failure'] },
  statuses: IMPORT_STATES,
  initialStatus: 'Pending',
  columns: {
    user_id: `object_id ${references('users')}`,
    kind: oneOf(IMPORT_KINDS),
    record_status: oneOf(IMPORT_STATUSES),
    attachments: list(MAX_FILES_OF_IMPORTS, 1),
    files: list(MAX_FILES_OF_IMPORTS),
    rows: list(MAX_IMPORTED_ROWS),
    total_count: 'integer not null check ({column} >= 0)',
    uploaded_count: 'integer not null default 0 check ({column} >= 0 and {column} <= total_count)',
    // How many rows the worker has written so far. They count once all of them are committed.
    done_count: 'integer not null default 0 check ({column} >= 0 and {column} <= total_count)',
    // How often a worker began to write it: one that stops its worker each time is not tried forever.
    attempts: 'integer not null default 0 check ({column} >= 0)',
    failure: 'text check (char_length({column}) <= 4000)',
    finished_at: 'timestamptz',
  },
  // All rows or none.
  constraints: [
    "constraint imports_whole check (uploaded_count = case when status in ('Completed', 'Removed') and finished_at is not null then total_count else 0 end)",
  ],
});

// A person's own, in the tenant that the person acted for.
const OWN = `${SYSTEM_ONLY} or (user_id = (select actor_user()) and manager_id = (select actor_manager()))`;

const drafts = table({
  name: 'import_drafts',
  history: { exempt: 'What an import changes is recorded; preparing it changes nothing.' },
  columns: {
    id: 'object_id primary key',
    manager_id: `object_id not null ${references('managers')}`,
    user_id: 'object_id not null references users (id) on delete cascade deferrable initially deferred',
    content: `${object} check (octet_length({column}::text) <= 16000000)`,
    kind: `${oneOf(IMPORT_KINDS)} generated always as (content ->> 'kind') stored`,
    import_id: 'object_id',
    version: 'integer not null default 1',
    created_at: 'timestamptz not null',
    changed_at: 'timestamptz not null',
    // The last check of the draft, which a worker runs.
    check_status: "text check ({column} in ('Pending', 'Processing', 'Completed', 'Failed'))",
    // The version of the draft that is checked.
    check_version: 'integer',
    // Dropped once it is checked.
    check_input: "jsonb check (jsonb_typeof({column}) = 'object' and octet_length({column}::text) <= 64000000)",
    check_total: 'integer not null default 0 check ({column} >= 0)',
    check_done: 'integer not null default 0 check ({column} between 0 and check_total)',
    check_attempts: 'integer not null default 0 check ({column} >= 0)',
    check_queued_at: 'timestamptz',
    check_began_at: 'timestamptz',
    check_ended_at: 'timestamptz',
    check_result: "jsonb check (jsonb_typeof({column}) = 'object')",
    check_failure: 'text check (char_length({column}) <= 4000)',
  },
  constraints: [
    `constraint import_drafts_checked
      check (check_status is null or (check_version is not null and check_queued_at is not null))`,
  ],
  indexes: [
    '(user_id, changed_at)',
    "(check_queued_at) where check_status in ('Pending', 'Processing')",
    // For what retention looks for every hour.
    '(changed_at)',
  ],
  read: OWN,
  write: OWN,
});

/** Imports: what was uploaded, and how many records it became; and those that were prepared and perhaps not started. */
export class Imports extends Migration {
  override up(): void {
    this.addSql([imports, drafts].join('\n'));
  }
}
