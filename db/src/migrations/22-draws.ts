import { Migration } from '@mikro-orm/migrations';
import { boundMoney } from './10-currencies.ts';
import {
  DRAW_EXCEPTION_MESSAGES,
  DRAW_STATUSES,
  DRAW_TYPES,
  EXCEPTION_STATUSES,
  MAX_ATTACHMENTS_OF_DRAWS,
  MAX_EXCEPTIONS,
  REPAYMENT_KINDS,
  REPAYMENT_STATUSES,
} from './as-landed.ts';
import { BY_COMPANY, list, OF_MANAGER, optional, quoted, references, tenantTable, text } from './tenant-table.ts';

const isIn = (path: string, values: readonly string[]) => values.map((value) => `${path} == "${value}"`).join(' || ');

/** Checks of the amounts of draws and repayments, which are lists inside a document, and of the exceptions of a draw. */
const checks = `
create function amounts_hold(amounts jsonb) returns boolean immutable parallel safe language sql
  return jsonb_typeof(amounts) = 'array' and jsonb_array_length(amounts) <= 200 and not exists (
    select from jsonb_array_elements(amounts) as amount
    where not coalesce((amount ->> 'sum')::numeric > 0 and amount ->> 'currency' ~ '^[A-Z]{3}$', false));
create function draws_hold(draws jsonb) returns boolean immutable parallel safe language sql
  return (select coalesce(bool_and(draw ->> 'type' in (${quoted(DRAW_TYPES)})
        and amounts_hold(draw -> 'amounts')), false)
      and count(distinct draw ->> 'type') = count(*) and bool_or(jsonb_array_length(draw -> 'amounts') > 0)
    from jsonb_array_elements(draws) as draw);
create function exceptions_hold(exceptions jsonb) returns boolean immutable parallel safe language sql
  return not jsonb_path_exists(exceptions, '$[*] ? (!(${isIn('@.status', EXCEPTION_STATUSES)}))')
    and not jsonb_path_exists(exceptions, '$[*] ? (!(${isIn('@.exception.message', DRAW_EXCEPTION_MESSAGES)}))')
    and not jsonb_path_exists(exceptions, '$[*] ? (@.status == "Skipped" && !(@.reason like_regex "[^\\\\s]"))');
create function repayments_hold(repayments jsonb) returns boolean immutable parallel safe language sql
  return (select coalesce(bool_and(part ->> 'kind' in (${quoted(REPAYMENT_KINDS)})
      and amounts_hold(jsonb_build_array(part -> 'amount'))), false) from jsonb_array_elements(repayments) as part);`;

const ofNote = {
  transaction_id: 'object_id not null',
  note_id: 'object_id not null',
  cut_off_date: 'date not null',
};
const values = {
  // At the rates of the cut-off date. Null if a rate is missing.
  value_in_usd: 'numeric',
  amount_in_main_currency: 'jsonb',
};
const ofTransaction = `foreign key (transaction_id, company_id) ${references('transactions', 'id, company_id')}`;

const OPEN = "status in ('Pending', 'In Review')";

const draws = tenantTable({
  name: 'draws',
  tenant: 'company',
  history: { resource: 'draws', canBeBlocked: true, silent: ['checked', 'decided_at', 'watched_version'] },
  statuses: DRAW_STATUSES,
  initialStatus: 'Pending',
  // The borrower requests a draw, changes it while it waits, and withdraws it. Only others decide.
  write: {
    insert: `${OF_MANAGER} or (${BY_COMPANY} and status = 'Pending')`,
    update: `${OF_MANAGER} or (${BY_COMPANY} and ${OPEN})`,
    updated: `${OF_MANAGER} or (${BY_COMPANY} and (${OPEN} or status = 'Removed'))`,
    delete: OF_MANAGER,
  },
  columns: {
    ...ofNote,
    due_date: 'date not null',
    draws: list(DRAW_TYPES.length, 1),
    ...values,
    exceptions: list(MAX_EXCEPTIONS),
    // Every check with its figures, as they were when the checks last ran.
    checked: 'jsonb',
    rejection_message: optional(text({ minLength: 1, maxLength: 4000 })),
    description: optional(text({ maxLength: 4000 })),
    attachments: list(MAX_ATTACHMENTS_OF_DRAWS),
    // Users: who created the request, who last changed its amounts or dates, who approved or rejected it.
    requested_by: 'object_id',
    terms_changed_by: 'object_id',
    decided_by: 'object_id',
    decided_at: 'timestamptz',
    // The latest version of the request that its workflow knows.
    watched_version: 'integer',
  },
  constraints: [
    ofTransaction,
    'constraint draws_amounts check (draws_hold(draws))',
    'constraint draws_exceptions check (exceptions_hold(exceptions))',
    `constraint draws_approved check (status <> 'Approved' or not jsonb_path_exists(exceptions, '$[*] ? (@.status != "Skipped")'))`,
    `constraint draws_rejected check (status <> 'Rejected' or coalesce(btrim(rejection_message) <> '', false))`,
  ],
  indexes: ['(note_id, cut_off_date)', '(company_id, status)', '(transaction_id)'],
});

/** The sweep finds requests whose workflow missed a change. */
const watched = `
create index draws_unwatched on draws (id) where watched_version is distinct from version
  and (watched_version is not null or ${OPEN});`;

