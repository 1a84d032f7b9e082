import { Migration } from '@mikro-orm/migrations';
import { lockOf, refuse } from './143-cash.ts';
import {
  currency,
  ISSUED,
  OF_MANAGER,
  object,
  oneOf,
  optional,
  quoted,
  recordAlso,
  references,
  table,
  tenantTable,
  text,
} from './tenant-table.ts';
import { ACTOR, AS_ACTOR, AS_SYSTEM } from './triggers.ts';

const SECOND_PERSON_KINDS = ['calls', 'distributions', 'payments'];
const FORMATS = ['pain.001.001.03', 'pain.001.001.09', 'NACHA', 'CSV'];

/** From which amount on two people release a payment run. */
const rules = `
create or replace function second_person_holds(rules jsonb) returns boolean immutable parallel safe language sql
  return jsonb_typeof(rules) = 'object' and (
    select coalesce(bool_and(coalesce(kind in (${quoted(SECOND_PERSON_KINDS)}) and case rule ->> 'when'
      when 'from' then (rule #>> '{amount,sum}')::numeric > 0 and rule #>> '{amount,currency}' ~ '^[A-Z]{3}$'
      else rule ->> 'when' in ('never', 'always') and jsonb_typeof(rule -> 'amount') = 'null' end, false)), true)
    from jsonb_each(case jsonb_typeof(rules) when 'object' then rules else '{}' end) as entries (kind, rule));`;

/** Borrowers are paid to accounts that a second person confirmed, as investors are. */
const payouts = `
alter table companies add column payout_accounts jsonb not null default '[]'
  constraint companies_payout_accounts check (jsonb_typeof(payout_accounts) = 'array' and jsonb_array_length(payout_accounts) <= 20
    and payout_accounts_hold(payout_accounts));
create index companies_payout_waiting on companies (manager_id) where payout_accounts @> '[{"confirmedBy": null}]';${recordAlso('companies', ['payout_accounts'])}
-- The fingerprint of the account of an investor or a borrower that a second person confirmed.
create function confirmed_account(investor text, borrower text, currency text) returns text stable language sql
  return (select one ->> 'fingerprint' from (select l.payout_accounts from lps l where l.id = investor
      union all select c.payout_accounts from companies c where c.id = borrower) as party
    cross join lateral jsonb_array_elements(party.payout_accounts) as one
    where one ->> 'currency' = confirmed_account.currency and coalesce(one -> 'confirmedBy', 'null') <> 'null');`;

const lines = table({
  name: 'payment_run_lines',
  history: { exempt: 'Its run records what a person does with it.' },
  columns: {
    run_id: 'object_id not null',
    manager_id: `object_id not null ${references('managers')}`,
    place: 'integer not null check ({column} >= 0)',
    kind: oneOf(['distribution', 'draw']),
    // Of the distribution or the draw.
    document_id: 'object_id not null',
    // Of the distribution: what belongs to a commitment is hidden with it.
    commitment_id: 'object_id',
    fund_id: 'object_id',
    investor_lp_id: 'object_id',
    company_id: 'object_id',
    transaction_id: 'object_id',
    currency,
    amount: 'numeric not null check ({column} > 0)',
    reference: text({ minLength: 1, maxLength: 60 }),
    purpose: text({ maxLength: 300 }),
    // The payee and its account, as they were when the run was prepared.
    payee: object,
    // Of the account that a second person confirmed.
    fingerprint: text({ minLength: 64, maxLength: 64 }),
    // Whether the run pays it: not once the run is withdrawn or the payment came back.
    is_open: 'boolean not null default true',
    returned: 'jsonb',
    return_reason: optional(text({ minLength: 3, maxLength: 500 })),
  },
  constraints: [
    'primary key (run_id, place)',
    "constraint payment_run_lines_party check ((kind = 'distribution') = (investor_lp_id is not null) and (kind = 'draw') = (company_id is not null))",
    'constraint payment_run_lines_returned check ((returned is null) = (return_reason is null) and (returned is null or not is_open))',
  ],
  indexes: [
    '(manager_id)',
    // What is owed is paid by one open run.
    'unique (kind, document_id, currency) where is_open',
    '(document_id) where is_open',
    '(commitment_id)',
    '(fund_id)',
    '(investor_lp_id)',
    '(company_id)',
    '(transaction_id)',
  ],
  read: OF_MANAGER,
  write: { insert: OF_MANAGER, update: OF_MANAGER, delete: 'false' },
});

