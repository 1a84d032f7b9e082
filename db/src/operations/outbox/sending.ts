import { type ChosenChannels, channelOf } from '@tapeline/domain/communication/notification-settings.schema.ts';
import {
  type AboutInvestor,
  JOINED_KINDS,
  MAX_ATTEMPTS,
  MAX_JOINED,
  type MailKind,
  retryWaitMs,
} from '@tapeline/domain/mail/mail.ts';
import { MAIL_PAGES } from '@tapeline/domain/mail/pages.ts';
import { storedOf, tableOf } from '../../collections/collections.ts';
import type { Session } from '../../store.ts';
import { mailedTableOf } from '../capital/notice-mails.ts';
import { reachableActors } from '../identity/load-actor.ts';
import { findContacts, readersOf, readersOfEach } from './readers.ts';

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
  /** Whether it is sent with all that is due for the digest of its user. */
  readonly isDigest: boolean;
  /** Whether somebody asked to send it again: then it goes alone. */
  readonly isSentAgain: boolean;
  /** When it was due before this claim, as PostgreSQL writes it. */
  readonly wasDueAt: string;
}

/**
 * Whom an email goes to, with the first name, of a contact its name: a user who can still see its document, or a contact
 * that its entity still has, of a document that was not withdrawn since, and whose account, if it has one, may read that.
 * Null if it goes to nobody, such as to a user who chose in the meantime to get no email about its kind. Called as the
 * program, in another transaction than the claim: an email whose person cannot be found does not delay the others.
 */
export async function recipientOf(
  session: Session,
  { userId, entityId, contactName, contactEmail, ...mail }: ClaimedMail,
): Promise<{ readonly email: string; readonly firstName: string } | null> {
  if (userId !== null) {
    const [chosen] = await session.query<{ channels: ChosenChannels }>(
      'select channels from notification_settings where user_id = $1',
      [userId],
    );
    if (!['email', 'digest'].includes(channelOf(mail.kind, chosen?.channels ?? {}))) return null;
    const [reader] = await readersOf(session, mail, await reachableActors(session, 'u.id = $1', [userId]));
    return reader ? { email: reader.email, firstName: reader.firstName } : null;
  }
  const stored = storedOf(mail.resource);
  if (!stored) throw new Error(`${mail.resource} is not a collection`);
  const [contact] = await session.query(
    `select from entities e, jsonb_array_elements(e.contacts) as contact
     where e.id = $1 and e.status <> 'Removed' and lower(contact ->> 'email') = lower($2)
       and exists (select from ${tableOf(stored)} where id = $3 and status <> 'Removed') limit 1`,
    [entityId, contactEmail, mail.documentId],
  );
  if (!contact || !entityId || !contactEmail) return null;
  const readAs = mail.ownedBy?.split('/')[0];
  const contacts = [{ entityId, email: contactEmail }];
  const [told] = await findContacts(session, [{ document: mail, contacts, users: [], ...(readAs ? { readAs } : {}) }]);
  return told?.length ? { email: contactEmail, firstName: contactName ?? '' } : null;
}

const INTERRUPTED = 'The last attempt was interrupted';

const CLAIMED = `o.id, o.user_id as "userId", o.kind, o.resource, o.document_id as "documentId", o.owned_by as "ownedBy", o.owners,
  o.subject, o.text, o.page, o.page_title as "pageTitle", to_json(greatest(o.created_at, o.not_before)) #>> '{}' as "dueAt",
  o.attempts, o.traceparent, o.contact_entity_id as "entityId", o.contact_name as "contactName", o.contact_email as "contactEmail",
  o.is_digest as "isDigest", o.key like '%#%' as "isSentAgain", chosen.next_attempt_at::text as "wasDueAt"`;

/**
 * Claims the email that has been due longest. Other senders skip it until the lease ends; if this sender is killed, it
 * is tried again then. Called as the program. Until the transaction ends, no other sender claims anything, so that one
 * of them claims all that `claimBeside` joins.
 * @returns null if none is due
 */
export async function claimMail(session: Session, { leaseMs }: { leaseMs: number }): Promise<ClaimedMail | null> {
  const { query, now } = session;
  await query(`select pg_advisory_xact_lock(hashtext('outbox/claim'))`);
  const [row] = await query<ClaimedMail & { gaveUp: boolean }>(
    // Materialized: a plan that asks again for each email would claim all that are due, and this returns one.
    `with chosen as materialized (select id, next_attempt_at from outbox where status = 'Queued' and next_attempt_at <= $1
       order by next_attempt_at, id limit 1 for update skip locked)
     update outbox o set attempts = o.attempts + 1,
       status = case when o.attempts >= $3 then 'Failed' else o.status end,
       last_error = case when o.attempts >= $3 then coalesce(o.last_error, $4) else o.last_error end,
       next_attempt_at = $2
     from chosen where o.id = chosen.id
     returning ${CLAIMED}, o.status = 'Failed' as "gaveUp"`,
    [now, new Date(now.getTime() + leaseMs), MAX_ATTEMPTS, INTERRUPTED],
  );
  if (!row) return null;
  // Every attempt of this email was interrupted: the next call gets another email.
  const { gaveUp, ...mail } = row;
  return gaveUp ? claimMail(session, { leaseMs }) : mail;
}

