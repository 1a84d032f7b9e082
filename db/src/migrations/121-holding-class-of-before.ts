import { Migration } from '@mikro-orm/migrations';
import { asSystem } from './tenant-table.ts';

/**
 * Migration 71 stored the class that a share is of, but changed no row where the owner of the tables is not a superuser:
 * row-level security showed it none. It is stored now for the lines from before it; later ones say it themselves.
 */
const classOf = (lines: string, headers: string): string => `
alter table ${lines} disable trigger user;
update ${lines} t set holding_class = t.class from ${headers} h
where h.id = t.activity_id and h.class = t.class and t.holding_class is null
  and to_timestamp(('x' || left(t.id, 8))::bit(32)::bigint)
    < (select executed_at from mikro_orm_migrations where name = '71-holding-class');
set constraints all immediate;
set constraints all deferred;
alter table ${lines} enable trigger user;`;

/** The calls and distributions of before have the class that their shares are of. */
export class HoldingClassOfBefore extends Migration {
  override up(): void {
    this.addSql(asSystem(classOf('contributions', 'capital_calls') + classOf('distributions', 'distribution_events')));
  }
}
