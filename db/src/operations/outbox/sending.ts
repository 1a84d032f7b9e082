import { type MailKind, MOST_ATTEMPTS, retryWaitMs } from '@tapeline/domain/mail/mail.ts';
import type { Session } from '../../store.ts';
import { TITLED } from '../history/document-titles.ts';
import { reachableActors } from '../identity/load-actor.ts';
import { findContacts, readersOf } from './readers.ts';

/** An email that one sender has claimed. */
export interface ClaimedMail {
  readonly id: string;
  readonly kind: MailKind;
  readonly resource: string;
  readonly documentId: string;
  /** Another document that it belongs to: "contributions/65f0…". */
  readonly ownedBy: string | null;
  /** The documents that these belonged to when it was queued. */
  readonly owners: readonly string[];
  readonly subject: string;
  readonly text: string;
  readonly page: string;
  readonly pageTitle: string;
  /** When it became due for the first time, as ISO 8601. The same for every attempt. */
  readonly dueAt: string;
  /** The trace of the request that it follows from, if there was one. */
  readonly traceparent: string | null;
  /** Includes this attempt. */
  readonly attempts: number;
  /** The user whom it goes to, or a contact of an entity. */
  readonly userId: string | null;
  readonly entityId: string | null;
  readonly contactName: string | null;
  readonly contactEmail: string | null;
}

/**
 * Whom an email goes to, with the first name, of a contact its name: a user who can still see its document, or a contact
 * that its entity still has, of a document that was not withdrawn since, and whose account, if it has one, may read that. Null if it goes to nobody. Called as the program,
 * in another transaction than the claim: an email whose person cannot be found out does not keep the others waiting.
 */
export async function recipientOf(
  session: Session,
  { userId, entityId, contactName, contactEmail, ...mail }: ClaimedMail,
): Promise<{ readonly email: string; readonly firstName: string } | null> {
  if (userId !== null) {
    const [reader] = await readersOf(session, mail, await reachableActors(session, 'u.id = $1', [userId]));
    return reader ? { email: reader.email, firstName: reader.firstName } : null;
  }
  const table = TITLED[mail.resource]?.table;
  if (!table) throw new Error(`${mail.resource} is not a collection`);
  const [contact] = await session.query(
    `select from entities e, jsonb_array_elements(e.contacts) as contact
     where e.id = $1 and e.status <> 'Removed' and lower(contact ->> 'email') = lower($2)
       and exists (select from ${table} where id = $3 and status <> 'Removed') limit 1`,
    [entityId, contactEmail, mail.documentId],
  );
  if (!contact || !entityId || !contactEmail) return null;
  const readAs = mail.ownedBy?.split('/')[0];
  const contacts = [{ entityId, email: contactEmail }];
  const [told] = await findContacts(session, [{ document: mail, contacts, users: [], ...(readAs ? { readAs } : {}) }]);
  return told?.length ? { email: contactEmail, firstName: contactName ?? '' } : null;
}

const INTERRUPTED = 'The last attempt was interrupted';

/**
 * Claims the email that has been due longest. Other senders skip it until the lease ends; if this sender is killed, it
 * is tried again then. Called as the program.
 * @returns null if none is due
 */
export async function claimMail(session: Session, { leaseMs }: { leaseMs: number }): Promise<ClaimedMail | null> {
  const { query, now } = session;
  const [row] = await query<ClaimedMail & { gaveUp: boolean }>(
    `update outbox set attempts = attempts + 1,
       status = case when attempts >= $3 then 'Failed' else status end,
       last_error = case when attempts >= $3 then coalesce(last_error, $4) else last_error end,
       next_attempt_at = $2
     where id = (select id from outbox where status = 'Queued' and next_attempt_at <= $1
       order by next_attempt_at, id limit 1 for update skip locked)
     returning id, user_id as "userId", kind, resource, document_id as "documentId", owned_by as "ownedBy", owners, subject, text, page,
       page_title as "pageTitle", to_json(greatest(created_at, not_before)) #>> '{}' as "dueAt", attempts,
       traceparent, contact_entity_id as "entityId", contact_name as "contactName", contact_email as "contactEmail",
       status = 'Failed' as "gaveUp"`,
    [now, new Date(now.getTime() + leaseMs), MOST_ATTEMPTS, INTERRUPTED],
  );
  if (!row) return null;
  // Every attempt of this email was interrupted: the next call gets another email.
  const { gaveUp, ...mail } = row;
  return gaveUp ? claimMail(session, { leaseMs }) : mail;
}

export async function recordSent(session: Session, mail: ClaimedMail): Promise<void> {
  await session.query(
    `update outbox set status = 'Sent', sent_at = $2, last_error = null where id = $1 and status = 'Queued'`,
    [mail.id, session.now],
  );
}

/** Records that the person is no longer to get the email: it cannot see the document, or is no longer a contact. */
export async function recordSkipped(session: Session, mail: ClaimedMail): Promise<void> {
  await session.query(
    `update outbox set status = 'Skipped', last_error = 'Not sent: the document was withdrawn, or the person may no longer see it'
     where id = $1 and status = 'Queued'`,
    [mail.id],
  );
}

/**
 * Records a failed attempt, and when the next one is due. A sender whose lease has ended changes nothing.
 * @param command.isFinal whether another attempt would be useless
 * @returns whether sending was given up
 */
export async function recordFailure(
  session: Session,
  mail: ClaimedMail,
  command: { error: string; isFinal: boolean },
): Promise<boolean> {
  const givesUp = command.isFinal || mail.attempts >= MOST_ATTEMPTS;
  await session.query(
    `update outbox set status = case when $3 then 'Failed' else status end, last_error = $4, next_attempt_at = $5
     where id = $1 and attempts = $2 and status = 'Queued'`,
    [
      mail.id,
      mail.attempts,
      givesUp,
      command.error.slice(0, 1000),
      new Date(session.now.getTime() + retryWaitMs(mail.attempts)),
    ],
  );
  return givesUp;
}
