import { Migration } from '@mikro-orm/migrations';
import {
  asSystem,
  BY_COMPANY,
  byLP,
  currency,
  EVERYTHING,
  ISSUED,
  named,
  OF_MANAGER,
  oneOf,
  optional,
  quoted,
  references,
  table,
  tenantTable,
  text,
} from './tenant-table.ts';
import { ACTOR, AS_ACTOR, AS_SYSTEM } from './triggers.ts';

/** Every permission as of this migration, and the types of users that can hold the new ones. */
const PERMISSION_KEYS = [
  ...[
    'LPs',
    'LPs/commitments',
    'entities',
    'contributions',
    'distributions',
    'announcements',
    'funds',
    'users',
    'roles',
    'importer',
    'managers',
    'transactions',
    'assets',
    'companies',
    'assets/ETL',
    'tables',
    'transactionDraw',
    'repayments',
    'payments',
  ].flatMap((resource) => [`${resource}/read`, `${resource}/write`]),
  'payments/release',
  'history/read',
  'borrowingBase/read',
  'preview/read',
];

/** Who works with calls and distributions now works with payments; investors and borrowers do not. */
const permissions = `
create or replace function keys_beyond_actor(keys text[]) returns text stable language sql as $$
  select string_agg(one.key, ', ' order by one.key) from unnest(keys) as one (key)
  cross join (select string_to_array(coalesce(current_setting('tapeline.permissions', true), ''), ',') as held) as actor
  where one.key <> all (held) and not ('*' = any (held) and one.key not in (${quoted(PERMISSION_KEYS)})) $$;
${asSystem(`
update roles r set version = r.version + 1, permissions = r.permissions || array(
    select given.key from (values ('payments/read', 'contributions/read'), ('payments/write', 'contributions/write'),
      ('payments/release', 'contributions/write')) as given (key, held)
    where given.held = any (r.permissions) and given.key <> all (r.permissions))
  where r.permissions @> '{contributions/read,distributions/read,entities/read}';`)}`;

const ACCOUNT = text({ minLength: 2, maxLength: 250 });

const accounts = tenantTable({
  name: 'bank_accounts',
  tenant: 'manager',
  history: { resource: 'bankAccounts' },
  statuses: ['Active', 'Disabled'],
  columns: {
    // Null for an account of the manager that no fund owns.
    fund_id: 'object_id',
    title: text({ minLength: 2, maxLength: 150 }),
    bank_name: text({ minLength: 2, maxLength: 150 }),
    // IBAN or another number, as the bank writes it.
    account_number: ACCOUNT,
    bic: "text check ({column} ~ '^[A-Z]{6}[A-Z0-9]{2}([A-Z0-9]{3})?$')",
    currency,
    opening_balance: 'numeric not null default 0',
    opening_date: 'date not null',
    // The most that a payment may be short and still be proposed.
    tolerance: 'numeric not null default 50 check ({column} >= 0)',
  },
  constraints: [
    `foreign key (fund_id, manager_id) ${references('funds', 'id, manager_id')}`,
    'unique (id, manager_id, currency)',
    'constraint bank_accounts_money check (money_fits(opening_balance, currency) and money_fits(tolerance, currency))',
    ...named('bank_accounts', 'title', 'bank_name', 'account_number'),
  ],
  indexes: ['(fund_id)'],
});
const unique = `
create unique index bank_accounts_number on bank_accounts
  (manager_id, upper(regexp_replace(account_number, '[^0-9A-Za-z]', '', 'g')), currency);
create unique index payments_reference on payments (bank_account_id, bank_reference) where status <> 'Removed';`;

/** Whom a payment, or an obligation, is with: an investor, another fund that invests, or a borrower. */
const PARTY = { investor_lp_id: 'object_id', investor_fund_id: 'object_id', company_id: 'object_id' };
const DIRECTIONS = ['in', 'out'];

