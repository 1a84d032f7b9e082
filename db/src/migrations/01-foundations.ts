import { Migration } from '@mikro-orm/migrations';
import { APP_ROLE, managersSeen } from './tenant-table.ts';

const role = `
do $$ begin
  if not exists (select from pg_roles where rolname = '${APP_ROLE}') then
    create role ${APP_ROLE} nologin nosuperuser nobypassrls nocreatedb nocreaterole;
  end if;
exception when duplicate_object or unique_violation then null;
end $$;
grant usage on schema public to ${APP_ROLE};`;

/** Checks of documents inside documents. A list or text that is missing is within its limits. */
const checks = `
create domain object_id as text check (value ~ '^[0-9a-f]{24}$');
create function has_one_key(value jsonb) returns boolean immutable strict parallel safe language sql
  return (select count(*) = 1 from jsonb_object_keys(value));
create function list_within(value jsonb, most integer) returns boolean immutable parallel safe language sql
  return case jsonb_typeof(value) when 'array' then jsonb_array_length(value) <= most when 'null' then true
    else value is null end;
create function text_within(value text, shortest integer, longest integer) returns boolean immutable parallel safe language sql
  return value is null or char_length(value) between shortest and longest;
create function rates_hold(rates jsonb) returns boolean immutable parallel safe language sql
  return not jsonb_path_exists(rates, '$.* ? (!(@.double() > 0))')
    and not jsonb_path_exists(rates, '$.* ? (@.type() != "string" && @.type() != "number")');`;

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
${managersSeen}
create function actor_company() returns text stable parallel safe language sql
  return case when actor_type() = 'company' then nullif(current_setting('tapeline.company_id', true), '') end;
create function actor_lps() returns text[] stable parallel safe language sql
  return case when actor_type() in ('LP', 'LPGroup')
    then string_to_array(nullif(current_setting('tapeline.lp_ids', true), ''), ',') end;
create function actor_history() returns text[] stable parallel safe language sql
  return string_to_array(nullif(current_setting('tapeline.history', true), ''), ',');`;

/**
 * The next code is taken under a row lock that lasts until the transaction ends: codes have no gaps, and a rollback
 * releases its code. The program has no rights on the table and cannot read how many documents another tenant has; the
 * trigger runs as the owner.
 */
const codes = `
create table document_codes (
  collection text not null,
  manager_id text not null check (manager_id ~ '^([0-9a-f]{24})?$'),
  last integer not null check (last >= 1),
  primary key (collection, manager_id)
);
alter table document_codes enable row level security;
alter table document_codes force row level security;
create policy count on document_codes using (true) with check (true);
create function count_document() returns trigger language plpgsql security definer set search_path from current as $$
declare manager text := coalesce(to_jsonb(new) ->> 'manager_id', '');
begin
  if new.code is null then
    insert into document_codes values (tg_table_name, manager, 1)
      on conflict (collection, manager_id) do update set last = document_codes.last + 1
      returning last into new.code;
  else
    insert into document_codes values (tg_table_name, manager, new.code)
      on conflict (collection, manager_id) do update set last = greatest(document_codes.last, excluded.last);
  end if;
  return new;
end $$;`;

/** What every table needs: the program's role, the actor, checks and codes. */
export class Foundations extends Migration {
  override up(): void {
    this.addSql([role, checks, actor, codes].join('\n'));
  }
}
