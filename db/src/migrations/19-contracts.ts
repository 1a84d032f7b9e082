import { Migration } from '@mikro-orm/migrations';
import { CONTRACT_STATES, LIMIT_OVERLAPS, MAX_SCOPES } from './as-landed.ts';
import { BY_COMPANY, OF_MANAGER, quoted, references, tenantTable } from './tenant-table.ts';

const checks = `
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

const contracts = tenantTable({
  name: 'contracts',
  tenant: 'company',
  history: { resource: 'contracts', canBeBlocked: true },
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
    // How its concentration limits combine. Contracts without the setting are sequential.
    `constraint contracts_overlap check (coalesce(body ->> 'overlap' in (${quoted(LIMIT_OVERLAPS)}), true))`,
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

/** The contracts of notes: what is eligible, the concentration limits and the advance rates. */
export class Contracts extends Migration {
  override up(): void {
    this.addSql([checks, contracts, oneActiveContract, contractsOfNote].join('\n'));
  }
}