const payments = tenantTable({
  name: 'payments',
  tenant: 'manager',
  history: { resource: 'payments' },
  statuses: ['Active', 'Removed'],
  columns: {
    bank_account_id: 'object_id not null',
    // Of the account; null if it has none.
    fund_id: 'object_id',
    direction: oneOf(DIRECTIONS),
    amount: 'numeric not null check ({column} > 0)',
    currency,
    booked_on: 'date not null',
    valued_on: 'date not null',
    counterparty_name: optional(text({ minLength: 1, maxLength: 250 })),
    counterparty_account: optional(ACCOUNT),
    remittance: "text not null default '' check (char_length({column}) <= 2000)",
    // What the bank says that it, or another bank, kept.
    charges: 'numeric check ({column} >= 0)',
    // Unique in the account.
    bank_reference: optional(text({ minLength: 1, maxLength: 250 })),
    // Of the statement that it came from; null if a person recorded it.
    statement_line: optional(text({ minLength: 1, maxLength: 250 })),
    ...PARTY,
    note: optional(text({ minLength: 1, maxLength: 1000 })),
    removal_reason: optional(text({ minLength: 1, maxLength: 500 })),
  },
  constraints: [
    `foreign key (bank_account_id, manager_id, currency) ${references('bank_accounts', 'id, manager_id, currency')}`,
    `foreign key (fund_id, manager_id) ${references('funds', 'id, manager_id')}`,
    `foreign key (investor_lp_id, manager_id) ${references('lps', 'id, manager_id')}`,
    `foreign key (investor_fund_id, manager_id) ${references('funds', 'id, manager_id')}`,
    `foreign key (company_id, manager_id) ${references('companies', 'id, manager_id')}`,
    'constraint payments_party check (num_nonnulls(investor_lp_id, investor_fund_id, company_id) <= 1)',
    'constraint payments_money check (money_fits(amount, currency) and money_fits(charges, currency))',
    "constraint payments_days check (booked_on between '1950-01-01' and '2150-12-31' and valued_on between '1950-01-01' and '2150-12-31')",
    "constraint payments_removed check (status <> 'Removed' or (removal_reason is not null and statement_line is null))",
  ],
  indexes: ['(bank_account_id, booked_on)', '(fund_id)', '(investor_lp_id)', '(investor_fund_id)', '(company_id)'],
});

const KINDS = ['contribution', 'distribution', 'draw', 'repayment'];

/** What is said about an obligation. Triggers fill in whose it is, so that this never differs from the document. */
const ofObligation = {
  id: 'object_id primary key',
  manager_id: `object_id not null ${references('managers')}`,
  obligation_kind: oneOf(KINDS),
  // The contribution, distribution or draw.
  document_id: 'object_id not null',
  currency,
  amount: 'numeric not null check ({column} > 0)',
  fund_id: 'object_id',
  ...PARTY,
  created: 'jsonb not null default change_author()',
  created_at: 'timestamptz not null default now()',
  // Who took it back, when and why. Nothing is deleted.
  reversed: 'jsonb',
  reversed_at: 'timestamptz',
  reversal_reason: optional(text({ minLength: 1, maxLength: 500 })),
};
const REVERSED = 'check (num_nonnulls(reversed, reversed_at, reversal_reason) in (0, 3))';
/** Outsiders read what is about their own documents. */
const OF_PARTY = `${OF_MANAGER} or ${byLP('investor_lp_id')} or ${BY_COMPANY}`;
const written = { insert: OF_MANAGER, update: OF_MANAGER, delete: EVERYTHING };
const ownedIndexes = ['(manager_id)', '(document_id)', '(fund_id)', '(investor_lp_id)', '(company_id)'];

const allocations = table({
  name: 'allocations',
  history: { exempt: 'it is a record of its own: a row says who made it, and who took it back and why' },
  columns: {
    ...ofObligation,
    payment_id: `object_id not null ${references('payments')}`,
    // The value date of the payment, which its party may know. It does not see the payment.
    paid_on: 'date not null',
  },
  constraints: [
    `constraint allocations_reversed ${REVERSED}`,
    'constraint allocations_money check (money_fits(amount, currency))',
  ],
  indexes: [...ownedIndexes, '(payment_id)'],
  read: OF_PARTY,
  write: written,
});

const differences = table({
  name: 'obligation_differences',
  history: { exempt: 'it is a record of its own: a row says who made it, and who took it back and why' },
  columns: {
    ...ofObligation,
    reason: oneOf(['bankCharges', 'waived', 'exchangeDifference', 'appliedElsewhere']),
    note: optional(text({ minLength: 1, maxLength: 1000 })),
  },
  constraints: [
    `constraint obligation_differences_reversed ${REVERSED}`,
    'constraint obligation_differences_money check (money_fits(amount, currency))',
  ],
  indexes: ownedIndexes,
  read: OF_PARTY,
  write: written,
});

/** Who cannot see a document does not see what was paid for it. */
const blocked = ['allocations', 'obligation_differences']
  .map(
    (name) => `
create policy blocked_documents on ${name} as restrictive for select using (${[
      'contributions',
      'distributions',
      'draws',
    ]
      .map(
        (collection) =>
          `coalesce(document_id <> all ((select actor_documents('tapeline.blocked', '${collection}'))::text[]), true)`,
      )
      .join(' and ')});`,
  )
  .join('');

