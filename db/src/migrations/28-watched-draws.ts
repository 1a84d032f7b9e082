import { Migration } from '@mikro-orm/migrations';

/** The latest version of a request that its workflow knows. The sweep finds requests whose workflow missed a change. */
const watched = `
alter table draws add column watched_version integer;
create index draws_unwatched on draws (id) where watched_version is distinct from version
  and (watched_version is not null or status in ('Pending', 'In Review'));`;

export class WatchedDraws extends Migration {
  override up(): void {
    this.addSql(watched);
  }
}
