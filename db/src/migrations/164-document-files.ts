import { Migration } from '@mikro-orm/migrations';

/** Documents that name one file by its id, by the column of the id. */
const BY_ID = [
  ['contributions', 'file_id'],
  ['contributions', 'excuse_file_id'],
  ['distributions', 'file_id'],
  ['capital_accounts', 'file_id'],
  ['reports', 'file_id'],
  ['base_adjustments', 'file_id'],
  ['account_requests', 'letter_id'],
];
/** Documents that name several, by a list of names in SQL: ids or keys. */
const BY_LIST = [
  ['announcements', 'unnest(t.file_ids)'],
  ['loan_tapes', `jsonb_path_query(jsonb_build_array(t.attachment) || t.other_attachments, '$[*].key') #>> '{}'`],
  ['draws', `jsonb_path_query(t.attachments, '$[*].key') #>> '{}'`],
  ['lps', `jsonb_path_query(t.tax_forms, '$[*].file') #>> '{}'`],
  ['lp_commitments', `jsonb_path_query(t.side_letters, '$[*].document') #>> '{}'`],
];
const usesOf = (table: string, named: string) => `
  select named, t.status = 'Removed', coalesce(t.metadata #>> '{changedBy,timestamp}', t.metadata ->> 'iat')::timestamptz
    from ${table} t cross join lateral (select ${named} as named) as one where named is not null`;

/** A transfer stays as long as its fund. */
const OF_TRANSFERS = `
  select document_id::text, false, null::timestamptz from transfers where document_id is not null`;

/**
 * The files that documents name, by id or by key, as the actor sees the documents. What nobody may read because its
 * document is hidden, and what is deleted because no document needs it, are both decided by this list. A later migration
 * that adds a document with a file creates it again.
 */
const list = `
create function document_files() returns table (named text, is_removed boolean, changed_at timestamptz) stable language sql as $$${[
  ...BY_ID.map(([table = '', column]) => usesOf(table, `t.${column}::text`)),
  ...BY_LIST.map(([table = '', names = '']) => usesOf(table, names)),
  OF_TRANSFERS,
].join('\n  union all')}
$$;`;

const hidden = `
create or replace function hidden_files() returns text[] stable language plpgsql as $$
declare
  blocked text := nullif(current_setting('tapeline.blocked', true), '');
  everything text[];
begin
  if blocked is null then
    return '{}';
  end if;
  perform set_config('tapeline.blocked', '', true);
  everything := array(select distinct named from document_files());
  perform set_config('tapeline.blocked', blocked, true);
  return array(select unnest(everything) except select named from document_files());
end $$;`;

/** One list of the files that documents name. */
export class DocumentFiles extends Migration {
  override up(): void {
    this.addSql([list, hidden].join('\n'));
  }
}
