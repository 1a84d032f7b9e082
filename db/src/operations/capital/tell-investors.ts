import { type Received, receiversOf } from '@tapeline/domain/entities/received.ts';
import { firstFew } from '@tapeline/domain/errors/first-few.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { can, type UserActor } from '@tapeline/domain/people/actor.ts';
import type { ReadSession } from '../../read-session.ts';
import { asProgram, type Session } from '../../store.ts';
import { todayOf } from '../../today.ts';
import { seesDeliveries } from '../outbox/deliveries.ts';
import { findContacts, findRecipients, INVESTOR_TYPES, type Recipients } from '../outbox/readers.ts';
import { type Contact, type Message, tellAll } from '../outbox/tell.ts';
import { isPast, MAILED, type MailedDocument, type MailedTable, noticeMail, withdrawnMail } from './notice-mails.ts';

/** An investor of a document, with whom its entity names. */
interface Party {
  /** Null for a fund that invests, which has no users of its own. */
  readonly LP: string | null;
  readonly id: string;
  readonly title: string;
  readonly contacts: readonly {
    readonly entityId: string;
    readonly name: string;
    readonly email: string;
    readonly receives: readonly Received[] | null;
  }[];
}

/** An issued document with its investors, as messages about it need it. */
export interface TellableDocument extends MailedDocument {
  readonly managerId: string;
  readonly managerName: string;
  readonly parties: readonly Party[];
}

const isCalled = (table: MailedTable): boolean => table === 'contributions' || table === 'distributions';

const NUMBERED: Readonly<Record<MailedTable, string>> = {
  contributions: 't.activity_id as "activityId", t.call_number as "callNumber", t.due_date::text as "dueDate"',
  distributions: 't.activity_id as "activityId", t.call_number as "callNumber", null as "dueDate"',
  capital_accounts: 'null as "activityId", null as "callNumber", null as "dueDate"',
  reports: 'null as "activityId", null as "callNumber", null as "dueDate"',
};

/** The investors of a document `t`: its own, or for a report all that are in the fund or class. */
export const partiesOf = (table: MailedTable): string =>
  table === 'reports'
    ? `select distinct c.investor_lp_id, c.investor_fund_id from lp_commitments c join funds f on f.id = c.fund_id
         where c.status in ('Active', 'Closed') and (t.class is null or c.class = t.class)
           and (f.id = t.fund_id or f.main_fund_id = t.main_fund_id)`
    : 'select t.investor_lp_id, t.investor_fund_id';

/** What was withdrawn with it counts, so that people are told that both are; a draft that was removed does not. */
const WAS_NETTED = `(o.status <> 'Removed' or o.issued_on is not null) order by o.status = 'Removed' limit 1`;

/** SQL of the `NettedDocument` of a line `t`: the line of the same commitment that it is netted with. */
const NETTED: Readonly<Record<MailedTable, string>> = {
  contributions: `(select jsonb_build_object('callNumber', o.call_number, 'contributionId', t.id) from distributions o
    where o.activity_id = t.netted_with and o.commitment_id = t.commitment_id and ${WAS_NETTED})`,
  distributions: `(select jsonb_build_object('callNumber', o.call_number, 'contributionId', o.id) from contributions o
    where o.activity_id = t.netted_with and o.commitment_id = t.commitment_id and ${WAS_NETTED})`,
  capital_accounts: 'null::jsonb',
  reports: 'null::jsonb',
};

