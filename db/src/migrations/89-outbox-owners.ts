import { Migration } from '@mikro-orm/migrations';

/** The page of a withdrawn document lists the emails that said so. They belong to it, and are about something else. */
export class OutboxOwners extends Migration {
  override up(): void {
    this.addSql('create index on outbox (owned_by) where owned_by is not null;');
  }
}
