import { Migration } from '@mikro-orm/migrations';
import { APP_ROLE, OF_MANAGER, table } from './tenant-table.ts';

/**
 * How many documents a tenant has, by status, and how many entities by category. Every change adds a row instead of
 * updating one, so that no transaction waits for another. A hundred rows are added up.
 */
const counts = `${table({
  name: 'document_counts',
  columns: {
    id: 'bigint generated always as identity primary key',
    // A table, or 'entities.category'.
    collection: 'text not null',
    manager_id: 'object_id',
    // The status or the category.
    status: 'text not null',
    count: 'integer not null',
  },
  indexes: ['(collection, manager_id)'],
  read: OF_MANAGER,
  write: 'true',
  history: { exempt: 'They are counted by triggers.' },
})}
revoke insert, update, delete on document_counts from ${APP_ROLE};
create function count_change(counted text, manager text, value text, change integer) returns void language plpgsql as $$ begin
  insert into document_counts (collection, manager_id, status, count) values (counted, manager, value, change);
  if (select count(*) from (
      select from document_counts where collection = counted and manager_id = manager limit 100) as rows) = 100 then
    with added as (
      delete from document_counts c where ctid = any (array(
        select ctid from document_counts where collection = counted and manager_id = manager for update skip locked))
      returning c.status, c.count)
    insert into document_counts (collection, manager_id, status, count) select counted, manager, status, sum(added.count) from added group by status having sum(added.count) <> 0;
  end if;
end $$;
create function count_row() returns trigger language plpgsql security definer set search_path from current as $$ begin
  if tg_op <> 'INSERT' then
    perform count_change(tg_table_name, old.manager_id, old.status, -1);
  end if;
  if tg_op <> 'DELETE' then
    perform count_change(tg_table_name, new.manager_id, new.status, 1);
  end if;
  return null;
end $$;
create function count_categories() returns trigger language plpgsql security definer set search_path from current as $$ begin
  if tg_op <> 'INSERT' and old.status <> 'Removed' then
    perform count_change('entities.category', old.manager_id, value, -1) from jsonb_array_elements_text(old.category) as value;
  end if;
  if tg_op <> 'DELETE' and new.status <> 'Removed' then
    perform count_change('entities.category', new.manager_id, value, 1) from jsonb_array_elements_text(new.category) as value;
  end if;
  return null;
end $$;
create trigger entities_categories after insert or delete on entities for each row execute function count_categories();
create trigger entities_recategorized after update of status, category on entities for each row
  when ((old.status, old.category) is distinct from (new.status, new.category)) execute function count_categories();
insert into document_counts (collection, manager_id, status, count) select 'entities.category', manager_id, value, count(*)
  from entities, jsonb_array_elements_text(category) as value where status <> 'Removed' group by manager_id, value;
${['companies', 'lps', 'entities', 'users', 'lp_groups']
  .map(
    (name) => `
create trigger ${name}_counted after insert or delete on ${name} for each row execute function count_row();
create trigger ${name}_recounted after update of status, manager_id on ${name} for each row
  when ((old.status, old.manager_id) is distinct from (new.status, new.manager_id)) execute function count_row();
insert into document_counts (collection, manager_id, status, count) select '${name}', manager_id, status, count(*) from ${name} group by manager_id, status;`,
  )
  .join('')}`;

/** The system sees what the actor may not see: names that are stored twice are updated everywhere. */
const AS_SYSTEM = `
declare
  actor text := coalesce(current_setting('tapeline.actor_type', true), '');
  blocked text := coalesce(current_setting('tapeline.blocked', true), '');
begin
  perform set_config('tapeline.actor_type', 'system', true), set_config('tapeline.blocked', '', true);`;
const AS_ACTOR = `
  perform set_config('tapeline.actor_type', actor, true), set_config('tapeline.blocked', blocked, true);`;

/** Lists sort and filter parties by the formal id and the country of their entity: both are stored with its name. */
const PARTIES = ['managers', 'companies', 'lps'];
const parties = `
alter table entities add column country text generated always as (nationality ->> 'country') stored;
${PARTIES.map(
  (name) => `
alter table ${name} add column formal_id text not null default '', add column country text not null default '';
drop trigger ${name}_name on ${name};`,
).join('')}
create function describe_party() returns trigger language plpgsql as $$
declare entity record;
begin
  select name, formal_id, country into entity from entities where id = new.entity_id;
  new.name := coalesce(entity.name, '');
  new.formal_id := coalesce(entity.formal_id, '');
  new.country := coalesce(entity.country, '');
  return new;
end $$;
${PARTIES.map(
  (name) => `
create trigger ${name}_name before insert or update of entity_id on ${name} for each row execute function describe_party();`,
).join('')}
create or replace function rename_parties() returns trigger language plpgsql as $$ ${AS_SYSTEM}
  ${PARTIES.map(
    (name) => `update ${name} set name = new.name, formal_id = new.formal_id, country = new.country
    where entity_id = new.id and (name, formal_id, country) is distinct from (new.name, new.formal_id, new.country);`,
  ).join('\n  ')}
  update funds set name = new.name where entity_id = new.id and name <> new.name;${AS_ACTOR}
  return null;
end $$;
drop trigger entities_name on entities;
create trigger entities_name after insert or update of name, formal_id, nationality on entities
  for each row execute function rename_parties();`;

