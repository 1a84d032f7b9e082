import { Migration } from '@mikro-orm/migrations';
import { CASH_MAIL_KINDS, mailKinds } from './150-cash-messages.ts';
import { documentFiles } from './164-document-files.ts';
import {
  BY_COMPANY,
  currency,
  list,
  named,
  OF_MANAGER,
  object,
  oneOf,
  optional,
  references,
  tenantTable,
  text,
} from './tenant-table.ts';

/** A figure of a test or of a borrower: below 10^15, with at most 8 decimals. */
const figure = 'numeric not null check (abs({column}) < 1e15 and scale({column}) <= 8)';
const day = "date not null check ({column} between '1950-01-01' and '2150-12-31')";
const reason = text({ minLength: 5, maxLength: 500 });

const facilityFigures = tenantTable({
  name: 'facility_figures',
  tenant: 'company',
  history: { resource: 'facilityFigures', silent: ['entered_by', 'reviewed_by', 'reviewed_at'] },
  statuses: ['Entered', 'Reviewed', 'Removed'],
  initialStatus: 'Entered',
  columns: {
    title: text({ minLength: 2, maxLength: 80 }),
    date: day,
    value: figure,
    currency: optional(currency),
    remark: optional(text({ maxLength: 500 })),
    file_id: `object_id ${references('files')}`,
    entered_by: object,
    reviewed_by: optional(object),
    reviewed_at: 'timestamptz',
  },
  constraints: [
    ...named('facility_figures', 'title'),
    "constraint facility_figures_brackets check (title !~ '[][]')",
    "constraint facility_figures_reviewed check (status <> 'Reviewed' or reviewed_by is not null)",
    'check ((reviewed_by is null) = (reviewed_at is null))',
    // Whoever enters a figure does not review it.
    "constraint facility_figures_second check (reviewed_by ->> 'id' is distinct from entered_by ->> 'id')",
  ],
  indexes: [
    "unique (company_id, lower(title), date) where status <> 'Removed'",
    "(manager_id) where status = 'Entered'",
  ],
  // The borrower sees what counts.
  read: `${OF_MANAGER} or (${BY_COMPANY} and status = 'Reviewed')`,
});

const ofTransaction = `foreign key (transaction_id, company_id) ${references('transactions', 'id, company_id')}`;

const covenants = tenantTable({
  name: 'covenants',
  tenant: 'company',
  history: { resource: 'covenants' },
  statuses: ['Active', 'Disabled', 'Removed'],
  columns: {
    transaction_id: 'object_id not null',
    note_id: 'object_id not null',
    title: text({ minLength: 2, maxLength: 80 }),
    clause: optional(text({ maxLength: 40 })),
    clause_text: optional(text({ maxLength: 2000 })),
    formula: text({ minLength: 1, maxLength: 500 }),
    unit: oneOf(['percent', 'times', 'money', 'number']),
    currency: optional(currency),
    bound: oneOf(['atMost', 'atLeast']),
    steps: list(40, 1),
    frequency: oneOf(['monthly', 'quarterly', 'halfYearly', 'yearly']),
    first_test: day,
    periods: 'integer not null check ({column} between 1 and 24)',
    days_to_report: 'integer not null check ({column} between 0 and 365)',
    warning_distance: `${optional(figure)} check ({column} >= 0)`,
    cure_days: 'integer not null check ({column} between 0 and 365)',
    consequence: oneOf(['none', 'inform', 'reason', 'drawStop', 'defaultRate', 'amortisation']),
    default_rate: 'numeric check ({column} between 0 and 100 and scale({column}) <= 8)',
    springing: optional(object),
  },
  constraints: [
    ofTransaction,
    ...named('covenants', 'title'),
    "constraint covenants_currency check ((unit = 'money') = (currency is not null))",
    "constraint covenants_default_rate check ((consequence = 'defaultRate') = (default_rate is not null))",
    'constraint covenants_steps check (steps_hold(steps, first_test))',
    "constraint covenants_first_test check (first_test = (date_trunc('month', first_test) + interval '1 month - 1 day')::date)",
  ],
  indexes: ['(transaction_id, note_id)', "unique (note_id, lower(title)) where status <> 'Removed'"],
});