const documentsSql = (table: MailedTable, condition: string): string => `
  select t.id, t.cut_off_date::text as "cutOffDate", ${NUMBERED[table]}, ${NETTED[table]} as "nettedWith",
    ${isCalled(table) ? 't.netted_with is not null' : 'false'} as "isNetted",
    t.manager_id as "managerId", t.fund_id as "fundId", ${isCalled(table) ? 'null' : 't.main_fund_id'} as "mainFundId",
    coalesce(f.title, ${isCalled(table) ? '' : 'g.title, '}'') as "fundTitle", coalesce(m.name, 'the manager') as "managerName",
    coalesce(jsonb_array_length((select banks from entities where id = f.entity_id)), 0) > 0 as "hasWire",
    (select coalesce(json_agg(json_build_object('LP', p.investor_lp_id, 'id', coalesce(p.investor_lp_id, p.investor_fund_id),
        'title', coalesce(l.title, i.title), 'contacts', (
          select coalesce(json_agg(json_build_object('entityId', e.id, 'name', contact ->> 'name', 'email', contact ->> 'email',
            'receives', contact -> 'receives')), '[]')
          from entities e, jsonb_array_elements(e.contacts) as contact
          where e.id = coalesce(l.entity_id, i.entity_id) and e.status <> 'Removed' and contact ->> 'email' <> ''))
        order by coalesce(l.title, i.title)), '[]')
      from (${partiesOf(table)}) p left join lps l on l.id = p.investor_lp_id left join funds i on i.id = p.investor_fund_id) as parties
  from ${table} t left join funds f on f.id = t.fund_id left join managers m on m.id = t.manager_id
  ${isCalled(table) ? '' : 'left join main_funds g on g.id = t.main_fund_id'}
  where t.id = any ($1) and t.status in ('Active', 'Closed') and ${condition} order by t.code`;

/** Issued documents with their investors. Called as the program. */
export const readDocuments = (
  session: ReadSession,
  table: MailedTable,
  ids: readonly string[],
  condition = 'true',
): Promise<TellableDocument[]> =>
  session.query<TellableDocument>(documentsSql(table, condition), [[...ids]], { kept: true });

export function usersToTell(table: MailedTable, { managerId, parties }: TellableDocument): Recipients[] {
  const { permission } = MAILED[table];
  if (table === 'reports') return [{ everyoneOf: managerId, types: INVESTOR_TYPES, can: permission }];
  return parties.flatMap(({ LP }) => (LP ? [{ LP, ofManager: managerId, can: permission }] : []));
}

/** What a contact receives when a document is published. */
const RECEIVED_OF: Readonly<Record<MailedTable, Received>> = {
  contributions: 'calls',
  distributions: 'distributions',
  capital_accounts: 'statements',
  reports: 'statements',
};

/**
 * The contacts of a document's investors. They have no account, so the email says how to see what it is about.
 * @param table those who receive its documents; all if null
 */
export const contactsOf = ({ parties, managerName }: TellableDocument, table: MailedTable | null): Contact[] =>
  parties.flatMap(({ title, contacts }) =>
    (table ? receiversOf(contacts, RECEIVED_OF[table]).contacts : contacts).map(({ entityId, name, email }) => ({
      entityId,
      name,
      email,
      lines: [
        `You get this email as a contact of ${title}. The page opens for users of ${title}. If you are not one yet, ask ${managerName} to invite you.`,
      ],
    })),
  );

const messageOf = (table: MailedTable, document: TellableDocument): Message => ({
  ...noticeMail(table, document),
  // Of what is netted there is one notice, of which each person is told once.
  key: `notice/${document.nettedWith?.contributionId ?? document.id}`,
  to: usersToTell(table, document),
  contacts: contactsOf(document, table),
});

/**
 * Queues the emails about documents that are published and have a file, to the users of their investors who may see them
 * and to the contacts of the investors. A person gets one email about a document, however often this is called: by the
 * worker that stored the file, and by whoever publishes a document that had its file before. Nobody is told of what is
 * past.
 * @param options.isAsked whether a person asks for it: then also of what is past
 */
export async function mailPublished(
  session: Session,
  table: MailedTable,
  ids: readonly string[],
  { isAsked = false }: { isAsked?: boolean } = {},
): Promise<void> {
  if (ids.length === 0) return;
  const documents = await asProgram(session, () => readDocuments(session, table, ids, 't.file_id is not null'));
  const told = documents.filter((document) => isAsked || !isPast(table, document, todayOf(session)));
  if (told.length === 0) return;
  const isIncomplete = await asProgram(session, () => incompleteOf(session, table, told));
  const notBefore = new Date(session.now.getTime() + LONGEST_WAIT_MS);
  await tellAll(
    session,
    told.map((document) => ({ ...messageOf(table, document), ...(isIncomplete(document) ? { notBefore } : {}) })),
  );
  const pages = told.filter((document) => !isIncomplete(document)).map((document) => noticeMail(table, document).page);
  await asProgram(session, () =>
    session.query(
      `update outbox set not_before = $2, next_attempt_at = $2
       where status = 'Queued' and attempts = 0 and not is_digest and next_attempt_at > $2 and resource = $3 and page = any ($1)`,
      [pages, session.now, MAILED[table].resource],
    ),
  );
}

