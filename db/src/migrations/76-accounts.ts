import { Migration } from '@mikro-orm/migrations';
import { ADDRESS_KINDS, PERMISSION_KEYS, SESSION_LIMITS } from './as-landed.ts';
import { oneOf, recordAlso, SYSTEM_ONLY, table } from './tenant-table.ts';

const addressChanges = table({
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
  read: SYSTEM_ONLY,
  write: SYSTEM_ONLY,
});

const letters = `
-- What an email about an address says. Its links are made when it is sent, so that no token is stored.
alter table secret_mails add column letter jsonb check (jsonb_typeof(letter) = 'object');`;

const pendingEmail = `
alter table users add column pending_email text
  check (pending_email = lower(pending_email) and pending_email like '%_@_%' and pending_email <> email);${recordAlso('users', ['pending_email'])}`;

const builtIn = PERMISSION_KEYS.map((key) => `'${key}'`).join(', ');

/**
 * Whoever changes how another person signs in, whom they act for, or what they may do, holds every permission of this
 * person from before the change, sees every document that they see, and gives nothing that they lack. Only the program changes the email of somebody who has signed up, once it is confirmed.
 * Permissions of the installation's own programs are given by administrators, who need not hold them.
 */
const rights = `
create function keys_beyond_actor(keys text[]) returns text stable language sql as $$
  select string_agg(one.key, ', ' order by one.key) from unnest(keys) as one (key)
  cross join (select string_to_array(coalesce(current_setting('tapeline.permissions', true), ''), ',') as held) as actor
  where one.key <> all (held) and not ('*' = any (held) and one.key not in (${builtIn})) $$;
create function keys_of(person users) returns text[] language plpgsql as $$
declare
  actor text := coalesce(current_setting('tapeline.actor_type', true), '');
  keys text[];
begin
  perform set_config('tapeline.actor_type', 'system', true);
  keys := array(select r.key from rights_of(person.type, person.role_id, person.exclusive_resources, person.inclusive_resources) as r
    where r.held);
  perform set_config('tapeline.actor_type', actor, true);
  return keys;
end $$;
-- Documents that are blocked for the actor and not for the person.
create function documents_beyond_actor(person users) returns boolean stable language sql as $$
  select exists (select from unnest(string_to_array(nullif(current_setting('tapeline.blocked', true), ''), ',')) as one (entry)
    where one.entry <> all (person.exclusive_resources) or one.entry = any (person.inclusive_resources)) $$;
create function check_actor_rights_over_user() returns trigger language plpgsql as $$
declare
  before text[] := '{}';
  beyond text;
begin
  if actor_type() in ('', 'system') then
    return new;
  end if;
  if tg_op = 'UPDATE' then
    if new.email <> old.email and old.status <> 'Pending' then
      raise exception 'the new email is not confirmed' using errcode = 'insufficient_privilege', constraint = 'users_email_confirmed';
    end if;
    if new.confirmed_recovery_email is distinct from old.confirmed_recovery_email then
      raise exception 'only its owner confirms a recovery email' using errcode = 'insufficient_privilege', constraint = 'users_recovery_confirmed';
    end if;
    before := keys_of(old);
    if (old.email, old.pending_email, old.recovery_email, old.type, old.assoc, old.role_id, old.exclusive_resources,
      old.inclusive_resources) is distinct from (new.email, new.pending_email, new.recovery_email, new.type, new.assoc,
      new.role_id, new.exclusive_resources, new.inclusive_resources) then
      if documents_beyond_actor(old) then
        raise exception 'the user sees documents that are blocked for the actor'
          using errcode = 'insufficient_privilege', constraint = 'users_rights';
      end if;
      beyond := keys_beyond_actor(before);
      if beyond is not null then
        raise exception 'the user has permissions that the actor lacks: %', beyond
          using errcode = 'insufficient_privilege', constraint = 'users_rights';
      end if;
    end if;
  elsif documents_beyond_actor(new) then
    raise exception 'the user would see documents that are blocked for the actor'
      using errcode = 'insufficient_privilege', constraint = 'users_given_rights';
  end if;
  beyond := keys_beyond_actor(array(select unnest(keys_of(new)) except select unnest(before)));
  if beyond is not null then
    raise exception 'the actor cannot give %', beyond using errcode = 'insufficient_privilege', constraint = 'users_given_rights';
  end if;
  return new;
end $$;
create trigger users_rights before insert or update of email, pending_email, recovery_email, confirmed_recovery_email, type, assoc, role_id,
  exclusive_resources, inclusive_resources on users for each row execute function check_actor_rights_over_user();`;

/** When a sign-in ends that was last used at an instant. */
const sessions = `
alter table managers add column ends_idle_sessions boolean not null default false;${recordAlso('managers', ['ends_idle_sessions'])}
create function sign_in_ends(person text, signed_in_at timestamptz, used_at timestamptz) returns timestamptz stable language sql
  return (select least(
    sign_in_ends.signed_in_at + case when u.type = 'admin' then interval '${SESSION_LIMITS.administratorHours} hours'
      else interval '${SESSION_LIMITS.otherDays} days' end,
    -- An administrator reads the documents of every manager, and so follows the strictest.
    case when exists (select from managers m where m.ends_idle_sessions and (u.type = 'admin' or m.id = u.manager_id))
      then used_at + interval '${SESSION_LIMITS.idleMinutes} minutes' end)
    from users u where u.id = person);
select set_config('tapeline.actor_type', 'system', true);
update refresh_tokens set expires_at = least(expires_at, sign_in_ends(user_id, signed_in_at, now()));
select set_config('tapeline.actor_type', '', true);
alter table refresh_tokens add constraint refresh_tokens_longest
  check (expires_at <= signed_in_at + interval '${SESSION_LIMITS.otherDays} days');
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

/** Confirmed changes of addresses, rights over other users, and the ends of sign-ins. */
export class Accounts extends Migration {
  override up(): void {
    this.addSql([addressChanges, letters, pendingEmail, rights, sessions].join('\n'));
  }
}
