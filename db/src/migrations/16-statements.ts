import { Migration } from '@mikro-orm/migrations';
import { READERS_OF_FILES } from './09-files.ts';
import { CLASS, INVESTOR, INVESTOR_CHECKS } from './12-commitments.ts';
import { DUE, PRINTED, REASON, TIMEZONE_OFFSET } from './14-capital-activities.ts';
import { CAPITAL_STATES } from './as-landed.ts';
import {
  blockedPolicy,
  byLP,
  currency,
  ISSUED,
  OF_INVESTOR,
  OF_MANAGER,
  references,
  tenantTable,
} from './tenant-table.ts';

const ofFunds = {
  fund_id: 'object_id',
  main_fund_id: 'object_id',
  class: CLASS,
  cut_off_date: 'date not null',
  timezone_offset: TIMEZONE_OFFSET,
  removal_reason: REASON,
};
const fundConstraints = [
  `foreign key (fund_id, manager_id) ${references('funds', 'id, manager_id')}`,
  `foreign key (main_fund_id, manager_id) ${references('main_funds', 'id, manager_id')}`,
  'check (fund_id is not null or main_fund_id is not null)',
];

const capitalAccounts = tenantTable({
  name: 'capital_accounts',
  tenant: 'manager',
  history: {
    resource: 'capitalAccounts',
    canBeBlocked: true,
    owners: { lp: 'investor_lp_id' },
    silent: ['file_id', 'file_problem', 'statement'],
  },
  statuses: CAPITAL_STATES,
  initialStatus: 'Draft',
  read: OF_INVESTOR,
  columns: {
    ...ofFunds,
    ...INVESTOR,
    currency,
    ...PRINTED,
    // What a computed statement says. Null for an uploaded one.
    statement: "jsonb check (jsonb_typeof({column}) = 'object')",
  },
  constraints: [
    ...fundConstraints,
    ...INVESTOR_CHECKS,
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

/** In the order that this policy has in databases from before the baseline. */
const blocked = `
drop policy blocked on capital_accounts;${blockedPolicy('capital_accounts', [
  ['id', 'capitalAccounts'],
  ['fund_id', 'funds'],
  ['main_fund_id', 'mainFunds'],
  ['investor_fund_id', 'funds'],
  ['investor_lp_id', 'LPs'],
])}`;

const reports = tenantTable({
  name: 'reports',
  tenant: 'manager',
  history: { resource: 'reports', canBeBlocked: true, silent: ['file_id'] },
  statuses: CAPITAL_STATES,
  initialStatus: 'Draft',
  // Investors see the reports of the funds, main funds and classes that they are in.
  read: `${OF_MANAGER} or (${ISSUED} and exists (
    select from lp_commitments c join funds f on f.id = c.fund_id
    where ${byLP('c.investor_lp_id')} and c.${ISSUED} and (reports.class is null or c.class = reports.class)
      and (f.id = reports.fund_id or f.main_fund_id = reports.main_fund_id)))`,
  columns: { ...ofFunds, file_id: `object_id not null ${references('files')}` },
  constraints: fundConstraints,
  indexes: ['(fund_id, cut_off_date)', '(main_fund_id)', '(file_id)'],
});

/** Investors also read the notices and statements issued to them, and the reports of their funds. */
const files = `
create function files_of_investor() returns setof object_id stable language sql as $$
  select file_id from contributions where file_id is not null
  union all select file_id from distributions where file_id is not null
  union all select file_id from capital_accounts where file_id is not null
  union all select file_id from reports
$$;
alter policy read on files using (${READERS_OF_FILES}
  or ((select actor_lps()) is not null and id in (select files_of_investor())));`;

/** Capital account statements of investors, and reports of funds. */
export class Statements extends Migration {
  override up(): void {
    this.addSql([capitalAccounts, blocked, reports, files].join('\n'));
  }
}
