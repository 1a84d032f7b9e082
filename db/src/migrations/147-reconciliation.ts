import { Migration } from '@mikro-orm/migrations';
import { keepSilent, OF_MANAGER, references, table } from './tenant-table.ts';
import { ACTOR, AS_ACTOR, AS_SYSTEM } from './triggers.ts';

const closings = table({
  name: 'account_closings',
  history: {
    exempt: 'It is a record of its own: it says who closed which month with which balances, and never changes.',
  },
  columns: {
    bank_account_id: 'object_id not null',
    manager_id: 'object_id not null',
    // Of the account; null if it belongs to the manager.
    fund_id: 'object_id',
    // Its first day.
    month: "date not null check (date_part('day', {column}) = 1)",
    bank_balance: 'numeric not null',
    book_balance: 'numeric not null',
    closed: 'jsonb not null default change_author()',
    closed_at: 'timestamptz not null default now()',
  },
  constraints: [
    'primary key (bank_account_id, month)',
    `foreign key (bank_account_id, manager_id) ${references('bank_accounts', 'id, manager_id')}`,
  ],
  indexes: ['(manager_id)', '(fund_id)'],
  read: OF_MANAGER,
  write: { insert: OF_MANAGER, update: 'false', delete: 'false' },
});

/**
 * What the book has of an account is what payments are allocated to, and what is marked as not ours, on the day of the
 * payment. Once its month is closed, an allocation or a reversal counts on the first open day instead, so a closed month stays as it was.
 */
const posting = `
alter table allocations add column posted_on date, add column reversed_on date,
  add constraint allocations_reversed_on check (reversed_on is null or reversed_at is not null);

create function closed_until(account text) returns date stable language sql as $$
  select (max(c.month) + interval '1 month' - interval '1 day')::date from account_closings c where c.bank_account_id = account $$;

create function post_allocation() returns trigger language plpgsql as $$
declare${ACTOR}
  booked date;
  closed date;
begin${AS_SYSTEM}
  select p.booked_on, closed_until(p.bank_account_id) into booked, closed from payments p where p.id = new.payment_id;${AS_ACTOR}
  if tg_op = 'INSERT' then
    new.posted_on := case when booked <= closed then closed + 1 end;
    new.reversed_on := null;
  elsif old.reversed_at is null and new.reversed_at is not null then
    new.reversed_on := case when coalesce(new.posted_on, booked) <= closed then closed + 1 end;
  end if;
  return new;
end $$;
-- After the triggers that check an allocation and its reversal, by their names.
create trigger allocations_when before insert or update on allocations for each row execute function post_allocation();`;

keepSilent('payments', ['own_posted_on']);

/** What no party owes is in the book too. Once it counts in a closed month, it stays as it is. */
const ownItems = `
alter table payments add column own_posted_on date;

create function post_own_item() returns trigger language plpgsql as $$
declare${ACTOR}
  closed date;
begin${AS_SYSTEM}
  closed := closed_until(new.bank_account_id);${AS_ACTOR}
  if old.own_item is not null and coalesce(old.own_posted_on, old.booked_on) <= closed then
    raise exception 'the month is closed' using errcode = 'check_violation', constraint = 'payments_closed_month';
  end if;
  new.own_posted_on := case when new.own_item is not null and new.booked_on <= closed then closed + 1 end;
  return new;
end $$;
create trigger payments_own_posted before update of own_item on payments
  for each row when (new.own_item is distinct from old.own_item) execute function post_own_item();`;

/** A payment of a closed month stays as it is, and none is added. */
const closedMonths = `
create function check_closed_month() returns trigger language plpgsql as $$
declare${ACTOR}
  is_closed boolean;
begin
  if tg_op = 'UPDATE' and (new.bank_account_id, new.direction, new.amount, new.currency, new.booked_on, new.status, new.statement_line is null)
    is not distinct from (old.bank_account_id, old.direction, old.amount, old.currency, old.booked_on, old.status, old.statement_line is null) then
    return new;
  end if;${AS_SYSTEM}
  -- Whoever closes a month waits for this payment, or this payment for the closing.
  perform from bank_accounts b where b.id = new.bank_account_id for share;
  is_closed := coalesce(new.booked_on <= closed_until(new.bank_account_id), false)
    or (tg_op = 'UPDATE' and coalesce(old.booked_on <= closed_until(old.bank_account_id), false));${AS_ACTOR}
  if is_closed then
    raise exception 'the month is closed' using errcode = 'check_violation', constraint = 'payments_closed_month';
  end if;
  return new;
end $$;
create trigger payments_closed_month before insert or update of bank_account_id, direction, amount, currency, booked_on, status,
  statement_line on payments for each row execute function check_closed_month();

create function check_closed_account() returns trigger language plpgsql as $$
declare${ACTOR}
  closed date;
begin${AS_SYSTEM}
  closed := closed_until(new.id);${AS_ACTOR}
  if closed is not null then
    raise exception 'a month of the account is closed' using errcode = 'check_violation', constraint = 'bank_accounts_closed';
  end if;
  return new;
end $$;
create trigger bank_accounts_closed before update on bank_accounts for each row
  when ((new.opening_balance, new.opening_date, new.currency) is distinct from (old.opening_balance, old.opening_date, old.currency))
  execute function check_closed_account();`;

const SIGNED = (amount: string): string => `case p.direction when 'in' then ${amount} else -${amount} end`;

/**
 * A payment that the bank has: it reported it, or a person recorded it for a day before the first statement, whose opening
 * balance contains it.
 */
const AT_BANK = `p.status = 'Active' and (p.statement_line is not null or p.booked_on < (select first_statement(account)))`;

