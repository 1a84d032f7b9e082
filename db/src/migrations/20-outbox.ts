import { Migration } from '@mikro-orm/migrations';
import { MAIL_KINDS, MAIL_LIMITS, MAIL_STATUSES } from './as-landed.ts';
import { EVERYTHING, oneOf, SYSTEM_ONLY, table, text } from './tenant-table.ts';

const outbox = table({
  name: 'outbox',
  history: { exempt: 'Emails are no documents; they are about documents whose changes are recorded.' },
  columns: {
    id: 'object_id primary key',
    key: text({ minLength: 1, maxLength: MAIL_LIMITS.key }),
    user_id: 'object_id not null references users (id) on delete cascade',
    kind: oneOf(MAIL_KINDS),
    resource: text({ minLength: 1, maxLength: 60 }),
    document_id: 'object_id not null',
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
  },
  constraints: [
    // The same message is never queued twice for one person.
    'constraint outbox_once unique (key, user_id)',
    "check ((status = 'Sent') = (sent_at is not null))",
  ],
  indexes: ["(next_attempt_at, id) where status = 'Queued'", '(user_id)'],
  read: EVERYTHING,
  write: SYSTEM_ONLY,
});

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

/** Emails that follow from changes of documents, until they are sent. */
export class Outbox extends Migration {
  override up(): void {
    this.addSql([outbox, readersOf].join('\n'));
  }
}
