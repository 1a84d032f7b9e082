import { Migration } from '@mikro-orm/migrations';
import {
  GENERATION_STATES,
  MAX_PROPOSED_ROWS,
  PROCESS_STATUSES,
  PROPOSAL_STATES,
  SCHEDULER_STATUSES,
  TAPE_STATES,
} from './as-landed.ts';
import {
  BY_COMPANY,
  COMPANY_COLUMNS,
  COMPANY_KEY,
  currency,
  EVERYTHING,
  OF_COMPANY,
  OF_MANAGER,
  oneOf,
  optional,
  references,
  table,
  tenantTable,
  text,
} from './tenant-table.ts';

/** Whether a borrowing base of the tape is waiting or being calculated. */
export const IS_CALCULATING = `borrowing_base_statuses @? '$[*] ? ((@.status == "Pending" || @.status == "Processing") && @.failure == null)'`;

const tapes = tenantTable({
  name: 'loan_tapes',
  tenant: 'company',
  history: { resource: 'loanTapes', canBeBlocked: true, silent: ['progress'], asJsonb: true },
  statuses: TAPE_STATES,
  columns: {
    cut_off_date: 'date not null',
    scheduler_status: oneOf(SCHEDULER_STATUSES, 'Processing'),
    process_status: oneOf(PROCESS_STATUSES, 'Pending'),
    main_currency: currency,
    // The answer for amounts that name no currency; without one, the mapping's applies.
    primary_currency: "text check ({column} ~ '^[A-Z]{3}$')",
    exchange_rates: "jsonb not null check (jsonb_typeof({column}) = 'object' and rates_hold({column}))",
    calculate_bb: 'boolean not null default false',
    attachment: 'jsonb not null',
    other_attachments: "jsonb not null default '[]' check (jsonb_typeof({column}) = 'array')",
    sheet_name: 'text',
    mapping_id: 'object_id not null',
    mapping_version: 'integer not null',
    asset_prefix: "text not null unique check ({column} ~ '^[0-9a-f]{16}$')",
    workflow_id: 'text',
    counts: `jsonb check (
      (counts ->> 'dataRows')::bigint =
        (counts ->> 'assets')::bigint + (counts ->> 'errored')::bigint + (counts ->> 'discarded')::bigint
      and (counts ->> 'assets')::bigint >= 0 and (counts ->> 'errored')::bigint >= 0
      and (counts ->> 'discarded')::bigint >= 0 and (counts ->> 'blankRows')::bigint >= 0)`,
    progress: 'jsonb',
    statistics: 'jsonb',
    borrowing_base_statuses: "jsonb not null default '[]'",
    failure: 'text',
    // What a person is asked before the tape is processed, and what was answered.
    questions: "jsonb not null default '[]'",
    settled_questions: "jsonb not null default '[]'",
    generation_id: 'object_id',
    fence: 'integer not null default 0',
    published_at: 'timestamptz',
  },
  constraints: [
    `foreign key (mapping_id, company_id) ${references('mappings', 'id, company_id')}`,
    'check ((generation_id is null) = (published_at is null))',
    'check (generation_id is null or counts is not null)',
    // A tape with an open question is never published.
    `constraint loan_tapes_questions check (jsonb_array_length(questions) = 0
      or (generation_id is null and scheduler_status = 'Completed' and process_status = 'Pending'))`,
  ],
  indexes: ['(company_id, cut_off_date)'],
  // A borrower uploads tapes and can remove those that are not published.
  write: `${OF_MANAGER} or (${BY_COMPANY} and generation_id is null)`,
});

/** Tapes that a workflow should be working at. They are looked for twice a minute. */
const inProgress = `
create index loan_tapes_in_progress on loan_tapes (id)
  where status = 'Active' and (scheduler_status = 'Processing' or ${IS_CALCULATING});`;

