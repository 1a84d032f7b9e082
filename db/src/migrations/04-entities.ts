import { Migration } from '@mikro-orm/migrations';
import { BANK_TYPES, BUSINESS_TYPES, ENTITY_LIMITS, ENTITY_STAGES } from './as-landed.ts';
import { CREATED, largeList } from './large-lists.ts';
import {
  BY_MANAGER,
  documentTable,
  EVERYTHING,
  list,
  named,
  namedParts,
  OF_MANAGER,
  object,
  optional,
  PARTY_COLUMNS,
  quoted,
  references,
  tenantTable,
  text,
} from './tenant-table.ts';
import { AS_ACTOR, onStatement, SYSTEM_ACTS } from './triggers.ts';

/** A number that is missing or empty is not checked: every number of a bank account is optional. */
const numbers = `
create function iban_holds(iban text) returns boolean immutable parallel safe language sql
  return case
    when coalesce(iban, '') = '' then true
    when iban !~ '^[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}$' then false
    -- ISO 13616: the first four characters move to the end, letters become 10 to 35, and the remainder by 97 is 1.
    else (select string_agg(case when sign ~ '[0-9]' then sign else (ascii(sign) - 55)::text end, '' order by place)::numeric % 97 = 1
      from unnest(string_to_array(substr(iban, 5) || left(iban, 4), null)) with ordinality as signs (sign, place))
    end;
create function bic_holds(bic text) returns boolean immutable parallel safe language sql
  return coalesce(bic, '') = '' or bic ~ '^[A-Z]{6}[A-Z0-9]{2}([A-Z0-9]{3})?$';
create function aba_holds(aba text) returns boolean immutable parallel safe language sql
  return case
    when coalesce(aba, '') = '' then true
    when aba !~ '^[0-9]{9}$' or aba = '000000000' then false
    else (select sum(digit::integer * (array[1, 3, 7])[place % 3 + 1]) % 10 = 0
      from unnest(string_to_array(aba, null)) with ordinality as digits (digit, place))
    end;`;

const within = (path: string, least: number, most: number): string =>
  `coalesce(char_length(${path}) between ${least} and ${most}, false)`;

/**
 * The limits of what is inside an entity: addresses, banks, contacts, a business or a person. A required text that is missing
 * is outside of its limits. A date of birth that was in the past remains in the past.
 */
const parts = `
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
create function person_holds(person jsonb) returns boolean stable parallel safe language sql
  return person is null or person = 'null' or coalesce((person ->> 'dob')::date < current_date, true);
create function items_of(value jsonb) returns setof jsonb immutable parallel safe language sql
  return jsonb_array_elements(case jsonb_typeof(value) when 'array' then value else '[]' end);
create function bank_holds(bank jsonb) returns boolean immutable parallel safe language sql
  return ${within("bank ->> 'title'", 2, 250)} and ${within("bank ->> 'accountNumber'", 2, 150)}
    and ${within("bank ->> 'address'", 2, 250)} and coalesce(bank ->> 'type' in (${quoted(BANK_TYPES)}), false)
    and iban_holds(bank ->> 'IBAN') and bic_holds(bank ->> 'swiftCode') and aba_holds(bank ->> 'abaOrRouting');
create function contact_holds(contact jsonb) returns boolean immutable parallel safe language sql
  return ${within("contact ->> 'name'", 2, 40)}
    and coalesce(nullif(contact ->> 'phone', '') ~ '^[0-9]{1,16}$', true) and coalesce(nullif(contact ->> 'email', '') like '%_@_%', true);
create function business_parts_hold(business jsonb) returns boolean immutable parallel safe language sql
  return business is null or business = 'null' or (
    coalesce(business ->> 'type' in (${quoted(BUSINESS_TYPES)}), false)
    and coalesce(business ->> 'stage' in (${quoted(ENTITY_STAGES)}), true)
    and not exists (select from items_of(business -> 'headQuarters') as office where not address_holds(office)));
create function banks_hold(banks jsonb) returns boolean immutable parallel safe language sql
  return not exists (select from items_of(banks) as bank where not bank_holds(bank));
create function contacts_hold(contacts jsonb) returns boolean immutable parallel safe language sql
  return not exists (select from items_of(contacts) as contact where not contact_holds(contact));`;

