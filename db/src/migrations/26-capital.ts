import { Migration } from '@mikro-orm/migrations';
import {
  CALL_PURPOSE_KINDS,
  CAPITAL_STATES,
  DISTRIBUTION_ACTION_TYPES,
  DISTRIBUTION_KINDS,
  INVESTOR_KINDS,
  MAX_LINES,
} from './as-landed.ts';
import {
  byLP,
  currency,
  list,
  OF_COMPANY,
  OF_MANAGER,
  object,
  oneOf,
  optional,
  references,
  SIGNED_IN,
  tenantTable,
  text,
} from './tenant-table.ts';

const among = (path: string, values: readonly string[]) => values.map((value) => `${path} == "${value}"`).join(' || ');

const functions = `
create function sum_of_lines(lines jsonb, part text, wanted text[]) returns numeric immutable parallel safe language sql
  return (select coalesce(sum((line ->> 'amount')::numeric) filter (where wanted is null or line ->> part = any (wanted)), 0)
    from jsonb_array_elements(case jsonb_typeof(lines) when 'array' then lines else '[]' end) as line);
create function lines_hold(lines jsonb) returns boolean immutable parallel safe language sql
  return (select coalesce(bool_and(text_within(line ->> 'title', 1, 150) and line ->> 'title' is not null
      and coalesce((line ->> 'amount')::numeric >= 0, false)), true) from jsonb_array_elements(lines) as line);
-- The days on which the principal of a recallable distribution can be called again. A fund that declares its capital
-- non-recyclable ends it for later distributions, and on request for earlier ones as well, from the declaration on.
create function recallable_days(distributed date, non_recyclable jsonb) returns daterange stable parallel safe language sql
  return case
    when distributed >= (non_recyclable ->> 'declerationDate')::date then 'empty'::daterange
    when (non_recyclable ->> 'fromBeginning')::boolean then daterange(distributed, (non_recyclable ->> 'declerationDate')::date)
    else daterange(distributed, null) end;`;

const statuses = CAPITAL_STATES;
const ISSUED = "status in ('Active', 'Closed')";

/** An investor sees what was issued to it, never a draft. */
const OF_INVESTOR = `${OF_MANAGER} or (${byLP('investor_lp_id')} and ${ISSUED})`;

const investor = {
  investor_kind: oneOf(INVESTOR_KINDS),
  investor_lp_id: 'object_id',
  investor_fund_id: 'object_id',
};
const investorChecks = [
  "check ((investor_kind = 'LP') = (investor_lp_id is not null))",
  "check ((investor_kind = 'fund') = (investor_fund_id is not null))",
];
const classKey = optional(text({ minLength: 1, maxLength: 100 }));
const reason = optional(text({ minLength: 1, maxLength: 500 }));
const file = `object_id ${references('files')}`;

/** What documents copy from their commitment, which never changes it. A foreign key keeps them equal. */
const COPIED = `text not null generated always as (manager_id || '/' || fund_id || '/' || currency || '/' || investor_kind || '/'
  || coalesce(investor_lp_id, investor_fund_id) || '/' || coalesce(class, '')) stored`;
const commitmentCopies = `
alter table lp_commitments add column copied ${COPIED}, add unique (id, copied);`;

/** Columns of a document of one commitment. */
const ofCommitment = {
  commitment_id: 'object_id not null',
  fund_id: 'object_id not null',
  class: classKey,
  ...investor,
  currency,
  cut_off_date: 'date not null',
  removal_reason: reason,
  copied: COPIED,
};
const commitmentKeys = [`foreign key (commitment_id, copied) ${references('lp_commitments', 'id, copied')}`];
const owners = { lp: 'investor_lp_id' };
const indexes = ['(commitment_id, cut_off_date)', '(fund_id, cut_off_date)', '(investor_lp_id)'];
/** Documents that were issued together. */
const bundle = "((metadata ->> 'bundleId'))";

/** The file that a worker makes of a document, or why it could not. */
const printed = { file_id: file, file_problem: optional(text({ minLength: 1, maxLength: 500 })) };
/** What is issued and has no file yet. */
const DUE = '(code) where file_id is null and file_problem is null';

