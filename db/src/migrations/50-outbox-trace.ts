import { Migration } from '@mikro-orm/migrations';

/** The trace of the request that an email follows from. Every transaction sets it, whatever queues the email. */
const outboxTrace = `
alter table outbox add column traceparent text check (char_length(traceparent) <= 60)
  default nullif(current_setting('tapeline.traceparent', true), '');`;

export class OutboxTrace extends Migration {
  override up(): void {
    this.addSql(outboxTrace);
  }
}