/**
 * Which of our accounts an obligation can be paid from or to: those of the manager, and those of its fund. Of a draw these are
 * the funds that hold its note; every fund's if no fund holds it, or if nobody says who holds all of it.
 */
const accountRule = `
create function account_fits(account_fund text, fund_ids text[]) returns boolean immutable parallel safe language sql
  return account_fund is null or fund_ids is null or account_fund = any (fund_ids);
create function holding_funds(notes jsonb, note text) returns text[] immutable parallel safe language sql
  return (select case when sum((holding ->> 'actualPercentage')::numeric) >= 100
      then array_agg(distinct holding ->> 'fund') filter (where coalesce(holding ->> 'fund', '') <> '') end
    from jsonb_array_elements(notes) as one, jsonb_array_elements(coalesce(nullif(one -> 'holdings', 'null'), '[]')) as holding
    where one ->> 'id' = note);

-- Since when each manager has accounts in a currency, whoever asks: an investor does not read them.
create function account_openings() returns table (manager_id text, currency text, funds text[], days date[]) stable language plpgsql as $$
declare${ACTOR}
begin${AS_SYSTEM}
  return query select b.manager_id::text, b.currency::text, array_agg(b.fund_id::text), array_agg(b.opening_date)
    from bank_accounts b group by b.manager_id, b.currency;${AS_ACTOR}
end $$;`;

/**
 * What somebody owes on a day, derived from documents. It has the security of whoever reads it. A closed document counts
 * as paid: nothing is open. Recycling moves no money, so it is no part of what a draw pays. It is tracked if an account for it
 * was open on the due date: otherwise nobody knows whether it was paid.
 */
const obligations = `
create view obligations with (security_invoker = true) as
with documents as (
  select 'contribution' as kind, c.id as document_id, 'in' as direction, c.manager_id, c.fund_id, null::object_id as transaction_id,
    c.investor_lp_id, c.investor_fund_id, null::object_id as company_id, c.class, c.activity_id, c.call_number as number,
    c.amount + (select coalesce(sum((purpose ->> 'interest')::numeric), 0) from jsonb_array_elements(c.purposes) as purpose) as amount,
    c.currency, c.cut_off_date, c.due_date, c.status = 'Closed' as is_closed, array[c.fund_id::text] as fund_ids
  from contributions c where c.${ISSUED}
  union all
  select 'distribution', d.id, 'out', d.manager_id, d.fund_id, null, d.investor_lp_id, d.investor_fund_id, null, d.class,
    d.activity_id, d.call_number, d.total_distributed, d.currency, d.cut_off_date, d.cut_off_date, d.status = 'Closed',
    array[d.fund_id::text]
  from distributions d where d.${ISSUED} and d.total_distributed > 0
  union all
  select 'draw', w.id, 'out', w.manager_id, null, w.transaction_id, null, null, w.company_id, null, null, w.code::text,
    parts.amount, parts.currency, w.cut_off_date, w.due_date, false,
    (select holding_funds(t.notes, w.note_id) from transactions t where t.id = w.transaction_id)
  from draws w cross join lateral (
    select amount ->> 'currency' as currency, sum((amount ->> 'sum')::numeric) as amount
    from jsonb_array_elements(w.draws) as draw, jsonb_array_elements(draw -> 'amounts') as amount
    where draw ->> 'type' <> 'Recycling' group by 1) as parts
  where w.status = 'Approved'
)
select o.kind, o.document_id, o.direction, o.manager_id, o.fund_id, o.transaction_id, o.investor_lp_id, o.investor_fund_id,
  o.company_id, o.class, o.activity_id, o.number, o.amount, o.currency, o.cut_off_date, o.due_date, paid.allocated, paid.paid_on,
  closed.difference, case when o.is_closed then 0 else o.amount - paid.allocated - closed.difference end as open, o.fund_ids,
  exists (select from unnest(opened.funds, opened.days) as account (fund, day)
    where account.day <= o.due_date and account_fits(account.fund, o.fund_ids)) as is_tracked
from documents o
  cross join lateral (select coalesce(sum(a.amount), 0) as allocated, max(a.paid_on) as paid_on from allocations a
    where a.document_id = o.document_id and a.currency = o.currency and a.reversed_at is null) as paid
  cross join lateral (select coalesce(sum(d.amount), 0) as difference from obligation_differences d
    where d.document_id = o.document_id and d.currency = o.currency and d.reversed_at is null) as closed
  left join account_openings() as opened on opened.manager_id = o.manager_id and opened.currency = o.currency;
grant select on obligations to tapeline_app;`;

