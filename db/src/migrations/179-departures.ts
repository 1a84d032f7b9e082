import { Migration } from '@mikro-orm/migrations';
import { documentFiles } from './164-document-files.ts';
import {
  BY_COMPANY,
  EVERYTHING,
  OF_MANAGER,
  object,
  oneOf,
  optional,
  references,
  tenantTable,
  text,
} from './tenant-table.ts';

/** Whoever does not see the tape does not see what was said of its loans. */
const TAPE = 'exists (select from loan_tapes t where t.id = departures.tape_id)';

const departures = tenantTable({
  name: 'departures',
  tenant: 'company',
  history: { exempt: 'It keeps who said it and who took it back; it changes no document.' },
  statuses: ['Active', 'Removed'],
  columns: {
    // The tape that no longer reports them.
    tape_id: 'object_id not null',
    kind: oneOf(['sold', 'repurchased', 'paid', 'substituted']),
    asset_ids: `text[] not null check (cardinality({column}) between 1 and 5000 and array_position({column}, null) is null
      and array_position({column}, '') is null)`,
    reason: text({ minLength: 5, maxLength: 500 }),
    file_id: `object_id ${references('files')}`,
    entered_by: object,
    entered_at: 'timestamptz not null',
    removed_by: optional(object),
    removed_at: 'timestamptz',
  },
  constraints: [
    // It goes with a tape that is deleted for good.
    'foreign key (tape_id, company_id) references loan_tapes (id, company_id) on delete cascade deferrable initially deferred',
    "check ((status = 'Removed') = (removed_by is not null))",
    'check ((removed_by is null) = (removed_at is null))',
  ],
  indexes: ["(tape_id) where status = 'Active'"],
  read: `(${OF_MANAGER} or ${BY_COMPANY}) and (${EVERYTHING} or ${TAPE})`,
  write: { insert: OF_MANAGER, update: OF_MANAGER, delete: 'false' },
});

/** What was said stays until it is taken back. A tape has at most twenty statements. */
const states = `
create function check_departure() returns trigger language plpgsql as $$ begin
  if tg_op = 'UPDATE' and (old.status = 'Removed' or new.status <> 'Removed'
      or (new.id, new.manager_id, new.company_id, new.tape_id, new.kind, new.asset_ids, new.reason, new.file_id, new.entered_by, new.entered_at)
        is distinct from (old.id, old.manager_id, old.company_id, old.tape_id, old.kind, old.asset_ids, old.reason, old.file_id, old.entered_by, old.entered_at)) then
    raise exception 'what was said stays until it is taken back' using errcode = 'check_violation', constraint = 'departures_fixed';
  end if;
  if tg_op = 'INSERT' and (select count(*) >= 20 from departures d where d.tape_id = new.tape_id and d.status = 'Active') then
    raise exception 'a tape has at most 20 statements' using errcode = 'check_violation', constraint = 'departures_most';
  end if;
  return new;
end $$;
create trigger departures_states before insert or update on departures for each row execute function check_departure();`;

const files = documentFiles('create or replace function', [
  ['facilityFigures', 'facility_figures', 'file_id'],
  ['covenants', 'covenant_results', 'cure_file_id'],
  ['covenants', 'covenant_waivers', 'file_id'],
  ['amendments', 'amendments', 'file_id'],
  ['borrowingBases', 'certifications', 'file_id'],
  ['deliverables', 'deliverable_items', 'file_id'],
  ['loanTapes', 'departures', 'file_id'],
]);

/** What happened to loans that a tape no longer reports, as somebody said, with a file. */
export class Departures extends Migration {
  override up(): void {
    this.addSql([departures, states, files].join('\n'));
  }
}
