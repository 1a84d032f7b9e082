import { Migration } from '@mikro-orm/migrations';
import {
  MAX_LPS,
  MAX_PERMISSIONS,
  MAX_RESOURCES,
  PERMISSION_KEYS,
  PERMISSION_TITLE,
  ROLE_LEVELS,
  ROLE_TITLE,
  USER_LIMITS,
  USER_STATES,
  USER_TYPES,
} from './as-landed.ts';
import { CREATED, largeList } from './large-lists.ts';
import {
  documentTable,
  EVERYTHING,
  named,
  OF_MANAGER,
  oneOf,
  optional,
  quoted,
  references,
  SIGNED_IN,
  text,
} from './tenant-table.ts';
import { AS_ACTOR, SYSTEM_ACTS } from './triggers.ts';

const roles = documentTable({
  name: 'roles',
  history: { resource: 'roles' },
  columns: {
    // The tenant that created it; null for the roles that every tenant has.
    manager_id: `object_id ${references('managers')}`,
    title: text(ROLE_TITLE),
    level: `integer not null check ({column} between ${ROLE_LEVELS.highest} and ${ROLE_LEVELS.lowest})`,
    permissions: `text[] not null check (cardinality({column}) <= ${MAX_PERMISSIONS} and array_position({column}, null) is null)`,
  },
  constraints: named('roles', 'title'),
  indexes: ["unique (coalesce(manager_id::text, ''), lower(title))"],
  read: `${OF_MANAGER} or manager_id is null`,
  write: OF_MANAGER,
});

const permissions = documentTable({
  name: 'permissions',
  history: { exempt: 'The specification keeps no history of permissions.' },
  columns: {
    title: text(PERMISSION_TITLE),
    key: 'text not null unique',
    allowed: `text[] not null check ({column} <@ array[${quoted(USER_TYPES)}])`,
  },
  constraints: named('permissions', 'title'),
  read: `${EVERYTHING} or ${SIGNED_IN}`,
  write: EVERYTHING,
});

const resources = `text[] not null default '{}' check (cardinality({column}) <= ${MAX_RESOURCES} and array_position({column}, null) is null)`;

const users = documentTable({
  name: 'users',
  statuses: USER_STATES,
  history: { resource: 'users', silent: ['last_visited', 'organization', 'role_title'], asJsonb: true },
  columns: {
    first_name: text(USER_LIMITS.firstName),
    last_name: text(USER_LIMITS.lastName),
    email: "text not null check (email = lower(email) and email like '%_@_%')",
    // An address that is not confirmed yet.
    pending_email: 'text',
    recovery_email: "text check ({column} like '%_@_%')",
    // A recovery email opens the account only while it is the address that was confirmed.
    confirmed_recovery_email: 'text check ({column} = lower({column}))',
    role_id: `object_id ${references('roles')}`,
    type: oneOf(USER_TYPES),
    assoc: 'jsonb not null check (has_one_key({column}))',
    manager_id: `object_id ${references('managers')}`,
    company_id: 'object_id',
    lps: `text[] not null default '{}' check (cardinality({column}) <= ${MAX_LPS} and array_position({column}, null) is null
      and array_to_string({column}, ',') ~ '^([0-9a-f]{24}(,[0-9a-f]{24})*)?$')`,
    exclusive_resources: resources,
    inclusive_resources: resources,
    last_visited: 'timestamptz',
    is_read_privacy_and_terms: 'boolean not null default false',
    is_confirmed_user_details: 'boolean not null default false',
    phone_number: optional("text not null check ({column} ~ '^[0-9]{1,16}$')"),
    // What lists of users sort by, and whom they act for.
    name: "text generated always as (first_name || ' ' || last_name) stored",
    lp_id: "text generated always as (case when type = 'LP' then assoc #>> '{LP,id}' end) stored",
    lp_group_id: "text generated always as (case when type = 'LPGroup' then assoc #>> '{LPGroup,id}' end) stored",
    organization: 'text',
    role_title: 'text',
  },
  constraints: [
    "check ((type = 'admin') = (manager_id is null))",
    "check ((type = 'company') = (company_id is not null))",
    "check (pending_email = lower(pending_email) and pending_email like '%_@_%' and pending_email <> email)",
    `foreign key (company_id, manager_id) ${references('companies', 'id, manager_id')}`,
    // Whom a user acts for is stored twice: in assoc for readers of the document, and in the columns that row-level
    // security uses.
    `constraint users_assoc check (coalesce(case type
      when 'admin' then assoc -> 'admin' = 'true'
      when 'manager' then assoc #>> '{manager,id}' = manager_id
      when 'company' then assoc #>> '{company,id}' = company_id
      when 'LP' then assoc #>> '{LP,id}' ~ '^[0-9a-f]{24}$'
      else assoc #>> '{LPGroup,id}' ~ '^[0-9a-f]{24}$' end, false))`,
    ...named('users', 'first_name', 'last_name'),
  ],
  indexes: [
    // The email of a removed user can be invited again.
    "unique (email) where status <> 'Removed'",
    "unique (confirmed_recovery_email) where status <> 'Removed'",
    '(role_id)',
    '(company_id)',
    // Users who act for an investor are counted for each page of investors.
    '(lp_id)',
    '(lp_group_id)',
    'using gin (lps)',
  ],
  read: `${OF_MANAGER} or id = (select actor_user())`,
  // A trigger prevents that users change their own access, or act on more privileged users. Sign-in and profile write
  // as the system.
  write: OF_MANAGER,
});

