import { Migration } from '@mikro-orm/migrations';
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
import { BY_COMPANY, list, OF_MANAGER, optional, references, tenantTable, text } from './tenant-table.ts';

const isIn = (path: string, values: readonly string[]) => values.map((value) => `${path} == "${value}"`).join(' || ');

/** Checks the exceptions of a draw, whose messages this version knows. */
export const exceptionsHold = `function exceptions_hold(exceptions jsonb) returns boolean immutable parallel safe language sql
  return not jsonb_path_exists(exceptions, '$[*] ? (!(${isIn('@.status', EXCEPTION_STATUSES)}))')
    and not jsonb_path_exists(exceptions, '$[*] ? (!(${isIn('@.exception.message', DRAW_EXCEPTION_MESSAGES)}))')
    and not jsonb_path_exists(exceptions, '$[*] ? (@.status == "Skipped" && !(@.reason like_regex "[^\\\\s]"))');`;

/** Checks of the amounts of draws and repayments, which are lists inside a document. */
const checks = `
create function amounts_hold(amounts jsonb) returns boolean immutable parallel safe language sql
  return jsonb_typeof(amounts) = 'array' and jsonb_array_length(amounts) <= 200 and not exists (
    select from jsonb_array_elements(amounts) as amount
    where not coalesce((amount ->> 'sum')::numeric > 0 and amount ->> 'currency' ~ '^[A-Z]{3}$', false));
create function draws_hold(draws jsonb) returns boolean immutable parallel safe language sql
  return (select coalesce(bool_and(draw ->> 'type' in (${DRAW_TYPES.map((type) => `'${type}'`).join(', ')})
        and amounts_hold(draw -> 'amounts')), false)
      and count(distinct draw ->> 'type') = count(*) and bool_or(jsonb_array_length(draw -> 'amounts') > 0)
    from jsonb_array_elements(draws) as draw);
create ${exceptionsHold}
create function repayments_hold(repayments jsonb) returns boolean immutable parallel safe language sql
  return (select coalesce(bool_and(part ->> 'kind' in (${REPAYMENT_KINDS.map((kind) => `'${kind}'`).join(', ')})
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
  history: { resource: 'draws', silent: ['checked', 'decided_at', 'watched_version'] },
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

const repayments = tenantTable({
  name: 'repayments',
  tenant: 'company',
  history: { resource: 'repayments' },
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

/** Requests to draw on a note, and what was repaid. */
export class Draws extends Migration {
  override up(): void {
    this.addSql([checks, draws, repayments, notes].join('\n'));
  }
}
