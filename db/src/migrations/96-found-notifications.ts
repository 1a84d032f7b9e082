import { Migration } from '@mikro-orm/migrations';

/** Those about a document are searched when it is published or withdrawn, among millions. */
const indexes = `
create index on notifications (resource, document_id);
create index on notifications (owned_by) where owned_by is not null;`;

/** As in migration 95, and whatever a saved filter narrows: the total of a fund is that of all its commitments. */
const committedToFund = `
create or replace function committed_to_fund(of_fund text, day date) returns numeric stable language plpgsql
  set search_path from current as $$
declare
  actor text := coalesce(current_setting('tapeline.actor_type', true), '');
  hidden text := coalesce(current_setting('tapeline.blocked', true), '');
  funds text := coalesce(current_setting('tapeline.within_funds', true), '');
  investors text := coalesce(current_setting('tapeline.within_investors', true), '');
  total numeric;
begin
  perform set_config('tapeline.actor_type', 'system', true), set_config('tapeline.blocked', '', true),
    set_config('tapeline.within_funds', '', true), set_config('tapeline.within_investors', '', true);
  select coalesce(sum(committed_at(closing_date, active_commitment, deltas, day)), 0) into total
    from lp_commitments where fund_id = of_fund and status in ('Active', 'Closed');
  perform set_config('tapeline.actor_type', actor, true), set_config('tapeline.blocked', hidden, true),
    set_config('tapeline.within_funds', funds, true), set_config('tapeline.within_investors', investors, true);
  return total;
end $$;`;

/** What is found about a document, and the total behind a share. */
export class FoundNotifications extends Migration {
  override up(): void {
    this.addSql(indexes);
    this.addSql(committedToFund);
  }
}