/** What calls and distributions share. */
const notice = {
  call_number: text({ minLength: 1, maxLength: 100 }),
  // As it was on the cut-off date: an investor does not see the other commitments.
  holding_percentage: 'numeric check ({column} between 0 and 100)',
  pdf_options: object,
  // The lines of the whole fund, if the notice shows them.
  fund_lines: "jsonb check (jsonb_typeof({column}) = 'array')",
  trailing_description: optional(text({ maxLength: 4000 })),
  timezone_offset: 'integer check ({column} between -840 and 840)',
  issued_on: 'date',
  ...printed,
};
const silent = ['file_id', 'file_problem', 'fund_lines', 'issued_on'];

const contributions = tenantTable({
  name: 'contributions',
  tenant: 'manager',
  history: { resource: 'contributions', owners, silent },
  statuses,
  initialStatus: 'Draft',
  read: OF_INVESTOR,
  columns: {
    ...ofCommitment,
    due_date: 'date not null',
    purposes: list(MAX_LINES, 1),
    ...notice,
    amount: 'numeric generated always as (sum_of_lines(purposes, null, null)) stored',
    manager_fees: `numeric generated always as (sum_of_lines(purposes, 'kind', array['managementFee', 'successFee'])) stored`,
  },
  constraints: [
    ...commitmentKeys,
    ...investorChecks,
    'constraint contributions_due_date check (due_date >= cut_off_date)',
    'constraint contributions_purposes check (lines_hold(purposes))',
    `constraint contributions_kinds check (not jsonb_path_exists(purposes, '$[*].kind ? (!(${among('@', CALL_PURPOSE_KINDS)}))'))`,
  ],
  indexes: [...indexes, bundle, `${DUE} and ${ISSUED}`],
});

const sumOf = (...types: (typeof DISTRIBUTION_ACTION_TYPES)[number][]): string =>
  `sum_of_lines(components, 'actionType', array[${types.map((type) => `'${type}'`).join(', ')}])`;

const distributions = tenantTable({
  name: 'distributions',
  tenant: 'manager',
  history: { resource: 'distributions', owners, silent },
  statuses,
  initialStatus: 'Draft',
  read: OF_INVESTOR,
  columns: {
    ...ofCommitment,
    distribution_kind: oneOf(DISTRIBUTION_KINDS),
    principal: 'numeric not null check ({column} >= 0)',
    components: list(MAX_LINES),
    purposes: list(MAX_LINES),
    ...notice,
    income: `numeric generated always as (${sumOf('INTEREST')}) stored`,
    gains: `numeric generated always as (${sumOf('CG')}) stored`,
    total_distributed: `numeric generated always as (principal + ${sumOf('INTEREST', 'CG')}
      - ${sumOf('INTEREST FEES', 'CG FEES', 'INTEREST TAX', 'CG TAX')}) stored`,
    is_recallable: `boolean generated always as (coalesce((pdf_options ->> 'recallableDistribution')::boolean, false)) stored`,
  },
  constraints: [
    ...commitmentKeys,
    ...investorChecks,
    'constraint distributions_components check (lines_hold(components) and lines_hold(purposes))',
    `constraint distributions_types check (not jsonb_path_exists(components, '$[*].actionType ? (!(${among('@', DISTRIBUTION_ACTION_TYPES)}))'))`,
    "constraint distributions_interest check (distribution_kind <> 'Interest' or principal = 0)",
    "constraint distributions_principal check (distribution_kind <> 'Principal Only' or components = '[]')",
  ],
  indexes: [...indexes, bundle, `${DUE} and ${ISSUED}`],
});

const navs = tenantTable({
  name: 'navs',
  tenant: 'manager',
  history: { resource: 'navs', owners },
  statuses,
  read: OF_INVESTOR,
  columns: { ...ofCommitment, gross: 'numeric not null', net: 'numeric not null' },
  constraints: [...commitmentKeys, ...investorChecks],
  // One value of an investor a day.
  indexes: [...indexes, `unique (commitment_id, cut_off_date) where ${ISSUED}`],
});