/** The lock of an obligation: whoever allocates to it, closes it, pays it with a run or withdraws its document takes turns. */
export const lockOf = (id: string): string => `pg_advisory_xact_lock(hashtextextended('obligation/' || ${id}, 0))`;

const LIVE = (column: string, documents: string): string =>
  `array(select a.${column}::text from allocations a where a.document_id = any (${documents}) and a.reversed_at is null)`;

/**
 * Whoever needs several payments and obligations locks all of them at the beginning: first the payments, then the obligations,
 * each in the order of the ids, so that two at once never wait for each other. A reversal changes the payments too.
 */
const locks = `
create function lock_cash(payment_ids text[], document_ids text[]) returns void language plpgsql as $$
declare${ACTOR}
begin${AS_SYSTEM}
  -- Accounts before payments, as an import and the closing of a month take them.
  perform from bank_accounts b where b.id in (select p.bank_account_id from payments p where p.id = any (payment_ids)) order by b.id for share;
  perform from payments p where p.id = any (payment_ids) order by p.id for update;
  perform ${lockOf('d.id')} from (select distinct id from unnest(document_ids) as id order by id) as d;${AS_ACTOR}
end $$;
create function lock_documents(document_ids text[]) returns void language plpgsql as $$
declare${ACTOR}
begin${AS_SYSTEM}
  perform lock_cash(${LIVE('payment_id', 'document_ids')}, document_ids);${AS_ACTOR}
end $$;

-- Takes back allocations. Their payments change with them.
create function reverse_allocations(ids text[], reason text) returns void language plpgsql as $$ begin
  perform from payments p where p.id in (select a.payment_id from allocations a where a.id = any (ids)) order by p.id for update;
  update allocations set reversed = change_author(), reversed_at = now(), reversal_reason = reason where id = any (ids);
  update payments p set version = p.version + 1, metadata = p.metadata || jsonb_build_object('changedBy', change_author())
    where p.id in (select a.payment_id from allocations a where a.id = any (ids));
end $$;`;

export const refuse = (condition: string, message: string, constraint: string): string => `
  if ${condition} then
    raise exception '${message}' using errcode = 'check_violation', constraint = '${constraint}';
  end if;`;