/**
 * The longest time that the email about a notice waits for the other notices of its call, distribution or day, which are
 * made in batches, so that whoever stands for several investors gets one email.
 */
const LONGEST_WAIT_MS = 120_000;

/** Of which documents others of the same call, distribution, or fund and day wait for their file. Called as the program. */
async function incompleteOf(
  session: ReadSession,
  table: MailedTable,
  documents: readonly TellableDocument[],
): Promise<(document: TellableDocument) => boolean> {
  if (table === 'reports') return () => false;
  const [same, due] = isCalled(table)
    ? ['t.activity_id = o.activity_id', `t.status in ('Active', 'Closed')`]
    : [
        't.cut_off_date = o.cut_off_date and (t.fund_id = o.fund_id or t.main_fund_id = o.main_fund_id)',
        `t.statement is not null and t.status = 'Active'`,
      ];
  const waiting = await session.query<{ id: string }>(
    `select o.id from ${table} o where o.id = any ($1) and exists (
       select from ${table} t where ${same} and t.file_id is null and t.file_problem is null and ${due})`,
    [documents.map(({ id }) => id)],
  );
  const ids = new Set(waiting.map(({ id }) => id));
  return ({ id }) => ids.has(id);
}

/**
 * Tells those who were not told yet: users and contacts who were added since, and everyone if the document was past when
 * it was issued.
 * @param ids of documents that the actor can see
 * @throws Refusal forbidden
 */
export async function tellTheRest(session: Session, table: MailedTable, ids: readonly string[]): Promise<void> {
  if (!seesDeliveries(session, MAILED[table].resource)) throw new Refusal('forbidden');
  await mailPublished(session, table, ids, { isAsked: true });
}

/** Who is told of a document, and by what. The name and address are null if the actor may not read them. */
export interface Told {
  /** `invited`: a user who has not signed in yet. */
  readonly by: 'user' | 'invited' | 'contact';
  readonly name: string | null;
  readonly email: string | null;
}

/** One investor of a document, and who is told for it: nobody if `told` is empty. */
export interface ToldInvestor {
  readonly documentId: string;
  /** Null if the actor cannot see the investor. */
  readonly investor: string | null;
  readonly told: readonly Told[];
  /** No contact of the investor receives documents of this kind, so that all of its contacts are told. */
  readonly isFallback?: true;
}

export interface WhoIsTold {
  readonly investors: readonly ToldInvestor[];
  /** Whether nobody is told because the documents are past. */
  readonly isPast: boolean;
}

/**
 * Who is told when documents are published, by the rules that publishing itself follows. A review calls it in a dry run
 * in which they are published.
 * @param ids of documents that the actor can see
 */
export async function whoIsTold(session: Session, table: MailedTable, ids: readonly string[]): Promise<WhoIsTold> {
  const { investors, pastIds } = await readTold(session, table, ids);
  return { investors, isPast: ids.length > 0 && pastIds.size === new Set(ids).size };
}

