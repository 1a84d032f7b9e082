import { Migration } from '@mikro-orm/migrations';

/**
 * Which grids there are is said by the descriptors of the collections, and checked by the schema of a view: a collection
 * that is added needs no change of this table.
 */
export class GridsOfCollections extends Migration {
  override up(): void {
    this.addSql(`alter table grid_views drop constraint grid_views_grid_check,
  add constraint grid_views_grid_check check (grid ~ '^[a-z]+(-[a-z]+)*$' and char_length(grid) <= 40);`);
  }
}
