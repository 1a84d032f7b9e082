import { Migration } from '@mikro-orm/migrations';
import { IMPORT_KINDS } from './as-landed.ts';
import { object, oneOf, references, SYSTEM_ONLY, table } from './tenant-table.ts';

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
  },
  indexes: ['(user_id, changed_at)'],
  read: OWN,
  write: OWN,
});

/** Imports that were prepared and perhaps not started. */
export class ImportDrafts extends Migration {
  override up(): void {
    this.addSql(drafts);
  }
}
