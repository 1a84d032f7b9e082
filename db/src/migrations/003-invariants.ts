import { Migration } from '@mikro-orm/migrations';

/** Checks on documents inside documents. A list or text that is not there is within its limits. */
const functions = `
create function list_within(value jsonb, most integer) returns boolean immutable parallel safe language sql
  return case jsonb_typeof(value) when 'array' then jsonb_array_length(value) <= most when 'null' then true
    else value is null end;
create function text_within(value text, shortest integer, longest integer) returns boolean immutable parallel safe language sql
  return value is null or char_length(value) between shortest and longest;
create function entity_holds(value jsonb) returns boolean immutable parallel safe language sql
  return coalesce(char_length(value ->> 'name') between 2 and 250, false)
    and text_within(value ->> 'formalId', 1, 100)
    and text_within(value ->> 'description', 0, 300)
    and text_within(value #>> '{nationality,country}', 2, 30)
    and text_within(value #>> '{nationality,description}', 0, 200)
    and text_within(value #>> '{business,formalName}', 2, 250)
    and list_within(value -> 'contacts', 5)
    and list_within(value -> 'banks', 10)
    and list_within(value -> 'domains', 10)
    and list_within(value #> '{business,headQuarters}', 10)
    and list_within(value #> '{business,shares}', 50)
    and not jsonb_path_exists(value, '$.contacts[*].name ? (!(@ like_regex "^.{2,40}$" flag "s"))')
    and not jsonb_path_exists(value, '$.banks[*].title ? (!(@ like_regex "^.{2,250}$" flag "s"))')
    and not jsonb_path_exists(value, '$.banks[*].accountNumber ? (!(@ like_regex "^.{2,150}$" flag "s"))')
    and not jsonb_path_exists(value, '$.banks[*].address ? (!(@ like_regex "^.{2,250}$" flag "s"))')
    and not jsonb_path_exists(value, '$.business.shares[*].* ? (@.type() == "number" && @ < 0)');
create function tranches_hold(tranches jsonb) returns boolean immutable parallel safe language sql
  return (select count(*) filter (where (tranche -> 'sequenceActivated') = 'true') <= 1
      and count(distinct tranche -> 'sequence') = count(*)
      and coalesce(bool_and(
        coalesce(btrim(tranche ->> 'title') <> '', false)
        and coalesce(btrim(tranche ->> 'type') <> '', false)
        and coalesce(jsonb_array_length(tranche #> '{terms,commitments}') >= 1, false)
        and list_within(tranche #> '{terms,fees}', 50)), true)
    from jsonb_array_elements(coalesce(tranches, '[]')) as tranche);
create function priority_holds(priority jsonb) returns boolean immutable parallel safe language sql
  return priority is null or priority = 'null' or coalesce(
    (priority -> 'attachmentPoint')::numeric between 0 and 99.9
    and (priority -> 'detachmentPoint')::numeric between 0.1 and 100
    and (priority -> 'attachmentPoint')::numeric < (priority -> 'detachmentPoint')::numeric, false);
create function notes_hold(notes jsonb) returns boolean immutable parallel safe language sql
  return (select count(distinct note ->> 'title') = count(*) and count(distinct note ->> 'id') = count(*)
      and bool_and(
        coalesce(note ->> 'id' ~ '^[0-9a-f]{24}$', false)
        and coalesce(btrim(note ->> 'title') <> '', false)
        and priority_holds(note -> 'priority')
        and list_within(note #> '{terms,fees}', 50)
        and tranches_hold(note -> 'tranches'))
    from jsonb_array_elements(notes) as note);
create function contract_holds(body jsonb) returns boolean immutable parallel safe language sql
  return not jsonb_path_exists(body,
      '$.values[*] ? (@.title == "Total Eligible & Performing Pool" || @.title == "Total Relevant Pool")')
    and not jsonb_path_exists(body, '$.advanceRate.cases[*].rate ? (@ < 0 || @ > 100)')
    and not jsonb_path_exists(body, '$.advanceRate.defaultRate ? (@ < 0 || @ > 100)')
    and not jsonb_path_exists(body, '$.eligibilityRules[*] ? (@.startDate.type() == "string" && @.startDate >= @.expirationDate)')
    and not jsonb_path_exists(body, '$.performanceRules[*] ? (@.startDate.type() == "string" && @.startDate >= @.expirationDate)')
    and not jsonb_path_exists(body, '$.concentrationRules[*] ? (@.startDate.type() == "string" && @.startDate >= @.expirationDate)');
create function rates_hold(rates jsonb) returns boolean immutable parallel safe language sql
  return not jsonb_path_exists(rates, '$.* ? (!(@.double() > 0))')
    and not jsonb_path_exists(rates, '$.* ? (@.type() != "string" && @.type() != "number")');`;

