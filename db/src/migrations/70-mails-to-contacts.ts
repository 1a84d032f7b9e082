import { Migration } from '@mikro-orm/migrations';
import { MAIL_KINDS } from './as-landed.ts';

const kinds = `kind in (${MAIL_KINDS.map((kind) => `'${kind}'`).join(', ')})`;

/**
 * An email goes to a user or to a contact of an entity, who has no account. It is removed with the entity. Contacts are
 * told once of an occasion, as users are, whatever the case of their address.
 */
const contacts = `
alter table outbox alter column user_id drop not null,
  add column contact_entity_id object_id references entities (id) on delete cascade,
  add column contact_name text check (char_length(contact_name) between 1 and 250),
  add column contact_email text check (char_length(contact_email) between 3 and 320),
  add constraint outbox_to_whom check (num_nonnulls(user_id, contact_email) = 1
    and num_nonnulls(contact_entity_id, contact_name, contact_email) in (0, 3));
create unique index outbox_contact_once on outbox (key, lower(contact_email)) where contact_email is not null;
create index on outbox (contact_entity_id) where contact_entity_id is not null;
create index on outbox (document_id);
create index on notifications (document_id);`;

/** Existing databases know the kinds of their time. */
const newKinds = ['outbox', 'notifications']
  .map(
    (table) =>
      `alter table ${table} drop constraint ${table}_kind_check, add constraint ${table}_kind_check check (${kinds});`,
  )
  .join('\n');

/** Emails to contacts, and the kinds of messages that are new. */
export class MailsToContacts extends Migration {
  override up(): void {
    this.addSql([contacts, newKinds].join('\n'));
  }
}
