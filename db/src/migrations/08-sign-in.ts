import { Migration } from '@mikro-orm/migrations';
import { ADDRESS_KINDS, MAX_REFRESH_TOKENS, SESSION_LIMITS, SIGN_OUTS_CHANNEL } from './as-landed.ts';
import { oneOf, SYSTEM_ONLY, table } from './tenant-table.ts';
import { announcing } from './triggers.ts';

const system = {
  read: SYSTEM_ONLY,
  write: SYSTEM_ONLY,
  history: { exempt: 'Secrets and limits of sign-in are no documents.' },
};

const codes = table({
  ...system,
  name: 'sign_in_codes',
  columns: {
    id: 'object_id primary key',
    email: 'text not null',
    user_id: 'object_id references users (id) on delete cascade',
    client_hash: 'text not null',
    code_hash: 'text not null',
    tries: 'integer not null default 0 check ({column} between 0 and 5)',
    created_at: 'timestamptz not null',
    expires_at: 'timestamptz not null',
    ended_at: 'timestamptz',
    purpose: "text not null default 'sign-in' check ({column} in ('sign-in', 'recovery-email'))",
  },
  indexes: ['(client_hash, email)', '(expires_at)'],
});

const magicLinks = table({
  ...system,
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
});

/** An id token signs in once. Its hash is kept until the token has expired. */
const usedIdTokens = table({
  ...system,
  name: 'used_id_tokens',
  columns: { token_hash: 'text primary key', expires_at: 'timestamptz not null' },
  indexes: ['(expires_at)'],
});

const ownershipTokens = table({
  ...system,
  name: 'ownership_tokens',
  columns: {
    token_hash: 'text primary key',
    email: 'text not null',
    user_id: 'object_id references users (id) on delete cascade',
    created_at: 'timestamptz not null',
    expires_at: 'timestamptz not null',
    used_at: 'timestamptz',
  },
  indexes: ['(expires_at)'],
});

const refreshTokens = table({
  ...system,
  name: 'refresh_tokens',
  columns: {
    token_hash: 'text primary key',
    family_id: 'object_id not null',
    user_id: 'object_id not null references users (id) on delete cascade',
    successor_salt: 'text not null',
    agent: 'text',
    ip: 'text',
    signed_in_at: 'timestamptz not null',
    created_at: 'timestamptz not null',
    expires_at: 'timestamptz not null',
    rotated_at: 'timestamptz',
  },
  constraints: [
    `constraint refresh_tokens_longest
      check (expires_at <= signed_in_at + interval '${SESSION_LIMITS.otherDays} days')`,
  ],
  indexes: ['(user_id, created_at)', '(family_id)', '(expires_at)'],
  read: `${SYSTEM_ONLY} or user_id = (select actor_user())`,
});

const limitedCalls = table({
  ...system,
  name: 'limited_calls',
  columns: { id: 'object_id primary key', limit_key: 'text not null', called_at: 'timestamptz not null' },
  indexes: ['(limit_key, called_at)', '(called_at)'],
});

const addressChanges = table({
  ...system,
  name: 'address_changes',
  history: { exempt: 'The history of the user names the change. A row is what the links of its emails refer to.' },
  columns: {
    id: 'object_id primary key',
    user_id: 'object_id not null references users (id) on delete cascade',
    kind: oneOf(ADDRESS_KINDS),
    // The address that signs in before the change, and after it.
    old_address: 'text',
    new_address: 'text',
    by_name: 'text not null',
    // The person who asked for it; null for the program and for the owner.
    by_user_id: 'object_id',
    created_at: 'timestamptz not null',
    confirmed_at: 'timestamptz',
    // When its links end: it can be confirmed until then, and stopped.
    expires_at: 'timestamptz not null',
    // When it was stopped, cancelled or replaced by another.
    ended_at: 'timestamptz',
  },
  constraints: ["check (kind <> 'email' or (old_address is not null and new_address is not null))"],
  indexes: [
    '(user_id, created_at)',
    '(expires_at)',
    "unique (user_id) where kind = 'email' and confirmed_at is null and ended_at is null",
  ],
});