/** The limits of a covenant by date: each later than the one before, the first not after the first test. */
const steps = `
create function steps_hold(steps jsonb, first_test date) returns boolean immutable parallel safe language sql
  return (select coalesce(bool_and(coalesce(step ->> 'from' ~ '^\\d{4}-\\d{2}-\\d{2}$' and abs((step ->> 'limit')::numeric) < 1e15, false)), false)
      and min(step ->> 'from') = steps #>> '{0,from}' and min(step ->> 'from') <= first_test::text
      and count(distinct step ->> 'from') = count(*)
      and array_agg(step ->> 'from' order by number) = array_agg(step ->> 'from' order by step ->> 'from')
    from jsonb_array_elements(steps) with ordinality as each (step, number));
create function check_covenant_count() returns trigger language plpgsql as $$ begin
  if (select count(*) >= 100 from covenants c where c.note_id = new.note_id and c.status <> 'Removed') then
    raise exception 'a note has at most 100 covenants' using errcode = 'check_violation', constraint = 'covenants_most';
  end if;
  return new;
end $$;`;

const covenantResults = tenantTable({
  name: 'covenant_results',
  tenant: 'company',
  history: { exempt: 'A result is never changed: it keeps what it was calculated from, and who cured the breach.' },
  statuses: ['Active', 'Superseded'],
  columns: {
    covenant_id: 'object_id not null',
    transaction_id: 'object_id not null',
    test_date: day,
    outcome: oneOf(['met', 'warning', 'breached', 'notApplicable']),
    value: 'numeric not null',
    limit_value: 'numeric',
    headroom: 'numeric',
    /** What the test read, as it was on its day. */
    periods: list(24, 1),
    /** The consequence and the limits of the covenant on that day. */
    terms: object,
    tested_at: 'timestamptz not null',
    cure_until: 'date',
    cured_on: 'date',
    cured_by: optional(object),
    cure_reason: optional(reason),
    cure_file_id: `object_id ${references('files')}`,
  },
  constraints: [
    `foreign key (covenant_id, company_id) ${references('covenants', 'id, company_id')}`,
    ofTransaction,
    "check ((outcome = 'notApplicable') = (limit_value is null))",
    'check ((limit_value is null) = (headroom is null))',
    "constraint covenant_results_outcome check (outcome = 'notApplicable' or case when outcome = 'breached' then headroom <= 0 else headroom >= 0 end)",
    "constraint covenant_results_cured check (cured_on is null or outcome = 'breached')",
    'check ((cured_on is null) = (cured_by is null) and (cured_on is null) = (cure_reason is null))',
  ],
  indexes: ["unique (covenant_id, test_date) where status = 'Active'", '(transaction_id)'],
  write: { insert: OF_MANAGER, update: OF_MANAGER, delete: 'false' },
});

/** Only a cure, and that a later test of the date replaced it, are added to a result. */
const results = `
create function keep_covenant_result() returns trigger language plpgsql as $$
declare
  added text[] := '{status,metadata,version,cured_on,cured_by,cure_reason,cure_file_id}';
begin
  if to_jsonb(new) - added <> to_jsonb(old) - added or old.status = 'Superseded' or old.cured_on is not null and new.status = 'Active' then
    raise exception 'a result stays as it was found' using errcode = 'check_violation', constraint = 'covenant_results_fixed';
  end if;
  return new;
end $$;
create trigger covenant_results_kept before update on covenant_results for each row execute function keep_covenant_result();`;