const writeOffs = tenantTable({
  name: 'write_offs',
  tenant: 'manager',
  history: { resource: 'writeOffs', owners },
  statuses,
  read: OF_INVESTOR,
  columns: { ...ofCommitment, amount: 'numeric not null check ({column} >= 0)' },
  constraints: [...commitmentKeys, ...investorChecks],
  indexes: [...indexes, bundle],
});

const ofFunds = {
  fund_id: 'object_id',
  main_fund_id: 'object_id',
  class: classKey,
  cut_off_date: 'date not null',
  timezone_offset: notice.timezone_offset,
  removal_reason: reason,
};
const fundKeys = [
  `foreign key (fund_id, manager_id) ${references('funds', 'id, manager_id')}`,
  `foreign key (main_fund_id, manager_id) ${references('main_funds', 'id, manager_id')}`,
  'check (fund_id is not null or main_fund_id is not null)',
];

const capitalAccounts = tenantTable({
  name: 'capital_accounts',
  tenant: 'manager',
  history: { resource: 'capitalAccounts', owners, silent: ['file_id', 'file_problem', 'statement'] },
  statuses,
  initialStatus: 'Draft',
  read: OF_INVESTOR,
  columns: {
    ...ofFunds,
    ...investor,
    currency,
    ...printed,
    // What a computed statement says. Null for an uploaded one.
    statement: "jsonb check (jsonb_typeof({column}) = 'object')",
  },
  constraints: [
    ...fundKeys,
    ...investorChecks,
    'constraint capital_accounts_content check (file_id is not null or statement is not null)',
    `foreign key (investor_lp_id, manager_id) ${references('lps', 'id, manager_id')}`,
    `foreign key (investor_fund_id, manager_id) ${references('funds', 'id, manager_id')}`,
  ],
  indexes: [
    '(fund_id, cut_off_date)',
    '(main_fund_id)',
    '(investor_lp_id)',
    '(file_id)',
    `${DUE} and statement is not null and status <> 'Removed'`,
  ],
});

const reports = tenantTable({
  name: 'reports',
  tenant: 'manager',
  history: { resource: 'reports', silent: ['file_id'] },
  statuses,
  initialStatus: 'Draft',
  // Investors see the reports of the funds and classes that they are in.
  read: `${OF_MANAGER} or (${ISSUED} and (
    fund_id in (select c.fund_id from lp_commitments c where ${byLP('c.investor_lp_id')} and c.${ISSUED}
      and (reports.class is null or c.class = reports.class))
    or main_fund_id in (select f.main_fund_id from funds f join lp_commitments c on c.fund_id = f.id
      where ${byLP('c.investor_lp_id')} and c.${ISSUED})))`,
  columns: { ...ofFunds, file_id: `object_id not null ${references('files')}` },
  constraints: fundKeys,
  indexes: ['(fund_id, cut_off_date)', '(main_fund_id)', '(file_id)'],
});

/** A number names one call of a fund, and one distribution of it. */
const numbers = `
create function check_call_number() returns trigger language plpgsql as $$
declare taken boolean;
begin
  execute format('select exists (select from %I where fund_id = $1 and call_number = $2 and status <> ''Removed''
    and metadata ->> ''bundleId'' is distinct from $3)', tg_table_name)
    into taken using new.fund_id, new.call_number, new.metadata ->> 'bundleId';
  if taken and new.status <> 'Removed' then
    raise exception 'the number is taken' using errcode = 'unique_violation', constraint = tg_table_name || '_call_number';
  end if;
  return null;
end $$;
${['contributions', 'distributions']
  .map(
    (table) => `
create constraint trigger ${table}_call_number after insert or update of call_number, status on ${table}
  deferrable initially deferred for each row execute function check_call_number();
create index on ${table} (fund_id, call_number);`,
  )
  .join('')}`;

/**
 * What an investor has committed and not paid in is never below zero, on any day. The program says who would be below;
 * this is what holds if two people write at once.
 */
