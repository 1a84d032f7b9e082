import { Migration } from '@mikro-orm/migrations';
import { FILE_STATES } from './as-landed.ts';
import { byLP, EVERYTHING, OF_COMPANY, oneOf, references, SYSTEM_ONLY, table } from './tenant-table.ts';

// A file that belongs to no company or investor belongs to its creator, within the creator's own tenant.
const OWN = `(created_by_user_id = (select actor_user()) and company_id is null and lp_id is null
  and (manager_id is null or manager_id = (select actor_tenant())))`;

/**
 * Who reads a file. Logos and icons are of entities: whoever sees none of those sees no image, even by its key. Investors
 * also read the files of what was issued to them, which the policy says once these tables exist.
 */
export const READERS_OF_FILES = `${OF_COMPANY} or ${byLP('lp_id')} or created_by_user_id = (select actor_user())
  or (bucket = 'publicFiles' and (
    exists (select from entities e where e.business ->> 'logo' in (files.key, files.id))
    or exists (select from entities e where e.business ->> 'icon' in (files.key, files.id))))`;

const files = table({
  name: 'files',
  history: { exempt: 'A file never changes once it is stored; the document that names it has a history.' },
  columns: {
    id: 'object_id primary key',
    bucket: `text not null check ({column} in ('capitalAccounts', 'capitalCalls', 'fundReports', 'announcements',
      'importerFiles', 'testFiles', 'loanTapes', 'publicFiles'))`,
    key: 'text not null',
    name: 'text not null check (char_length({column}) between 1 and 250)',
    size: 'bigint not null check ({column} >= 0)',
    type: 'text not null',
    checksum: 'text',
    status: oneOf(FILE_STATES, 'Pending'),
    manager_id: 'object_id',
    company_id: 'object_id',
    lp_id: 'object_id',
    created_by_user_id: 'object_id',
    created_at: 'timestamptz not null',
  },
  constraints: [
    'unique (bucket, key)',
    "check (status <> 'Active' or checksum is not null)",
    `constraint files_company foreign key (company_id, manager_id) ${references('companies', 'id, manager_id')}`,
    `constraint files_lp foreign key (lp_id, manager_id) ${references('lps', 'id, manager_id')}`,
  ],
  indexes: ['(manager_id)', '(company_id)'],
  read: READERS_OF_FILES,
  write: `${OF_COMPANY} or ${OWN}`,
});

/** Documents that name a file by its id, or by its key. */
const NAMING = `
    select file_id::text as file from contributions where file_id is not null
    union select file_id from distributions where file_id is not null
    union select file_id from capital_accounts where file_id is not null
    union select file_id from reports
    union select unnest(file_ids) from announcements
    union select attachment ->> 'key' from loan_tapes
    union select other ->> 'key' from loan_tapes, jsonb_array_elements(other_attachments) as other
    union select attached ->> 'key' from draws, jsonb_array_elements(attachments) as attached`;

/**
 * The ids and keys of files of blocked documents, unless the actor can see another document that names the file. The
 * function looks behind the block, which is why it switches the block off for one query.
 */
const hidden = `
create function hidden_files() returns text[] stable language plpgsql as $$
declare
  blocked text := nullif(current_setting('tapeline.blocked', true), '');
  named text[];
begin
  if blocked is null then
    return '{}';
  end if;
  perform set_config('tapeline.blocked', '', true);
  named := array(${NAMING});
  perform set_config('tapeline.blocked', blocked, true);
  return array(select unnest(named) except (${NAMING}));
end $$;
create policy blocked_document on files as restrictive for select using (
  id <> all ((select hidden_files())::text[]) and key <> all ((select hidden_files())::text[]));`;

/** Identifies the product instance of this database; its object storage has the same id. */
const instance = table({
  name: 'instance',
  history: { exempt: 'One row that never changes.' },
  columns: {
    id: 'object_id primary key',
    only_one: 'boolean not null default true unique check (only_one)',
    created_at: 'timestamptz not null',
  },
  read: SYSTEM_ONLY,
  write: SYSTEM_ONLY,
});

/** Objects that are no longer needed. The sweep deletes only what is recorded here. */
const droppedObjects = table({
  name: 'dropped_objects',
  history: { exempt: 'A work list of the sweep.' },
  columns: {
    key: 'text primary key check (char_length({column}) between 3 and 700)',
    size: 'bigint not null check ({column} >= 0)',
    reason: 'text not null check (char_length({column}) between 1 and 200)',
    dropped_at: 'timestamptz not null',
    trashed_at: 'timestamptz check (trashed_at >= dropped_at)',
  },
  indexes: ['(dropped_at) where trashed_at is null', '(trashed_at) where trashed_at is not null'],
  read: SYSTEM_ONLY,
  write: SYSTEM_ONLY,
});

/** Removing a file drops its bytes in the same transaction. Only the system can access the table itself. */
const removedFiles = `
create function drop_removed_file() returns trigger language plpgsql as $$
declare actor text := current_setting('tapeline.actor_type', true);
begin
  -- Not a setting of the function: only a superuser may create one with a setting that PostgreSQL does not know.
  perform set_config('tapeline.actor_type', 'system', true);
  insert into dropped_objects (key, size, reason, dropped_at)
    values (new.bucket || '/' || new.key, new.size, 'the file was removed', now()) on conflict (key) do nothing;
  perform set_config('tapeline.actor_type', coalesce(actor, ''), true);
  return null;
end $$;
create trigger files_dropped after update of status on files for each row
  when (new.status = 'Removed' and old.status <> 'Removed') execute function drop_removed_file();`;

const findings = table({
  name: 'object_findings',
  history: { exempt: 'It is a record of the system; no tenant has rows in it.' },
  columns: {
    key: 'text primary key check (char_length({column}) between 1 and 1024)',
    finding: oneOf(['missing', 'size', 'content', 'orphan']),
    found_at: 'timestamptz not null',
    checked_at: 'timestamptz not null check (checked_at >= found_at)',
  },
  indexes: ['(finding, key)'],
  read: EVERYTHING,
  write: SYSTEM_ONLY,
});

const comparison = table({
  name: 'object_comparison',
  history: { exempt: 'It is a record of the system; no tenant has rows in it.' },
  columns: {
    only_one: 'boolean primary key default true check (only_one)',
    place: 'text not null check (char_length({column}) <= 100)',
    began_at: 'timestamptz not null',
  },
  read: EVERYTHING,
  write: SYSTEM_ONLY,
});

/**
 * Files, the instance that their bytes belong to, the objects that are to be deleted, and what comparing the database with
 * the object storage found.
 */
export class Files extends Migration {
  override up(): void {
    this.addSql([files, hidden, instance, droppedObjects, removedFiles, findings, comparison].join('\n'));
  }
}
