import { Migration } from '@mikro-orm/migrations';
import { ENTITY_LIMITS } from './as-landed.ts';
import {
  BY_MANAGER,
  documentTable,
  EVERYTHING,
  list,
  OF_MANAGER,
  object,
  optional,
  references,
  tenantTable,
  text,
} from './tenant-table.ts';

/** Checks of addresses, contacts, banks and businesses, which are documents inside an entity. */
const checks = `
create function address_holds(address jsonb) returns boolean immutable parallel safe language sql
  return coalesce(char_length(address ->> 'country') between 2 and 30, false)
    and text_within(address ->> 'description', 0, 200);
create function business_holds(business jsonb) returns boolean immutable parallel safe language sql
  return business is null or business = 'null' or (
    coalesce(char_length(business ->> 'formalName') between 2 and 250, false)
    and list_within(business -> 'headQuarters', 10)
    and list_within(business -> 'shares', 50)
    and not jsonb_path_exists(business, '$.shares[*].* ? (@.type() == "number" && @ < 0)')
    and not jsonb_path_exists(business, '$.shares[*].amount ? (@.type() == "string" && @ starts with "-")')
    and not jsonb_path_exists(business, '$.shares[*].faceValue ? (@.type() == "string" && @ starts with "-")'));
create function entity_holds(contacts jsonb, banks jsonb) returns boolean immutable parallel safe language sql
  return not jsonb_path_exists(contacts, '$[*].name ? (!(@ like_regex "^.{2,40}$" flag "s"))')
    and not jsonb_path_exists(banks, '$[*].title ? (!(@ like_regex "^.{2,250}$" flag "s"))')
    and not jsonb_path_exists(banks, '$[*].accountNumber ? (!(@ like_regex "^.{2,150}$" flag "s"))')
    and not jsonb_path_exists(banks, '$[*].address ? (!(@ like_regex "^.{2,250}$" flag "s"))');`;

const managers = documentTable({
  name: 'managers',
  history: { resource: 'managers', silent: ['name', 'formal_id', 'country'], owners: { manager: 'id' } },
  columns: {
    entity_id: 'object_id not null',
    name: "text not null default ''",
    domains: list(10),
  },
  indexes: ['(entity_id)'],
  read: `${EVERYTHING} or id = (select actor_manager())`,
  // A manager's users can change its documents, but not the manager itself.
  write: EVERYTHING,
});

const entities = tenantTable({
  name: 'entities',
  tenant: 'manager',
  history: { resource: 'entities' },
  columns: {
    name: text(ENTITY_LIMITS.name),
    formal_id: text(ENTITY_LIMITS.formalId),
    nationality: `${object} check (address_holds({column}))`,
    business: 'jsonb check (business_holds({column}))',
    description: optional(text({ maxLength: 300 })),
    domains: list(10),
    category: list(50),
    contacts: list(5),
    banks: list(10),
  },
  constraints: ['constraint entities_parts check (entity_holds(contacts, banks))'],
  // An entity is marked as Removed instead of being deleted: parties and history refer to it.
  write: {
    insert: OF_MANAGER,
    // A manager's users cannot change the manager's own entity.
    update: `${EVERYTHING} or (${BY_MANAGER} and id not in (select entity_id from managers))`,
    delete: EVERYTHING,
  },
});

const managersEntity = `
alter table managers add foreign key (entity_id, id) ${references('entities', 'id, manager_id')};`;

/**
 * A party's name is the name of its entity. It is stored with the party so that lists of thousands can sort and search
 * by it. Editing the entity's name updates it everywhere, in the same transaction.
 */
const names = `
create function name_party() returns trigger language plpgsql as $$ begin
  new.name := coalesce((select name from entities where id = new.entity_id), '');
  return new;
end $$;
create trigger managers_name before insert or update of entity_id on managers for each row execute function name_party();`;

/** The register of legal entities, and the managers (tenants) that they belong to. */
export class Entities extends Migration {
  override up(): void {
    this.addSql([checks, managers, entities, managersEntity, names].join('\n'));
  }
}
