import { Migration } from '@mikro-orm/migrations';
import { SIGN_OUTS_CHANNEL, TOLD_CHANNEL } from './as-landed.ts';

/** PostgreSQL takes payloads of up to 8,000 bytes; an id and its comma are 25. */
const IDS_PER_PAYLOAD = 300;

/** Sends the distinct values of a column of the changed rows, many in one message. */
const announcing = (name: string, channel: string, column: string) => `
create function ${name}() returns trigger language plpgsql as $$ begin
  perform pg_notify('${channel}', string_agg(id, ',')) from (
    select id, (row_number() over () - 1) / ${IDS_PER_PAYLOAD} as part
    from (select distinct ${column}::text as id from changed) found
  ) parts group by part;
  return null;
end $$;`;

const onNotifications = (event: string, rows: 'old' | 'new') => `
create trigger notifications_${event}_told after ${event} on notifications
  referencing ${rows} table as changed for each statement execute function announce_told();`;

/** To find whose notice a file is when it is read. */
const fileIndexes = ['contributions', 'distributions']
  .map((table) => `create index on ${table} (file_id) where file_id is not null;`)
  .join('\n');

/**
 * Every web process learns whose notifications changed, and which sign-ins ended, when the transaction commits. Reads of
 * documents are found by file.
 */
export class Communication extends Migration {
  override up(): void {
    this.addSql(
      [
        announcing('announce_told', TOLD_CHANNEL, 'user_id'),
        onNotifications('insert', 'new'),
        onNotifications('update', 'new'),
        onNotifications('delete', 'old'),
        announcing('announce_sign_outs', SIGN_OUTS_CHANNEL, 'family_id'),
        `create trigger refresh_tokens_announced after delete on refresh_tokens
           referencing old table as changed for each statement execute function announce_sign_outs();`,
        fileIndexes,
      ].join('\n'),
    );
  }
}
