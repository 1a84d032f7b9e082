import { collectionOf } from '@tapeline/domain/collections/collections.ts';
import { inSentence } from '@tapeline/domain/documents/field-labels.ts';
import { isId } from '@tapeline/domain/documents/id.schema.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import type { Actor } from '@tapeline/domain/people/actor.ts';
import { storedOf, tableOf } from '../../collections/collections.ts';
import type { StoredCollection } from '../../collections/stored-collection.ts';
import type { Session } from '../../store.ts';
import { requirePermission } from '../permission.ts';
import { titlesOf } from './document-titles.ts';

/** Whether the actor can delete documents permanently: only admins, and the program itself. */
export const mayDeletePermanently = (actor: Actor): boolean => actor.kind === 'system' || actor.type === 'admin';

interface Reference {
  readonly table: string;
  readonly column: string;
  /** Whether ids are within the values: in a list or in JSON. */
  readonly isNested: boolean;
  readonly resource: string | null;
}

/**
 * Columns that can refer to documents of a table: its foreign keys, except those whose rows are deleted with it, and the
 * recorded columns with lists and JSON. They are read from the database, so that a new collection is covered without a change here.
 */
function referencesTo(session: Session, table: string): Promise<Reference[]> {
  return session.query<Reference>(
    `with recorded as (
       select tgrelid, split_part(encode(tgargs, 'escape'), '\\000', 1) as resource,
         split_part(encode(tgargs, 'escape'), '\\000', 2)::jsonb as columns
       from pg_trigger where tgfoid = 'record_change'::regproc
     )
     select c.conrelid::regclass::text as table, a.attname as column, false as "isNested", r.resource
     from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
       left join recorded r on r.tgrelid = c.conrelid
     where c.contype = 'f' and c.confrelid = $1::regclass and c.confdeltype <> 'c'
     union
     select r.tgrelid::regclass::text, a.attname, true, r.resource
     from recorded r join pg_attribute a on a.attrelid = r.tgrelid and r.columns ? a.attname
     where a.atttypid = 'jsonb'::regtype or a.attndims > 0`,
    [table],
  );
}

/** What refers to the document, by collection: "2 contracts, 1 borrowing base". Empty if nothing does. */
async function referrersOf(session: Session, stored: StoredCollection, id: string): Promise<string> {
  const table = tableOf(stored);
  const parts = (stored.parts ?? []).map(([part]) => part);
  const references = (await referencesTo(session, table)).filter((one) => !parts.includes(one.table));
  const byTable = Map.groupBy(references, (one) => one.table);
  if (byTable.size === 0) return '';
  const counts = [...byTable].map(([name, columns]) => {
    const conditions = columns.map(({ column, isNested }) =>
      isNested ? `strpos(t.${column}::text, $1) > 0` : `t.${column} = $1`,
    );
    const self = name === table ? ' and t.id <> $1' : '';
    return `select '${columns[0]?.resource ?? name}' as resource, count(*)::int as count from ${name} t where (${conditions.join(' or ')})${self}`;
  });
  const rows = await session.query<{ resource: string; count: number }>(counts.join(' union all '), [id]);
  return rows
    .filter(({ count }) => count > 0)
    .map(({ resource: from, count }) => {
      const found = collectionOf(from);
      const noun = (count === 1 ? found?.one : found?.many) ?? from.replaceAll('_', ' ');
      return `${count} ${inSentence(noun)}`;
    })
    .join(', ');
}

/**
 * Deletes a Removed document for good. Its history is kept and records who deleted it.
 * @param command.title what the document is called, as the person typed it; left out by callers that name it by id only
 * @throws Refusal forbidden for anyone but an admin; notFound; badRequest if it is not Removed, something refers to it,
 *   or the title is another
 */
export async function deletePermanently(
  session: Session,
  command: { resource: string; id: string; title?: string },
): Promise<void> {
  const { resource, id } = command;
  const { actor } = session;
  const collection = collectionOf(resource);
  const stored = storedOf(resource);
  if (!mayDeletePermanently(actor)) throw new Refusal('forbidden', 'Only an admin can delete documents permanently');
  if (!collection || !stored || !isId(id)) throw new Refusal('notFound');
  requirePermission(session, collection.write ?? collection.read);
  const found = (await titlesOf(session, [id])).get(id);
  if (!found?.isStored || found.resource !== resource) throw new Refusal('notFound');
  const noun = inSentence(collection.one);
  if (!found.isRemoved) {
    throw new Refusal('badRequest', `Remove the ${noun} first. Only removed documents can be deleted permanently.`);
  }
  if (command.title !== undefined && command.title !== found.title) {
    throw new Refusal('badRequest', undefined, { flags: { title: `must be “${found.title}”, as written above` } });
  }
  const referrers = await referrersOf(session, stored, id);
  if (referrers) {
    throw new Refusal('badRequest', `Other documents refer to this ${noun}: ${referrers}. Delete them first.`);
  }
  for (const [part, column] of stored.parts ?? []) {
    await session.query(`delete from ${part} where ${column} = $1`, [id]);
  }
  const deleted = await session.query(
    `delete from ${tableOf(stored)} where id = $1 and status = 'Removed' returning id`,
    [id],
  );
  if (deleted.length === 0) {
    throw new Refusal('forbidden', `Documents of this kind can only be deleted by an admin who acts for no manager`);
  }
  await session.query('set constraints all immediate');
}

/** Deletes several Removed documents of a collection for good: all of them, or none. */
export async function deleteManyPermanently(
  session: Session,
  { resource, ids }: { resource: string; ids: readonly string[] },
): Promise<void> {
  for (const id of ids) await deletePermanently(session, { resource, id });
}
