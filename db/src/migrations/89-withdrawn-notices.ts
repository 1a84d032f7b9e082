import { Migration } from '@mikro-orm/migrations';
import { SYSTEM_ONLY } from './tenant-table.ts';

/**
 * That a document was withdrawn is told about its investor, because nobody sees the document any more. Whoever could read
 * the document reads it, also without the permission to read investors.
 */
const readable = `
drop policy readable on notifications;
create policy readable on notifications as restrictive for select using (
  ${SYSTEM_ONLY} or split_part(coalesce(owned_by, resource), '/', 1) = any ((select actor_readable())::text[]));
create index on outbox (owned_by) where owned_by is not null;`;

/** Notices of withdrawal are found in the product by whoever was told. */
export class WithdrawnNotices extends Migration {
  override up(): void {
    this.addSql(readable);
  }
}