/** As `whoIsTold`. `pastIds`: the documents that are past, so that nobody is told of them. */
async function readTold(
  session: Session,
  table: MailedTable,
  ids: readonly string[],
): Promise<{ investors: ToldInvestor[]; pastIds: ReadonlySet<string> }> {
  await session.em.flush();
  const { documents, recipients, contacts, statuses } = await asProgram(session, async () => {
    const read = await readDocuments(session, table, ids);
    const found = await findRecipients(
      session,
      read.map((document) => ({
        document: { resource: MAILED[table].resource, documentId: document.id },
        to: usersToTell(table, document),
      })),
    );
    const named = await findContacts(
      session,
      read.map((document, index) => ({
        document: { resource: MAILED[table].resource, documentId: document.id },
        contacts: contactsOf(document, table),
        users: found[index] ?? [],
      })),
    );
    const invited = await session.query<{ id: string }>(
      `select id from users where id = any ($1) and status = 'Pending'`,
      [[...new Set(found.flat().map(({ userId }) => userId))]],
    );
    const isInvited = new Set(invited.map(({ id }) => id));
    return { documents: read, recipients: found, contacts: named, statuses: isInvited };
  });
  const titles = await visibleInvestors(session, documents);
  const seesUsers = can(session.actor, 'users/read');
  const seesContacts = can(session.actor, 'LPs/read') || can(session.actor, 'entities/read');
  const asUser = ({ userId, firstName, lastName, email }: UserActor): Told => ({
    by: statuses.has(userId) ? 'invited' : 'user',
    name: seesUsers ? `${firstName} ${lastName}` : null,
    email: seesUsers ? email : null,
  });
  const investors = documents.flatMap((document, index) => {
    const users = recipients[index] ?? [];
    return document.parties.flatMap((party): ToldInvestor[] => {
      const investor = titles.get(party.id) ?? null;
      // A report is for many investors: those whom the actor cannot see are not counted out to it.
      if (table === 'reports' && investor === null) return [];
      const own = new Set(party.contacts.map(({ email }) => email));
      return [
        {
          documentId: document.id,
          investor,
          ...(receiversOf(party.contacts, RECEIVED_OF[table]).isFallback ? { isFallback: true as const } : {}),
          told: [
            ...users.filter(({ lpIds }) => party.LP !== null && lpIds.includes(party.LP)).map(asUser),
            ...(contacts[index] ?? [])
              .filter(({ email }) => own.has(email))
              .map(
                ({ name, email }): Told => ({
                  by: 'contact',
                  name: seesContacts ? name : null,
                  email: seesContacts ? email : null,
                }),
              ),
          ],
        },
      ];
    });
  });
  const past = documents.filter((document) => isPast(table, document, todayOf(session)));
  return { investors, pastIds: new Set(past.map(({ id }) => id)) };
}

/**
 * Who is told of the calls of an investor: its users, and the contacts of its entity.
 * @param investor one that the actor can see
 */
export async function toldOfInvestor(
  session: Session,
  { id, managerId, entity }: { id: string; managerId: string; entity: { id: string } },
): Promise<Told[]> {
  const document = { resource: 'LPs', documentId: id };
  const { permission } = MAILED.contributions;
  const { users, contacts, invited } = await asProgram(session, async () => {
    const [found = []] = await findRecipients(session, [
      { document, to: [{ LP: id, ofManager: managerId, can: permission }] },
    ]);
    const named = await session.query<{ name: string; email: string; receives: Received[] | null }>(
      `select contact ->> 'name' as name, contact ->> 'email' as email, nullif(contact -> 'receives', 'null') as receives
       from entities e, jsonb_array_elements(e.contacts) as contact
       where e.id = $1 and e.status <> 'Removed' and contact ->> 'email' <> ''`,
      [entity.id],
    );
    const own = receiversOf(named, RECEIVED_OF.contributions).contacts.map(({ name, email }) => ({
      name,
      email,
      entityId: entity.id,
    }));
    const [listed = []] = await findContacts(session, [{ document, contacts: own, users: found }]);
    const pending = await session.query<{ id: string }>(
      `select id from users where id = any ($1) and status = 'Pending'`,
      [found.map(({ userId }) => userId)],
    );
    return { users: found, contacts: listed, invited: new Set(pending.map((one) => one.id)) };
  });
  const seesUsers = can(session.actor, 'users/read');
  return [
    ...users.map(
      ({ userId, firstName, lastName, email }): Told => ({
        by: invited.has(userId) ? 'invited' : 'user',
        name: seesUsers ? `${firstName} ${lastName}` : null,
        email: seesUsers ? email : null,
      }),
    ),
    ...contacts.map(({ name, email }): Told => ({ by: 'contact', name, email })),
  ];
}

/** The titles of the investors that the actor can see. */
async function visibleInvestors(
  session: Session,
  documents: readonly TellableDocument[],
): Promise<ReadonlyMap<string, string>> {
  const ids = [...new Set(documents.flatMap(({ parties }) => parties.map(({ id }) => id)))];
  const rows = await session.query<{ id: string; title: string }>(
    'select id, title from lps where id = any ($1) union all select id, title from funds where id = any ($1)',
    [ids],
  );
  return new Map(rows.map(({ id, title }) => [id, title]));
}

/** Names in one warning. */
const MAX_NAMES = 10;

