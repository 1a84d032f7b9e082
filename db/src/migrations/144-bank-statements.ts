import { Migration } from '@mikro-orm/migrations';
import {
  currency,
  OF_MANAGER,
  oneOf,
  optional,
  recordAlso,
  references,
  table,
  tenantTable,
  text,
} from './tenant-table.ts';
import { ACTOR, AS_ACTOR, AS_SYSTEM } from './triggers.ts';

const FORMATS = ['camt.053', 'camt.054', 'MT940', 'BAI2', 'CSV'];
/** A statement is as the bank wrote it. */
const NEVER_CHANGES = { insert: OF_MANAGER, update: 'false', delete: 'false' };

const statements = tenantTable({
  name: 'bank_statements',
  tenant: 'manager',
  history: { resource: 'bankStatements' },
  statuses: ['Active'],
  columns: {
    bank_account_id: 'object_id not null',
    // Of the account; null if it belongs to the manager.
    fund_id: 'object_id',
    format: oneOf(FORMATS),
    number: text({ minLength: 1, maxLength: 140 }),
    currency,
    from_date: 'date',
    to_date: 'date not null',
    opening_date: 'date',
    opening_amount: 'numeric',
    closing_date: 'date',
    closing_amount: 'numeric',
    line_count: 'integer not null check ({column} >= 0)',
    // Of everything that is read: the same statement in another file is known by it.
    fingerprint: "text not null check ({column} ~ '^[0-9a-f]{64}$')",
    file_id: `object_id not null ${references('files')}`,
    file_name: text({ minLength: 1, maxLength: 250 }),
  },
  constraints: [
    `foreign key (bank_account_id, manager_id) ${references('bank_accounts', 'id, manager_id')}`,
    'check ((opening_date is null) = (opening_amount is null) and (closing_date is null) = (closing_amount is null))',
    'constraint bank_statements_money check (money_fits(coalesce(opening_amount, 0), currency) and money_fits(coalesce(closing_amount, 0), currency))',
    'constraint bank_statements_known unique (bank_account_id, number, to_date, fingerprint)',
  ],
  indexes: [
    '(bank_account_id, to_date)',
    '(file_id)',
    // A statement with balances says everything about its days: there is one.
    'unique (bank_account_id, number, to_date) where opening_amount is not null and closing_amount is not null',
  ],
  write: NEVER_CHANGES,
});

const lines = table({
  name: 'bank_statement_lines',
  history: { exempt: 'A line never changes; its payment has a history.' },
  columns: {
    statement_id: 'object_id not null',
    manager_id: 'object_id not null',
    bank_account_id: 'object_id not null',
    fund_id: 'object_id',
    sequence: 'integer not null check ({column} >= 0)',
    // Of the bank.
    reference: text({ minLength: 1, maxLength: 160 }),
    booked_on: 'date not null',
    valued_on: 'date not null',
    // Positive came in.
    amount: 'numeric not null',
    original_amount: 'numeric check ({column} >= 0)',
    original_currency: optional(currency),
    counterparty_name: 'text',
    counterparty_account: 'text',
    remittance: 'text not null',
    end_to_end_id: 'text',
    return_reason: 'text',
    // Null for a line of zero.
    payment_id: `object_id ${references('payments')}`,
  },
  constraints: [
    'primary key (statement_id, sequence)',
    'unique (statement_id, reference)',
    `foreign key (statement_id, manager_id) ${references('bank_statements', 'id, manager_id')}`,
    'check ((payment_id is null) = (amount = 0))',
    'check ((original_amount is null) = (original_currency is null))',
  ],
  indexes: ['(manager_id)', '(bank_account_id, booked_on)', '(payment_id)'],
  read: OF_MANAGER,
  write: NEVER_CHANGES,
});

/** The opening balance and the lines make the closing balance, in the currency of the account. */
const balances = `
create function check_bank_statement() returns trigger language plpgsql as $$
declare${ACTOR}
  is_whole boolean;
begin${AS_SYSTEM}
  select count(l.statement_id) = new.line_count
      and coalesce(new.opening_amount + coalesce(sum(l.amount), 0) = new.closing_amount, true)
    into is_whole from bank_statement_lines l where l.statement_id = new.id;
  is_whole := is_whole and exists (select from bank_accounts a where a.id = new.bank_account_id
    and a.currency = new.currency and a.fund_id is not distinct from new.fund_id);${AS_ACTOR}
  if not is_whole then
    raise exception 'a bank statement does not add up' using errcode = 'check_violation', constraint = 'bank_statements_balance';
  end if;
  return null;
end $$;
create constraint trigger bank_statements_balance after insert on bank_statements
  deferrable initially deferred for each row execute function check_bank_statement();`;

const buckets = `
alter table files drop constraint files_bucket_check;
alter table files add constraint files_bucket_check check (bucket in ('capitalAccounts', 'capitalCalls', 'fundReports',
  'announcements', 'bankStatements', 'importerFiles', 'testFiles', 'loanTapes', 'publicFiles'));`;

const mapping = `
alter table bank_accounts add column csv_mapping jsonb check (jsonb_typeof(csv_mapping) = 'object');${recordAlso('bank_accounts', ['csv_mapping'])}`;

/** Statements bring fees, interest and transfers that no party owes: nothing of them is allocated, and they are no credit. */
const ownItems = `
alter table payments add column own_item text constraint payments_own_item check (own_item in ('fee', 'interest', 'transfer', 'other')),
  add constraint payments_own_party check (own_item is null or num_nonnulls(investor_lp_id, investor_fund_id, company_id) = 0);${recordAlso('payments', ['own_item'])}
create function check_own_item() returns trigger language plpgsql as $$
declare${ACTOR}
  is_own boolean;
begin${AS_SYSTEM}
  -- The payment is locked by whoever allocates it and by whoever changes it.
  if tg_table_name = 'allocations' then
    select own_item is not null into is_own from payments where id = new.payment_id;
  else
    is_own := exists (select from allocations where payment_id = new.id and reversed_at is null);
  end if;${AS_ACTOR}
  if is_own then
    raise exception 'nothing is allocated of what no party owes' using errcode = 'check_violation', constraint = 'payments_own_allocated';
  end if;
  return new;
end $$;
create trigger allocations_own_item before insert on allocations for each row execute function check_own_item();
create trigger payments_own_allocated before update of own_item on payments
  for each row when (new.own_item is not null) execute function check_own_item();`;

/** What banks say about our accounts. */
export class BankStatements extends Migration {
  override up(): void {
    this.addSql([buckets, mapping, ownItems, statements, lines, balances].join('\n'));
  }
}
