import { Migration } from '@mikro-orm/migrations';
import { MAIL_KINDS, MAIL_LIMITS, MAIL_STATUSES } from './as-landed.ts';
import { EVERYTHING, oneOf, SYSTEM_ONLY, table, text } from './tenant-table.ts';

/** What a restored backup would do again is held until an administrator decides. */
const holds = table({
  name: 'holds',
  history: { exempt: 'A restore concerns the whole installation; no tenant has rows in it.' },
  columns: {
    id: 'object_id primary key',
    kind: oneOf(['email']),
    backup_at: 'timestamptz not null',
    started_at: 'timestamptz not null',
    ended_at: 'timestamptz',
    ended_by: 'object_id',
  },
  // One restore after another extends the hold.
  indexes: ['unique (kind) where ended_at is null'],
  read: EVERYTHING,
  write: SYSTEM_ONLY,
});

const outbox = table({
  name: 'outbox',
  history: { exempt: 'Emails are no documents; they are about documents whose changes are recorded.' },
  columns: {
    id: 'object_id primary key',
    key: text({ minLength: 1, maxLength: MAIL_LIMITS.key }),
    // An email goes to a user or to a contact of an entity, who has no account. It is removed with either.
    user_id: 'object_id references users (id) on delete cascade',
    contact_entity_id: 'object_id references entities (id) on delete cascade',
    contact_name: 'text check (char_length({column}) between 1 and 250)',
    contact_email: 'text check (char_length({column}) between 3 and 320)',
    kind: oneOf(MAIL_KINDS),
    resource: text({ minLength: 1, maxLength: 60 }),
    document_id: 'object_id not null',
    // A message about one document can belong to another one as well: "contributions/65f0…".
    owned_by: 'text',
    owners: "text[] not null default '{}'",
    subject: text({ minLength: 1, maxLength: MAIL_LIMITS.subject }),
    // The lines. The greeting and the address of the page are added when the email is sent.
    text: text({ minLength: 1, maxLength: MAIL_LIMITS.text }),
    page: `text not null check ({column} ~ '^/[^/]' and char_length({column}) <= ${MAIL_LIMITS.page})`,
    page_title: text({ minLength: 1, maxLength: 100 }),
    status: oneOf(MAIL_STATUSES, 'Queued'),
    created_at: 'timestamptz not null',
    not_before: 'timestamptz not null',
    attempts: 'integer not null default 0 check ({column} >= 0)',
    next_attempt_at: 'timestamptz not null',
    sent_at: 'timestamptz',
    last_error: 'text check (char_length({column}) <= 1000)',
    hold_id: 'object_id references holds (id)',
    hold_decided_at: 'timestamptz',
    hold_decided_by: 'object_id',
    // The trace of the request that the email follows from. Every transaction sets it, whatever queues the email.
    traceparent: `text check (char_length({column}) <= 60)
      default nullif(current_setting('tapeline.traceparent', true), '')`,
  },
  constraints: [
    // The same message is never queued twice for one person.
    'constraint outbox_once unique (key, user_id)',
    "check ((status = 'Sent') = (sent_at is not null))",
    `constraint outbox_to_whom check (num_nonnulls(user_id, contact_email) = 1
      and num_nonnulls(contact_entity_id, contact_name, contact_email) in (0, 3))`,
    "constraint outbox_held check (status <> 'Held' or hold_id is not null)",
  ],
  indexes: [
    "(next_attempt_at, id) where status = 'Queued'",
    '(user_id)',
    '(contact_entity_id) where contact_entity_id is not null',
    '(document_id)',
    // The page of a withdrawn document lists the emails that said so. They belong to it, and are about something else.
    '(owned_by) where owned_by is not null',
    "(id) where status = 'Held'",
    // For what retention looks for every hour.
    "(created_at) where status <> 'Queued'",
  ],
  read: EVERYTHING,
  write: SYSTEM_ONLY,
});

/** Contacts are told once of an occasion, as users are, whatever the case of their address. */
const contacts = `
create unique index outbox_contact_once on outbox (key, lower(contact_email)) where contact_email is not null;`;

/**
 * What a person was told about a document before it was blocked for them is hidden with it, and an email that waits is not
 * sent: a message has the owners of its documents. Thousands are told of one document at once, whose owners are looked up
 * once.
 */
const owners = `
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
create trigger outbox_owners after insert on outbox
  referencing new table as added for each statement execute function own_messages();`;

/**
 * The people among `readers` who can see a document. Its policies decide, applied as each person: `readers` are objects
 * with a user's id and the settings that identify the person to row-level security.
 */
const readersOf = `
create function readers_of(collection regclass, document text, readers jsonb) returns setof text
volatile language plpgsql as $$
declare
  names text[] := (select array_agg(distinct name) from jsonb_array_elements(readers) as reader,
    jsonb_object_keys(reader -> 'settings') as name);
  kept jsonb := (select jsonb_object_agg(name, coalesce(current_setting(name, true), '')) from unnest(names) as name);
  reader jsonb;
  visible boolean;
begin
  for reader in select jsonb_array_elements(readers) loop
    perform set_config(name, coalesce(reader -> 'settings' ->> name, ''), true) from unnest(names) as name;
    execute format('select exists (select from %s where id = $1)', collection) into visible using document;
    if visible then
      return next reader ->> 'id';
    end if;
  end loop;
  perform set_config(name, kept ->> name, true) from unnest(names) as name;
end $$;`;

/** Emails that follow from changes of documents, until they are sent, and what a restore holds. */
export class Emails extends Migration {
  override up(): void {
    this.addSql([holds, outbox, contacts, owners, readersOf].join('\n'));
  }
}
