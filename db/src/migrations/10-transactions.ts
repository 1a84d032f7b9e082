import { Migration } from '@mikro-orm/migrations';
import {
  CONTRACT_STATES,
  MAX_INDUSTRIES,
  MAX_NOTES,
  MAX_SCOPES,
  TRANSACTION_STATES,
  TRANSACTION_TYPES,
} from './as-landed.ts';
import { BY_COMPANY, list, OF_MANAGER, oneOf, references, tenantTable, text } from './tenant-table.ts';

/** Checks of notes and contracts, which are documents inside documents. */
const checks = `
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
create function notes_within(notes jsonb) returns boolean immutable parallel safe language sql
  return (select coalesce(bool_and(
      text_within(note ->> 'title', 1, 250) and list_within(note -> 'tranches', 200) and list_within(note -> 'holdings', 200)
      and list_within(note -> 'security', 200) and list_within(note -> 'legalAgreements', 200)
      and list_within(note -> 'counselsCompany', 200) and list_within(note -> 'counselsManager', 200)
      and list_within(note #> '{terms,commitments}', 200) and list_within(note #> '{terms,warrants}', 100)), true)
    from jsonb_array_elements(notes) as note);
create function contract_holds(body jsonb) returns boolean immutable parallel safe language sql
  return not jsonb_path_exists(body,
      '$.values[*] ? (@.title == "Total Eligible & Performing Pool" || @.title == "Total Relevant Pool")')
    and not jsonb_path_exists(body, '$.advanceRate.cases[*].rate ? (@ < 0 || @ > 100)')
    and not jsonb_path_exists(body, '$.advanceRate.defaultRate ? (@ < 0 || @ > 100)')
    and not jsonb_path_exists(body, '$.eligibilityRules[*] ? (@.startDate.type() == "string" && @.startDate >= @.expirationDate)')
    and not jsonb_path_exists(body, '$.performanceRules[*] ? (@.startDate.type() == "string" && @.startDate >= @.expirationDate)')
    and not jsonb_path_exists(body, '$.concentrationRules[*] ? (@.startDate.type() == "string" && @.startDate >= @.expirationDate)');
create function contract_within(body jsonb) returns boolean immutable parallel safe language sql
  return list_within(body -> 'values', 200) and list_within(body -> 'eligibilityRules', 200)
    and list_within(body -> 'performanceRules', 200) and list_within(body -> 'concentrationRules', 200)
    and list_within(body #> '{advanceRate,cases}', 200);`;

const transactions = tenantTable({
  name: 'transactions',
  tenant: 'company',
  history: { resource: 'transactions' },
  statuses: TRANSACTION_STATES,
  columns: {
    title: text({ minLength: 1, maxLength: 250 }),
    type: oneOf(TRANSACTION_TYPES),
    industries: list(MAX_INDUSTRIES, 1),
    notes: list(MAX_NOTES, 1),
    max_commitments: list(400),
    manager_max_commitments: list(400),
  },
  constraints: [
    'constraint transactions_notes check (notes_hold(notes))',
    'constraint transactions_most_notes check (notes_within(notes))',
    `constraint transactions_industries check (not jsonb_path_exists(industries, '$[*] ? (@.type() != "string")')
      and not jsonb_path_exists(industries, '$[*] ? (!(@ like_regex "^.{1,250}$" flag "s"))'))`,
  ],
});

const contracts = tenantTable({
  name: 'contracts',
  tenant: 'company',
  history: { resource: 'contracts' },
  statuses: CONTRACT_STATES,
  initialStatus: 'Draft',
  // Drafts are the manager's.
  read: `${OF_MANAGER} or (${BY_COMPANY} and status <> 'Draft')`,
  columns: {
    transaction_id: 'object_id not null',
    note_id: 'object_id not null',
    revision: 'integer not null check ({column} >= 1)',
    cut_off_date: 'date not null',
    mapping_id: 'object_id',
    body: `jsonb not null check (jsonb_typeof({column}) = 'object' and list_within({column} -> 'scopes', ${MAX_SCOPES}))`,
    activated_at: 'timestamptz',
    closed_at: 'timestamptz',
  },
  constraints: [
    'unique (note_id, revision)',
    // Borrowing bases refer to this key.
    'constraint contracts_whole unique (id, company_id, transaction_id, note_id)',
    `foreign key (transaction_id, company_id) ${references('transactions', 'id, company_id')}`,
    `foreign key (mapping_id, company_id) ${references('mappings', 'id, company_id')}`,
    "check (status = 'Draft' or activated_at is not null)",
    "check (status <> 'Closed' or closed_at is not null)",
    'constraint contracts_body check (contract_holds(body))',
    'constraint contracts_most check (contract_within(body))',
  ],
  indexes: ['(transaction_id)'],
});

const oneActiveContract = `
create unique index contracts_one_active on contracts (note_id, cut_off_date) where status = 'Active';`;

const contractsOfNote = `
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

/** Transactions with their notes, and the contracts of the notes. */
export class Transactions extends Migration {
  override up(): void {
    this.addSql([checks, transactions, contracts, oneActiveContract, contractsOfNote].join('\n'));
  }
}
