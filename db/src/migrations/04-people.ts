import { Migration } from '@mikro-orm/migrations';
import {
  MAX_LPS,
  MAX_PERMISSIONS,
  MAX_RESOURCES,
  PERMISSION_TITLE,
  ROLE_LEVELS,
  ROLE_TITLE,
  USER_LIMITS,
  USER_STATES,
  USER_TYPES,
} from './as-landed.ts';
import {
  byLP,
  documentTable,
  EVERYTHING,
  list,
  OF_MANAGER,
  oneOf,
  optional,
  references,
  SIGNED_IN,
  tenantTable,
  text,
} from './tenant-table.ts';

/** The columns of a party: its entity in the register, and the entity's name. */
const party = { entity_id: 'object_id not null', name: "text not null default ''" };
const partyEntity = `foreign key (entity_id, manager_id) ${references('entities', 'id, manager_id')}`;

const companies = tenantTable({
  name: 'companies',
  tenant: 'manager',
  history: { resource: 'companies', silent: ['name', 'formal_id', 'country'], owners: { company: 'id' } },
  columns: { ...party, domains: list(10) },
  constraints: [partyEntity],
  indexes: ['(entity_id)'],
  read: `${OF_MANAGER} or id = (select actor_company())`,
});

const lps = tenantTable({
  name: 'lps',
  tenant: 'manager',
  history: { resource: 'LPs', silent: ['name', 'formal_id', 'country'], owners: { lp: 'id' } },
  columns: {
    title: text({ minLength: 2, maxLength: 250 }),
    ...party,
    domains: list(10),
    group_id: 'object_id',
    group_title: 'text',
  },
  constraints: [partyEntity],
  indexes: ['(group_id)', '(entity_id)'],
  read: `${OF_MANAGER} or ${byLP('id')}`,
});

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
    allowed: `text[] not null check ({column} <@ array[${USER_TYPES.map((type) => `'${type}'`).join(', ')}])`,
  },
  read: `${EVERYTHING} or ${SIGNED_IN}`,
  write: EVERYTHING,
});

const resources = `text[] not null default '{}' check (cardinality({column}) <= ${MAX_RESOURCES} and array_position({column}, null) is null)`;

const users = documentTable({
  name: 'users',
  statuses: USER_STATES,
  history: { resource: 'users', silent: ['last_visited', 'organization', 'role_title'] },
  columns: {
    first_name: text(USER_LIMITS.firstName),
    last_name: text(USER_LIMITS.lastName),
    email: "text not null check (email = lower(email) and email like '%_@_%')",
    recovery_email: "text check ({column} like '%_@_%')",
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
  },
  constraints: [
    "check ((type = 'admin') = (manager_id is null))",
    "check ((type = 'company') = (company_id is not null))",
    `foreign key (company_id, manager_id) ${references('companies', 'id, manager_id')}`,
    // Whom a user acts for is stored twice: in assoc for readers of the document, and in the columns that row-level
    // security uses.
    `constraint users_assoc check (coalesce(case type
      when 'admin' then assoc -> 'admin' = 'true'
      when 'manager' then assoc #>> '{manager,id}' = manager_id
      when 'company' then assoc #>> '{company,id}' = company_id
      when 'LP' then assoc #>> '{LP,id}' ~ '^[0-9a-f]{24}$'
      else assoc #>> '{LPGroup,id}' ~ '^[0-9a-f]{24}$' end, false))`,
  ],
  // The email of a removed user can be invited again.
  indexes: ["unique (email) where status <> 'Removed'", '(role_id)'],
  read: `${OF_MANAGER} or id = (select actor_user())`,
  // A trigger prevents that users change their own access, or act on more privileged users. Sign-in and profile write
  // as the system.
  write: OF_MANAGER,
});

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

const namesOfParties = `
create trigger companies_name before insert or update of entity_id on companies for each row execute function name_party();
create trigger lps_name before insert or update of entity_id on lps for each row execute function name_party();`;

/** Companies, investors, and the users who act for them. */
export class People extends Migration {
  override up(): void {
    this.addSql(
      [companies, lps, roles, permissions, users, roleOfUser, rights, levels, lastAdministrator, namesOfParties].join(
        '\n',
      ),
    );
  }
}
