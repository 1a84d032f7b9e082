import { Migration } from '@mikro-orm/migrations';
import { MAIL_KINDS, MAIL_LIMITS, NOTIFICATION_LEVELS, TOLD_CHANNEL } from './as-landed.ts';
import { oneOf, SYSTEM_ONLY, table, text } from './tenant-table.ts';
import { announcing } from './triggers.ts';

/** A person sees their own notifications and nobody else's, whatever they may see otherwise. */
const OWN = 'user_id = (select actor_user())';

const notifications = table({
  name: 'notifications',
  history: { exempt: 'Notifications are about documents whose changes are recorded.' },
  columns: {
    id: 'object_id primary key',
    key: text({ minLength: 1, maxLength: MAIL_LIMITS.key }),
    user_id: 'object_id not null references users (id) on delete cascade',
    kind: oneOf(MAIL_KINDS),
    resource: text({ minLength: 1, maxLength: 60 }),
    document_id: 'object_id not null',
    // A message about one document can belong to another one as well: "contributions/65f0…".
    owned_by: 'text',
    owners: "text[] not null default '{}'",
    title: text({ minLength: 1, maxLength: MAIL_LIMITS.subject }),
    description: text({ maxLength: MAIL_LIMITS.text }),
    page: `text not null check ({column} ~ '^/[^/]' and char_length({column}) <= ${MAIL_LIMITS.page})`,
    page_title: text({ minLength: 1, maxLength: 100 }),
    level: oneOf(NOTIFICATION_LEVELS),
    action_required: 'boolean not null',
    is_read: 'boolean not null default false',
    created_at: 'timestamptz not null',
  },
  constraints: ['constraint notifications_once unique (key, user_id)'],
  indexes: [
    '(user_id, id)',
    '(user_id) where not is_read',
    '(resource, document_id) where action_required',
    // Those about a document are searched when it is published or withdrawn, among millions.
    '(document_id)',
    '(resource, document_id)',
    '(owned_by) where owned_by is not null',
    // For what retention looks for every hour.
    '(created_at) where not action_required',
  ],
  read: `${SYSTEM_ONLY} or ${OWN}`,
  write: { insert: SYSTEM_ONLY, update: `${SYSTEM_ONLY} or ${OWN}`, delete: SYSTEM_ONLY },
});

/**
 * A notification is as hidden as its documents, and needs the permission to read those that it is about. That a call was
 * withdrawn is told of the investor, because nobody sees the call any more, but it is about the call: "contributions/65f0…"
 * in `owned_by`.
 */
const visibility = `
create trigger notifications_owners after insert on notifications
  referencing new table as added for each statement execute function own_messages();
create policy blocked on notifications as restrictive for select using (not owners && (select actor_blocked())
  and (resource <> 'entities' or document_id <> all ((select hidden_entities())::text[])));
create policy readable on notifications as restrictive for select using (
  ${SYSTEM_ONLY} or coalesce(split_part(owned_by, '/', 1), resource) = any ((select actor_readable())::text[]));`;

/** Every web process learns whose notifications changed, when the transaction commits. */
const onNotifications = (event: string, rows: 'old' | 'new') => `
create trigger notifications_${event}_told after ${event} on notifications
  referencing ${rows} table as changed for each statement execute function announce_told();`;
const told = [
  announcing('announce_told', TOLD_CHANNEL, 'user_id'),
  onNotifications('insert', 'new'),
  onNotifications('update', 'new'),
  onNotifications('delete', 'old'),
].join('');

/** What the product tells each person, until retention removes it. */
export class Notifications extends Migration {
  override up(): void {
    this.addSql([notifications, visibility, told].join('\n'));
  }
}
