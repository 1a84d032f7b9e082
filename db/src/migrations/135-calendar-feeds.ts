import { Migration } from '@mikro-orm/migrations';
import { SYSTEM_ONLY, table } from './tenant-table.ts';

/** A person manages their own feed and nobody else's. */
const OWN = `${SYSTEM_ONLY} or user_id = (select actor_user())`;

const feeds = table({
  name: 'calendar_feeds',
  history: { exempt: 'An address that a person reads their own calendar at is no document.' },
  columns: {
    // The address names it, so a new one replaces the address.
    id: 'object_id primary key',
    user_id: 'object_id not null unique references users (id) on delete cascade',
    created_at: 'timestamptz not null',
    // When a calendar program last read it.
    read_at: 'timestamptz',
  },
  read: OWN,
  write: OWN,
});

/** The address ends with the access of its user, and with the email: who has that may be somebody else. */
const endOfFeeds = `
create function end_calendar_feeds() returns trigger language plpgsql as $$
declare actor text := coalesce(current_setting('tapeline.actor_type', true), '');
begin
  -- The feed is the user's own, whoever changes the user.
  perform set_config('tapeline.actor_type', 'system', true);
  delete from calendar_feeds where user_id = new.id;
  perform set_config('tapeline.actor_type', actor, true);
  return null;
end $$;
create trigger users_calendar_feeds after update of status, email on users for each row
  when (old.email <> new.email or (old.status = 'Active' and new.status <> 'Active')) execute function end_calendar_feeds();`;

/** The addresses at which calendar programs read what is due. */
export class CalendarFeeds extends Migration {
  override up(): void {
    this.addSql([feeds, endOfFeeds].join('\n'));
  }
}
