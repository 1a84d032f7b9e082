import { NOTIFIED_AS, type NotificationLevel } from '@tapeline/domain/communication/notification-kinds.ts';
import { MAIL_LIMITS, type MailContent, type MailKind } from '@tapeline/domain/mail/mail.ts';
import { newId } from '../../ids.ts';
import { asProgram, type Session } from '../../store.ts';
import { nextDigest } from '../notifications/settings.ts';
import { findContacts, findRecipients, type MailDocument, type Recipients } from './readers.ts';

/** A contact of an entity. One who has an account is told only of what that account may read. */
export interface Contact {
  readonly entityId: string;
  readonly name: string;
  readonly email: string;
  /** Lines that follow those of the message: why the contact gets it, and how to see what it is about. */
  readonly lines: readonly string[];
}

export interface Message extends MailDocument, MailContent {
  readonly to: Recipients | readonly Recipients[];
  /**
   * Another document that the message belongs to: the one that is being removed, of a message about its investor. The
   * people must see that one now, and once it is blocked for them, the message is hidden with it.
   */
  readonly ownedBy?: MailDocument;
  /** They get the email only. Whoever gets it as a user does not get it twice. */
  readonly contacts?: readonly Contact[];
  /** People who are not told although they are among the recipients. */
  readonly except?: readonly string[];
  readonly kind: MailKind;
  /**
   * Names the occasion: "draw-approved/<id>/<version>". A person is told at most once for each key, however often it
   * happens.
   */
  readonly key: string;
  /** How the notification is shown, if not as its kind usually is. */
  readonly level?: NotificationLevel;
  /** Whether there is only the notification. */
  readonly isWithoutEmail?: boolean;
  /** When to send the email, at the earliest. Default: at once. */
  readonly notBefore?: Date;
}

/** A character that is cut in half is no text, which the database refuses. */
const cut = (text: string, most: number): string => text.slice(0, most).toWellFormed();
const mailBody = (lines: readonly string[]): string => cut(lines.join('\n'), MAIL_LIMITS.text);

/**
 * Tells people about documents, in the transaction of the changes that it follows from: both are committed, or neither.
 * Users get a notification and an email, unless they chose otherwise for its kind; contacts an email. Any actor can cause one. It goes to the users among the
 * recipients who can see the document, and to the contacts, which is checked again when the email is sent.
 * After a restore, emails that no user causes are held until an administrator releases them.
 * @returns how many users were told; those who know already do not count
 */
export async function tellAll(session: Session, commands: readonly Message[]): Promise<number> {
  if (commands.length === 0) return 0;
  const { now } = session;
  // The documents may have been created in this transaction.
  await session.em.flush();
  const counts = await asProgram(session, async () => {
    const recipients = await findRecipients(
      session,
      commands.map(({ to, ...message }) => ({ document: message.ownedBy ?? message, to: [to].flat() })),
    );
    const contactsOf = await findContacts(
      session,
      commands.map(({ contacts = [], ...message }, index) => ({
        document: message.ownedBy ?? message,
        contacts,
        users: recipients[index] ?? [],
      })),
    );
    const mails = commands.flatMap(({ except, ...mail }, index) => {
      const message = () => ({
        id: newId(now),
        key: mail.key,
        kind: mail.kind,
        resource: mail.resource,
        document_id: mail.documentId,
        owned_by: mail.ownedBy ? `${mail.ownedBy.resource}/${mail.ownedBy.documentId}` : null,
        // Both have one subject line, within the limit.
        subject: cut(mail.subject.replaceAll(/\s+/g, ' '), MAIL_LIMITS.subject),
        text: mailBody(mail.lines),
        page: mail.page,
        page_title: mail.pageTitle,
        not_before: mail.notBefore ?? now,
        is_mailed: !mail.isWithoutEmail,
        level: mail.level ?? NOTIFIED_AS[mail.kind].level,
        action_required: NOTIFIED_AS[mail.kind].actionRequired,
      });
      const users = recipients[index] ?? [];
      return [
        ...users
          .filter(({ userId }) => !except?.includes(userId))
          .map(({ userId }) => ({ ...message(), user_id: userId })),
        ...(contactsOf[index] ?? []).map(({ entityId, name, email, lines }) => ({
          ...message(),
          user_id: null,
          contact_entity_id: entityId,
          contact_name: name,
          contact_email: email,
          text: mailBody([...mail.lines, '', ...lines]),
        })),
      ];
    });
    if (mails.length === 0) return null;
    const [counted] = await session.query<{ told: number; mailed: number }>(
      // How each person chose to be told. Contacts, who have no account, always get the email.
      `with message as (
         select mail.*, coalesce(s.channels ->> mail.kind, 'email') as channel,
           case when s.channels ->> mail.kind = 'digest' then ${nextDigest('greatest(mail.not_before, $2::timestamptz)', 's.digest_hour')}
             else mail.not_before end as due_at
         from jsonb_to_recordset($1) as mail (id text, user_id text, key text, kind text, resource text,
           document_id text, owned_by text, subject text, text text, page text, page_title text, not_before timestamptz, level text,
           action_required boolean, is_mailed boolean, contact_entity_id text, contact_name text, contact_email text)
           left join notification_settings s on s.user_id = mail.user_id
       ), notified as (
         insert into notifications (id, user_id, key, kind, resource, document_id, owned_by, title, description, page, page_title,
           created_at, level, action_required)
         select id, user_id, key, kind, resource, document_id, owned_by, subject, text, page, page_title, $2, level, action_required
         from message where user_id is not null and channel <> 'off' on conflict (key, user_id) do nothing returning id
       ), hold as (
         select id from holds where kind = 'email' and ended_at is null and $3 for share
       ), mailed as (
       insert into outbox (id, user_id, key, kind, resource, document_id, owned_by, subject, text, page, page_title,
         created_at, not_before, next_attempt_at, is_digest, contact_entity_id, contact_name, contact_email, hold_id, status)
       select id, user_id, key, kind, resource, document_id, owned_by, subject, text, page, page_title, $2, due_at, due_at,
         channel = 'digest', contact_entity_id, contact_name, contact_email, (select id from hold),
         case when exists (select from hold) then 'Held' else 'Queued' end
       from message where is_mailed and channel in ('email', 'digest') on conflict do nothing returning id
       )
       select (select count(*) from notified)::int as told, (select count(*) from mailed)::int as mailed`,
      [JSON.stringify(mails), now, session.actor.kind === 'system'],
    );
    return counted;
  });
  if (counts?.mailed) session.announce('mailQueued');
  return counts?.told ?? 0;
}

/** Tells people about one document, as `tellAll` does. */
export const tell = (session: Session, command: Message): Promise<number> => tellAll(session, [command]);