/** What lists of users sort by: the names of the organization and of the role. */
const users = `
alter table users
  add column name text generated always as (first_name || ' ' || last_name) stored,
  add column lp_id text generated always as (case when type = 'LP' then assoc #>> '{LP,id}' end) stored,
  add column lp_group_id text generated always as (case when type = 'LPGroup' then assoc #>> '{LPGroup,id}' end) stored,
  add column organization text,
  add column role_title text;
drop index if exists users_expr_idx, users_expr_idx1;
create index on users (company_id);
create index on users (lp_id);
create index on users (lp_group_id);
create function describe_user() returns trigger language plpgsql as $$ ${AS_SYSTEM}
  new.organization := case new.type
    when 'manager' then (select name from managers where id = new.manager_id)
    when 'company' then (select name from companies where id = new.company_id)
    when 'LP' then (select title from lps where id = new.assoc #>> '{LP,id}')
    when 'LPGroup' then (select title from lp_groups where id = new.assoc #>> '{LPGroup,id}') end;
  new.role_title := (select title from roles where id = new.role_id);${AS_ACTOR}
  return new;
end $$;
create trigger users_description before insert or update of type, assoc, manager_id, company_id, role_id on users
  for each row execute function describe_user();
${[
  ['managers', 'name', 'organization', `type = 'manager' and manager_id = new.id`],
  ['companies', 'name', 'organization', 'company_id = new.id'],
  ['lps', 'title', 'organization', 'lp_id = new.id'],
  ['lp_groups', 'title', 'organization', 'lp_group_id = new.id'],
  ['roles', 'title', 'role_title', 'role_id = new.id'],
]
  .map(
    ([name, label, column, condition]) => `
create function describe_users_of_${name}() returns trigger language plpgsql as $$ ${AS_SYSTEM}
  update users set ${column} = new.${label} where ${condition} and ${column} is distinct from new.${label};${AS_ACTOR}
  return null;
end $$;
create trigger ${name}_users after insert or update of ${label} on ${name} for each row execute function describe_users_of_${name}();`,
  )
  .join('')}
update users set role_id = role_id;`;

/**
 * An index cannot be used for a filter whose function might tell an actor about rows that the policies hide. These
 * functions only ever fail because of the pattern, never because of a row. Only a superuser can say so; without it,
 * searches of long lists read the tenant's rows one by one.
 */
const search = `
create extension if not exists pg_trgm;
do $$ begin
  alter function texticlike(text, text) leakproof;
  alter function textregexeq(text, text) leakproof;
  alter function jsonb_contains(jsonb, jsonb) leakproof;
  alter function arraycontains(anyarray, anyarray) leakproof;
  alter function arrayoverlap(anyarray, anyarray) leakproof;
exception when insufficient_privilege then
  raise notice 'searches of long lists are slower than they could be: the owner of the tables is not a superuser';
end $$;`;

/** Columns that lists are sorted by, with 'desc' for those that can be null: their order has its own index backwards. */
const SORTED: Readonly<Record<string, readonly string[]>> = {
  companies: [
    'name collate "C"',
    'formal_id collate "C"',
    'country collate "C"',
    'status collate "C"',
    'created_at(metadata)',
    'created_at(metadata) desc nulls last',
  ],
  lps: [
    'title collate "C"',
    'name collate "C"',
    'formal_id collate "C"',
    'country collate "C"',
    'status collate "C"',
    'created_at(metadata)',
    'created_at(metadata) desc nulls last',
  ],
  lp_groups: ['title collate "C"'],
  entities: [
    'name collate "C"',
    'formal_id collate "C"',
    'country collate "C"',
    'created_at(metadata)',
    'created_at(metadata) desc nulls last',
  ],
  users: [
    'name collate "C"',
    'email collate "C"',
    'type collate "C"',
    'status collate "C"',
    'created_at(metadata)',
    'created_at(metadata) desc nulls last',
    'organization collate "C"',
    'organization collate "C" desc nulls last',
    'role_title collate "C"',
    'role_title collate "C" desc nulls last',
    'last_visited',
    'last_visited desc nulls last',
  ],
};
const SEARCHED: Readonly<Record<string, readonly string[]>> = {
  companies: ['name'],
  lps: ['title', 'name'],
  lp_groups: ['title'],
  entities: ['name'],
  users: ['name', 'email', 'organization'],
};
/** These are counted by country from the index alone. */
const PARTIES_AND_ENTITIES = ['companies', 'lps', 'entities'];
const indexes = `
create function created_at(metadata jsonb) returns timestamptz immutable parallel safe language sql
  as $$ select (metadata ->> 'iat')::timestamptz $$;
${Object.entries(SORTED)
  .flatMap(([name, columns]) => [
    `create index on ${name} (manager_id, id);`,
    ...columns.map(
      (column) => `create index on ${name} (manager_id, ${column}, id${column.includes(' desc') ? ' desc' : ''});`,
    ),
  ])
  .join('\n')}
${PARTIES_AND_ENTITIES.map((name) => `create index on ${name} (manager_id, country, status, id);`).join('\n')}
drop index lps_group_id_idx;
create index on lps (group_id, status, manager_id, id);
${Object.entries(SEARCHED)
  .flatMap(([name, columns]) =>
    columns.map((column) => `create index on ${name} using gin (${column} collate "C" gin_trgm_ops);`),
  )
  .join('\n')}`;

/** What makes lists of 50,000 people and organizations as fast as lists of 50. */
export class LargeLists extends Migration {
  override up(): void {
    this.addSql([counts, parties, users, search, indexes].join('\n'));
  }
}