const managers = documentTable({
  name: 'managers',
  history: {
    resource: 'managers',
    silent: ['name', 'formal_id', 'country'],
    owners: { manager: 'id' },
    asJsonb: true,
  },
  columns: {
    ...PARTY_COLUMNS,
    domains: list(10),
    // Whether its people, and administrators, are signed out when they do nothing for a while.
    ends_idle_sessions: 'boolean not null default false',
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
    // An entity is a business or a person.
    business: 'jsonb check (business_holds({column}))',
    person: 'jsonb check (person_holds({column}))',
    description: optional(text({ maxLength: 300 })),
    domains: list(10),
    category: list(50),
    contacts: list(5),
    banks: list(10),
    country: "text generated always as (nationality ->> 'country') stored",
  },
  constraints: [
    'constraint entities_banks check (banks_hold(banks))',
    'constraint entities_contacts check (contacts_hold(contacts))',
    'constraint entities_business check (business_parts_hold(business))',
    ...named('entities', 'name', 'formal_id'),
  ],
  // The last two find the entity of a logo or an icon.
  indexes: [
    'using gin (category)',
    "((business ->> 'logo')) where business ->> 'logo' is not null",
    "((business ->> 'icon')) where business ->> 'icon' is not null",
  ],
  // An entity is marked as Removed instead of being deleted: parties and history refer to it.
  write: {
    insert: OF_MANAGER,
    // A manager's users cannot change the manager's own entity.
    update: `${EVERYTHING} or (${BY_MANAGER} and id not in (select entity_id from managers))`,
    delete: EVERYTHING,
  },
});

const listed = largeList('entities', {
  sorted: ['name collate "C"', 'formal_id collate "C"', 'country collate "C"', ...CREATED],
  searched: ['name'],
  hasCountries: true,
});

const managersEntity = `
alter table managers add foreign key (entity_id, id) ${references('entities', 'id, manager_id')};`;

const PARTIES = ['managers', 'companies', 'lps'];

/**
 * A party's name is the name of its entity. It is stored with the party, as are its formal id and its country, so that
 * lists of thousands can sort and search by them. Editing the entity updates them everywhere, in the same transaction, also
 * where the actor sees nothing. A fund has a name alone, and the names of its parties: these are all that its investors may
 * know of them, not their bank accounts, contacts or addresses.
 */
const names = `
create function name_party() returns trigger language plpgsql as $$ begin
  new.name := coalesce((select name from entities where id = new.entity_id), '');
  return new;
end $$;
create function describe_party() returns trigger language plpgsql as $$
declare entity record;
begin
  select name, formal_id, country into entity from entities where id = new.entity_id;
  new.name := coalesce(entity.name, '');
  new.formal_id := coalesce(entity.formal_id, '');
  new.country := coalesce(entity.country, '');
  return new;
end $$;
create trigger managers_name before insert or update of entity_id on managers for each row execute function describe_party();
create function rename_parties() returns trigger language plpgsql as $$ ${SYSTEM_ACTS}
  ${PARTIES.map(
    (name) => `update ${name} set name = new.name, formal_id = new.formal_id, country = new.country
    where entity_id = new.id and (name, formal_id, country) is distinct from (new.name, new.formal_id, new.country);`,
  ).join('\n  ')}
  update funds set name = new.name where entity_id = new.id and name <> new.name;${AS_ACTOR}
  return null;
end $$;
create trigger entities_name after update of name, formal_id, nationality on entities for each row
  when ((old.name, old.formal_id, old.nationality) is distinct from (new.name, new.formal_id, new.nationality))
  execute function rename_parties();
create function party_names_of(ids text[]) returns jsonb stable language sql
  return (select coalesce(jsonb_object_agg(id, name), '{}') from entities where id = any (ids));
create function rename_parties_of_funds() returns trigger language plpgsql as $$ begin
  update funds set party_names = party_names || jsonb_build_object(new.id, new.name)
    where manager_id = new.manager_id and (new.id = any (gp_ids) or management_company_id = new.id)
      and party_names ->> new.id is distinct from new.name;
  return null;
end $$;
create trigger entities_party_names after update of name on entities for each row
  when (old.name is distinct from new.name) execute function rename_parties_of_funds();`;

