import { Migration } from '@mikro-orm/migrations';
import { quoted, recordAlso } from './tenant-table.ts';

const REMINDERS = ['before', 'due', 'late1', 'late5', 'late10'];

const reminders = `
alter table funds add column reminders text[] not null default array[${quoted(REMINDERS)}]
  constraint funds_reminders check (reminders <@ array[${quoted(REMINDERS)}]
    and array_position(reminders, null) is null and cardinality(reminders) <= ${REMINDERS.length});
${recordAlso('funds', ['reminders'])}`;

/** Which reminders of its calls a fund sends. */
export class Reminders extends Migration {
  override up(): void {
    this.addSql(reminders);
  }
}
