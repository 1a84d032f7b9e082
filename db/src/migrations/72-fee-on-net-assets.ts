import { Migration } from '@mikro-orm/migrations';

/** A fee on assets is charged on the gross NAV, or where the terms say so on the net NAV. */
export class FeeOnNetAssets extends Migration {
  override up(): void {
    this.addSql(`alter table lp_commitments add constraint lp_commitments_assets_basis
      check (coalesce(fees #>> '{management,assetsBasis}', 'gross') in ('gross', 'net'));`);
  }
}
