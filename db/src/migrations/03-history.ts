import { Migration } from '@mikro-orm/migrations';
import { HISTORY_OPERATIONS, LEAST_HISTORY_YEARS } from './as-landed.ts';
import { APP_ROLE, OF_MANAGER, OWNERS, oneOf, SYSTEM_ONLY, table } from './tenant-table.ts';

/** The changed fields of an entry, and who made it, as columns: lists filter and sort by them. */
const generated = `
create function history_fields(updated_fields jsonb) returns text[] immutable parallel safe language sql
  return array(select field ->> 'field' from jsonb_array_elements(updated_fields) as field);
create function history_author(entity jsonb) returns text immutable parallel safe language sql
  return coalesce(entity ->> 'apiName', (entity ->> 'firstName') || ' ' || (entity ->> 'lastName'));`;

/** Newest first. */
const NEWEST = 'changed_at desc nulls last, id desc';

const history = table({
  name: 'history',
  columns: {
    id: 'object_id primary key',
    resource: 'text not null',
    document_id: 'text not null',
    operation: oneOf(HISTORY_OPERATIONS),
    updated_fields: 'jsonb not null',
    changed_by: 'jsonb not null',
    // When the change took effect, as its author's clock has it, and when the database recorded it.
    changed_at: 'timestamptz not null',
    recorded_at: 'timestamptz not null default clock_timestamp()',
    fields: 'text[] not null generated always as (history_fields(updated_fields)) stored',
    changed_by_id: "text generated always as (changed_by #>> '{entity,id}') stored",
    changed_by_name: "text generated always as (history_author(changed_by -> 'entity')) stored",
    manager_id: 'object_id',
    // The owners of its document before and after the change: "funds/65f0…".
    owners: "text[] not null default '{}'",
  },
  indexes: [
    `(document_id, ${NEWEST})`,
    `(manager_id, ${NEWEST})`,
    `(manager_id, resource, ${NEWEST})`,
    `(changed_by_id, ${NEWEST})`,
    `(${NEWEST})`,
  ],
  // The history is for holders of history/read, of the collections that they can read (`actor_history`). Companies and
  // investors cannot hold it.
  read: `${SYSTEM_ONLY} or ((${OF_MANAGER}) and resource = any ((select actor_history())::text[]))`,
  // Only the trigger inserts; the program has no right to. An actor who can change a document can record the change.
  write: { insert: 'true', update: 'false', delete: 'false' },
  history: { exempt: 'It is the history.' },
});

/**
 * The documents that a document belongs to, and itself: "funds/65f0…". A fund is a member of a main fund, but a document
 * of its own.
 */
const owners = `
create function document_owners(collection text, document jsonb) returns text[] immutable parallel safe language sql
  return array(
    select collection || '/' || (document ->> 'id')
    union select owner.kind || '/' || (document ->> owner.name)
      from (values ${Object.entries(OWNERS)
        .map(([column, collection]) => `('${column}', '${collection}')`)
        .join(', ')}) as owner (name, kind)
      where document ->> owner.name is not null and not (collection = 'funds' and owner.name = 'main_fund_id'));
-- The owners of a document that is stored, by the name of its collection in calls. Called as the program.
create function owners_of(collection text, document text) returns text[] stable language plpgsql
  security definer set search_path from current as $$
declare
  stored_in regclass := (select tgrelid from pg_trigger where tgfoid = 'record_change'::regproc
    and split_part(encode(tgargs, 'escape'), '\\000', 1) = collection);
  stored jsonb;
begin
  if stored_in is not null then
    execute format('select to_jsonb(t) from %s t where id = $1', stored_in) into stored using document;
  end if;
  return document_owners(collection, coalesce(stored, jsonb_build_object('id', document)));
end $$;
revoke execute on function owners_of from public;`;

/**
 * Records a change to a row, in the transaction that makes it. The program has no right to write the history itself, so
 * every entry is a change that happened. Arguments: the collection; a map of column to [field, kind of value]; the
 * column of the manager that the document belongs to. Those of its company and its LP are no longer read: every entry has
 * the owners of its document. The author of the change is in a setting of the transaction (`store.as`), otherwise it is the
 * database's user.
 */
