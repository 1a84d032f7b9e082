import { Migration } from '@mikro-orm/migrations';

/** Beyond what a tape is asked about: percentages from 0 to 100 with at most 8 decimals, at least one of them. */
const limits = `
create function tape_limits_hold(body jsonb) returns boolean immutable parallel safe language plpgsql as $$
declare
  limits jsonb := body -> 'tapeLimits';
  changed numeric := (limits ->> 'changedPercent')::numeric;
  gone numeric := (limits ->> 'leftPercent')::numeric;
begin
  return not body ? 'tapeLimits' or coalesce(
    num_nonnulls(changed, gone) > 0
    and coalesce(changed between 0 and 100 and changed = round(changed, 8), true)
    and coalesce(gone between 0 and 100 and gone = round(gone, 8), true), false);
end $$;
alter table contracts add constraint contracts_tape_limits check (tape_limits_hold(body));`;

/** A tape whose changes are asked about is processed already, as one whose pool is. */
const questions = `
set local lock_timeout = '10s';
alter table loan_tapes drop constraint loan_tapes_questions, add constraint loan_tapes_questions check (
  jsonb_array_length(questions) = 0
  or (generation_id is null and ((scheduler_status = 'Completed' and process_status = 'Pending')
    or (process_status = 'Processing' and (questions @> '[{"code": "pool"}]' or questions @> '[{"code": "changes"}]')))));
set local lock_timeout = default;`;

/** Contracts say which changes since the previous tape are asked about before a tape is published. */
export class TapeLimits extends Migration {
  override up(): void {
    this.addSql([limits, questions].join('\n'));
  }
}