const listed = largeList('users', {
  sorted: [
    'name collate "C"',
    'email collate "C"',
    'type collate "C"',
    'status collate "C"',
    ...CREATED,
    'organization collate "C"',
    'organization collate "C" desc nulls last',
    'role_title collate "C"',
    'role_title collate "C" desc nulls last',
    'last_visited',
    'last_visited desc nulls last',
  ],
  searched: ['name', 'email', 'organization'],
});

/** The names of the organization and of the role are stored with the user, and follow theirs. */
const descriptions = `
create function describe_user() returns trigger language plpgsql as $$ ${SYSTEM_ACTS}
  new.organization := case new.type
    when 'manager' then (select name from managers where id = new.manager_id)
    when 'company' then (select name from companies where id = new.company_id)
    when 'LP' then (select title from lps where id = new.assoc #>> '{LP,id}')
    when 'LPGroup' then (select title from lp_groups where id = new.assoc #>> '{LPGroup,id}') end;
  new.role_title := (select title from roles where id = new.role_id);${AS_ACTOR}
  return new;
end $$;
create trigger users_description before insert or update of type, assoc, manager_id, company_id, role_id on users
  for each row execute function describe_user();
${[
  ['managers', 'name', 'organization', `type = 'manager' and manager_id = new.id`],
  ['companies', 'name', 'organization', 'company_id = new.id'],
  ['lps', 'title', 'organization', 'lp_id = new.id'],
  ['lp_groups', 'title', 'organization', 'lp_group_id = new.id'],
  ['roles', 'title', 'role_title', 'role_id = new.id'],
]
  .map(
    ([name, label, column, condition]) => `
create function describe_users_of_${name}() returns trigger language plpgsql as $$ ${SYSTEM_ACTS}
  update users set ${column} = new.${label} where ${condition} and ${column} is distinct from new.${label};${AS_ACTOR}
  return null;
end $$;
create trigger ${name}_users after insert or update of ${label} on ${name} for each row execute function describe_users_of_${name}();`,
  )
  .join('')}`;

// Deferred like the foreign keys, so that the order of inserts does not matter.
const roleOfUser = `
create function check_role_of_user() returns trigger language plpgsql as $$ begin
  if not exists (select from roles where id = new.role_id and (manager_id is null or manager_id = new.manager_id)) then
    raise exception 'the role is not one of the user''s tenant' using errcode = 'check_violation', constraint = 'users_role';
  end if;
  return null;
end $$;
create constraint trigger users_role after insert or update of role_id, manager_id on users
  deferrable initially deferred for each row when (new.role_id is not null) execute function check_role_of_user();`;

