import { Migration } from '@mikro-orm/migrations';
import { MAIL_KINDS, MAIL_LIMITS, NOTIFICATION_LEVELS } from './as-landed.ts';
import { oneOf, SYSTEM_ONLY, table, text } from './tenant-table.ts';

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
  indexes: ['(user_id, id)', '(user_id) where not is_read', '(resource, document_id) where action_required'],
  read: `${SYSTEM_ONLY} or ${OWN}`,
  write: { insert: SYSTEM_ONLY, update: `${SYSTEM_ONLY} or ${OWN}`, delete: SYSTEM_ONLY },
});

/** What the product tells each person, until retention removes it. */
export class Notifications extends Migration {
  override up(): void {
    this.addSql(notifications);
  }
}
