import type { SentReminder } from '@tapeline/domain/cash/reminders.ts';
import { COLLECTIONS, type RecordedName } from '@tapeline/domain/collections/collections.ts';
import { isId } from '@tapeline/domain/documents/id.schema.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import type { MailKind, MailStatus } from '@tapeline/domain/mail/mail.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import { newId } from '../../ids.ts';
import type { ReadSession } from '../../read-session.ts';
import { asProgram, type Session } from '../../store.ts';
import { seesReaders } from '../activities/activities.ts';

/** The collections whose documents people outside of the manager are told of. */
const ANNOUNCED = [
  'contributions',
  'distributions',
  'capitalAccounts',
  'reports',
  'announcements',
  'draws',
  'correctionProposals',
] as const satisfies readonly RecordedName[];
export type AnnouncedResource = (typeof ANNOUNCED)[number];

export const isAnnounced = (resource: string): resource is AnnouncedResource =>
  ANNOUNCED.some((name) => name === resource);

/**
 * Whether the actor sees who was told of documents of a collection, and may send an email again: with the permission to
 * publish, to withdraw or to decide. Borrowers and investors never do.
 */
export const seesDeliveries = (session: Pick<ReadSession, 'actor'>, resource: AnnouncedResource): boolean =>
  seesReaders(session) && can(session.actor, COLLECTIONS[resource].write);

/** As what a person is told. `invited`: a user who has not signed in yet. */
type Told = 'user' | 'invited' | 'contact';

