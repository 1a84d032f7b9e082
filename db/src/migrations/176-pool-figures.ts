import { Migration } from '@mikro-orm/migrations';
import { keepSilent } from './tenant-table.ts';

keepSilent('borrowing_bases', ['pool_figures']);

/** Figures of the tape of a borrowing base, which covenants can name. */
const figures = `
alter table borrowing_bases add column pool_figures jsonb check (jsonb_typeof(pool_figures) = 'object');`;

/** What covenants read of a pool beside a certificate: delinquency, default, speeds, yield and excess spread. */
export class PoolFigures extends Migration {
  override up(): void {
    this.addSql(figures);
  }
}
