import { Migration } from '@mikro-orm/migrations';
import {
  BY_COMPANY,
  currency,
  EVERYTHING,
  OF_MANAGER,
  object,
  optional,
  references,
  tenantTable,
  text,
} from './tenant-table.ts';

/** Whoever does not see the certificate does not see what it is adjusted by. */
const CERTIFICATE = `exists (select from borrowing_bases b where b.tape_id = base_adjustments.tape_id
  and b.contract_id = base_adjustments.contract_id and b.status = 'Active')`;

const adjustments = tenantTable({
  name: 'base_adjustments',
  tenant: 'company',
  history: {
    exempt: 'It keeps who entered and who decided it; an approved one makes a new version of its certificate.',
  },
  statuses: ['Requested', 'Approved', 'Declined', 'Withdrawn'],
  initialStatus: 'Requested',
  columns: {
    // The certificate: a tape under a contract, in all its versions.
    tape_id: 'object_id not null',
    contract_id: 'object_id not null',
    transaction_id: 'object_id not null',
    amount: 'numeric not null check (amount <> 0 and abs(amount) < 1e15)',
    currency,
    reason: text({ minLength: 5, maxLength: 500 }),
    file_id: `object_id ${references('files')}`,
    entered_by: object,
    entered_at: 'timestamptz not null',
    decided_by: optional(object),
    decided_at: 'timestamptz',
    decline_reason: optional(text({ minLength: 5, maxLength: 500 })),
  },
  constraints: [
    `foreign key (tape_id, company_id) ${references('loan_tapes', 'id, company_id')}`,
    `foreign key (transaction_id, company_id) ${references('transactions', 'id, company_id')}`,
    `foreign key (contract_id, company_id) ${references('contracts', 'id, company_id')}`,
    "check ((status = 'Requested') = (decided_by is null))",
    'check ((decided_by is null) = (decided_at is null))',
    "check ((status = 'Declined') = (decline_reason is not null))",
    // Only the person who entered it takes it back.
    "constraint base_adjustments_withdrawn check (status <> 'Withdrawn' or decided_by ->> 'id' = entered_by ->> 'id')",
    "constraint base_adjustments_second check (status not in ('Approved', 'Declined') or decided_by ->> 'id' is distinct from entered_by ->> 'id')",
  ],
  indexes: ['(tape_id, contract_id)', "(manager_id) where status = 'Requested'"],
  // The borrower sees what changed its certificate, and not what is only considered.
  read: `(${OF_MANAGER} or (${BY_COMPANY} and status = 'Approved')) and (${EVERYTHING} or ${CERTIFICATE})`,
  write: { insert: OF_MANAGER, update: OF_MANAGER, delete: 'false' },
});

/** What was entered never changes, and a decision is final. A certificate has at most fifty. */
const states = `
create function check_base_adjustment() returns trigger language plpgsql as $$ begin
  if (tg_op = 'INSERT' and new.status <> 'Requested') or (tg_op = 'UPDATE' and old.status <> 'Requested') then
    raise exception 'the adjustment is decided' using errcode = 'check_violation', constraint = 'base_adjustments_decided';
  end if;
  if tg_op = 'UPDATE' and (new.id, new.manager_id, new.company_id, new.tape_id, new.contract_id, new.transaction_id, new.amount, new.currency, new.reason, new.file_id, new.entered_by, new.entered_at)
      is distinct from (old.id, old.manager_id, old.company_id, old.tape_id, old.contract_id, old.transaction_id, old.amount, old.currency, old.reason, old.file_id, old.entered_by, old.entered_at) then
    raise exception 'what was entered stays' using errcode = 'check_violation', constraint = 'base_adjustments_fixed';
  end if;
  if tg_op = 'INSERT' and (select count(*) >= 50 from base_adjustments a where a.tape_id = new.tape_id and a.contract_id = new.contract_id) then
    raise exception 'a certificate has at most 50 adjustments' using errcode = 'check_violation', constraint = 'base_adjustments_most';
  end if;
  return new;
end $$;
create trigger base_adjustments_states before insert or update on base_adjustments
  for each row execute function check_base_adjustment();`;

/** Adjustments of certificates by two people. */
export class Adjustments extends Migration {
  override up(): void {
    this.addSql([adjustments, states].join('\n'));
  }
}
