import { Migration } from '@mikro-orm/migrations';

/**
 * A change of a role's permissions, level or status changes the rights of everyone who has it. Whoever makes it holds every
 * permission of the role from before, and gives none that they lack.
 */
const rights = `
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

/** A role is changed only by those who hold what it gives. */
export class RightsOverRoles extends Migration {
  override up(): void {
    this.addSql(rights);
  }
}
