import { Migration } from '@mikro-orm/migrations';

/**
 * What is committed to a fund on a day, also by investors that the actor cannot see: a share of a fund is a share of all
 * of it. Only the total is returned.
 */
const committedToFund = `
create function committed_to_fund(of_fund text, day date) returns numeric stable language sql
  set tapeline.actor_type = 'system' set tapeline.blocked = '' set search_path from current as $$
  select coalesce(sum(committed_at(closing_date, active_commitment, deltas, day)), 0)
  from lp_commitments where fund_id = of_fund and status in ('Active', 'Closed') $$;`;

/** The share of a commitment is right for whoever sees a part of the fund. */
export class CommittedToFund extends Migration {
  override up(): void {
    this.addSql(committedToFund);
  }
}