const repayments = tenantTable({
  name: 'repayments',
  tenant: 'company',
  history: { resource: 'repayments', canBeBlocked: true },
  statuses: REPAYMENT_STATUSES,
  columns: {
    ...ofNote,
    repayments: list(100, 1),
    ...values,
    removal_reason: optional(text({ minLength: 1, maxLength: 4000 })),
  },
  constraints: [ofTransaction, 'constraint repayments_amounts check (repayments_hold(repayments))'],
  indexes: ['(note_id, cut_off_date)', '(transaction_id)'],
});

const notes = `
create function check_note_of_transaction() returns trigger language plpgsql as $$ begin
  if not exists (select from transactions
      where id = new.transaction_id and notes @> jsonb_build_array(jsonb_build_object('id', new.note_id))) then
    raise exception 'the note is not one of the transaction' using errcode = 'check_violation', constraint = tg_argv[0];
  end if;
  return null;
end $$;
${['draws', 'repayments']
  .map(
    (table) => `
create constraint trigger ${table}_note after insert or update of note_id, transaction_id on ${table}
  deferrable initially deferred for each row execute function check_note_of_transaction('${table}_note');`,
  )
  .join('')}`;

/**
 * No draw is due after maturity or termination. Only what is written is checked: a request from before this rule, or
 * from before the terms changed, can still be reviewed and rejected.
 */
const dueDates = `
create function check_due_date() returns trigger language plpgsql as $$
declare
  last date;
begin
  if tg_op = 'UPDATE' and new.due_date = old.due_date and (new.status = old.status or new.status <> 'Approved') then
    return new;
  end if;
  select last_due_date(note) into last from transactions t, jsonb_array_elements(t.notes) as note
    where t.id = new.transaction_id and note ->> 'id' = new.note_id;
  if new.due_date > last then
    raise exception 'the draw would be due after maturity or termination on %', last
      using errcode = 'check_violation', constraint = 'draws_due_date';
  end if;
  return new;
end $$;
create trigger draws_due_date before insert or update of due_date, status on draws
  for each row when (new.status in ('Pending', 'In Review', 'Approved')) execute function check_due_date();`;

/**
 * The commitments to a note are not reduced below what is drawn on it and approved. Where several currencies are
 * involved, rates decide, and only the program checks.
 */
const commitments = `
create function check_note_commitments() returns trigger language plpgsql as $$
declare
  actor text := coalesce(current_setting('tapeline.actor_type', true), '');
  blocked text := coalesce(current_setting('tapeline.blocked', true), '');
  broken text;
begin
  -- Also what the actor cannot see counts.
  perform set_config('tapeline.actor_type', 'system', true), set_config('tapeline.blocked', '', true);
  select note ->> 'title' into broken
  from jsonb_array_elements(new.notes) as note
    join jsonb_array_elements(old.notes) as earlier on earlier ->> 'id' = note ->> 'id' and earlier <> note,
    lateral (select coalesce(sum(amount), 0) as sum, coalesce(array_agg(distinct currency), '{}') as currencies from note_commitments(note)) as after,
    lateral (select coalesce(sum(amount), 0) as sum, coalesce(array_agg(distinct currency), '{}') as currencies from note_commitments(earlier)) as before,
    lateral (
      select sum(sum) as sum, array_agg(distinct currency) as currencies from (
        select amount ->> 'currency' as currency, (amount ->> 'sum')::numeric as sum
        from draws d, jsonb_array_elements(d.draws) as draw, jsonb_array_elements(draw -> 'amounts') as amount
        where d.note_id = note ->> 'id' and d.status = 'Approved' and draw ->> 'type' <> 'Recycling'
        union all
        select part #>> '{amount,currency}', -(part #>> '{amount,sum}')::numeric
        from repayments r, jsonb_array_elements(r.repayments) as part
        where r.note_id = note ->> 'id' and r.status = 'Active' and part ->> 'kind' = 'principal'
      ) as moves
    ) as used
  where cardinality(used.currencies) = 1 and before.currencies = used.currencies and after.currencies <@ used.currencies
    and after.sum < before.sum and after.sum < used.sum
  limit 1;
  perform set_config('tapeline.actor_type', actor, true), set_config('tapeline.blocked', blocked, true);
  if broken is not null then
    raise exception 'the commitments to a note would be below what is drawn on it and approved'
      using errcode = 'check_violation', constraint = 'transactions_commitments';
  end if;
  return null;
end $$;
create constraint trigger transactions_commitments after update of notes on transactions
  deferrable initially deferred for each row execute function check_note_commitments();`;

const bounds = [
  boundMoney('draws', {
    money: [`amounts_fit(jsonb_path_query_array(draws, '$[*].amounts[*]'))`],
    days: ['cut_off_date', 'due_date'],
  }),
  boundMoney('repayments', {
    money: [`amounts_fit(jsonb_path_query_array(repayments, '$[*].amount'))`],
    days: ['cut_off_date'],
  }),
];

/** Requests to draw on a note, and what was repaid. */
export class Draws extends Migration {
  override up(): void {
    this.addSql([checks, draws, watched, repayments, notes, dueDates, commitments, ...bounds].join('\n'));
  }
}