const covenantWaivers = tenantTable({
  name: 'covenant_waivers',
  tenant: 'company',
  history: { exempt: 'It keeps who asked for it and who decided it.' },
  statuses: ['Requested', 'Approved', 'Declined', 'Withdrawn'],
  initialStatus: 'Requested',
  columns: {
    result_id: 'object_id not null',
    covenant_id: 'object_id not null',
    transaction_id: 'object_id not null',
    waived_until: day,
    reason,
    file_id: `object_id ${references('files')}`,
    entered_by: object,
    entered_at: 'timestamptz not null',
    decided_by: optional(object),
    decided_at: 'timestamptz',
    decline_reason: optional(reason),
  },
  constraints: [
    `foreign key (result_id, company_id) ${references('covenant_results', 'id, company_id')}`,
    `foreign key (covenant_id, company_id) ${references('covenants', 'id, company_id')}`,
    ofTransaction,
    "check ((status = 'Requested') = (decided_by is null))",
    'check ((decided_by is null) = (decided_at is null))',
    "check ((status = 'Declined') = (decline_reason is not null))",
    "constraint covenant_waivers_withdrawn check (status <> 'Withdrawn' or decided_by ->> 'id' = entered_by ->> 'id')",
    "constraint covenant_waivers_second check (status not in ('Approved', 'Declined') or decided_by ->> 'id' is distinct from entered_by ->> 'id')",
  ],
  indexes: ['(result_id)', "unique (result_id) where status = 'Requested'", "(manager_id) where status = 'Requested'"],
  // The borrower sees what was waived, and not what is only considered.
  read: `${OF_MANAGER} or (${BY_COMPANY} and status = 'Approved')`,
  write: { insert: OF_MANAGER, update: OF_MANAGER, delete: 'false' },
});

/** What one person asks for never changes, and the decision of another is final. For adjustments and waivers. */
const requests = `
create function keep_request() returns trigger language plpgsql as $$
declare
  decided text[] := '{status,metadata,version,decided_by,decided_at,decline_reason}';
begin
  if (tg_op = 'INSERT' and new.status <> 'Requested') or (tg_op = 'UPDATE' and old.status <> 'Requested') then
    raise exception 'the request is decided' using errcode = 'check_violation', constraint = tg_table_name || '_decided';
  end if;
  if tg_op = 'UPDATE' and to_jsonb(new) - decided <> to_jsonb(old) - decided then
    raise exception 'what was entered stays' using errcode = 'check_violation', constraint = tg_table_name || '_fixed';
  end if;
  return new;
end $$;
create trigger covenant_waivers_states before insert or update on covenant_waivers for each row execute function keep_request();
create or replace function check_base_adjustment() returns trigger language plpgsql as $$ begin
  if (select count(*) >= 50 from base_adjustments a where a.tape_id = new.tape_id and a.contract_id = new.contract_id) then
    raise exception 'a certificate has at most 50 adjustments' using errcode = 'check_violation', constraint = 'base_adjustments_most';
  end if;
  return new;
end $$;
drop trigger base_adjustments_states on base_adjustments;
create trigger base_adjustments_states before insert or update on base_adjustments for each row execute function keep_request();
create trigger base_adjustments_count before insert on base_adjustments for each row execute function check_base_adjustment();`;

const MESSAGES = [
  'Missing data',
  'Currency commitment exceeded',
  'Total commitment exceeded',
  'Draw frequency exceeded',
  'Draw limits exceeded',
  'Draw in deficit',
  'Due Date limits exceeded',
  'Availability period ended',
  'Covenant breached',
];
const isIn = (path: string, values: readonly string[]) => values.map((value) => `${path} == "${value}"`).join(' || ');

/** Draws can have an exception for a breached covenant. */
const exceptions = `
create or replace function exceptions_hold(exceptions jsonb) returns boolean immutable parallel safe language sql
  return not jsonb_path_exists(exceptions, '$[*] ? (!(${isIn('@.status', ['Pending', 'Skipped'])}))')
    and not jsonb_path_exists(exceptions, '$[*] ? (!(${isIn('@.exception.message', MESSAGES)}))')
    and not jsonb_path_exists(exceptions, '$[*] ? (@.status == "Skipped" && !(@.reason like_regex "[^\\\\s]"))');`;

const files = documentFiles('create or replace function', [
  ['facilityFigures', 'facility_figures', 'file_id'],
  ['covenants', 'covenant_results', 'cure_file_id'],
  ['covenants', 'covenant_waivers', 'file_id'],
]);

/** Dated figures of borrowers, the covenants of notes, what their tests found, and waivers by two people. */
export class Covenants extends Migration {
  override up(): void {
    this.addSql(
      [
        steps,
        facilityFigures,
        covenants,
        `create trigger covenants_count before insert on covenants for each row execute function check_covenant_count();`,
        covenantResults,
        results,
        covenantWaivers,
        requests,
        exceptions,
        files,
        mailKinds([...CASH_MAIL_KINDS, 'covenantBreached']),
      ].join('\n'),
    );
  }
}
