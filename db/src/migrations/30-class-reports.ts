import { Migration } from '@mikro-orm/migrations';
import { byLP, OF_MANAGER } from './tenant-table.ts';

const ISSUED = "status in ('Active', 'Closed')";

/** A report on one class of a main fund is for the investors of that class, as a report on a class of a fund is. */
export class ClassReports extends Migration {
  override up(): void {
    this.addSql(`
alter policy read on reports using (${OF_MANAGER} or (${ISSUED} and exists (
  select from lp_commitments c join funds f on f.id = c.fund_id
  where ${byLP('c.investor_lp_id')} and c.${ISSUED} and (reports.class is null or c.class = reports.class)
    and (f.id = reports.fund_id or f.main_fund_id = reports.main_fund_id))));`);
  }
}
