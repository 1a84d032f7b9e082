import { containing } from '@tapeline/domain/filters/like.ts';
import { collectionOf } from '@tapeline/domain/history/collections.ts';
import { DOCUMENT_COLLECTIONS, type DocumentCollection } from '@tapeline/domain/people/access.ts';
import type { PermissionKey } from '@tapeline/domain/people/actor.ts';
import type { ReadSession } from '../../read-session.ts';
import { TITLED } from '../history/document-titles.ts';

interface DocumentKind {
  readonly label: string;
  /** The permission that reads the collection. */
  readonly permission: PermissionKey;
}

/** The collections whose documents people ask about by name. */
const KINDS: readonly (readonly [DocumentCollection, DocumentKind])[] = DOCUMENT_COLLECTIONS.map((collection) => {
  const known = collectionOf(collection);
  if (!known) throw new Error(`${collection} is not a collection`);
  return [collection, { label: known.many, permission: known.read }] as const;
});

/** The same with their tables, and the SQL of a document's name (`t` is the table). */
export const DOCUMENTS = Object.fromEntries(
  KINDS.map(([collection, kind]) => {
    const titled = TITLED[collection];
    if (!titled) throw new Error(`The documents of ${collection} have no titles`);
    return [collection, { ...kind, table: titled.table, name: titled.title }];
  }),
) as Readonly<Record<DocumentCollection, DocumentKind & { table: string; name: string }>>;

export const DOCUMENT_KINDS = Object.entries(DOCUMENTS) as [
  DocumentCollection,
  (typeof DOCUMENTS)[DocumentCollection],
][];

export const MOST_NAMED = 20;

/** A document by its name. */
export interface NamedDocument {
  id: string;
  name: string;
  managerId: string;
}

/**
 * The visible documents of a collection whose name contains the text, or whose id it is, by name.
 * @returns at most `MOST_NAMED`, and how many there are
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
     where id = lower($1) or name ilike $2 order by name collate "C", id limit ${MOST_NAMED}`,
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