const recording = `
revoke insert on history from ${APP_ROLE};
create sequence history_order;
create function history_value(value jsonb, kind text) returns jsonb immutable parallel safe language sql
  return case
    when value is null or value = 'null' then 'null'::jsonb
    when kind = 'numeric' then to_jsonb(value #>> '{}')
    when kind = 'timestamptz'
      then to_jsonb(to_char((value #>> '{}')::timestamptz at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
    else value end;
create function record_change() returns trigger language plpgsql security definer set search_path from current as $$
declare
  before jsonb := to_jsonb(old);
  after jsonb := to_jsonb(new);
  document jsonb := coalesce(after, before);
  author jsonb := coalesce(nullif(current_setting('tapeline.changed_by', true), '')::jsonb, jsonb_build_object(
    'agent', null, 'ip', null, 'locale', null,
    'timestamp', history_value(to_jsonb(now()), 'timestamptz'), 'entity', jsonb_build_object('apiName', session_user)));
  fields jsonb;
  owned_by text[];
begin
  select coalesce(jsonb_agg(jsonb_build_object(
      'field', recorded.value ->> 0,
      'old', history_value(before -> recorded.key, recorded.value ->> 1),
      'new', history_value(after -> recorded.key, recorded.value ->> 1))), '[]') into fields
    from jsonb_each(tg_argv[1]::jsonb) as recorded
    where nullif(before -> recorded.key, 'null') is distinct from nullif(after -> recorded.key, 'null');
  if tg_op = 'UPDATE' and fields = '[]' then
    return null;
  end if;
  owned_by := document_owners(tg_argv[0], document);
  if tg_op = 'UPDATE' then
    owned_by := array(select unnest(owned_by) union select unnest(document_owners(tg_argv[0], before)));
  end if;
  insert into history (id, resource, document_id, operation, updated_fields, changed_by, changed_at, manager_id, owners)
    values (
      -- The layout of every id: seconds, then a number that counts up, so that changes of one moment keep their order.
      lpad(to_hex(extract(epoch from now())::bigint), 8, '0') || lpad(to_hex(nextval('history_order')), 16, '0'),
      tg_argv[0],
      document ->> 'id',
      case tg_op when 'INSERT' then 'Insert' when 'DELETE' then 'Permanent Delete'
        else case when after ->> 'status' = 'Removed' and before ->> 'status' <> 'Removed' then 'Delete' else 'Update' end end,
      fields, author, (author ->> 'timestamp')::timestamptz,
      document ->> tg_argv[2], owned_by);
  return null;
end $$;`;

/** The changes of a blocked document are hidden with it. */
const blocked = `
create policy blocked on history as restrictive for select using (not owners && (select actor_blocked()));`;

/**
 * Old history. The program has no right to delete from the table: this function is its only way, and neither the
 * function nor the policy lets anything go that is younger than the least limit, whatever the settings say.
 */
const retention = `
create policy retention on history for delete using (
  (select actor_is_system()) and recorded_at < now() - interval '${LEAST_HISTORY_YEARS} years');
create function forget_history(before timestamptz, most integer) returns integer
language plpgsql security definer set search_path from current as $$
declare
  latest timestamptz := least(before, now() - interval '${LEAST_HISTORY_YEARS} years');
  forgotten integer;
begin
  if not actor_is_system() then
    raise exception 'only the program itself removes history' using errcode = 'insufficient_privilege';
  end if;
  delete from history where id = any (array(
    select id from history where changed_at < latest and recorded_at < latest
    order by changed_at nulls first, id limit most));
  get diagnostics forgotten = row_count;
  return forgotten;
end $$;
revoke execute on function forget_history from public;
grant execute on function forget_history to ${APP_ROLE};`;

/** The history: one row per change to a document, append-only until it is old. */
export class History extends Migration {
  override up(): void {
    this.addSql([generated, history, owners, recording, blocked, retention].join('\n'));
  }
}