/**
 * The permissions of a user: the role's, without the exclusive, with the inclusive, limited to what the user's type can
 * hold. Everything that asks what someone can do asks this function.
 */
const rights = `
create function rights_of(user_type text, role text, exclusive text[], inclusive text[])
returns table (id text, key text, allowed boolean, in_role boolean, blocked boolean, granted boolean, held boolean)
stable parallel safe language sql as $$
  select p.id, p.key, one.allowed, one.in_role, one.blocked, one.granted,
    one.allowed and (one.granted or (one.in_role and not one.blocked))
  from permissions p
  left join roles r on r.id = role and r.status = 'Active'
  cross join lateral (select user_type = any (p.allowed) as allowed, coalesce(p.key = any (r.permissions), false) as in_role,
    p.key = any (exclusive) as blocked, p.key = any (inclusive) as granted) as one
  where p.status = 'Active' $$;
create function level_of_role(role text) returns integer stable parallel safe language sql
  return coalesce((select level from roles where id = role and status = 'Active'), ${ROLE_LEVELS.lowest});`;

/** Levels: nobody changes a user or a role of a higher level, gives one away, or changes their own access. */
const levels = `
create function check_actor_over_user() returns trigger language plpgsql as $$ begin
  if actor_type() in ('', 'system') then
    return coalesce(new, old);
  end if;
  if tg_op <> 'INSERT' and level_of_role(old.role_id) < actor_level()
    or tg_op <> 'DELETE' and level_of_role(new.role_id) < actor_level() then
    raise exception 'the user has a higher level' using errcode = 'insufficient_privilege', constraint = 'users_level';
  end if;
  if tg_op = 'UPDATE' and old.id = actor_user() and
    (old.email, old.status, old.type, old.assoc, old.role_id, old.lps, old.exclusive_resources, old.inclusive_resources)
      is distinct from
    (new.email, new.status, new.type, new.assoc, new.role_id, new.lps, new.exclusive_resources, new.inclusive_resources) then
    raise exception 'users cannot change their own access' using errcode = 'insufficient_privilege', constraint = 'users_own_access';
  end if;
  return coalesce(new, old);
end $$;
create trigger users_level before insert or update or delete on users
  for each row execute function check_actor_over_user();
create function check_actor_over_role() returns trigger language plpgsql as $$ begin
  if actor_type() not in ('', 'system')
    and (tg_op <> 'INSERT' and old.level < actor_level() or tg_op <> 'DELETE' and new.level < actor_level()) then
    raise exception 'the role has a higher level' using errcode = 'insufficient_privilege', constraint = 'roles_level';
  end if;
  return coalesce(new, old);
end $$;
create trigger roles_level before insert or update or delete on roles
  for each row execute function check_actor_over_role();`;

/** Serializes changes that could leave the installation without an administrator. */
const ADMINISTRATORS_LOCK = 3_305_772;

/**
 * An administrator is an Active user of the type admin who can write users and roles. The last one stays. Checked when
 * the transaction commits, under a lock: two administrators cannot remove each other at the same time.
 */
