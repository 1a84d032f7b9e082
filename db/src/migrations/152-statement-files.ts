import { Migration } from '@mikro-orm/migrations';
import { OF_MANAGER, oneOf, optional, references, SYSTEM_ONLY, tenantTable, text } from './tenant-table.ts';

/** A file can be of any account, and its name and what is wrong with it say of which: whoever has blocked documents sees none. */
const NOTHING_BLOCKED = `(select coalesce(current_setting('tapeline.blocked', true), '') = '')`;

const files = tenantTable({
  name: 'statement_files',
  tenant: 'manager',
  history: { resource: 'statementFiles', silent: ['name', 'reason'] },
  statuses: ['Active'],
  columns: {
    name: text({ minLength: 1, maxLength: 250 }),
    size: 'bigint not null check ({column} >= 0)',
    written_at: 'timestamptz not null',
    outcome: oneOf(['Imported', 'Refused']),
    reason: optional(text({ minLength: 1, maxLength: 2000 })),
    // Null for a file that stays where it was delivered.
    file_id: `object_id ${references('files')}`,
    statements: 'integer not null default 0 check ({column} >= 0)',
    added: 'integer not null default 0 check ({column} >= 0)',
  },
  constraints: [
    "constraint statement_files_reason check ((outcome = 'Refused') = (reason is not null))",
    "constraint statement_files_stored check (outcome = 'Refused' or file_id is not null)",
    "check (outcome = 'Imported' or (statements = 0 and added = 0))",
  ],
  indexes: ['(file_id)'],
  read: `(${OF_MANAGER}) and ${NOTHING_BLOCKED}`,
  write: { insert: SYSTEM_ONLY, update: 'false', delete: 'false' },
});

/** Files of bank statements that banks delivered to the object storage. */
export class StatementFiles extends Migration {
  override up(): void {
    this.addSql(files);
  }
}
