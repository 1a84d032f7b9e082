import { isId } from '@tapeline/domain/documents/id.schema.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import type { MailKind, MailStatus } from '@tapeline/domain/mail/mail.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import { newId } from '../../ids.ts';
import { asProgram, type Session } from '../../store.ts';
import { requirePermission } from '../permission.ts';
import { MAILED } from './notice-mails.ts';
import { mailPublished } from './tell-investors.ts';

type BundleTable = 'contributions' | 'distributions';

/** One email about a call or distribution: to whom, when, and what became of it. */
export interface Delivery {
  readonly id: string;
  readonly documentId: string;
  /** What it says: that the document was issued, is due, or was withdrawn. */
  readonly kind: MailKind;
  readonly by: 'user' | 'contact';
  /** Null if the actor may not read users, or contacts. */
  readonly name: string | null;
  readonly email: string | null;
  /** ISO 8601. */
  readonly queuedAt: string;
  readonly sentAt: string | null;
  readonly status: MailStatus;
  readonly attempts: number;
  /** Why it failed or was not sent; of an email that waits, why the last attempt failed. */
  readonly problem: string | null;
}

/** Most deliveries that one page lists, the latest first. */
export const MAX_DELIVERIES = 500;

/**
 * The emails about documents, the latest first, for whoever issues them. The address is the one that it went to, or for a
 * user the present one. Emails are kept for as long as retention says.
 * @param documentIds of documents that the actor can see, or of withdrawn ones
 */
export async function deliveriesOf(
  session: Session,
  table: BundleTable,
  documentIds: readonly string[],
): Promise<Delivery[]> {
  if (!can(session.actor, `${table}/write`)) return [];
  const rows = await asProgram(session, () =>
    session.query<Delivery>(
      `select o.id, coalesce(substring(o.key from '^withdrawn/(.*)$'), o.document_id) as "documentId", o.kind,
         case when o.user_id is null then 'contact' else 'user' end as by,
         coalesce(o.contact_name, u.first_name || ' ' || u.last_name) as name, coalesce(o.contact_email, u.email) as email,
         to_json(o.created_at) #>> '{}' as "queuedAt", to_json(o.sent_at) #>> '{}' as "sentAt", o.status, o.attempts,
         o.last_error as problem
       from outbox o left join users u on u.id = o.user_id
       where (o.resource = $2 and o.document_id = any ($1)) or o.key = any ($3)
       order by o.id desc limit $4`,
      [[...documentIds], MAILED[table].resource, documentIds.map((id) => `withdrawn/${id}`), MAX_DELIVERIES],
    ),
  );
  const isNamed = {
    user: can(session.actor, 'users/read'),
    contact: can(session.actor, 'LPs/read') || can(session.actor, 'entities/read'),
  };
  return rows.map((row) => (isNamed[row.by] ? row : { ...row, name: null, email: null }));
}

/**
 * Sends an email again, to the same person. The first one stays in the list.
 * @param command.documentIds of documents that the actor can see
 * @throws Refusal forbidden; notFound for an email about something else; badRequest for one that still waits
 */
export async function sendAgain(
  session: Session,
  table: BundleTable,
  { id, documentIds }: { id: string; documentIds: readonly string[] },
): Promise<void> {
  requirePermission(session, `${table}/write`);
  const copy = newId(session.now);
  const [found] = isId(id)
    ? await asProgram(session, () =>
        session.query<{ waits: boolean }>(
          `with chosen as (select * from outbox where id = $1 and resource = $2 and document_id = any ($3)),
           waiting as (select from outbox o, chosen where o.status = 'Queued' and o.document_id = chosen.document_id
             and o.user_id is not distinct from chosen.user_id
             and lower(o.contact_email) is not distinct from lower(chosen.contact_email)),
           copied as (insert into outbox (id, user_id, contact_entity_id, contact_name, contact_email, key, kind, resource,
               document_id, subject, text, page, page_title, created_at, not_before, next_attempt_at)
             select $4, user_id, contact_entity_id, contact_name, contact_email,
               split_part(key, '#', 1) || '#' || $4, kind, resource, document_id, subject, text, page, page_title, $5, $5, $5
             from chosen where not exists (select from waiting))
           select exists (select from waiting) as waits from chosen`,
          [id, MAILED[table].resource, [...documentIds], copy, session.now],
        ),
      )
    : [];
  if (!found) throw new Refusal('notFound');
  if (found.waits) throw new Refusal('badRequest', 'An email to this person still waits to be sent');
  session.announce('mailQueued');
}

/**
 * Tells those who were not told yet: users and contacts who were added since, and everyone if the document was past when
 * it was issued.
 * @param ids of documents that the actor can see
 * @throws Refusal forbidden
 */
export async function tellTheRest(session: Session, table: BundleTable, ids: readonly string[]): Promise<void> {
  requirePermission(session, `${table}/write`);
  await mailPublished(session, table, ids, { isAsked: true });
}