const lastAdministrator = `
create function is_administrator(user_type text, role text, exclusive text[], inclusive text[]) returns boolean
stable parallel safe language sql
  return user_type = 'admin' and (select count(*) = 2 from rights_of(user_type, role, exclusive, inclusive)
    where held and key in ('users/write', 'roles/write'));
create function check_administrators() returns trigger language plpgsql as $$
declare
  actor text := coalesce(current_setting('tapeline.actor_type', true), '');
  concerned boolean;
  remain boolean;
begin
  perform pg_advisory_xact_lock(${ADMINISTRATORS_LOCK});
  -- The actor may not be able to see every administrator.
  perform set_config('tapeline.actor_type', 'system', true);
  if tg_table_name = 'users' then
    concerned := is_administrator(old.type, old.role_id, old.exclusive_resources, old.inclusive_resources);
  elsif tg_table_name = 'roles' then
    concerned := exists (select from users where type = 'admin' and status = 'Active' and role_id = old.id);
  else
    concerned := exists (select from users where type = 'admin' and status = 'Active' and role_id is not null);
  end if;
  remain := not concerned or exists (select from users where type = 'admin' and status = 'Active'
    and is_administrator(type, role_id, exclusive_resources, inclusive_resources));
  perform set_config('tapeline.actor_type', actor, true);
  if not remain then
    raise exception 'the last active administrator stays' using errcode = 'check_violation', constraint = 'users_last_administrator';
  end if;
  return null;
end $$;
create constraint trigger users_last_administrator after update or delete on users deferrable initially deferred
  for each row when (old.status = 'Active' and old.type = 'admin' and old.role_id is not null)
  execute function check_administrators();
create constraint trigger roles_last_administrator after update on roles deferrable initially deferred
  for each row when (old.permissions @> '{users/write,roles/write}'
    and not (new.permissions @> '{users/write,roles/write}' and new.status = old.status))
  execute function check_administrators();
create constraint trigger permissions_last_administrator after update on permissions deferrable initially deferred
  for each row when (old.key in ('users/write', 'roles/write') and 'admin' = any (old.allowed)
    and not ('admin' = any (new.allowed) and new.status = old.status))
  execute function check_administrators();`;

/**
 * Whoever changes how another person signs in, whom they act for, or what they may do, holds every permission of this
 * person from before the change, sees every document that they see, and gives nothing that they lack. Only the program changes the email of somebody who has signed up, once it is confirmed.
 * Permissions of the installation's own programs are given by administrators, who need not hold them.
 */
const rightsOverUsers = `
create function keys_beyond_actor(keys text[]) returns text stable language sql as $$
  select string_agg(one.key, ', ' order by one.key) from unnest(keys) as one (key)
  cross join (select string_to_array(coalesce(current_setting('tapeline.permissions', true), ''), ',') as held) as actor
  where one.key <> all (held) and not ('*' = any (held) and one.key not in (${quoted(PERMISSION_KEYS)})) $$;
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

/**
 * A change of a role's permissions, level or status changes the rights of everyone who has it. Whoever makes it holds every
 * permission of the role from before, and gives none that they lack.
 */
const rightsOverRoles = `
create function check_actor_rights_over_role() returns trigger language plpgsql as $$
declare
  before text[] := '{}';
  beyond text;
begin
  if actor_type() in ('', 'system') then
    return new;
  end if;
  if tg_op = 'UPDATE' then
    if (old.permissions, old.level, old.status) is not distinct from (new.permissions, new.level, new.status) then
      return new;
    end if;
    before := old.permissions;
    beyond := keys_beyond_actor(before);
    if beyond is not null then
      raise exception 'the role has permissions that the actor lacks: %', beyond
        using errcode = 'insufficient_privilege', constraint = 'roles_rights';
    end if;
  end if;
  beyond := keys_beyond_actor(array(select unnest(new.permissions) except select unnest(before)));
  if beyond is not null then
    raise exception 'the actor cannot give %', beyond using errcode = 'insufficient_privilege', constraint = 'roles_given_rights';
  end if;
  return new;
end $$;
create trigger roles_rights before insert or update of permissions, level, status on roles
  for each row execute function check_actor_rights_over_role();`;

/** Users, and their roles and permissions. */
export class Users extends Migration {
  override up(): void {
    this.addSql([roles, permissions, users, descriptions, roleOfUser].join('\n'));
    this.addSql(listed);
    this.addSql([rights, levels, lastAdministrator, rightsOverUsers, rightsOverRoles].join('\n'));
  }
}
