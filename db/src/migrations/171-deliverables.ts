import { Migration } from '@mikro-orm/migrations';
import { indexed } from './30-search.ts';
import { CASH_MAIL_KINDS, mailKinds } from './150-cash-messages.ts';
import { documentFiles } from './164-document-files.ts';
import {
  BY_COMPANY,
  named,
  OF_MANAGER,
  object,
  oneOf,
  optional,
  quoted,
  references,
  tenantTable,
  text,
} from './tenant-table.ts';

const day = "date not null check ({column} between '1950-01-01' and '2150-12-31')";
const REMINDERS = ['before', 'due', 'late1', 'late5', 'late10'];
const ofTransaction = `foreign key (transaction_id, company_id) ${references('transactions', 'id, company_id')}`;

const deliverables = tenantTable({
  name: 'deliverables',
  tenant: 'company',
  history: { resource: 'deliverables' },
  statuses: ['Active', 'Disabled', 'Removed'],
  columns: {
    transaction_id: 'object_id',
    note_id: 'object_id',
    title: text({ minLength: 2, maxLength: 80 }),
    kind: oneOf(['tape', 'certificate', 'financialStatements', 'auditReport', 'insurance', 'other']),
    clause: optional(text({ maxLength: 40 })),
    description: optional(text({ maxLength: 1000 })),
    frequency: oneOf(['monthly', 'quarterly', 'halfYearly', 'yearly', 'once']),
    first_period_end: day,
    last_period_end: optional(day),
    days_after: 'integer not null check ({column} between 0 and 365)',
    days_unit: oneOf(['calendar', 'business']),
    business_day_rule: oneOf(['none', 'following', 'modifiedFollowing', 'preceding']),
    calendar: oneOf(['weekdays', 'newYork', 'target']),
    sender_id: `object_id ${references('users')}`,
    needs_review: 'boolean not null',
    reviewer_id: `object_id ${references('users')}`,
    reminders: `text[] not null check ({column} <@ array[${quoted(REMINDERS)}] and array_position({column}, null) is null and cardinality({column}) <= ${REMINDERS.length})`,
  },
  constraints: [
    ofTransaction,
    ...named('deliverables', 'title'),
    'constraint deliverables_note check ((transaction_id is null) = (note_id is null))',
    "constraint deliverables_certificate check (kind <> 'certificate' or note_id is not null)",
    "constraint deliverables_first_period check (frequency = 'once' or first_period_end = (date_trunc('month', first_period_end) + interval '1 month - 1 day')::date)",
    'constraint deliverables_last_period check (last_period_end >= first_period_end)',
    'constraint deliverables_reviewer check (needs_review or reviewer_id is null)',
  ],
  indexes: [
    '(transaction_id)',
    "unique (company_id, coalesce(note_id::text, ''), lower(title)) where status <> 'Removed'",
  ],
});

const count = `
create function check_deliverable_count() returns trigger language plpgsql as $$ begin
  if (select count(*) >= 100 from deliverables d where d.company_id = new.company_id and d.status <> 'Removed') then
    raise exception 'a borrower has at most 100 deliverables' using errcode = 'check_violation', constraint = 'deliverables_most';
  end if;
  return new;
end $$;
create trigger deliverables_count before insert on deliverables for each row execute function check_deliverable_count();`;

