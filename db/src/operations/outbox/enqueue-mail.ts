import { MAIL_LIMITS, type MailContent, type MailKind } from '@tapeline/domain/mail/mail.ts';
import { newId } from '../../ids.ts';
import { asProgram, type Session } from '../../store.ts';
import { findRecipients, type MailDocument, type Recipients } from './readers.ts';

export interface MailCommand extends MailDocument, MailContent {
  readonly to: Recipients | readonly Recipients[];
  /** People who get no email although they are among the recipients. */
  readonly except?: readonly string[];
  readonly kind: MailKind;
  /**
   * Names the occasion: "draw-approved/<id>/<version>". A person gets at most one email for each key, however often it
   * is queued.
   */
  readonly key: string;
  /** When to send it, at the earliest. Default: at once. */
  readonly notBefore?: Date;
}

/**
 * Queues an email about a document in the transaction of the change that it follows from: both are committed, or
 * neither. Any actor can cause one. It goes to the active users among the recipients who can see the document, which is
 * checked again when it is sent.
 * @returns how many people it was queued for; people who have it already do not count
 */
export async function enqueueMail(session: Session, command: MailCommand): Promise<number> {
  const { kind, key, resource, documentId, subject, lines, page, pageTitle, now } = { ...command, now: session.now };
  const to = [command.to].flat();
  // The document may have been created in this transaction.
  await session.em.flush();
  const queued = await asProgram(session, async () => {
    const found = await findRecipients(session, command, to);
    const people = found.filter(({ userId }) => !command.except?.includes(userId));
    if (people.length === 0) return [];
    return session.query(
      `insert into outbox (id, user_id, key, kind, resource, document_id, subject, text, page, page_title,
         created_at, not_before, next_attempt_at)
       select person.id, person.user_id, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $12
       from unnest($1::text[], $2::text[]) as person (id, user_id)
       on conflict (key, user_id) do nothing returning id`,
      [
        people.map(() => newId(now)),
        people.map(({ userId }) => userId),
        key,
        kind,
        resource,
        documentId,
        // An email has one subject line, within the limit.
        subject.replaceAll(/\s+/g, ' ').slice(0, MAIL_LIMITS.subject),
        lines.join('\n').slice(0, MAIL_LIMITS.text),
        page,
        pageTitle,
        now,
        command.notBefore ?? now,
      ],
    );
  });
  if (queued.length > 0) session.announce('mailQueued');
  return queued.length;
}
