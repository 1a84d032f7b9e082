import { collectionOf } from '@tapeline/domain/collections/collections.ts';
import { can, type PermissionKey, type UserActor, type UserType } from '@tapeline/domain/people/actor.ts';
import { storedOf, tableOf } from '../../collections/collections.ts';
import type { ReadSession } from '../../read-session.ts';
import { settingsOf } from '../../store.ts';
import { reachableActors } from '../identity/load-actor.ts';

interface NamedUsers {
  readonly users: readonly string[];
}

/** People by id, or all users of a manager, a company or an investor (not of its manager) who hold a permission. */
export type Recipients =
  | NamedUsers
  | { readonly manager: string; readonly can: PermissionKey }
  | { readonly company: string; readonly can: PermissionKey }
  | { readonly LP: string; readonly ofManager: string; readonly can: PermissionKey }
  /** All users of some types that belong to a manager or to its investors and companies. */
  | { readonly everyoneOf: string; readonly types: readonly UserType[]; readonly can: PermissionKey };

/** The users of investors. */
export const INVESTOR_TYPES: readonly UserType[] = ['LP', 'LPGroup'];

/** A document, by the name of its collection in calls: "loanTapes". */
export interface MailDocument {
  readonly resource: string;
  readonly documentId: string;
}

/** A document as it was when people were told of it. */
export interface StoredDocument extends MailDocument {
  /** The documents that it belonged to: "funds/65f0…". Whoever may not see one of them is not told. */
  readonly owners?: readonly string[];
}

interface Readers {
  readonly document: StoredDocument;
  readonly actors: readonly UserActor[];
}

/** For each document, the people among `actors` who can see it. Called as the program. */
export async function readersOfEach(
  { query }: Pick<ReadSession, 'query'>,
  asked: readonly Readers[],
): Promise<UserActor[][]> {
  const documents = asked.flatMap(({ document: { resource, documentId }, actors }, index) => {
    const stored = storedOf(resource);
    if (!stored) throw new Error(`${resource} is not a collection`);
    const readers = actors.map((actor) => ({ id: actor.userId, settings: settingsOf(actor) }));
    return readers.length === 0 ? [] : [{ index, collection: tableOf(stored), document: documentId, readers }];
  });
  if (documents.length === 0) return asked.map(() => []);
  const rows = await query<{ index: number; id: string }>(
    `select asked.index, readers_of(asked.collection::regclass, asked.document, asked.readers) as id
     from jsonb_to_recordset($1) as asked (index integer, collection text, document text, readers jsonb)`,
    [JSON.stringify(documents)],
  );
  const visible = Map.groupBy(rows, ({ index }) => index);
  return asked.map(({ document: { owners = [] }, actors }, index) => {
    const ids = new Set(visible.get(index)?.map(({ id }) => id));
    return actors.filter(
      ({ userId, blockedDocuments }) => ids.has(userId) && !owners.some((owner) => blockedDocuments.includes(owner)),
    );
  });
}

/** The people among `actors` who can see the document. Called as the program. */
export async function readersOf(
  session: Pick<ReadSession, 'query'>,
  document: StoredDocument,
  actors: readonly UserActor[],
): Promise<UserActor[]> {
  const [readers = []] = await readersOfEach(session, [{ document, actors }]);
  return readers;
}

function belongsTo(actor: UserActor, recipients: Exclude<Recipients, NamedUsers>): boolean {
  if ('manager' in recipients) return actor.type === 'manager' && actor.managerId === recipients.manager;
  if ('LP' in recipients) return actor.lpIds.includes(recipients.LP);
  if ('everyoneOf' in recipients)
    return recipients.types.includes(actor.type) && actor.managerId === recipients.everyoneOf;
  return actor.companyId === recipients.company;
}

/** A document, and whom an email about it is for. */
export interface Addressed {
  readonly document: MailDocument;
  readonly to: readonly Recipients[];
}

/**
 * For each document, the people among its recipients who can see it, each once. Who is invited and has not signed in yet
 * is told as well, and finds everything after the first sign-in. Disabled users, and users of a manager or company that
 * is not active, are never among them. Called as the program.
 */