const unfunded = `
create function unfunded_days(commitments text[]) returns table (commitment_id text, day date, unfunded numeric)
  stable language sql as $$
  with own as (
    select c.id, c.closing_date, c.active_commitment, c.deltas, f.non_recyclable, c.status
    from lp_commitments c join funds f on f.id = c.fund_id where c.id = any (commitments)
  ), recallable as (
    select own.id, d.principal, recallable_days(d.cut_off_date, own.non_recyclable) as days
    from own join distributions d on d.commitment_id = own.id and d.${ISSUED} and d.is_recallable
  ), moves as (
    select id, closing_date as day, active_commitment as change from own where ${ISSUED}
    union all select id, (delta ->> 'date')::date, (delta ->> 'amount')::numeric
      from own, jsonb_array_elements(deltas) as delta where ${ISSUED}
    union all select own.id, c.cut_off_date, -c.amount from own join contributions c on c.commitment_id = own.id and c.${ISSUED}
    union all select id, lower(days), principal from recallable where not isempty(days)
    union all select id, upper(days), -principal from recallable where upper(days) is not null
  )
  select id, day, (sum(sum(change)) over (partition by id order by day))::numeric from moves group by id, day
$$;
create function check_unfunded() returns trigger language plpgsql as $$
declare
  actor text := coalesce(current_setting('tapeline.actor_type', true), '');
  blocked text := coalesce(current_setting('tapeline.blocked', true), '');
  documents text[];
  below boolean;
begin
  -- Also what the actor cannot see counts.
  perform set_config('tapeline.actor_type', 'system', true), set_config('tapeline.blocked', '', true);
  documents := case tg_table_name when 'lp_commitments' then array[new.id]
    when 'funds' then array(select c.id from lp_commitments c where c.fund_id = new.id) else array[to_jsonb(new) ->> 'commitment_id'] end;
  below := exists (select from unfunded_days(documents) as days where days.unfunded < 0);
  perform set_config('tapeline.actor_type', actor, true), set_config('tapeline.blocked', blocked, true);
  if below then
    raise exception 'more would be called than an investor has committed' using errcode = 'check_violation', constraint = 'unfunded';
  end if;
  return null;
end $$;
create constraint trigger lp_commitments_unfunded after update of closing_date, active_commitment, deltas, status on lp_commitments
  deferrable initially deferred for each row execute function check_unfunded();
create constraint trigger funds_unfunded after update of non_recyclable on funds
  deferrable initially deferred for each row when (new.non_recyclable is distinct from old.non_recyclable) execute function check_unfunded();
create constraint trigger contributions_unfunded after insert or update of purposes, cut_off_date, status on contributions
  deferrable initially deferred for each row when (new.status in ('Active', 'Closed')) execute function check_unfunded();
create constraint trigger distributions_unfunded after insert or update of principal, cut_off_date, status, pdf_options on distributions
  deferrable initially deferred for each row when (new.status <> 'Draft') execute function check_unfunded();`;

/**
 * Investors see commitments in force and what belongs to them: their funds, the notices and statements issued to them,
 * and the reports of their funds.
 */
const visibility = `
alter policy read on lp_commitments using (${OF_INVESTOR});
create function files_of_investor() returns setof object_id stable language sql as $$
  select file_id from contributions where file_id is not null
  union all select file_id from distributions where file_id is not null
  union all select file_id from capital_accounts where file_id is not null
  union all select file_id from reports
$$;
alter policy read on files using (${OF_COMPANY} or ${byLP('lp_id')} or created_by_user_id = (select actor_user())
  or (bucket = 'publicFiles' and ${SIGNED_IN})
  or ((select actor_lps()) is not null and id in (select files_of_investor())));`;

/** Calls, distributions, NAVs, write-offs, capital account statements and reports of funds. */
export class Capital extends Migration {
  override up(): void {
    this.addSql(
      [
        functions,
        commitmentCopies,
        contributions,
        distributions,
        navs,
        writeOffs,
        capitalAccounts,
        reports,
        numbers,
        unfunded,
        visibility,
      ].join('\n'),
    );
  }
}
