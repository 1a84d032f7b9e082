import { Migration } from '@mikro-orm/migrations';
import { EVERYTHING, list, named, OF_MANAGER, optional, references, tenantTable, text } from './tenant-table.ts';

/** Whoever does not see the borrowing base does not see what it would be. */
const BASE = `exists (select from borrowing_bases b
  where b.tape_id = scenarios.tape_id and b.contract_id = scenarios.contract_id and b.status = 'Active')`;

const scenarios = tenantTable({
  name: 'scenarios',
  tenant: 'company',
  history: { resource: 'scenarios' },
  statuses: ['Active', 'Removed'],
  columns: {
    tape_id: 'object_id not null',
    contract_id: 'object_id not null',
    transaction_id: 'object_id not null',
    note_id: 'object_id not null',
    title: text({ minLength: 2, maxLength: 80 }),
    description: optional(text({ maxLength: 500 })),
    changes: list(20, 1),
  },
  constraints: [
    `foreign key (tape_id, company_id) ${references('loan_tapes', 'id, company_id')}`,
    `foreign key (contract_id, company_id, transaction_id, note_id) ${references('contracts', 'id, company_id, transaction_id, note_id')}`,
    ...named('scenarios', 'title'),
    // Each change says what it is, and the terms of another contract come before the changes that refer to them.
    `constraint scenarios_changes check (not jsonb_path_exists(changes, '$[*] ? (!(@.kind == "contract" || @.kind == "rate" || @.kind == "limit" || @.kind == "ruleOff" || @.kind == "haircut" || @.kind == "largestDefault" || @.kind == "rollRates" || @.kind == "currency"))')
      and not jsonb_path_exists(changes, '$[1 to last] ? (@.kind == "contract")'))`,
  ],
  indexes: ["unique (tape_id, contract_id, lower(title)) where status <> 'Removed'", '(note_id)'],
  // What the lender considers is not the borrower's to see.
  read: `(${OF_MANAGER}) and (${EVERYTHING} or ${BASE})`,
  write: { insert: OF_MANAGER, update: OF_MANAGER, delete: 'false' },
});

const count = `
create function check_scenario_count() returns trigger language plpgsql as $$ begin
  if (select count(*) >= 50 from scenarios s where s.tape_id = new.tape_id and s.contract_id = new.contract_id and s.status <> 'Removed') then
    raise exception 'a certificate has at most 50 scenarios' using errcode = 'check_violation', constraint = 'scenarios_most';
  end if;
  return new;
end $$;
create trigger scenarios_count before insert on scenarios for each row execute function check_scenario_count();`;

/** Scenarios of borrowing bases, which no draw, check or trend reads. */
export class Scenarios extends Migration {
  override up(): void {
    this.addSql([scenarios, count].join('\n'));
  }
}
