import { Migration } from '@mikro-orm/migrations';
import { SYSTEM_ONLY, table } from './tenant-table.ts';

const requests = table({
  name: 'sent_requests',
  history: { exempt: 'It is a memory of the program, for a day.' },
  columns: {
    id: `text primary key check ({column} ~ '^[0-9a-f]{64}$')`,
    request: `text not null check ({column} ~ '^[0-9a-f]{64}$')`,
    status: 'integer check ({column} between 200 and 299)',
    answer: 'text',
    transaction: 'xid8 not null default pg_current_xact_id()',
    sent_at: 'timestamptz not null default clock_timestamp()',
  },
  indexes: ['(sent_at)'],
  read: SYSTEM_ONLY,
  write: SYSTEM_ONLY,
});

/** What was sent a moment ago, and the answers to requests with a key, so that none is carried out twice. */
export class SentRequests extends Migration {
  override up(): void {
    this.addSql(requests);
  }
}
