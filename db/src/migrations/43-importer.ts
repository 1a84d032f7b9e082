import { Migration } from '@mikro-orm/migrations';
import { IMPORT_KINDS, IMPORT_STATES, IMPORT_STATUSES, MAX_FILES_OF_IMPORTS, MAX_IMPORTED_ROWS } from './as-landed.ts';
import { list, oneOf, references, tenantTable } from './tenant-table.ts';

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
    failure: 'text check (char_length({column}) <= 4000)',
    finished_at: 'timestamptz',
  },
  // All rows or none.
  constraints: [
    "constraint imports_whole check (uploaded_count = case when status in ('Completed', 'Removed') and finished_at is not null then total_count else 0 end)",
  ],
});

/** Imports: what was uploaded, and how many records it became. */
export class Importer extends Migration {
  override up(): void {
    this.addSql(imports);
  }
}