/**
 * Claims the messages that are sent in one email with the one that was just claimed, in the same transaction: those to
 * the same person that say the same of other investors, or all that is due for the digest of its user. Those that were
 * tried before are joined only with those that they were tried with, so that each attempt of an email, which has the same
 * id, says the same.
 */
export async function claimBeside(
  { query, now }: Session,
  mail: ClaimedMail,
  { leaseMs }: { leaseMs: number },
): Promise<ClaimedMail[]> {
  if (mail.isSentAgain || !(mail.isDigest || JOINED_KINDS.includes(mail.kind))) return [];
  const [which, values] = mail.isDigest
    ? ['user_id = $6 and is_digest and next_attempt_at <= $7', [mail.userId, now]]
    : [
        `kind = $6 and subject = $7 and page = $8 and not is_digest and (user_id = $9 or lower(contact_email) = lower($10))`,
        [mail.kind, mail.subject, mail.page, mail.userId, mail.contactEmail],
      ];
  return query<ClaimedMail>(
    `with chosen as materialized (select id, next_attempt_at from outbox where status = 'Queued' and ${which}
         and id <> $2 and key not like '%#%' and attempts = $3 and (attempts = 0 or next_attempt_at = $4::timestamptz)
       order by id limit $5 for update skip locked)
     update outbox o set attempts = o.attempts + 1, next_attempt_at = $1
     from chosen where o.id = chosen.id returning ${CLAIMED}`,
    [new Date(now.getTime() + leaseMs), mail.id, mail.attempts - 1, mail.wasDueAt, MAX_JOINED - 1, ...values],
  );
}

/**
 * The investors whom messages to one person are about, by title, each with the page of its document: its file, or if
 * there is none, the page of the message. An investor that the person may not see has no name. Called as the program.
 * @param inBriefOf what is said of a document beside its investor
 */
export async function investorsOfMails(
  session: Session,
  mails: readonly ClaimedMail[],
  inBriefOf: (documentId: string) => string | null = () => null,
): Promise<AboutInvestor[]> {
  const documents = mails.map(({ resource, documentId, ownedBy }) => ownedBy?.split('/') ?? [resource, documentId]);
  // Messages that are joined have one kind and subject, and so one collection.
  const table = mailedTableOf(documents[0]?.[0] ?? '');
  if (!table || table === 'reports') return [];
  const all = await session.query<{
    id: string;
    LP: string | null;
    fund: string | null;
    title: string;
    fileId: string | null;
  }>(
    `select t.id, t.investor_lp_id as "LP", t.investor_fund_id as fund, coalesce(l.title, f.title) as title, t.file_id as "fileId"
     from ${table} t left join lps l on l.id = t.investor_lp_id left join funds f on f.id = t.investor_fund_id
     where t.id = any ($1)`,
    [documents.map(([, id]) => id)],
  );
  const userId = mails[0]?.userId ?? null;
  // The texts to contacts name the investor of each.
  const actors = userId === null ? null : await reachableActors(session, 'u.id = $1', [userId]);
  const asked = all.map(({ LP, fund }) => ({ resource: LP ? 'LPs' : 'funds', documentId: LP ?? fund ?? '' }));
  const readers =
    actors &&
    (await readersOfEach(
      session,
      asked.map((document) => ({ document, actors })),
    ));
  return all
    .map(({ id, title, fileId }, index) => ({
      title: [!readers || readers[index]?.length ? title : 'An investor', inBriefOf(id)].filter(Boolean).join(': '),
      page: fileId ? MAIL_PAGES.document(fileId) : (mails[0]?.page ?? ''),
    }))
    .toSorted((one, other) => one.title.localeCompare(other.title, 'en'));
}

export async function recordSent(session: Session, mail: ClaimedMail): Promise<void> {
  await session.query(
    `update outbox set status = 'Sent', sent_at = $2, last_error = null where id = $1 and status = 'Queued'`,
    [mail.id, session.now],
  );
}

/** Why an email is not sent after all. */
export const NOT_SENT = {
  noReader: 'Not sent: the document was withdrawn, or the person may no longer see it or chose no email',
  nothingOpen: 'Not sent: it was paid or closed first',
} as const;

/** Records that the person is no longer to get the email. */
export async function recordSkipped(
  session: Session,
  mail: ClaimedMail,
  reason: (typeof NOT_SENT)[keyof typeof NOT_SENT],
): Promise<void> {
  await session.query(`update outbox set status = 'Skipped', last_error = $2 where id = $1 and status = 'Queued'`, [
    mail.id,
    reason,
  ]);
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
  const givesUp = command.isFinal || mail.attempts >= MAX_ATTEMPTS;
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
