import { Migration } from '@mikro-orm/migrations';
import { SYSTEM_ONLY } from './tenant-table.ts';

/**
 * A notification needs the permission to read the documents that it is about. That a call was withdrawn is told of the
 * investor, because nobody sees the call any more, but it is about the call: "contributions/65f0…" in `owned_by`.
 */
export class WithdrawnNotices extends Migration {
  override up(): void {
    this.addSql(`alter policy readable on notifications using (
      ${SYSTEM_ONLY} or coalesce(split_part(owned_by, '/', 1), resource) = any ((select actor_readable())::text[]));`);
  }
}