const people = `
alter table managers add constraint managers_entity check (entity_holds(entity));
alter table companies add constraint companies_entity check (entity_holds(entity));
alter table lps add constraint lps_entity check (entity_holds(entity));
alter table permissions add constraint permissions_allowed
  check (allowed <@ array['LP', 'company', 'LPGroup', 'manager', 'admin']);
alter table users add constraint users_recovery_email check (recovery_email like '%_@_%');
alter table users add constraint users_lps check (
  array_position(lps, null) is null and array_to_string(lps, ',') ~ '^([0-9a-f]{24}(,[0-9a-f]{24})*)?$');
-- Whom a user acts for is said twice: for people in assoc, and in the columns that sight goes by.
alter table users add constraint users_assoc check (coalesce(case type
  when 'admin' then assoc -> 'admin' = 'true'
  when 'manager' then assoc #>> '{manager,id}' = manager_id
  when 'company' then assoc #>> '{company,id}' = company_id
  when 'LP' then assoc #>> '{LP,id}' ~ '^[0-9a-f]{24}$'
  else assoc #>> '{LPGroup,id}' ~ '^[0-9a-f]{24}$' end, false));`;

// Deferred, as the keys are: writers need not order their inserts.
const triggers = `
create function check_role_of_user() returns trigger language plpgsql as $$ begin
  if not exists (select from roles where id = new.role_id and (manager_id is null or manager_id = new.manager_id)) then
    raise exception 'the role is not one of the user''s tenant' using errcode = 'check_violation', constraint = 'users_role';
  end if;
  return null;
end $$;
create constraint trigger users_role after insert or update of role_id, manager_id on users
  deferrable initially deferred for each row when (new.role_id is not null) execute function check_role_of_user();
create function check_refresh_tokens() returns trigger language plpgsql as $$ begin
  if (select count(*) from refresh_tokens where user_id = new.user_id) > 200 then
    raise exception 'a user has at most 200 refresh tokens' using errcode = 'check_violation', constraint = 'refresh_tokens_most';
  end if;
  return null;
end $$;
create constraint trigger refresh_tokens_most after insert on refresh_tokens
  deferrable initially deferred for each row execute function check_refresh_tokens();
create function check_contracts_of_note() returns trigger language plpgsql as $$ begin
  if (select count(*) from contracts where note_id = new.note_id) > 200 then
    raise exception 'a note has at most 200 contracts' using errcode = 'check_violation', constraint = 'contracts_most';
  end if;
  if not exists (select from transactions
      where id = new.transaction_id and notes @> jsonb_build_array(jsonb_build_object('id', new.note_id))) then
    raise exception 'the note is not one of the transaction' using errcode = 'check_violation', constraint = 'contracts_note';
  end if;
  return null;
end $$;
create constraint trigger contracts_of_note after insert or update of note_id, transaction_id on contracts
  deferrable initially deferred for each row execute function check_contracts_of_note();`;

const lending = `
alter table funds add constraint funds_entity check (entity is null or entity_holds(entity));
alter table lp_commitments add constraint lp_commitments_other_fund check (investor_fund_id <> fund_id);
alter table transactions add constraint transactions_notes check (notes_hold(notes));
alter table transactions add constraint transactions_industries
  check (not jsonb_path_exists(industries, '$[*] ? (@.type() != "string" || @ == "")'));
alter table contracts add constraint contracts_body check (contract_holds(body));
alter table contracts add constraint contracts_whole unique (id, company_id, transaction_id, note_id);
alter table borrowing_bases add constraint borrowing_bases_contract
  foreign key (contract_id, company_id, transaction_id, note_id)
  references contracts (id, company_id, transaction_id, note_id) deferrable initially deferred;
alter table loan_tapes add constraint loan_tapes_rates check (rates_hold(exchange_rates));
alter table loan_tapes add constraint loan_tapes_others check (jsonb_typeof(other_attachments) = 'array');
alter table currency_rates add constraint currency_rates_rates check (rates_hold(rates));
alter table files add constraint files_company foreign key (company_id, manager_id)
  references companies (id, manager_id) deferrable initially deferred;
alter table files add constraint files_lp foreign key (lp_id, manager_id)
  references lps (id, manager_id) deferrable initially deferred;`;

/** Limits of the contracts in `domain` that the first tables left to the program: inside documents, and across rows. */
export class Invariants extends Migration {
  override up(): void {
    this.addSql([functions, people, triggers, lending].join('\n'));
  }
}