/** Fills in whose obligation a new row is about, and refuses more than is open. */
const openness = `
create function check_difference() returns trigger language plpgsql as $$
declare${ACTOR}
  owed obligations;
begin${AS_SYSTEM}
  perform ${lockOf('new.document_id')};
  select o.* into owed from obligations o
    where o.document_id = new.document_id and o.kind = new.obligation_kind and o.currency = new.currency;${AS_ACTOR}${refuse(
      'owed.document_id is null',
      'nothing is owed by this document in this currency',
      'obligations_known',
    )}${refuse('new.amount > owed.open', 'more than is open', 'obligations_open')}
  new.manager_id := owed.manager_id;
  new.fund_id := owed.fund_id;
  new.investor_lp_id := owed.investor_lp_id;
  new.investor_fund_id := owed.investor_fund_id;
  new.company_id := owed.company_id;
  return new;
end $$;
create trigger obligation_differences_open before insert on obligation_differences for each row execute function check_difference();

create function check_allocation() returns trigger language plpgsql as $$
declare${ACTOR}
  paid payments;
  owed obligations;
  used numeric;
  is_same boolean;
  account_fund text;
begin${AS_SYSTEM}
  -- The payment first, then its obligation: nobody takes them the other way round.
  select p.* into paid from payments p where p.id = new.payment_id for update;
  perform ${lockOf('new.document_id')};
  select o.* into owed from obligations o
    where o.document_id = new.document_id and o.kind = new.obligation_kind and o.currency = paid.currency;
  select coalesce(sum(a.amount), 0) into used from allocations a where a.payment_id = new.payment_id and a.reversed_at is null;
  select b.fund_id into account_fund from bank_accounts b where b.id = paid.bank_account_id;
  -- A group pays for its members with one payment.
  is_same := num_nonnulls(paid.investor_lp_id, paid.investor_fund_id, paid.company_id) = 0
    or (paid.investor_lp_id, paid.investor_fund_id, paid.company_id)
      is not distinct from (owed.investor_lp_id, owed.investor_fund_id, owed.company_id)
    or exists (select from lps one join lps other on other.group_id = one.group_id
      where one.id = paid.investor_lp_id and other.id = owed.investor_lp_id);${AS_ACTOR}${refuse(
        "paid.id is null or paid.status <> 'Active'",
        'the payment does not exist',
        'allocations_payment',
      )}${refuse(
        'owed.document_id is null or owed.manager_id <> paid.manager_id',
        'nothing is owed by this document in this currency',
        'obligations_known',
      )}${refuse('owed.direction <> paid.direction', 'the payment goes the other way', 'allocations_direction')}${refuse(
        'not is_same',
        'the payment is with somebody else',
        'allocations_party',
      )}${refuse(
        'not account_fits(account_fund, owed.fund_ids)',
        'the account belongs to another fund',
        'allocations_fund',
      )}${refuse('new.amount > owed.open', 'more than is open', 'obligations_open')}${refuse(
        'new.amount > paid.amount - used',
        'more than is left of the payment',
        'allocations_left',
      )}
  new.manager_id := owed.manager_id;
  new.currency := owed.currency;
  new.paid_on := paid.valued_on;
  new.fund_id := owed.fund_id;
  new.investor_lp_id := owed.investor_lp_id;
  new.investor_fund_id := owed.investor_fund_id;
  new.company_id := owed.company_id;
  return new;
end $$;
create trigger allocations_open before insert on allocations for each row execute function check_allocation();

-- What was said once is only taken back, once.
create function check_reversal() returns trigger language plpgsql as $$ begin
  if old.reversed_at is not null or new.reversed_at is null
    or to_jsonb(new) - '{reversed,reversed_at,reversal_reason}'::text[]
      is distinct from to_jsonb(old) - '{reversed,reversed_at,reversal_reason}'::text[] then
    raise exception 'only a reversal changes this, and only once' using errcode = 'check_violation', constraint = 'reversed_once';
  end if;
  return new;
end $$;
${['allocations', 'obligation_differences']
  .map(
    (name) =>
      `create trigger ${name}_reversal before update on ${name} for each row execute function check_reversal();`,
  )
  .join('\n')}

create function check_payment() returns trigger language plpgsql as $$
declare${ACTOR}
  used numeric;
begin${AS_SYSTEM}
  select coalesce(sum(a.amount), 0) into used from allocations a where a.payment_id = new.id and a.reversed_at is null;${AS_ACTOR}
  if used > 0 and (new.status <> 'Active' or new.amount < used
      or (new.direction, new.currency, new.valued_on) is distinct from (old.direction, old.currency, old.valued_on)
      or (num_nonnulls(old.investor_lp_id, old.investor_fund_id, old.company_id) > 0
        and (new.investor_lp_id, new.investor_fund_id, new.company_id)
          is distinct from (old.investor_lp_id, old.investor_fund_id, old.company_id))) then
    raise exception 'the payment is allocated' using errcode = 'check_violation', constraint = 'payments_allocated';
  end if;
  return new;
end $$;
create trigger payments_allocated before update of status, amount, direction, currency, valued_on, investor_lp_id, investor_fund_id,
  company_id on payments for each row execute function check_payment();`;

/** What was paid for a document that is withdrawn is a credit: its allocations are taken back. */
const withdrawals = `
create function release_allocations() returns trigger language plpgsql as $$
declare${ACTOR}
begin${AS_SYSTEM}
  perform lock_documents(array[old.id::text]);
  perform reverse_allocations(${LIVE('id', 'array[old.id::text]')}, 'What it paid was withdrawn');
  update obligation_differences set reversed = change_author(), reversed_at = now(), reversal_reason = 'What it closed was withdrawn'
    where document_id = old.id and reversed_at is null;${AS_ACTOR}
  return null;
end $$;
${Object.entries({ contributions: ISSUED, distributions: ISSUED, draws: "status = 'Approved'" })
  .map(
    ([name, issued]) => `
create trigger ${name}_withdrawn after update of status on ${name}
  for each row when (old.${issued} and not (new.${issued})) execute function release_allocations();
create trigger ${name}_deleted after delete on ${name} for each row execute function release_allocations();`,
  )
  .join('')}`;

/** Bank accounts, payments, what they pay, and the view of what is owed. */
export class Cash extends Migration {
  override up(): void {
    this.addSql(
      [
        permissions,
        accounts,
        payments,
        unique,
        allocations,
        differences,
        blocked,
        accountRule,
        obligations,
        locks,
        openness,
        withdrawals,
      ].join('\n'),
    );
  }
}
