import { Migration } from '@mikro-orm/migrations';

/**
 * What can be drawn against is stored with a borrowing base, as its position is: the net borrowing base less the reserves
 * of its contract; unknown if a reserve is.
 */
const availableBase = `
alter table borrowing_bases add column available_base numeric generated always as (
  case when result -> 'totals' ? 'availableBase' then (result #>> '{totals,availableBase,sum}')::numeric else net_bb end) stored;`;

/** Reserves of contracts. */
export class Reserves extends Migration {
  override up(): void {
    this.addSql(availableBase);
  }
}