/** What a review warns about: investors of whom nobody is told. */
export function nobodyTold({ investors, isPast: past }: WhoIsTold): string[] {
  if (past) return ['No one is notified, because its date has passed. Send it from its page to notify them'];
  const named = (some: readonly ToldInvestor[]) =>
    firstFew(
      some.map(({ investor }) => investor ?? 'An investor'),
      { most: MAX_NAMES, separator: '; ' },
    );
  const missing = investors.filter(({ told }) => told.length === 0);
  const fallbacks = investors.filter(({ isFallback, told }) => isFallback && told.some(({ by }) => by === 'contact'));
  return [
    ...(missing.length > 0
      ? [`No one is notified: ${named(missing)}. Invite a user of each, or add a contact with an email to its entity`]
      : []),
    ...(fallbacks.length > 0
      ? [`No contact receives this kind of document, so all contacts are notified: ${named(fallbacks)}`]
      : []),
  ];
}

/** Warnings of a dry run that publishes documents: of whom nobody is told. */
export async function toldWarnings(
  session: Session,
  table: MailedTable,
  documents: readonly { id: string }[],
): Promise<string[]> {
  return nobodyTold(
    await whoIsTold(
      session,
      table,
      documents.map(({ id }) => id),
    ),
  );
}

/**
 * Warns of each document that was just published if nobody is told of it, or nobody for one of its investors. For calls
 * without a review.
 * @param documents that the actor can see
 * @param options.isHistory whether past documents are expected, as in an import: then nothing is said of these
 */
export async function warnOfNobody(
  session: Session,
  table: MailedTable,
  documents: readonly { id: string; status: string }[],
  { isHistory = false }: { isHistory?: boolean } = {},
): Promise<void> {
  // An issued document of a day to come is shown as Upcoming.
  const published = documents.filter(({ status }) => status === 'Active' || status === 'Upcoming').map(({ id }) => id);
  if (published.length === 0) return;
  const { investors, pastIds } = await readTold(session, table, published);
  const investorsOf = Map.groupBy(investors, ({ documentId }) => documentId);
  for (const documentId of published) {
    if (isHistory && pastIds.has(documentId)) continue;
    const who = { investors: investorsOf.get(documentId) ?? [], isPast: pastIds.has(documentId) };
    for (const message of nobodyTold(who)) session.warn({ documentId, message });
  }
}

/**
 * Tells whoever was told of documents that they are withdrawn, and stops the emails that wait. Called before the status
 * changes: afterwards nobody sees them.
 * @param ids of issued documents
 */
export async function tellWithdrawn(session: Session, table: MailedTable, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const messages = await asProgram(session, async () => {
    const documents = await readDocuments(session, table, ids);
    const { resource } = MAILED[table];
    // A user was told by the notification, a contact once its email may have left.
    const told = await session.query<{ id: string; userId: string | null; email: string | null }>(
      `select document_id as id, user_id as "userId", null as email from notifications
         where resource = $2 and document_id = any ($1)
       union select document_id, user_id, contact_email from outbox
         where resource = $2 and document_id = any ($1) and (user_id is not null or status = 'Sent' or attempts > 0)`,
      [documents.map(({ id }) => id), resource],
    );
    await session.query(
      `update outbox set status = 'Skipped', last_error = 'Not sent: the document was withdrawn first'
       where resource = $2 and document_id = any ($1) and status in ('Queued', 'Held') and attempts = 0`,
      [documents.map(({ id }) => id), resource],
    );
    const toldOf = Map.groupBy(told, ({ id }) => id);
    return documents.map((document): Message => {
      const { id, fundId, mainFundId, parties } = document;
      const people = toldOf.get(id) ?? [];
      const addresses = new Set(people.map(({ email }) => email?.toLowerCase()));
      const [party] = parties;
      const about =
        table !== 'reports' && party
          ? { resource: party.LP ? 'LPs' : 'funds', documentId: party.id }
          : { resource: fundId ? 'funds' : 'mainFunds', documentId: fundId ?? mainFundId ?? '' };
      return {
        ...withdrawnMail(table, document, about),
        key: `withdrawn/${id}`,
        ownedBy: { resource, documentId: id },
        to: { users: people.flatMap(({ userId }) => userId ?? []) },
        // Whoever was told, whatever they receive today.
        contacts: contactsOf(document, null).filter(({ email }) => addresses.has(email.toLowerCase())),
      };
    });
  });
  await tellAll(session, messages);
}
