import { Migration } from '@mikro-orm/migrations';
import { NOT_IN_NAMES } from './as-landed.ts';
import { APP_ROLE, OF_MANAGER, table } from './tenant-table.ts';

/** Checks of documents inside documents. A list or text that is missing is within its limits. */
const checks = `
create domain object_id as text check (value ~ '^[0-9a-f]{24}$');
create function has_one_key(value jsonb) returns boolean immutable strict parallel safe language sql
  return (select count(*) = 1 from jsonb_object_keys(value));
create function list_within(value jsonb, most integer) returns boolean immutable parallel safe language sql
  return case jsonb_typeof(value) when 'array' then jsonb_array_length(value) <= most when 'null' then true
    else value is null end;
create function text_within(value text, shortest integer, longest integer) returns boolean immutable parallel safe language sql
  return value is null or char_length(value) between shortest and longest;`;

/** The keys under which documents inside a row have names: contacts, bank accounts, classes of a fund. */
const NAME_KEYS = ['name', 'formalName', 'title', 'accountName', 'uniqueKey'];

/**
 * Names are of one line, without control characters and characters that change the direction of writing. `names_hold` has
 * the search path of its creation: pg_restore and replication write rows with an empty one.
 */
const names = `
create function is_name(value text) returns boolean immutable parallel safe language sql
  return value is null or value !~ '[${NOT_IN_NAMES}]';
create function names_hold(document jsonb) returns boolean immutable parallel safe language sql set search_path from current as $$
  select coalesce(bool_and(is_name(value #>> '{}')), true) from (
    ${NAME_KEYS.map((key) => `select jsonb_path_query(document, 'lax $.**.${key}') as value`).join(' union all\n    ')}) as named $$;`;

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
end $$;`;

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

/** What triggers do for each row of a large import, these do once for each of its statements. */
const counters = [
  counting(
    'count_rows',
    'tg_table_name',
    (rows, change) => `select manager_id, status as value, ${change} as change from ${rows}`,
  ),
  counting(
    'count_rows_by_category',
    `'entities.category'`,
    (rows, change) =>
      `select manager_id, value, ${change} as change from ${rows}, jsonb_array_elements_text(category) as value where status <> 'Removed'`,
  ),
].join('');

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

/** When a document was made, for the indexes of lists. */
const created = `
create function created_at(metadata jsonb) returns timestamptz immutable parallel safe language sql
  as $$ select (metadata ->> 'iat')::timestamptz $$;`;

/** What every table of documents needs: checks, codes, counts, and what its lists search by. */
export class Documents extends Migration {
  override up(): void {
    this.addSql([checks, names, codes, counts, counters, search, created].join('\n'));
  }
}