const generations = table({
  name: 'tape_generations',
  history: { exempt: 'An attempt at a tape is no document; the tape records which one is published.' },
  columns: {
    id: 'object_id primary key',
    ...COMPANY_COLUMNS,
    tape_id: 'object_id not null',
    fencing_token: 'integer not null check ({column} >= 1)',
    status: oneOf(GENERATION_STATES, 'Staging'),
    manifest: 'jsonb',
    created_at: 'timestamptz not null',
    published_at: 'timestamptz',
  },
  constraints: [
    COMPANY_KEY,
    'unique (tape_id, fencing_token)',
    'unique (id, tape_id)',
    `foreign key (tape_id, company_id) ${references('loan_tapes', 'id, company_id')}`,
    "check (status = 'Staging' or manifest is not null)",
  ],
  indexes: ['(manager_id)', '(company_id)'],
  read: OF_COMPANY,
  write: OF_MANAGER,
});

const published = `
create unique index tape_generations_one_published on tape_generations (tape_id) where status = 'Published';
alter table loan_tapes add foreign key (generation_id, id) ${references('tape_generations', 'id, tape_id')};`;

const proposals = tenantTable({
  name: 'correction_proposals',
  tenant: 'company',
  // The corrected rows never change, and the proposal stores them.
  history: { resource: 'correctionProposals', silent: ['corrected_rows'] },
  statuses: PROPOSAL_STATES,
  initialStatus: 'Proposed',
  columns: {
    tape_id: 'object_id not null',
    // No foreign key: an earlier generation is deleted once its objects are deleted.
    generation_id: 'object_id not null',
    corrected_rows: `jsonb not null check (
      jsonb_typeof({column}) = 'array' and jsonb_array_length({column}) between 1 and ${MAX_PROPOSED_ROWS}
      and octet_length({column}::text) <= 8000000)`,
    row_numbers: 'integer[] not null check (cardinality({column}) = jsonb_array_length(corrected_rows))',
    comment: optional(text({ minLength: 1, maxLength: 1000 })),
    accepting_generation_id: 'object_id',
    decided_by: optional(text({ minLength: 1, maxLength: 100 })),
    decided_at: 'timestamptz',
    decline_reason: optional(text({ minLength: 1, maxLength: 1000 })),
  },
  constraints: [
    `foreign key (tape_id, company_id) ${references('loan_tapes', 'id, company_id')}`,
    "check ((status = 'Declined') = (decline_reason is not null))",
    'check ((decided_by is null) = (decided_at is null))',
    "check (status not in ('Accepted', 'Declined') or decided_by is not null)",
    "check (status <> 'Accepted' or accepting_generation_id is not null)",
  ],
  indexes: ['(tape_id, status)', 'unique (accepting_generation_id)'],
  // The borrower proposes and withdraws; the manager decides. Proposals cannot be deleted.
  write: {
    insert: `${EVERYTHING} or ${BY_COMPANY}`,
    update: `${OF_MANAGER} or (${BY_COMPANY} and status = 'Proposed')`,
    updated: `${OF_MANAGER} or (${BY_COMPANY} and status in ('Proposed', 'Withdrawn') and decided_by is null)`,
    delete: 'false',
  },
});

/** The proposed corrections never change, and a decision is final. */
const proposalStates = `
create function check_correction_proposal() returns trigger language plpgsql as $$ begin
  if tg_op = 'INSERT' then
    if new.status <> 'Proposed' then
      raise exception 'a proposal begins as Proposed' using errcode = 'check_violation', constraint = 'correction_proposals_status';
    end if;
    return new;
  end if;
  if old.status <> 'Proposed' and new is distinct from old then
    raise exception 'the proposal is %', old.status using errcode = 'check_violation', constraint = 'correction_proposals_status';
  end if;
  if (new.id, new.manager_id, new.company_id, new.tape_id, new.generation_id, new.row_numbers, new.corrected_rows, new.comment)
      is distinct from (old.id, old.manager_id, old.company_id, old.tape_id, old.generation_id, old.row_numbers, old.corrected_rows, old.comment) then
    raise exception 'what was proposed cannot change' using errcode = 'check_violation', constraint = 'correction_proposals_rows';
  end if;
  return new;
end $$;
create trigger correction_proposals_status before insert or update on correction_proposals
  for each row execute function check_correction_proposal();`;

/** Loan tapes, their processing attempts, and the corrections that borrowers propose. */
export class Tapes extends Migration {
  override up(): void {
    this.addSql([tapes, inProgress, generations, published, proposals, proposalStates].join('\n'));
  }
}
