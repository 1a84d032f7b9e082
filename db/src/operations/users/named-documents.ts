import { COLLECTIONS } from '@tapeline/domain/collections/collections.ts';
import { containing } from '@tapeline/domain/filters/like.ts';
import { DOCUMENT_COLLECTIONS, type DocumentCollection } from '@tapeline/domain/people/access.ts';
import { STORED, tableOf } from '../../collections/collections.ts';
import type { StoredCollection } from '../../collections/stored-collection.ts';
import type { ReadSession } from '../../read-session.ts';

/** The collections whose documents people ask about by name, with the SQL of a document's name (`t` is the table). */
export const DOCUMENT_KINDS = DOCUMENT_COLLECTIONS.map((collection) => {
  const { many: label, read: permission } = COLLECTIONS[collection];
  const stored: StoredCollection = STORED[collection];
  return [collection, { label, permission, table: tableOf(stored), name: stored.title }] as const;
});
type DocumentKind = (typeof DOCUMENT_KINDS)[number][1];
export const DOCUMENTS = Object.fromEntries(DOCUMENT_KINDS) as Readonly<Record<DocumentCollection, DocumentKind>>;

export const MAX_NAMED = 20;

export interface NamedDocument {
  id: string;
  name: string;
  managerId: string;
}

/**
 * The visible documents of a collection whose name contains the text, or whose id it is, by name.
 * @returns at most `MAX_NAMED`, and how many there are
 */
export async function documentsNamed(
  session: ReadSession,
  command: { collection: DocumentCollection; search: string },
): Promise<{ documents: NamedDocument[]; total: number }> {
  const { table, name } = DOCUMENTS[command.collection];
  const search = command.search.trim().slice(0, 200);
  const rows = await session.query<NamedDocument & { total: number }>(
    `select id, name, "managerId", count(*) over ()::int as total
     from (select t.id, ${name} as name, t.manager_id as "managerId" from ${table} t where t.status <> 'Removed') as named
     where id = lower($1) or name ilike $2 order by name collate "C", id limit ${MAX_NAMED}`,
    [search, containing(search)],
  );
  return { documents: rows.map(({ total: _, ...document }) => document), total: rows[0]?.total ?? 0 };
}

/** The names of the visible documents among these entries (`funds/65f0…`), by entry, in one query for each collection. */
export async function namesOfDocuments(
  session: ReadSession,
  entries: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  for (const [collection, { table, name }] of DOCUMENT_KINDS) {
    const start = `${collection}/`;
    const ids = entries.filter((entry) => entry.startsWith(start)).map((entry) => entry.slice(start.length));
    if (ids.length === 0) continue;
    const rows = await session.query<{ id: string; name: string }>(
      `select t.id, ${name} as name from ${table} t where t.id = any ($1)`,
      [ids],
    );
    for (const row of rows) names.set(`${collection}/${row.id}`, row.name);
  }
  return names;
}
