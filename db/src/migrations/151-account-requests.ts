import { Migration } from '@mikro-orm/migrations';
import {
  BY_COMPANY,
  byLP,
  currency,
  EVERYTHING,
  OF_MANAGER,
  object,
  optional,
  references,
  tenantTable,
  text,
} from './tenant-table.ts';

/** People of the investor or the borrower that a request is of. */
const OWN = `${BY_COMPANY} or ${byLP('investor_lp_id')}`;

const requests = tenantTable({
  name: 'account_requests',
  tenant: 'manager',
  history: {
    exempt: 'It keeps who asked and who decided; the history of its party records the account that was accepted.',
  },
  statuses: ['Requested', 'Accepted', 'Declined', 'Withdrawn'],
  initialStatus: 'Requested',
  columns: {
    company_id: 'object_id',
    investor_lp_id: 'object_id',
    currency,
    bank: `${object} check (bank_holds({column}) and octet_length({column}::text) <= 8000)`,
    comment: optional(text({ minLength: 1, maxLength: 500 })),
    requested_by: object,
    requested_at: 'timestamptz not null',
    decided_by: optional(object),
    decided_at: 'timestamptz',
    reason: optional(text({ minLength: 5, maxLength: 500 })),
  },
  constraints: [
    'check (num_nonnulls(company_id, investor_lp_id) = 1)',
    `foreign key (company_id, manager_id) ${references('companies', 'id, manager_id')}`,
    `foreign key (investor_lp_id, manager_id) ${references('lps', 'id, manager_id')}`,
    "check ((status = 'Requested') = (decided_by is null))",
    'check ((decided_by is null) = (decided_at is null))',
    "check ((status = 'Declined') = (reason is not null))",
    "constraint account_requests_second check (status not in ('Accepted', 'Declined') or decided_by ->> 'id' is distinct from requested_by ->> 'id')",
  ],
  indexes: [
    '(company_id)',
    '(investor_lp_id)',
    "unique (company_id, currency) where status = 'Requested'",
    "unique (investor_lp_id, currency) where status = 'Requested'",
  ],
  read: `${OF_MANAGER} or ${OWN}`,
  // The investor or the borrower asks and withdraws; the manager's people decide. Nobody deletes a request.
  write: {
    insert: `${EVERYTHING} or ${OWN}`,
    update: `${OF_MANAGER} or ((${OWN}) and status = 'Requested')`,
    updated: `${OF_MANAGER} or ((${OWN}) and status = 'Withdrawn')`,
    delete: 'false',
  },
});

/** What was asked for never changes, and a decision is final. */
const states = `
create function check_account_request() returns trigger language plpgsql as $$ begin
  if (tg_op = 'INSERT' and new.status <> 'Requested') or (tg_op = 'UPDATE' and old.status <> 'Requested') then
    raise exception 'the request is decided' using errcode = 'check_violation', constraint = 'account_requests_decided';
  end if;
  if tg_op = 'UPDATE' and (new.id, new.manager_id, new.company_id, new.investor_lp_id, new.currency, new.bank, new.comment, new.requested_by, new.requested_at)
      is distinct from (old.id, old.manager_id, old.company_id, old.investor_lp_id, old.currency, old.bank, old.comment, old.requested_by, old.requested_at) then
    raise exception 'what was asked for stays' using errcode = 'check_violation', constraint = 'account_requests_fixed';
  end if;
  return new;
end $$;
create trigger account_requests_states before insert or update on account_requests
  for each row execute function check_account_request();`;

/** Requests of investors and borrowers to be paid to another account. */
export class AccountRequests extends Migration {
  override up(): void {
    this.addSql([requests, states].join('\n'));
  }
}