/**
 * The days of an account: what the bank's statements say at the end of each (null after the last statement), what the bank
 * has by its lines since the account was opened, and what the book has. Between two statements, the later one tells the balance.
 */
const balances = `
create function first_statement(account text) returns date stable language sql as $$
  select min(coalesce(s.from_date, s.opening_date)) from bank_statements s
  where s.bank_account_id = account and s.opening_amount is not null $$;

create function account_days(account text, first_day date, last_day date)
  returns table (day date, stated numeric, reported numeric, book numeric) stable language sql as $$
  with moves as (
    select p.booked_on as day, ${SIGNED('p.amount')} as at_bank, 0::numeric as in_book from payments p
    where p.bank_account_id = account and ${AT_BANK}
    union all
    select coalesce(a.posted_on, p.booked_on), 0, ${SIGNED('a.amount')} from allocations a join payments p on p.id = a.payment_id
    where p.bank_account_id = account and (a.reversed_at is null or a.reversed_on is not null)
    union all
    select coalesce(p.own_posted_on, p.booked_on), 0, ${SIGNED('p.amount')} from payments p
    where p.bank_account_id = account and p.status = 'Active' and p.own_item is not null
    union all
    select a.reversed_on, 0, -(${SIGNED('a.amount')}) from allocations a join payments p on p.id = a.payment_id
    where p.bank_account_id = account and a.reversed_on is not null
  ), daily as (
    select m.day, sum(m.at_bank) as at_bank, sum(m.in_book) as in_book from moves m join bank_accounts b on b.id = account
    where m.day >= b.opening_date group by m.day
  )
  select d.day::date,
    s.closing_amount - coalesce((select sum(at_bank) from daily where daily.day > d.day and daily.day <= s.closing_date), 0),
    b.opening_balance + coalesce((select sum(at_bank) from daily where daily.day <= d.day), 0),
    b.opening_balance + coalesce((select sum(in_book) from daily where daily.day <= d.day), 0)
  from bank_accounts b cross join generate_series(greatest(first_day, b.opening_date), last_day, interval '1 day') as d (day)
    left join lateral (select s.closing_amount, s.closing_date from bank_statements s
      where s.bank_account_id = account and s.opening_amount is not null and s.closing_date >= d.day
      order by s.closing_date, length(s.number) desc, s.number desc, s.id desc limit 1) as s on true
  where b.id = account $$;

-- Payments of an account that are at the bank and not in the book on a day, or the other way round.
create function account_items(account text, at_day date) returns table (payment_id text, at_bank numeric, in_book numeric)
  stable language sql as $$
  select found.* from (
    select p.id, case when ${AT_BANK} then ${SIGNED('p.amount')} else 0 end as at_bank,
      ${SIGNED(`coalesce((select sum(a.amount) from allocations a where a.payment_id = p.id
        and coalesce(a.posted_on, p.booked_on) <= at_day
        and (a.reversed_at is null or a.reversed_on > at_day)), 0)`)}
        + case when p.status = 'Active' and p.own_item is not null and coalesce(p.own_posted_on, p.booked_on) <= at_day
          then ${SIGNED('p.amount')} else 0 end as in_book
    from payments p join bank_accounts b on b.id = p.bank_account_id
    where p.bank_account_id = account and p.booked_on between b.opening_date and at_day
  ) found where found.at_bank <> found.in_book $$;

-- Whether the actor sees every payment of an account and all that they pay: otherwise its balances would be wrong.
create function sees_account(account text) returns boolean stable language plpgsql as $$
declare${ACTOR}
  seen bigint;
  every bigint;
begin
  select count(*) + (select count(*) from allocations a join payments p on p.id = a.payment_id where p.bank_account_id = account)
    into seen from payments p where p.bank_account_id = account;${AS_SYSTEM}
  select count(*) + (select count(*) from allocations a join payments p on p.id = a.payment_id where p.bank_account_id = account)
    into every from payments p where p.bank_account_id = account;${AS_ACTOR}
  return seen = every;
end $$;`;

/** A month is closed once it is over, after those before it, and when the bank's statements agree with its lines. */
const closing = `
create function check_account_closing() returns trigger language plpgsql as $$
declare${ACTOR}
  last_day date := (new.month + interval '1 month' - interval '1 day')::date;
  closed date;
  found record;
begin${AS_SYSTEM}
  -- The account first, then its payments in order, as an import takes them.
  perform from bank_accounts b where b.id = new.bank_account_id for no key update;
  perform from payments p where p.bank_account_id = new.bank_account_id and p.booked_on <= last_day order by p.id for update;
  closed := closed_until(new.bank_account_id);
  select d.* into found from account_days(new.bank_account_id, last_day, last_day) as d;
  select b.fund_id into new.fund_id from bank_accounts b where b.id = new.bank_account_id;${AS_ACTOR}
  if new.month <= closed or last_day >= (now() at time zone 'UTC')::date or found.stated is null or found.stated <> found.reported then
    raise exception 'the month cannot be closed' using errcode = 'check_violation', constraint = 'account_closings_ready';
  end if;
  new.bank_balance := found.stated;
  new.book_balance := found.book;
  new.closed := change_author();
  new.closed_at := now();
  return new;
end $$;
create trigger account_closings_ready before insert on account_closings for each row execute function check_account_closing();`;

/** Bank balance, book balance and open items of an account, day by day, and months that are closed. */
export class Reconciliation extends Migration {
  override up(): void {
    this.addSql([closings, posting, ownItems, closedMonths, balances, closing].join('\n'));
  }
}
