import { Migration } from '@mikro-orm/migrations';
import { asSystem } from './tenant-table.ts';

/**
 * Stored checks hold the sum of other requests, which some readers of the draw may not see. No version reads it any
 * longer: it is added up when the page is opened, of the requests that its reader can see.
 */
const requests = `
alter table draws disable trigger user;
update draws set checked = checked #- '{figures,position,requested}'
where checked #> '{figures,position,requested}' is not null;
alter table draws enable trigger user;`;

/** The checks of a draw are stored without the sum of other requests. */
export class ChecksWithoutRequests extends Migration {
  override up(): void {
    this.addSql(asSystem(requests));
  }
}
