import { can, type PermissionKey, type UserActor, type UserType } from '@tapeline/domain/people/actor.ts';
import type { ReadSession } from '../../read-session.ts';
import { settingsOf } from '../../store.ts';
import { TITLED } from '../history/document-titles.ts';
import { reachableActors } from '../identity/load-actor.ts';

/** People by id, or all users of a manager, a company or an investor (not of its manager) who hold a permission. */
export type Recipients =
  | { readonly users: readonly string[] }
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

interface Readers {
  readonly document: MailDocument;
  readonly actors: readonly UserActor[];
}

/** For each document, the people among `actors` who can see it. Called as the program. */
async function readersOfEach({ query }: Pick<ReadSession, 'query'>, asked: readonly Readers[]): Promise<UserActor[][]> {
  const documents = asked.flatMap(({ document: { resource, documentId }, actors }, place) => {
    const collection = Object.hasOwn(TITLED, resource) ? TITLED[resource] : undefined;
    if (!collection) throw new Error(`${resource} is not a collection`);
    const readers = actors.map((actor) => ({ id: actor.userId, settings: settingsOf(actor) }));
    return readers.length === 0 ? [] : [{ place, collection: collection.table, document: documentId, readers }];
  });
  if (documents.length === 0) return asked.map(() => []);
  const rows = await query<{ place: number; id: string }>(
    `select asked.place, readers_of(asked.collection::regclass, asked.document, asked.readers) as id
     from jsonb_to_recordset($1) as asked (place integer, collection text, document text, readers jsonb)`,
    [JSON.stringify(documents)],
  );
  const visible = Map.groupBy(rows, ({ place }) => place);
  return asked.map(({ actors }, place) => {
    const ids = new Set(visible.get(place)?.map(({ id }) => id));
    return actors.filter(({ userId }) => ids.has(userId));
  });
}

/** The people among `actors` who can see the document. Called as the program. */
export async function readersOf(
  session: Pick<ReadSession, 'query'>,
  { resource, documentId }: MailDocument,
  actors: readonly UserActor[],
): Promise<UserActor[]> {
  const [readers = []] = await readersOfEach(session, [{ document: { resource, documentId }, actors }]);
  return readers;
}

function belongsTo(actor: UserActor, recipients: Exclude<Recipients, { readonly users: readonly string[] }>): boolean {
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
  const places = new Map<string, string>();
  const bound = (value: string): string => {
    const place = places.get(value) ?? `$${values.push(value)}`;
    places.set(value, place);
    return place;
  };
  const conditionOf = (recipients: Recipients): string => {
    if ('users' in recipients) return `u.id = any (array[${recipients.users.map(bound)}]::text[])`;
    if ('manager' in recipients) return `u.type = 'manager' and u.manager_id = ${bound(recipients.manager)}`;
    if ('company' in recipients) return `u.type = 'company' and u.company_id = ${bound(recipients.company)}`;
    const [manager, types] =
      'LP' in recipients ? [recipients.ofManager, INVESTOR_TYPES] : [recipients.everyoneOf, recipients.types];
    return `u.type = any (array[${types.map(bound)}]::text[]) and u.manager_id = ${bound(manager)}`;
  };
  const conditions = new Set(addressed.flatMap(({ to }) => to.map(conditionOf)));
  if (conditions.size === 0) return addressed.map(() => []);
  const actors = await reachableActors(session, [...conditions].join(' or '), values);
  const isAmong = (actor: UserActor, to: readonly Recipients[]) =>
    to.some((recipients) => {
      if ('users' in recipients) return recipients.users.includes(actor.userId);
      return belongsTo(actor, recipients) && can(actor, recipients.can);
    });
  return readersOfEach(
    session,
    addressed.map(({ document, to }) => ({ document, actors: actors.filter((actor) => isAmong(actor, to)) })),
  );
}