/**
 * An entity may be added after the parties that it is of: references are checked at the end of a transaction. All new
 * entities of a statement are looked up at once. The funds that name one are found first, and few are.
 */
const namesOfNew = `
create function name_parties_of_new() returns trigger language plpgsql set enable_seqscan = off as $$
declare
  actor text := coalesce(current_setting('tapeline.actor_type', true), '');
  blocked text := coalesce(current_setting('tapeline.blocked', true), '');
  naming text[];
begin
  perform set_config('tapeline.actor_type', 'system', true), set_config('tapeline.blocked', '', true);
  ${['managers', 'companies', 'lps']
    .map(
      (table) => `update ${table} party set name = added.name, formal_id = added.formal_id, country = added.country
    from added where party.entity_id = added.id
      and (party.name, party.formal_id, party.country) is distinct from (added.name, added.formal_id, added.country);`,
    )
    .join('\n  ')}
  update funds set name = added.name from added where funds.entity_id = added.id and funds.name <> added.name;
  perform set_config('tapeline.actor_type', actor, true), set_config('tapeline.blocked', blocked, true);
  naming := array(select f.id::text from funds f where f.management_company_id in (select id from added)
    or exists (select from unnest(f.gp_ids) as gp (id) where gp.id in (select id from added)));
  if cardinality(naming) > 0 then
    update funds set party_names = party_names_of(gp_ids::text[] || management_company_id::text)
      where id = any (naming) and party_names is distinct from party_names_of(gp_ids::text[] || management_company_id::text);
  end if;
  return null;
end $$;
create trigger entities_name_of_new after insert on entities
  referencing new table as added for each statement execute function name_parties_of_new();`;

/**
 * Blocking a company, an investor or a fund for a user also hides its entity, unless the user can see another party of
 * that entity. The function looks behind the block, which is why it switches the block off for one query.
 */
const hidden = `
create function hidden_entities() returns text[] stable language plpgsql as $$
declare
  blocked text := nullif(current_setting('tapeline.blocked', true), '');
  hidden text[];
begin
  if blocked is null then
    return '{}';
  end if;
  perform set_config('tapeline.blocked', '', true);
  hidden := array(
    select entity_id from companies where 'companies/' || id = any (string_to_array(blocked, ','))
    union select entity_id from lps where 'LPs/' || id = any (string_to_array(blocked, ','))
    union select entity_id from funds where 'funds/' || id = any (string_to_array(blocked, ',')) and entity_id is not null
    union select unnest(entity_ids) from service_providers where 'serviceProviders/' || id = any (string_to_array(blocked, ',')));
  perform set_config('tapeline.blocked', blocked, true);
  return array(
    select unnest(hidden)
    except select entity_id from managers where entity_id = any (hidden)
    except select entity_id from companies where entity_id = any (hidden) and status <> 'Removed'
    except select entity_id from lps where entity_id = any (hidden) and status <> 'Removed'
    except select entity_id from funds where entity_id = any (hidden) and status <> 'Removed'
    except select unnest(entity_ids) from service_providers where entity_ids::text[] && hidden and status <> 'Removed');
end $$;
create policy blocked on entities as restrictive for select using (id <> all ((select hidden_entities())::text[]));
create policy blocked_entity on history as restrictive for select using (
  resource <> 'entities' or document_id <> all ((select hidden_entities())::text[]));`;

/** The register of legal entities, and the managers (tenants) that they belong to. */
export class Entities extends Migration {
  override up(): void {
    this.addSql([numbers, parts, managers, entities].join('\n'));
    this.addSql([listed, onStatement('entities', 'categories', 'count_rows_by_category')].join('\n'));
    // Rows from before these checks are checked when they change.
    this.addSql(
      [managersEntity, names, namesOfNew, hidden, namedParts('entities', 'business', 'contacts', 'banks')].join('\n'),
    );
  }
}
