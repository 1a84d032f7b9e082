import { Migration } from '@mikro-orm/migrations';
import { MAX_REFRESH_TOKENS } from './as-landed.ts';
import { SYSTEM_ONLY, table } from './tenant-table.ts';

const exempt = { exempt: 'Secrets and limits of sign-in are no documents.' };
const system = { read: SYSTEM_ONLY, write: SYSTEM_ONLY, history: exempt };

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
  },
  indexes: ['(client_hash, email)', '(expires_at)'],
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
  indexes: ['(user_id, created_at)', '(family_id)'],
  read: `${SYSTEM_ONLY} or user_id = (select actor_user())`,
});

const limitedCalls = table({
  ...system,
  name: 'limited_calls',
  columns: { id: 'object_id primary key', limit_key: 'text not null', called_at: 'timestamptz not null' },
  indexes: ['(limit_key, called_at)', '(called_at)'],
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

/** Signing in: codes, tokens, and the limits on asking for them. */
export class Identity extends Migration {
  override up(): void {
    this.addSql([codes, ownershipTokens, refreshTokens, limitedCalls, endOfSessions, maxRefreshTokens].join('\n'));
  }
}
