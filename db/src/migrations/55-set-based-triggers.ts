import { Migration } from '@mikro-orm/migrations';
import { GROUPED } from './49-search-activity.ts';

// Triggers with transition tables cannot name columns, so triggers on updates compare the rows themselves.
const onStatement = (table: string, name: string, body: string): string => `
create trigger ${table}_${name}_added after insert on ${table}
  referencing new table as added for each statement execute function ${body}();
create trigger ${table}_${name}_gone after delete on ${table}
  referencing old table as gone for each statement execute function ${body}();
create trigger ${table}_${name}_changed after update on ${table}
  referencing old table as gone new table as added for each statement execute function ${body}();`;

/** A function of triggers on statements that counts the values of the rows. */
const counting = (name: string, collection: string, values: (rows: string, change: number) => string): string => `
create function ${name}() returns trigger language plpgsql security definer set search_path from current as $$ begin
  case tg_op
    when 'INSERT' then
      perform count_change(${collection}, manager_id, value, sum(change)::integer) from (${values('added', 1)}) one
        group by manager_id, value;
    when 'DELETE' then
      perform count_change(${collection}, manager_id, value, sum(change)::integer) from (${values('gone', -1)}) one
        group by manager_id, value;
    else
      perform count_change(${collection}, manager_id, value, sum(change)::integer)
        from (${values('gone', -1)} union all ${values('added', 1)}) one
        group by manager_id, value having sum(change) <> 0;
  end case;
  return null;
end $$;`;

const COUNTED = ['companies', 'lps', 'entities', 'users', 'lp_groups'];
const counts = `
${COUNTED.map((table) => `drop trigger ${table}_counted on ${table}; drop trigger ${table}_recounted on ${table};`).join('\n')}
drop trigger entities_categories on entities;
drop trigger entities_recategorized on entities;
drop function count_row();
drop function count_categories();
${counting('count_rows', 'tg_table_name', (rows, change) => `select manager_id, status as value, ${change} as change from ${rows}`)}
${counting(
  'count_rows_by_category',
  `'entities.category'`,
  (rows, change) =>
    `select manager_id, value, ${change} as change from ${rows}, jsonb_array_elements_text(category) as value where status <> 'Removed'`,
)}
${COUNTED.map((table) => onStatement(table, 'counts', 'count_rows')).join('')}
${onStatement('entities', 'categories', 'count_rows_by_category')}`;

/**
 * An entity may be added after the parties that it is of: references are checked at the end of a transaction. All new
 * entities of a statement are looked up at once, and an entity that is changed only if its name is.
 */
const names = `
create function name_parties_of_new() returns trigger language plpgsql set enable_seqscan = off as $$
declare
  actor text := coalesce(current_setting('tapeline.actor_type', true), '');
  blocked text := coalesce(current_setting('tapeline.blocked', true), '');
begin
  perform set_config('tapeline.actor_type', 'system', true), set_config('tapeline.blocked', '', true);
  ${['managers', 'companies', 'lps']
    .map(
      (table) => `update ${table} party set name = added.name, formal_id = added.formal_id, country = added.country
    from added where party.entity_id = added.id
      and (party.name, party.formal_id, party.country) is distinct from (added.name, added.formal_id, added.country);`,
    )
    .join('\n  ')}
  update funds set name = added.name from added where funds.entity_id = added.id and funds.name <> added.name;
  perform set_config('tapeline.actor_type', actor, true), set_config('tapeline.blocked', blocked, true);
  update funds set party_names = party_names_of(gp_ids::text[] || management_company_id::text)
    where (management_company_id in (select id from added)
      or exists (select from unnest(gp_ids) as gp (id) where gp.id in (select id from added)))
      and party_names is distinct from party_names_of(gp_ids::text[] || management_company_id::text);
  return null;
end $$;
drop trigger entities_name on entities;
drop trigger entities_party_names on entities;
create trigger entities_name_of_new after insert on entities
  referencing new table as added for each statement execute function name_parties_of_new();
create trigger entities_name after update of name, formal_id, nationality on entities for each row
  when ((old.name, old.formal_id, old.nationality) is distinct from (new.name, new.formal_id, new.nationality))
  execute function rename_parties();
create trigger entities_party_names after update of name on entities for each row
  when (old.name is distinct from new.name) execute function rename_parties_of_funds();`;

/** The query is planned once for each connection, and documents that are removed are not looked up. */
const numbers = ['contributions', 'distributions']
  .map(
    (table) => `
create function check_number_of_${table}() returns trigger language plpgsql as $$ begin
  if exists (select from ${table} t where t.fund_id = new.fund_id and t.call_number = new.call_number and t.status <> 'Removed'
      and t.metadata ->> 'bundleId' is distinct from new.metadata ->> 'bundleId') then
    raise exception 'the number is taken' using errcode = 'unique_violation', constraint = '${table}_call_number';
  end if;
  return null;
end $$;
drop trigger ${table}_call_number on ${table};
create constraint trigger ${table}_call_number after insert or update of call_number, status on ${table}
  deferrable initially deferred for each row when (new.status <> 'Removed') execute function check_number_of_${table}();`,
  )
  .join('');

/** A bundle is indexed once, and not once for each of its parts. */
const searches = GROUPED.map(({ table, group, columns }) => {
  const values = (row: string) => ['status', ...columns].map((column) => `${row}.${column}`).join(', ');
  const index = (from: string) =>
    `perform index_${table}(manager_id, shared) from (select distinct t.manager_id, ${group} as shared from ${from}) one;`;
  return `
drop trigger ${table}_search on ${table};
create or replace function search_${table}() returns trigger language plpgsql security definer set search_path from current as $$ begin
  case tg_op
    when 'INSERT' then ${index('added t')}
    when 'DELETE' then ${index('gone t')}
    else ${index(`added t join gone on gone.id = t.id where (${values('t')}) is distinct from (${values('gone')})`)}
  end case;
  return null;
end $$;
${onStatement(table, 'search', `search_${table}`)}`;
}).join('');

/** What triggers do for each row of a large import, they do once for each of its statements. */
export class SetBasedTriggers extends Migration {
  override up(): void {
    this.addSql([counts, names, numbers, 'drop function check_call_number();', searches].join('\n'));
  }
}