/** Emails with codes and links to sign in, until they are sent. A restore drops them, so none is ever held. */
const secretMails = table({
  ...system,
  name: 'secret_mails',
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
    status: oneOf(['Queued', 'Sent', 'Failed', 'Skipped'], 'Queued'),
    attempts: 'integer not null default 0 check ({column} >= 0)',
    next_attempt_at: 'timestamptz not null',
    last_error: 'text check (char_length({column}) <= 1000)',
    created_at: 'timestamptz not null',
    expires_at: 'timestamptz not null',
    // What an email about an address says. Its links are made when it is sent, so that no token is stored.
    letter: "jsonb check (jsonb_typeof({column}) = 'object')",
  },
  constraints: ["check (status = 'Queued' or sealed = '')"],
  indexes: ["(next_attempt_at, id) where status = 'Queued'", '(expires_at)', '(client_hash, email)'],
});

/** A user who is no longer Active, or whose email changed, is signed out everywhere at once. */
const endOfSessions = `
create function end_sessions() returns trigger language plpgsql as $$
declare actor text := coalesce(current_setting('tapeline.actor_type', true), '');
begin
  -- Only the program itself can see sign-ins.
  perform set_config('tapeline.actor_type', 'system', true);
  delete from refresh_tokens where user_id = new.id;
  delete from ownership_tokens where user_id = new.id;
  delete from sign_in_codes where user_id = new.id;
  perform set_config('tapeline.actor_type', actor, true);
  return null;
end $$;
create trigger users_sessions after update of status, email on users for each row
  when (old.email <> new.email or (old.status = 'Active' and new.status <> 'Active')) execute function end_sessions();`;

const maxRefreshTokens = `
create function check_refresh_tokens() returns trigger language plpgsql as $$ begin
  if (select count(*) from refresh_tokens where user_id = new.user_id) > ${MAX_REFRESH_TOKENS} then
    raise exception 'a user has at most ${MAX_REFRESH_TOKENS} refresh tokens' using errcode = 'check_violation', constraint = 'refresh_tokens_most';
  end if;
  return null;
end $$;
create constraint trigger refresh_tokens_most after insert on refresh_tokens
  deferrable initially deferred for each row execute function check_refresh_tokens();`;

/** When a sign-in ends that was last used at an instant. */
const sessions = `
create function sign_in_ends(person text, signed_in_at timestamptz, used_at timestamptz) returns timestamptz stable language sql
  return (select least(
    sign_in_ends.signed_in_at + case when u.type = 'admin' then interval '${SESSION_LIMITS.administratorHours} hours'
      else interval '${SESSION_LIMITS.otherDays} days' end,
    -- An administrator reads the documents of every manager, and so follows the strictest.
    case when exists (select from managers m where m.ends_idle_sessions and (u.type = 'admin' or m.id = u.manager_id))
      then used_at + interval '${SESSION_LIMITS.idleMinutes} minutes' end)
    from users u where u.id = person);
create function end_idle_sessions() returns trigger language plpgsql as $$
declare actor text := coalesce(current_setting('tapeline.actor_type', true), '');
begin
  -- Only the program itself can see sign-ins.
  perform set_config('tapeline.actor_type', 'system', true);
  update refresh_tokens t set expires_at = least(t.expires_at, sign_in_ends(t.user_id, t.signed_in_at, now()))
    from users u where u.id = t.user_id and (u.type = 'admin' or u.manager_id = new.id);
  perform set_config('tapeline.actor_type', actor, true);
  return null;
end $$;
create trigger managers_idle_sessions after update of ends_idle_sessions on managers for each row
  when (new.ends_idle_sessions and not old.ends_idle_sessions) execute function end_idle_sessions();`;

/** Every web process learns which sign-ins ended, when the transaction commits. */
const signOuts = `${announcing('announce_sign_outs', SIGN_OUTS_CHANNEL, 'family_id')}
create trigger refresh_tokens_announced after delete on refresh_tokens
  referencing old table as changed for each statement execute function announce_sign_outs();`;

/** Signing in: codes, links and tokens, the limits on asking for them, and confirmed changes of addresses. */
export class SignIn extends Migration {
  override up(): void {
    this.addSql(
      [
        codes,
        magicLinks,
        usedIdTokens,
        ownershipTokens,
        refreshTokens,
        limitedCalls,
        addressChanges,
        secretMails,
        endOfSessions,
        maxRefreshTokens,
        sessions,
        signOuts,
      ].join('\n'),
    );
  }
}
