import { Migration } from '@mikro-orm/migrations';
import { LEAST_HISTORY_YEARS } from './as-landed.ts';
import { APP_ROLE } from './tenant-table.ts';

/** For what retention looks for every hour. */
const indexes = `
create index on ownership_tokens (expires_at);
create index on refresh_tokens (expires_at);
create index on outbox (created_at) where status <> 'Queued';
create index on notifications (created_at) where not action_required;
create index on import_drafts (changed_at);`;

/**
 * Old history. The program has no right to delete from the table: this function is its only way, and neither the
 * function nor the policy lets anything go that is younger than the least limit, whatever the settings say.
 */
const history = `
create policy retention on history for delete using (
  (select actor_is_system()) and recorded_at < now() - interval '${LEAST_HISTORY_YEARS} years');
create function forget_history(before timestamptz, most integer) returns integer
language plpgsql security definer set search_path from current as $$
declare
  latest timestamptz := least(before, now() - interval '${LEAST_HISTORY_YEARS} years');
  forgotten integer;
begin
  if not actor_is_system() then
    raise exception 'only the program itself removes history' using errcode = 'insufficient_privilege';
  end if;
  delete from history where id = any (array(
    select id from history where changed_at < latest and recorded_at < latest
    order by changed_at nulls first, id limit most));
  get diagnostics forgotten = row_count;
  return forgotten;
end $$;
revoke execute on function forget_history from public;
grant execute on function forget_history to ${APP_ROLE};`;

/** What the removal of old rows needs. */
export class Retention extends Migration {
  override up(): void {
    this.addSql([indexes, history].join('\n'));
  }
}
