import { Migration } from '@mikro-orm/migrations';
import { blockedPolicy, OWNERS, SYSTEM_ONLY } from './tenant-table.ts';

/** Tables whose rows belong to more than the columns that they had when `table` created them say. */
const BELONGING: Readonly<Record<string, readonly (readonly [column: string, collection: string])[]>> = {
  users: [
    ['company_id', 'companies'],
    ['lp_id', 'LPs'],
  ],
  ...Object.fromEntries(
    [
      ['contributions', 'contributions'],
      ['distributions', 'distributions'],
      ['navs', 'navs'],
      ['write_offs', 'writeOffs'],
    ].map(([name, collection]) => [
      name,
      [
        ['id', collection],
        ['commitment_id', 'LPCommitments'],
        ['fund_id', 'funds'],
        ['investor_fund_id', 'funds'],
        ['investor_lp_id', 'LPs'],
      ],
    ]),
  ),
  capital_accounts: [
    ['id', 'capitalAccounts'],
    ['fund_id', 'funds'],
    ['main_fund_id', 'mainFunds'],
    ['investor_fund_id', 'funds'],
    ['investor_lp_id', 'LPs'],
  ],
  reports: [
    ['id', 'reports'],
    ['fund_id', 'funds'],
    ['main_fund_id', 'mainFunds'],
  ],
};

const belonging = Object.entries(BELONGING)
  .map(([name, owned]) => `drop policy blocked on ${name};${blockedPolicy(name, owned)}`)
  .join('\n');

/**
 * The documents that a document belongs to, and itself: "funds/65f0…". A fund is a member of a main fund, but a document
 * of its own.
 */
const owners = `
create function actor_blocked() returns text[] stable parallel safe language sql
  return string_to_array(coalesce(current_setting('tapeline.blocked', true), ''), ',');
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

/** Every entry has the owners of its document before and after the change. */
const history = `
alter table history add column owners text[] not null default '{}';
create or replace function record_change() returns trigger language plpgsql security definer set search_path from current as $$
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
end $$;

-- Entries from before: the owners of the document as it is, or as it was when it was deleted.
do $$
declare
  recorded record;
  actor text := coalesce(current_setting('tapeline.actor_type', true), '');
begin
  perform set_config('tapeline.actor_type', 'system', true);
  -- The program never changes its history; this is the one time that it is completed.
  drop policy update on history;
  create policy update on history for update using (true) with check (true);
  for recorded in select tgrelid::regclass as stored_in, split_part(encode(tgargs, 'escape'), '\\000', 1) as collection,
      split_part(encode(tgargs, 'escape'), '\\000', 2)::jsonb as fields
      from pg_trigger where tgfoid = 'record_change'::regproc loop
    execute format('update history h set owners = document_owners(h.resource, to_jsonb(t)) from %s t
      where h.resource = %L and h.document_id = t.id', recorded.stored_in, recorded.collection);
    update history h set owners = document_owners(h.resource, deleted.document)
      from (
        select d.document_id, jsonb_build_object('id', d.document_id)
          || coalesce((select jsonb_object_agg(names.key, field -> 'old') from jsonb_array_elements(d.updated_fields) as field
            join jsonb_each(recorded.fields) as names on names.value ->> 0 = field ->> 'field'), '{}') as document
        from history d where d.resource = recorded.collection and d.operation = 'Permanent Delete') as deleted
      where h.resource = recorded.collection and h.document_id = deleted.document_id and h.owners = '{}';
  end loop;
  update history set owners = array[resource || '/' || document_id] where owners = '{}';
  drop policy update on history;
  create policy update on history for update using (false) with check (false);
  perform set_config('tapeline.actor_type', actor, true);
end $$;
drop policy blocked on history;
drop policy blocked_document on history;
alter table history drop column company_id, drop column lp_id;
create policy blocked on history as restrictive for select using (not owners && (select actor_blocked()));`;

/**
 * What a person was told about a document before it was blocked for them is hidden with it, and an email that waits is not
 * sent. A message about one document can belong to another one as well, `owned_by`: "contributions/65f0…".
 */
const notifications = `
alter table notifications add column owners text[] not null default '{}', add column owned_by text;
alter table outbox add column owners text[] not null default '{}', add column owned_by text;
-- Thousands are told of one document at once: its owners are looked up once.
create function own_messages() returns trigger language plpgsql security definer set search_path from current as $$ begin
  execute format('
    with named as materialized (
      select id, unnest(array_remove(array[resource || ''/'' || document_id, owned_by], null)) as document from added),
    documents as materialized (
      select document, owners_of(split_part(document, ''/'', 1), split_part(document, ''/'', 2)) as owners
      from (select distinct document from named) as told),
    owned as (
      select named.id, array_agg(distinct owner) as owners
      from named join documents using (document), unnest(documents.owners) as owner group by named.id)
    update %I m set owners = owned.owners from owned where m.id = owned.id', tg_table_name);
  return null;
end $$;
create trigger notifications_owners after insert on notifications
  referencing new table as added for each statement execute function own_messages();
create trigger outbox_owners after insert on outbox
  referencing new table as added for each statement execute function own_messages();
do $$
declare actor text := coalesce(current_setting('tapeline.actor_type', true), '');
begin
  perform set_config('tapeline.actor_type', 'system', true);
  update notifications set owners = owners_of(resource, document_id);
  perform set_config('tapeline.actor_type', actor, true);
end $$;
create policy blocked on notifications as restrictive for select using (not owners && (select actor_blocked())
  and (resource <> 'entities' or document_id <> all ((select hidden_entities())::text[])));`;

/** Chats and saved filters belong to a person, whatever kind of account it is, in the tenant that the person acts for. */
const OWN = `${SYSTEM_ONLY} or (user_id = (select actor_user()) and manager_id is not distinct from (select actor_tenant()))`;
const own = ['chats', 'group_filters']
  .map(
    (name) => `
alter policy read on ${name} using (${OWN});
alter policy insert on ${name} with check (${OWN});
alter policy update on ${name} using (${OWN}) with check (${OWN});
alter policy delete on ${name} using (${OWN});`,
  )
  .join('');

/** What is hidden from a person is hidden in the history and among the notifications as well. */
export class Privacy extends Migration {
  override up(): void {
    this.addSql([owners, belonging, history, notifications, own].join('\n'));
  }
}
