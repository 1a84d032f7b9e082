import { Migration } from '@mikro-orm/migrations';

/**
 * What is committed to a fund on a day, also by investors that the actor cannot see: a share of a fund is a share of all
 * of it. Only the total is returned.
 */
const committedToFund = `
create function committed_to_fund(of_fund text, day date) returns numeric stable language plpgsql
  set search_path from current as $$
declare
  actor text := coalesce(current_setting('tapeline.actor_type', true), '');
  hidden text := coalesce(current_setting('tapeline.blocked', true), '');
  total numeric;
begin
  perform set_config('tapeline.actor_type', 'system', true), set_config('tapeline.blocked', '', true);
  select coalesce(sum(committed_at(closing_date, active_commitment, deltas, day)), 0) into total
    from lp_commitments where fund_id = of_fund and status in ('Active', 'Closed');
  perform set_config('tapeline.actor_type', actor, true), set_config('tapeline.blocked', hidden, true);
  return total;
end $$;`;

/** The share of a commitment is right for whoever sees a part of the fund. */
export class CommittedToFund extends Migration {
  override up(): void {
    this.addSql(committedToFund);
  }
}
