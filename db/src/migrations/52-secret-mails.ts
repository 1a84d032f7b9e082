import { Migration } from '@mikro-orm/migrations';
import { MAIL_STATUSES } from './as-landed.ts';
import { oneOf, SYSTEM_ONLY, table } from './tenant-table.ts';

const secretMails = table({
  name: 'secret_mails',
  history: { exempt: 'Secrets of sign-in are not documents.' },
  columns: {
    id: 'object_id primary key',
    // The browser or program that asked, and the address that it named, whether or not an account has it.
    client_hash: 'text',
    email: 'text not null',
    // The email, encrypted with the secret of the program. Empty once it is sent or given up.
    sealed: 'text not null',
    // Nothing is sent to an address without an account, but everything else is the same.
    is_wanted: 'boolean not null',
    // The counted calls that are forgotten if the email cannot be sent.
    limited_calls: "text[] not null default '{}'",
    status: oneOf(MAIL_STATUSES, 'Queued'),
    attempts: 'integer not null default 0 check ({column} >= 0)',
    next_attempt_at: 'timestamptz not null',
    last_error: 'text check (char_length({column}) <= 1000)',
    created_at: 'timestamptz not null',
    expires_at: 'timestamptz not null',
  },
  constraints: ["check (status = 'Queued' or sealed = '')"],
  indexes: ["(next_attempt_at, id) where status = 'Queued'", '(expires_at)', '(client_hash, email)'],
  read: SYSTEM_ONLY,
  write: SYSTEM_ONLY,
});

/** Emails with codes and links to sign in, until they are sent. */
export class SecretMails extends Migration {
  override up(): void {
    this.addSql(secretMails);
  }
}
