import { can, type PermissionKey, type UserActor } from '@tapeline/domain/people/actor.ts';
import type { ReadSession } from '../../read-session.ts';
import { settingsOf } from '../../store.ts';
import { TITLED } from '../history/document-titles.ts';
import { activeActors } from '../identity/load-actor.ts';

/** People by id, or all users of a manager, a company or an investor (not of its manager) who hold a permission. */
export type Recipients =
  | { readonly users: readonly string[] }
  | { readonly manager: string; readonly can: PermissionKey }
  | { readonly company: string; readonly can: PermissionKey }
  | { readonly LP: string; readonly ofManager: string; readonly can: PermissionKey };

/** A document, by the name of its collection in calls: "loanTapes". */
export interface MailDocument {
  readonly resource: string;
  readonly documentId: string;
}

/** The people among `actors` who can see the document. Called as the program. */
export async function readersOf(
  { query }: Pick<ReadSession, 'query'>,
  { resource, documentId }: MailDocument,
  actors: readonly UserActor[],
): Promise<UserActor[]> {
  const collection = Object.hasOwn(TITLED, resource) ? TITLED[resource] : undefined;
  if (!collection) throw new Error(`${resource} is not a collection`);
  const readers = actors.map((actor) => ({ id: actor.userId, settings: settingsOf(actor) }));
  const rows = await query<{ id: string }>('select readers_of($1, $2, $3) as id', [
    collection.table,
    documentId,
    JSON.stringify(readers),
  ]);
  const visible = new Set(rows.map(({ id }) => id));
  return actors.filter(({ userId }) => visible.has(userId));
}

function belongsTo(actor: UserActor, recipients: Exclude<Recipients, { readonly users: readonly string[] }>): boolean {
  if ('manager' in recipients) return actor.type === 'manager' && actor.managerId === recipients.manager;
  if ('LP' in recipients) return actor.lpIds.includes(recipients.LP);
  return actor.companyId === recipients.company;
}

/**
 * The active people among the recipients who can see the document, each once. Disabled users, and users of a manager
 * or company that is not active, are never among them. Called as the program.
 */
export async function findRecipients(
  session: Pick<ReadSession, 'query'>,
  document: MailDocument,
  to: readonly Recipients[],
): Promise<UserActor[]> {
  const values: unknown[] = [];
  const bound = (value: unknown) => `$${values.push(value)}`;
  const condition = to.map((recipients) => {
    if ('users' in recipients) return `u.id = any (${bound([...recipients.users])}::text[])`;
    if ('manager' in recipients) return `u.type = 'manager' and u.manager_id = ${bound(recipients.manager)}`;
    if ('LP' in recipients) return `u.type in ('LP', 'LPGroup') and u.manager_id = ${bound(recipients.ofManager)}`;
    return `u.type = 'company' and u.company_id = ${bound(recipients.company)}`;
  });
  if (condition.length === 0) return [];
  const actors = await activeActors(session, condition.join(' or '), values);
  const isRecipient = (actor: UserActor) =>
    to.some((recipients) => {
      if ('users' in recipients) return recipients.users.includes(actor.userId);
      return belongsTo(actor, recipients) && can(actor, recipients.can);
    });
  return readersOf(session, document, actors.filter(isRecipient));
}
