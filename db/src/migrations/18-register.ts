import { Migration } from '@mikro-orm/migrations';
import { BANK_TYPES, BUSINESS_TYPES, ENTITY_STAGES } from './as-landed.ts';

const quoted = (values: readonly string[]): string => values.map((value) => `'${value}'`).join(', ');

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

const text = (path: string, least: number, most: number): string =>
  `coalesce(char_length(${path}) between ${least} and ${most}, false)`;

/** The limits of what is inside an entity. A required text that is missing is outside of its limits. */
const parts = `
create function items_of(value jsonb) returns setof jsonb immutable parallel safe language sql
  return jsonb_array_elements(case jsonb_typeof(value) when 'array' then value else '[]' end);
create function bank_holds(bank jsonb) returns boolean immutable parallel safe language sql
  return ${text("bank ->> 'title'", 2, 250)} and ${text("bank ->> 'accountNumber'", 2, 150)}
    and ${text("bank ->> 'address'", 2, 250)} and coalesce(bank ->> 'type' in (${quoted(BANK_TYPES)}), false)
    and iban_holds(bank ->> 'IBAN') and bic_holds(bank ->> 'swiftCode') and aba_holds(bank ->> 'abaOrRouting');
create function contact_holds(contact jsonb) returns boolean immutable parallel safe language sql
  return ${text("contact ->> 'name'", 2, 40)}
    and coalesce(nullif(contact ->> 'phone', '') ~ '^[0-9]{1,16}$', true) and coalesce(nullif(contact ->> 'email', '') like '%_@_%', true);
create function business_parts_hold(business jsonb) returns boolean immutable parallel safe language sql
  return business is null or business = 'null' or (
    coalesce(business ->> 'type' in (${quoted(BUSINESS_TYPES)}), false)
    and coalesce(business ->> 'stage' in (${quoted(ENTITY_STAGES)}), true)
    and not exists (select from items_of(business -> 'headQuarters') as office where not address_holds(office)));
create function banks_hold(banks jsonb) returns boolean immutable parallel safe language sql
  return not exists (select from items_of(banks) as bank where not bank_holds(bank));
create function contacts_hold(contacts jsonb) returns boolean immutable parallel safe language sql
  return not exists (select from items_of(contacts) as contact where not contact_holds(contact));
alter table entities
  drop constraint entities_parts,
  add constraint entities_banks check (banks_hold(banks)),
  add constraint entities_contacts check (contacts_hold(contacts)),
  add constraint entities_business check (business_parts_hold(business));
drop function entity_holds(jsonb, jsonb);`;

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

/** Numbers of bank accounts, the parts of an entity, and entities that are hidden with a blocked party. */
export class Register extends Migration {
  override up(): void {
    this.addSql([numbers, parts, hidden].join('\n'));
  }
}
