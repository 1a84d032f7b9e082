import { Migration } from '@mikro-orm/migrations';
import { APP_ROLE } from './tenant-table.ts';

const role = `
do $$ begin
  if not exists (select from pg_roles where rolname = '${APP_ROLE}') then
    create role ${APP_ROLE} nologin nosuperuser nobypassrls nocreatedb nocreaterole;
  end if;
exception when duplicate_object or unique_violation then null;
end $$;
grant usage on schema public to ${APP_ROLE};`;

/**
 * The actor. Each table has policies, and the program uses a role that cannot bypass them. The actor is in settings
 * that are local to the transaction (`store.as`); if none is set, no row is visible.
 */
const actor = `
create function actor_type() returns text stable parallel safe language sql
  return coalesce(current_setting('tapeline.actor_type', true), '');
create function actor_sees_all() returns boolean stable parallel safe language sql
  return actor_type() in ('admin', 'system');
create function actor_is_system() returns boolean stable parallel safe language sql
  return actor_type() = 'system';
create function actor_user() returns text stable parallel safe language sql
  return nullif(current_setting('tapeline.user_id', true), '');
create function actor_level() returns integer stable parallel safe language sql
  return coalesce(nullif(current_setting('tapeline.level', true), '')::integer, 30);
create function actor_documents(setting text, collection text) returns text[] stable parallel safe language sql
  return (select array_agg(split_part(entry, '/', 2))
    from unnest(string_to_array(nullif(current_setting(setting, true), ''), ',')) as entry
    where split_part(entry, '/', 1) = collection);
create function actor_tenant() returns text stable parallel safe language sql
  return nullif(current_setting('tapeline.manager_id', true), '');
create function actor_manager() returns text stable parallel safe language sql
  return case when actor_type() = 'manager' then nullif(current_setting('tapeline.manager_id', true), '') end;
create function actor_company() returns text stable parallel safe language sql
  return case when actor_type() = 'company' then nullif(current_setting('tapeline.company_id', true), '') end;
create function actor_lps() returns text[] stable parallel safe language sql
  return case when actor_type() in ('LP', 'LPGroup')
    then string_to_array(nullif(current_setting('tapeline.lp_ids', true), ''), ',') end;
create function actor_history() returns text[] stable parallel safe language sql
  return string_to_array(nullif(current_setting('tapeline.history', true), ''), ',');
create function actor_blocked() returns text[] stable parallel safe language sql
  return string_to_array(coalesce(current_setting('tapeline.blocked', true), ''), ',');
create function actor_readable() returns text[] stable parallel safe language sql
  return string_to_array(nullif(current_setting('tapeline.readable', true), ''), ',');
create function actor_within(setting text) returns text[] stable parallel safe language sql
  return string_to_array(nullif(current_setting(setting, true), ''), ',');`;

/**
 * The first and the last manager whose rows the actor sees: its own twice, or the range of all ids. PostgreSQL must be
 * able to write the bodies of the functions into the query and call no function in them that is not leakproof with a
 * column, or it does not use an index: no coalesce, and no other function of ours.
 */
const managersSeen = `
create function actor_managers_from() returns text stable parallel safe language sql
  return case current_setting('tapeline.actor_type', true) when 'manager' then current_setting('tapeline.manager_id', true)
    when 'admin' then '000000000000000000000000' when 'system' then '000000000000000000000000' end;
create function actor_managers_to() returns text stable parallel safe language sql
  return case current_setting('tapeline.actor_type', true) when 'manager' then current_setting('tapeline.manager_id', true)
    when 'admin' then 'ffffffffffffffffffffffff' when 'system' then 'ffffffffffffffffffffffff' end;`;

/** The program's role, and who acts: what the policies of every table ask for. */
export class Actors extends Migration {
  override up(): void {
    this.addSql([role, actor, managersSeen].join('\n'));
  }
}
