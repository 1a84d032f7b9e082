import { Migration } from '@mikro-orm/migrations';
import { SYSTEM_ONLY, table } from './tenant-table.ts';

const CHANNELS = ['email', 'digest', 'product', 'off'];

/** Kinds that are always told by email at once, so that no setting can name them. */
const REQUIRED = ['bankDetailsChanged', 'callIssued', 'noticeWithdrawn'];

/** A person reads and changes their own settings. */
const OWN = 'user_id = (select actor_user())';

const settings = table({
  name: 'notification_settings',
  history: { exempt: 'Settings of a user are no documents, and say nothing about any.' },
  columns: {
    user_id: 'object_id primary key references users (id) on delete cascade',
    // How the user is told of each kind of message, by kind. A kind that is missing is told by email at once.
    channels: `jsonb not null default '{}' check (jsonb_typeof({column}) = 'object')`,
    // The hour of the daily digest, in UTC.
    digest_hour: 'smallint not null check ({column} between 0 and 23)',
    changed_at: 'timestamptz not null',
  },
  constraints: [
    `constraint notification_settings_channels check (not jsonb_path_exists(channels, '$.* ? (${CHANNELS.map((channel) => `@ != "${channel}"`).join(' && ')})'))`,
    `constraint notification_settings_required check (not channels ?| array[${REQUIRED.map((kind) => `'${kind}'`).join(', ')}])`,
  ],
  read: `${SYSTEM_ONLY} or ${OWN}`,
  write: `${SYSTEM_ONLY} or ${OWN}`,
});

/**
 * Emails that wait for the digest of their user: those that are due together are sent in one email. And who did what a
 * notification asked for; null for the program.
 */
const digests = `
alter table outbox add column is_digest boolean not null default false,
  add constraint outbox_digest_of_user check (not is_digest or user_id is not null);
alter table notifications add column done_by text check (char_length(done_by) between 1 and 1000);`;

/**
 * The transaction of each change: all of its changes are one action. Earlier changes have none; they belong together by
 * author and moment, which are the same for a whole transaction. The default is set after the column is added, so that
 * the rows are not written again.
 */
const actions = `
set local lock_timeout = '10s';
alter table history add column action_id text;
alter table history alter column action_id set default pg_current_xact_id()::text;
set local lock_timeout = default;`;

/** How each user is told, and which changes of the history belong together. */
export class NotificationSettings extends Migration {
  override up(): void {
    this.addSql([settings, digests, actions].join('\n'));
  }
}
