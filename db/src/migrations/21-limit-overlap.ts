import { Migration } from '@mikro-orm/migrations';
import { LIMIT_OVERLAPS } from './as-landed.ts';

const allowed = LIMIT_OVERLAPS.map((overlap) => `'${overlap}'`).join(', ');

/** How the concentration limits of a contract combine. Contracts without the setting are sequential. */
export class LimitOverlap extends Migration {
  override up(): void {
    this.addSql(
      `alter table contracts add constraint contracts_overlap check (coalesce(body ->> 'overlap' in (${allowed}), true))`,
    );
  }
}
