import { Migration } from '@mikro-orm/migrations';
import { SYSTEM_ONLY } from './tenant-table.ts';

/** A notification speaks of a document, so it needs the permission to read the documents of that collection. */
const notifications = `
create function actor_readable() returns text[] stable parallel safe language sql
  return string_to_array(nullif(current_setting('tapeline.readable', true), ''), ',');
create policy readable on notifications as restrictive for select using (
  ${SYSTEM_ONLY} or resource = any ((select actor_readable())::text[]));`;

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
const files = `
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

/** Notifications and files are as hidden as the documents that they belong to. */
export class ReadableCollections extends Migration {
  override up(): void {
    this.addSql([notifications, files].join('\n'));
  }
}