const runs = tenantTable({
  name: 'payment_runs',
  tenant: 'manager',
  history: { resource: 'paymentRuns', silent: ['payer', 'prepared', 'released_at'] },
  statuses: ['Prepared', 'Released', 'Withdrawn'],
  initialStatus: 'Prepared',
  columns: {
    bank_account_id: 'object_id not null',
    execute_on: 'date not null',
    format: oneOf(FORMATS),
    // What the bank calls the payer in NACHA files.
    originator: "text check ({column} ~ '^[A-Z0-9 ]{10}$')",
    currency,
    total: 'numeric not null check ({column} > 0)',
    count: 'integer not null check ({column} between 1 and 500)',
    // Our account, as it was when the run was prepared.
    payer: object,
    // Who did each step, and when. Triggers note them.
    prepared: object,
    first_released: 'jsonb',
    released: 'jsonb',
    released_at: 'timestamptz',
    withdrawn: 'jsonb',
    withdrawal_reason: optional(text({ minLength: 3, maxLength: 500 })),
    // Name, key in the object storage, type, size and SHA-256.
    file: 'jsonb',
    downloads: 'integer not null default 0 check ({column} >= 0)',
    // Payments that came back.
    returns: 'integer not null default 0 check ({column} between 0 and count)',
  },
  constraints: [
    `foreign key (bank_account_id, manager_id, currency) ${references('bank_accounts', 'id, manager_id, currency')}`,
    `constraint payment_runs_originator check (format <> 'NACHA' or originator is not null)`,
    `constraint payment_runs_released check ((status = 'Released') = (released is not null) and num_nonnulls(released, released_at, file) in (0, 3))`,
    `constraint payment_runs_withdrawn check ((status = 'Withdrawn') = (withdrawn is not null) and (withdrawn is null) = (withdrawal_reason is null))`,
    `constraint payment_runs_file check (file is null or (file ->> 'checksum' ~ '^[0-9a-f]{64}$' and (file ->> 'size')::bigint > 0))`,
    'constraint payment_runs_downloads check ((downloads = 0 and returns = 0) or file is not null)',
  ],
  indexes: ['(manager_id, status)', '(bank_account_id)'],
  // Whoever cannot see one of its payments does not see their total either.
  read: `(${OF_MANAGER}) and exists (select from bank_accounts b where b.id = bank_account_id)
    and (select count(*) from payment_run_lines l where l.run_id = payment_runs.id) = count`,
  write: { insert: OF_MANAGER, update: OF_MANAGER, delete: 'false' },
});

/** Who cannot see a document does not see that it is paid. */
const blocked = `
create policy blocked_documents on payment_run_lines as restrictive for select using (${['distributions', 'draws']
  .map(
    (collection) =>
      `coalesce(document_id <> all ((select actor_documents('tapeline.blocked', '${collection}'))::text[]), true)`,
  )
  .join(' and ')});`;

/** Who cannot see a run does not see what was done with it. */
const blockedHistory = `
create function sees_payment_run(run text) returns boolean stable language plpgsql as $$ begin
  return exists (select from payment_runs r where r.id = run);
end $$;
create policy payment_runs on history as restrictive for select using (resource <> 'paymentRuns' or sees_payment_run(document_id));`;

/** Columns that never change once a run is prepared. */
const FIXED = [
  'manager_id',
  'bank_account_id',
  'execute_on',
  'format',
  'originator',
  'currency',
  'total',
  'count',
  'payer',
  'prepared',
];
const fixed = (row: string) => FIXED.map((column) => `${row}.${column}`).join(', ');

/**
 * Who prepares and who releases a run are two people, and three above the manager's limit. A run releases once, what it was
 * prepared for, to accounts that a second person confirmed and that are still the same.
 */