const items = tenantTable({
  name: 'deliverable_items',
  tenant: 'company',
  history: { exempt: 'It keeps who sent it and who accepted, returned or waived it, and stays when it is sent again.' },
  statuses: ['Received', 'Accepted', 'Returned', 'Waived', 'Withdrawn'],
  initialStatus: 'Received',
  columns: {
    deliverable_id: 'object_id not null',
    transaction_id: 'object_id',
    period_end: day,
    /** Null for a tape or a certificate, and for what is waived. */
    file_id: `object_id ${references('files')}`,
    remark: optional(text({ maxLength: 500 })),
    received_on: 'date',
    received_by: optional(object),
    decided_by: optional(object),
    decided_at: 'timestamptz',
    reason: optional(text({ minLength: 5, maxLength: 500 })),
  },
  constraints: [
    `foreign key (deliverable_id, company_id) ${references('deliverables', 'id, company_id')}`,
    ofTransaction,
    "check ((status = 'Received') = (decided_by is null))",
    'check ((decided_by is null) = (decided_at is null))',
    "constraint deliverable_items_reason check (status not in ('Returned', 'Waived', 'Withdrawn') or reason is not null)",
    "constraint deliverable_items_file check (status <> 'Received' or file_id is not null)",
    'check ((file_id is null) = (received_by is null))',
    "check ((status in ('Waived', 'Withdrawn')) = (received_on is null))",
  ],
  indexes: [
    '(deliverable_id, period_end)',
    "unique (deliverable_id, period_end) where status in ('Received', 'Accepted', 'Waived')",
    "(manager_id) where status = 'Received'",
  ],
  // A borrower sends files; the manager's people decide.
  write: { insert: `${OF_MANAGER} or (${BY_COMPANY} and status = 'Received')`, update: OF_MANAGER, delete: 'false' },
});

/** What was sent stays as it was sent, and only the steps of the table of states are possible. */
const states = `
create function keep_deliverable_item() returns trigger language plpgsql as $$
declare
  decided text[] := '{status,metadata,version,decided_by,decided_at,reason}';
  kind text := (select d.kind from deliverables d where d.id = new.deliverable_id);
begin
  if tg_op = 'INSERT' then
    if new.status not in ('Received', 'Accepted', 'Waived') or (new.status = 'Accepted') <> (new.file_id is null and new.received_on is not null) then
      raise exception 'an item begins as received or waived' using errcode = 'check_violation', constraint = 'deliverable_items_states';
    end if;
    if kind is null or new.status <> 'Waived' and (kind in ('tape', 'certificate')) <> (new.status = 'Accepted') then
      raise exception 'a tape or a certificate is received in the product' using errcode = 'check_violation', constraint = 'deliverable_items_kind';
    end if;
    if (select count(*) >= 20 from deliverable_items i where i.deliverable_id = new.deliverable_id and i.period_end = new.period_end) then
      raise exception 'an item is sent at most 20 times' using errcode = 'check_violation', constraint = 'deliverable_items_most';
    end if;
  elsif to_jsonb(new) - decided <> to_jsonb(old) - decided then
    raise exception 'what was sent stays' using errcode = 'check_violation', constraint = 'deliverable_items_fixed';
  elsif (old.status, new.status) not in (('Received', 'Accepted'), ('Received', 'Returned'), ('Accepted', 'Returned'), ('Waived', 'Withdrawn')) then
    raise exception 'the item was decided' using errcode = 'check_violation', constraint = 'deliverable_items_states';
  end if;
  return new;
end $$;
create trigger deliverable_items_states before insert or update on deliverable_items for each row execute function keep_deliverable_item();`;

const search = indexed({
  table: 'deliverables',
  kind: 'deliverable',
  text: `concat_ws(' ', t.title, t.clause, (select name from companies where id = t.company_id),
    (select title from transactions where id = t.transaction_id))`,
  columns: ['title', 'clause'],
  company: 't.company_id',
  named: [
    ['transactions', 'title', 'transaction_id'],
    ['companies', 'name', 'company_id'],
  ],
});

const files = documentFiles('create or replace function', [
  ['facilityFigures', 'facility_figures', 'file_id'],
  ['covenants', 'covenant_results', 'cure_file_id'],
  ['covenants', 'covenant_waivers', 'file_id'],
  ['amendments', 'amendments', 'file_id'],
  ['borrowingBases', 'certifications', 'file_id'],
  ['deliverables', 'deliverable_items', 'file_id'],
]);

/** What borrowers owe by date under their agreements, and what happened to the item of each period. */
export class Deliverables extends Migration {
  override up(): void {
    this.addSql(
      [
        deliverables,
        count,
        items,
        states,
        search,
        files,
        mailKinds([
          ...CASH_MAIL_KINDS,
          'covenantBreached',
          'certificateSubmitted',
          'certificateDecided',
          'deliverableDue',
          'deliverableReceived',
          'deliverableDecided',
        ]),
      ].join('\n'),
    );
  }
}