/** One email about a document: to whom, when, and what became of it. */
export interface Delivery {
  readonly id: string;
  readonly documentId: string;
  /** What it says: that the document was issued, is due, or was withdrawn. */
  readonly kind: MailKind;
  /** Of a reminder of a call: which one. */
  readonly reminder: SentReminder | null;
  readonly by: 'user' | 'contact';
  /** Whom the person belongs to: an investor, a borrower or the manager. Null if the actor may not read that. */
  readonly party: string | null;
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

export interface Deliveries {
  /** Those that were not delivered first, then the latest first: at most `MAX_DELIVERIES`. */
  readonly rows: readonly Delivery[];
  readonly total: number;
  readonly failed: number;
  /** How many people emails went to, or are about to, except those that say that it was withdrawn. */
  readonly told: number;
}

export const MAX_DELIVERIES = 500;

const NONE: Deliveries = { rows: [], total: 0, failed: 0, told: 0 };

interface Queued extends Omit<Delivery, 'party'> {
  /** The user, or the entity of a contact. */
  readonly personId: string;
}

/** SQL of which reminder of a call a message `o` is, by its key. */
export const SENT_REMINDER = `coalesce(nullif(split_part(split_part(o.key, '#', 1), '/', 4), ''), 'before')`;

/** What the actor can see of people: of a user its name, address and party, of an entity whose it is. */
const VISIBLE_PEOPLE = `
  select u.id, u.first_name || ' ' || u.last_name as name, u.email, case u.type when 'company' then 'companies' when 'manager' then 'managers'
      when 'admin' then 'managers' else 'LPs' end as collection,
    coalesce(g.title, c.name, case when u.type in ('manager', 'admin') then m.name end,
      (select string_agg(l.title, ', ' order by l.title) from lps l where l.id = u.lp_id or l.id = any (u.lps))) as party
  from users u left join lp_groups g on g.id = u.lp_group_id left join companies c on c.id = u.company_id
    left join managers m on m.id = u.manager_id
  where u.id = any ($1)
  union all
  select e.id, null, null, 'LPs', coalesce((select string_agg(title, ', ' order by title) from lps where entity_id = e.id),
    (select string_agg(title, ', ' order by title) from funds where entity_id = e.id))
  from entities e where e.id = any ($1)`;

/**
 * The emails about documents to people whom the actor can see. The others are left out: they are not counted out to it.
 * @param only the one with this id
 */
async function readQueued(
  session: Session,
  resource: AnnouncedResource,
  documentIds: readonly string[],
  only: string | null = null,
): Promise<Queued[]> {
  const queued = await asProgram(session, () =>
    session.query<Queued>(
      `select o.id, coalesce(substring(o.key from '^withdrawn/([0-9a-f]{24})'), o.document_id) as "documentId", o.kind,
         case when o.kind = 'callDue' then ${SENT_REMINDER} end as reminder,
         case when o.user_id is null then 'contact' else 'user' end as by, coalesce(o.user_id, o.contact_entity_id) as "personId",
         o.contact_name as name, o.contact_email as email, to_json(o.created_at) #>> '{}' as "queuedAt",
         to_json(o.sent_at) #>> '{}' as "sentAt", o.status, o.attempts, o.last_error as problem
       from outbox o
       where ((o.resource = $2 and o.document_id = any ($1)) or o.owned_by = any ($3)) and ($4::text is null or o.id = $4)
       order by o.status = 'Failed' desc, o.id desc`,
      [[...documentIds], resource, documentIds.map((id) => `${resource}/${id}`), only],
    ),
  );
  const people = await session.query<{ id: string }>(
    'select id from users where id = any ($1) union all select id from entities where id = any ($1)',
    [[...new Set(queued.map(({ personId }) => personId))]],
  );
  const visible = new Set(people.map(({ id }) => id));
  return queued.filter(({ personId }) => visible.has(personId));
}

/** The people as the actor sees them. Those whom it cannot see are left out: they are not counted out to it. */
async function identified<Person extends { personId: string; by: Told; name: string | null; email: string | null }>(
  session: Session,
  found: readonly Person[],
): Promise<(Omit<Person, 'personId'> & { party: string | null })[]> {
  if (found.length === 0) return [];
  const people = await session.query<{
    id: string;
    name: string | null;
    email: string | null;
    collection: 'LPs' | 'companies' | 'managers';
    party: string | null;
  }>(VISIBLE_PEOPLE, [[...new Set(found.map(({ personId }) => personId))]]);
  const personOf = new Map(people.map((person) => [person.id, person]));
  const seesParty = {
    LPs: can(session.actor, 'LPs/read'),
    companies: can(session.actor, 'companies/read'),
    managers: true,
  };
  const seesUsers = can(session.actor, 'users/read');
  const isNamed: Readonly<Record<Told, boolean>> = {
    user: seesUsers,
    invited: seesUsers,
    contact: can(session.actor, 'LPs/read') || can(session.actor, 'entities/read'),
  };
  return found.flatMap(({ personId, ...told }) => {
    const person = personOf.get(personId);
    if (!person) return [];
    const named = isNamed[told.by];
    return [
      {
        ...told,
        party: seesParty[person.collection] ? person.party : null,
        name: named ? (told.name ?? person.name) : null,
        email: named ? (told.email ?? person.email) : null,
      },
    ];
  });
}

/** One person whom a change tells, or told. */
export interface ToldPerson {
  readonly documentId: string;
  readonly party: string | null;
  readonly by: Told;
  readonly name: string | null;
  readonly email: string | null;
}

/**
 * Whom the messages about documents are for: the notifications and the emails to contacts that a dry run has queued.
 * @param about what the messages say: that the documents are published, or that they are withdrawn
 */
export async function toldOf(
  session: Session,
  resource: AnnouncedResource,
  { ids, about }: { ids: readonly string[]; about: 'publication' | 'withdrawal' },
): Promise<ToldPerson[]> {
  if (ids.length === 0 || !seesDeliveries(session, resource)) return [];
  const [condition, values] =
    about === 'publication'
      ? [`resource = '${resource}' and document_id = any ($1)`, [...ids]]
      : ['owned_by = any ($1)', ids.map((id) => `${resource}/${id}`)];
  const told = await asProgram(session, () =>
    session.query<ToldPerson & { personId: string }>(
      `select coalesce(split_part(n.owned_by, '/', 2), n.document_id) as "documentId", n.user_id as "personId",
         case u.status when 'Pending' then 'invited' else 'user' end as by, null as name, null as email, n.id
       from (select * from notifications where ${condition}) n join users u on u.id = n.user_id
       union all
       select coalesce(split_part(owned_by, '/', 2), document_id), contact_entity_id, 'contact', contact_name, contact_email, id
       from outbox where contact_email is not null and ${condition}
       order by id`,
      [values],
    ),
  );
  return (await identified(session, told)).map(({ documentId, party, by, name, email }) => ({
    documentId,
    party,
    by,
    name,
    email,
  }));
}

/** How many people were told that a document is there. */
const toldBy = (queued: readonly Queued[]): number =>
  new Set(
    queued.flatMap(({ kind, status, by, email, personId }) =>
      kind !== 'noticeWithdrawn' && (by === 'user' || status === 'Sent') ? (email ?? personId) : [],
    ),
  ).size;

/**
 * The emails about documents, for whoever publishes them. The address is the one that it went to, or for a user the
 * present one. Emails are kept for as long as retention says.
 * @param documentIds of documents that the actor can see, or of withdrawn ones
 */
export async function deliveriesOf(
  session: Session,
  resource: AnnouncedResource,
  documentIds: readonly string[],
): Promise<Deliveries> {
  if (documentIds.length === 0 || !seesDeliveries(session, resource)) return NONE;
  const all = await readQueued(session, resource, documentIds);
  return {
    rows: await identified(session, all.slice(0, MAX_DELIVERIES)),
    total: all.length,
    failed: all.filter(({ status }) => status === 'Failed').length,
    told: toldBy(all),
  };
}

/**
 * Sends an email again, to the same person. The first one stays in the list.
 * @param command.documentIds of documents that the actor can see
 * @throws Refusal forbidden; notFound for an email about something else; badRequest for one that still waits, and for one
 *   that says that the document was withdrawn
 */
export async function sendAgain(
  session: Session,
  resource: AnnouncedResource,
  { id, documentIds }: { id: string; documentIds: readonly string[] },
): Promise<void> {
  if (!seesDeliveries(session, resource)) throw new Refusal('forbidden');
  const [found] = isId(id) ? await readQueued(session, resource, documentIds, id) : [];
  if (!found) throw new Refusal('notFound');
  if (found.kind === 'noticeWithdrawn') {
    throw new Refusal('badRequest', 'What was withdrawn cannot be sent again');
  }
  const copied = await asProgram(session, () =>
    session.query(
      `insert into outbox (id, user_id, contact_entity_id, contact_name, contact_email, key, kind, resource, document_id,
           owned_by, subject, text, page, page_title, created_at, not_before, next_attempt_at)
       select $2::text, user_id, contact_entity_id, contact_name, contact_email, split_part(key, '#', 1) || '#' || $2::text, kind,
         resource, document_id, owned_by, subject, text, page, page_title, $3, $3, $3
       from outbox chosen
       where id = $1 and not exists (select from outbox o where o.status in ('Queued', 'Held') and o.document_id = chosen.document_id
         and o.user_id is not distinct from chosen.user_id
         and lower(o.contact_email) is not distinct from lower(chosen.contact_email))
       returning id`,
      [id, newId(session.now), session.now],
    ),
  );
  if (copied.length === 0) throw new Refusal('badRequest', 'An email to this person still waits to be sent');
  session.announce('mailQueued');
}