const checking = `
alter table payment_run_lines add constraint payment_run_lines_run foreign key (run_id) ${references('payment_runs')};
create function prepare_payment_run() returns trigger language plpgsql as $$
begin
  new.prepared := change_author();
  if new.status <> 'Prepared' or new.first_released is not null then
    raise exception 'a run is prepared first' using errcode = 'check_violation', constraint = 'payment_run_steps';
  end if;
  return new;
end $$;
create trigger payment_runs_prepare before insert on payment_runs for each row execute function prepare_payment_run();
create function check_payment_run() returns trigger language plpgsql security definer set search_path from current as $$
declare${ACTOR}
  author jsonb := change_author();
  person text := author #>> '{entity,id}';
  preparer text := old.prepared #>> '{entity,id}';
  first_person text;
  needs_two boolean;
  problem text;
begin
  if row(${fixed('new')}) is distinct from row(${fixed('old')}) then
    raise exception 'what a run pays does not change' using errcode = 'check_violation', constraint = 'payment_run_fixed';
  end if;
  if old.status <> 'Prepared' then
    if row(new.status, new.first_released, new.released, new.released_at, new.withdrawn, new.withdrawal_reason, new.file)
      is distinct from row(old.status, old.first_released, old.released, old.released_at, old.withdrawn, old.withdrawal_reason, old.file) then
      raise exception 'a run ends once' using errcode = 'check_violation', constraint = 'payment_run_steps';
    end if;
    return new;
  end if;
  if new.first_released is distinct from old.first_released then
    if old.first_released is not null or new.first_released is null then
      raise exception 'the first release stays' using errcode = 'check_violation', constraint = 'payment_run_steps';
    end if;
    new.first_released := author;
    if coalesce(person = preparer, true) then
      raise exception 'somebody else releases a run than who prepared it' using errcode = 'check_violation', constraint = 'payment_release';
    end if;
  end if;
  if new.status = 'Withdrawn' then
    new.withdrawn := author;
  end if;
  if new.status = 'Released' then
    new.released := author;
    new.released_at := now();
    first_person := new.first_released #>> '{entity,id}';
    if coalesce(person = preparer, true) then
      raise exception 'somebody else releases a run than who prepared it' using errcode = 'check_violation', constraint = 'payment_release';
    end if;${AS_SYSTEM}
    select needs_second_person(m.second_person -> 'payments', new.total, new.currency) into needs_two from managers m where m.id = new.manager_id;
    if needs_two and coalesce(first_person = person, true) then
      raise exception 'two people release a run of this amount' using errcode = 'check_violation', constraint = 'payment_release_two';
    end if;
    if (select (count(*), sum(l.amount)) from payment_run_lines l where l.run_id = new.id and l.is_open) is distinct from (new.count::bigint, new.total) then
      raise exception 'the lines of a run add up to it' using errcode = 'check_violation', constraint = 'payment_run_total';
    end if;
    perform lock_cash('{}', array(select l.document_id::text from payment_run_lines l where l.run_id = new.id));
    -- A change of an account that is under way is waited for.
    perform from lps p where p.id in (select l.investor_lp_id from payment_run_lines l where l.run_id = new.id) order by p.id for share;
    perform from companies p where p.id in (select l.company_id from payment_run_lines l where l.run_id = new.id) order by p.id for share;
    if exists (select from payment_run_lines l where l.run_id = new.id
      and confirmed_account(l.investor_lp_id, l.company_id, new.currency) is distinct from l.fingerprint) then
      raise exception 'the account of a payee was changed' using errcode = 'check_violation', constraint = 'payment_account';
    end if;
    if exists (select from payment_run_lines l left join obligations o on o.kind = l.kind and o.document_id = l.document_id and o.currency = l.currency
      where l.run_id = new.id and (o.open is distinct from l.amount or l.currency <> new.currency)) then
      raise exception 'what is owed was changed' using errcode = 'check_violation', constraint = 'payment_owed';
    end if;${AS_ACTOR}
  end if;
  return new;
end $$;
create trigger payment_runs_check before update on payment_runs for each row execute function check_payment_run();
create function close_payment_run() returns trigger language plpgsql security definer set search_path from current as $$
declare${ACTOR}
begin${AS_SYSTEM}
  update payment_run_lines set is_open = false where run_id = new.id;${AS_ACTOR}
  return null;
end $$;
create trigger payment_runs_withdrawn after update of status on payment_runs for each row
  when (new.status = 'Withdrawn' and old.status <> 'Withdrawn') execute function close_payment_run();
create function check_payment_line() returns trigger language plpgsql as $$
begin
  if to_jsonb(new) - array['is_open', 'returned', 'return_reason'] <> to_jsonb(old) - array['is_open', 'returned', 'return_reason']
    or (new.is_open and not old.is_open) or (old.returned is not null and new.returned is distinct from old.returned) then
    raise exception 'what a run pays does not change' using errcode = 'check_violation', constraint = 'payment_run_fixed';
  end if;
  if new.returned is not null and old.returned is null then
    new.returned := change_author();
  end if;
  return new;
end $$;
create trigger payment_run_lines_check before update on payment_run_lines for each row execute function check_payment_line();
-- What is withdrawn at the same moment is no longer owed.
create function check_new_payment_line() returns trigger language plpgsql as $$
declare${ACTOR}
  owed obligations;
begin${AS_SYSTEM}
  perform ${lockOf('new.document_id')};
  select o.* into owed from obligations o where o.kind = new.kind and o.document_id = new.document_id and o.currency = new.currency;
  select d.commitment_id into new.commitment_id from distributions d where d.id = new.document_id;${AS_ACTOR}${refuse(
    'owed.open is distinct from new.amount',
    'what is owed was changed',
    'payment_owed',
  )}
  return new;
end $$;
create trigger payment_run_lines_owed before insert on payment_run_lines for each row execute function check_new_payment_line();`;

/** What a run pays stays until the run is withdrawn or the payment comes back: otherwise it could be paid twice. */
const paidByRun = `
create function check_paid_by_run() returns trigger language plpgsql as $$
declare${ACTOR}
  is_paid boolean;
begin${AS_SYSTEM}
  perform lock_documents(array[old.id::text]);
  is_paid := exists (select from payment_run_lines l where l.document_id = old.id and l.is_open);${AS_ACTOR}${refuse(
    'is_paid',
    'a payment run pays this',
    'paid_by_run',
  )}
  return coalesce(new, old);
end $$;
${Object.entries({ distributions: ISSUED, draws: "status = 'Approved'" })
  .map(
    ([name, issued]) => `
create trigger ${name}_paid_by_run before update of status on ${name}
  for each row when (old.${issued} and not (new.${issued})) execute function check_paid_by_run();
create trigger ${name}_paid_by_run_gone before delete on ${name} for each row execute function check_paid_by_run();`,
  )
  .join('')}`;

/** Payments to release wait for a person as other requests do. */
export class PaymentRuns extends Migration {
  override up(): void {
    this.addSql([rules, payouts, lines, blocked, runs, blockedHistory, checking, paidByRun].join('\n'));
  }
}
