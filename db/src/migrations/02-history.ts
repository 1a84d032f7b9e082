import { Migration } from '@mikro-orm/migrations';
import { HISTORY_OPERATIONS } from './as-landed.ts';
import { APP_ROLE, OF_MANAGER, oneOf, SYSTEM_ONLY, table } from './tenant-table.ts';

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
    company_id: 'object_id',
    lp_id: 'object_id',
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
 * Records a change to a row, in the transaction that makes it. The program has no right to write the history itself, so
 * every entry is a change that happened. Arguments: the collection; a map of column to [field, kind of value]; the
 * columns of the manager, the company and the LP that the document belongs to. The author of the change is in a setting
 * of the transaction (`store.as`), otherwise it is the database's user.
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
  insert into history (id, resource, document_id, operation, updated_fields, changed_by, changed_at, manager_id, company_id, lp_id)
    values (
      -- The layout of every id: seconds, then a number that counts up, so that changes of one moment keep their order.
      lpad(to_hex(extract(epoch from now())::bigint), 8, '0') || lpad(to_hex(nextval('history_order')), 16, '0'),
      tg_argv[0],
      document ->> 'id',
      case tg_op when 'INSERT' then 'Insert' when 'DELETE' then 'Permanent Delete'
        else case when after ->> 'status' = 'Removed' and before ->> 'status' <> 'Removed' then 'Delete' else 'Update' end end,
      fields, author, (author ->> 'timestamp')::timestamptz,
      document ->> tg_argv[2], document ->> tg_argv[3], document ->> tg_argv[4]);
  return null;
end $$;`;

/** The changes of a blocked document are hidden with it. */
const blocked = `
create policy blocked_document on history as restrictive for select using (
  resource || '/' || document_id <> all (
    (select coalesce(string_to_array(current_setting('tapeline.blocked', true), ','), '{}'))::text[]));`;

/** The history: one row per change to a document, append-only. */
export class History extends Migration {
  override up(): void {
    this.addSql([generated, history, blocked, recording].join('\n'));
  }
}