export async function findRecipients(
  session: Pick<ReadSession, 'query'>,
  addressed: readonly Addressed[],
): Promise<UserActor[][]> {
  const values: unknown[] = [];
  const names = new Map<string, string>();
  const bound = (value: string): string => {
    const name = names.get(value) ?? `$${values.push(value)}`;
    names.set(value, name);
    return name;
  };
  const conditionOf = (recipients: Exclude<Recipients, NamedUsers>): string => {
    if ('manager' in recipients) return `u.type = 'manager' and u.manager_id = ${bound(recipients.manager)}`;
    if ('company' in recipients) return `u.type = 'company' and u.company_id = ${bound(recipients.company)}`;
    const [manager, types] =
      'LP' in recipients ? [recipients.ofManager, INVESTOR_TYPES] : [recipients.everyoneOf, recipients.types];
    return `u.type = any (array[${types.map(bound)}]::text[]) and u.manager_id = ${bound(manager)}`;
  };
  const named = new Set<string>();
  const conditions = new Set(
    addressed.flatMap(({ to }) =>
      to.flatMap((recipients) => {
        if (!('users' in recipients)) return [conditionOf(recipients)];
        for (const id of recipients.users) named.add(id);
        return [];
      }),
    ),
  );
  if (named.size > 0) conditions.add(`u.id = any ($${values.push([...named])}::text[])`);
  if (conditions.size === 0) return addressed.map(() => []);
  const actors = await reachableActors(session, [...conditions].join(' or '), values);
  const actorOf = new Map(actors.map((actor) => [actor.userId, actor]));
  const isAmong = (actor: UserActor, to: readonly Recipients[]) =>
    to.some((recipients) => {
      if ('users' in recipients) return recipients.users.includes(actor.userId);
      return belongsTo(actor, recipients) && can(actor, recipients.can);
    });
  return readersOfEach(
    session,
    addressed.map(({ document, to }) => ({
      document,
      // A message to each of thousands does not look at all the others.
      actors: to.every((recipients) => 'users' in recipients)
        ? [...new Set(to.flatMap(({ users }) => users))].flatMap((id) => actorOf.get(id) ?? [])
        : actors.filter((actor) => isAmong(actor, to)),
    })),
  );
}

/** A contact of an entity, by its address. */
interface Address {
  readonly entityId: string;
  readonly email: string;
}

const keyOf = ({ entityId, email }: Address): string => `${entityId}/${email.toLowerCase()}`;

/** A document, and the contacts that an email about it is for. */
export interface AddressedToContacts<Contact extends Address> {
  readonly document: StoredDocument;
  /** The collection whose documents its readers may read, if not that of the document. */
  readonly readAs?: string;
  readonly contacts: readonly Contact[];
  /** Who is told as a user. */
  readonly users: readonly { readonly email: string }[];
}

/** The contacts whose address no user has, each address once. */
function contactsBeside<Contact extends Address>({ contacts, users }: AddressedToContacts<Contact>): Contact[] {
  const taken = new Set(users.map(({ email }) => email.toLowerCase()));
  return contacts.filter(({ email }) => {
    const address = email.toLowerCase();
    if (taken.has(address)) return false;
    taken.add(address);
    return true;
  });
}

/**
 * For each document, the contacts who are told of it, each address once. Whoever is told as a user is not told as a contact
 * too. A contact who has an account with the manager of its entity is that user: it is told only if the user may read the
 * document, so that nobody gets as a contact what is hidden from their account. Called as the program.
 */
export async function findContacts<Contact extends Address>(
  session: Pick<ReadSession, 'query'>,
  addressed: readonly AddressedToContacts<Contact>[],
): Promise<Contact[][]> {
  const beside = addressed.map(contactsBeside);
  const addresses = new Map(
    beside
      .flat()
      .map((contact) => [keyOf(contact), { entityId: contact.entityId, email: contact.email.toLowerCase() }]),
  );
  if (addresses.size === 0) return beside;
  const accounts = await session.query<Address & { userId: string }>(
    `select asked."entityId", u.email, u.id as "userId" from jsonb_to_recordset($1) as asked ("entityId" text, email text)
       join entities e on e.id = asked."entityId"
       join users u on u.email = asked.email and u.manager_id = e.manager_id and u.status <> 'Removed'`,
    [JSON.stringify([...addresses.values()])],
    { kept: true },
  );
  if (accounts.length === 0) return beside;
  const accountOf = new Map(accounts.map((account) => [keyOf(account), account.userId]));
  const reachable = await reachableActors(session, 'u.id = any ($1)', [[...new Set(accountOf.values())]]);
  const readers = await readersOfEach(
    session,
    addressed.map(({ document, readAs = document.resource }, index) => {
      const read = collectionOf(readAs)?.read;
      const ids = new Set(beside[index]?.map((contact) => accountOf.get(keyOf(contact))));
      return { document, actors: reachable.filter((actor) => ids.has(actor.userId) && read && can(actor, read)) };
    }),
  );
  return beside.map((contacts, index) => {
    const ids = new Set(readers[index]?.map(({ userId }) => userId));
    return contacts.filter((contact) => {
      const account = accountOf.get(keyOf(contact));
      return account === undefined || ids.has(account);
    });
  });
}
