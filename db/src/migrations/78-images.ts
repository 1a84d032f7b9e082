import { Migration } from '@mikro-orm/migrations';
import { byLP, OF_COMPANY } from './tenant-table.ts';

/** Logos and icons are of entities. Whoever sees none of those sees no image, even by its key. */
const images = `
create index on entities ((business ->> 'logo')) where business ->> 'logo' is not null;
create index on entities ((business ->> 'icon')) where business ->> 'icon' is not null;
alter policy read on files using (${OF_COMPANY} or ${byLP('lp_id')} or created_by_user_id = (select actor_user())
  or (bucket = 'publicFiles' and (
    exists (select from entities e where e.business ->> 'logo' in (files.key, files.id))
    or exists (select from entities e where e.business ->> 'icon' in (files.key, files.id))))
  or ((select actor_lps()) is not null and id in (select files_of_investor())));`;

/** Images are seen by those who see an entity that has them. */
export class Images extends Migration {
  override up(): void {
    this.addSql(images);
  }
}
