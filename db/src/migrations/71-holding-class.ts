import { Migration } from '@mikro-orm/migrations';
import { recordAlso } from './tenant-table.ts';

const TABLES = ['contributions', 'distributions'] as const;

/**
 * The class that the share of a call or distribution is of; null for the whole fund. Of those that exist, a part is of its
 * class if all parts that were entered with it are of that class.
 */
const columnOf = (table: string): string => `
alter table ${table} add column holding_class text check (char_length(holding_class) between 1 and 100);
alter table ${table} disable trigger user;
update ${table} t set holding_class = t.class where t.class is not null and not exists (
  select from ${table} o where o.fund_id = t.fund_id and o.metadata ->> 'bundleId' = t.metadata ->> 'bundleId'
    and o.class is distinct from t.class);
alter table ${table} enable trigger user;
${recordAlso(table, ['holding_class'])}`;

/** A share and what it is a share of are stored together, so that a notice never names the wrong one. */
export class HoldingClass extends Migration {
  override up(): void {
    this.addSql(TABLES.map(columnOf).join('\n'));
  }
}
