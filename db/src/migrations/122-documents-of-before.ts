import { Migration } from '@mikro-orm/migrations';
import { asSystem } from './tenant-table.ts';

/** Rows change without their triggers. What a foreign key checks at the end of the transaction is checked before. */
const silently = (table: string, change: string): string => `
alter table ${table} disable trigger user;${change}
set constraints all immediate;
set constraints all deferred;
alter table ${table} enable trigger user;`;

const COUNTED = ['companies', 'lps', 'entities', 'users', 'lp_groups'];

/** As migration 23 counts them. */
const counts = `
delete from document_counts;
insert into document_counts (collection, manager_id, status, count) select 'entities.category', manager_id, value, count(*)
  from entities, jsonb_array_elements_text(category) as value where status <> 'Removed' group by manager_id, value;
${COUNTED.map(
  (name) =>
    `insert into document_counts (collection, manager_id, status, count) select '${name}', manager_id, status, count(*) from ${name} group by manager_id, status;`,
).join('\n')}`;

/** As migrations 23 and 27 store them. */
const names = [
  silently('users', '\nalter table users enable trigger users_description;\nupdate users set role_id = role_id;'),
  silently(
    'funds',
    '\nupdate funds set party_names = party_names_of(gp_ids::text[] || management_company_id::text)\nwhere cardinality(gp_ids) > 0 or management_company_id is not null;',
  ),
].join('');

/** The words of documents that the index of the search does not have; migrations 45 and 49 say which these are. */
const words = `
do $$ declare found record; begin
  for found in select p.proname as indexes, c.relname as documents from pg_proc p
    join pg_class c on c.reltype = p.proargtypes[0] and p.proname = 'index_' || c.relname
    where p.pronamespace = 'public'::regnamespace and p.pronargs = 1 loop
    execute format('select %I(t) from %I t where t.status <> ''Removed''
      and not exists (select from search_words w where w.document_id = t.id)', found.indexes, found.documents);
  end loop;
  perform index_mappings(manager_id, family_id) from (select distinct manager_id, family_id from mappings) as found_mappings;
  perform index_contracts(manager_id, note_id) from (select distinct manager_id, note_id from contracts) as found_contracts;
end $$;`;

/**
 * What migrations 23, 27, 45 and 49 derived from the rows of before. Where the owner of the tables is not a superuser,
 * row-level security showed them none.
 */
export class DocumentsOfBefore extends Migration {
  override up(): void {
    this.addSql(asSystem([counts, names, words].join('\n')));
  }
}
