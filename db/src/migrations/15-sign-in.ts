import { Migration } from '@mikro-orm/migrations';
import { recordAlso, SYSTEM_ONLY, table } from './tenant-table.ts';

const exempt = { exempt: 'Secrets of sign-in are no documents.' };

const magicLinks = table({
  name: 'magic_links',
  columns: {
    id: 'object_id primary key',
    // One link per user: a new one replaces the old.
    user_id: 'object_id not null unique references users (id) on delete cascade',
    // The address the link was sent to. A link does not outlive a change of the user's email.
    email: 'text not null',
    token_hash: 'text not null unique',
    time_to_remove: 'timestamptz not null',
    created_at: 'timestamptz not null',
  },
  indexes: ['(time_to_remove)'],
  // Whoever can see a user can see that an invitation is open.
  read: `${SYSTEM_ONLY} or exists (select from users where users.id = user_id)`,
  write: SYSTEM_ONLY,
  history: exempt,
});

/** An id token signs in once. Its hash is kept until the token has expired. */
const usedIdTokens = table({
  name: 'used_id_tokens',
  columns: { token_hash: 'text primary key', expires_at: 'timestamptz not null' },
  indexes: ['(expires_at)'],
  read: SYSTEM_ONLY,
  write: SYSTEM_ONLY,
  history: exempt,
});

/** A recovery email opens the account only while it is the address that was confirmed. */
const recoveryEmails = `
alter table users add column confirmed_recovery_email text check (confirmed_recovery_email = lower(confirmed_recovery_email));
create unique index on users (confirmed_recovery_email) where status <> 'Removed';${recordAlso('users', ['confirmed_recovery_email'])}
alter table sign_in_codes add column purpose text not null default 'sign-in' check (purpose in ('sign-in', 'recovery-email'));`;

/** Magic links, id tokens that have been used, and confirmed recovery emails. */
export class SignIn extends Migration {
  override up(): void {
    this.addSql([magicLinks, usedIdTokens, recoveryEmails].join('\n'));
  }
}
