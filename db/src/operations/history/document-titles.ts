import { RECORDED } from '@tapeline/domain/collections/collections.ts';
import { STORED, tableOf } from '../../collections/collections.ts';
import type { StoredCollection } from '../../collections/stored-collection.ts';
import type { ReadSession } from '../../read-session.ts';

export interface DocumentTitle {
  readonly resource: string;
  readonly title: string;
  readonly currency: string | null;
  /** The document's sequential number. */
  readonly code: number | null;
  /** Whether the document still has a row: it has none after a Permanent Delete. */
  readonly isStored: boolean;
  readonly isRemoved: boolean;
}

/** Ids in one query. Only exports of long documents refer to more. */
const IDS_AT_A_TIME = 20_000;

const TITLES = [
  ...RECORDED.map(([name]) => {
    const stored: StoredCollection = STORED[name];
    const { title, currency = 'null', isDocument = true } = stored;
    const [code, isRemoved] = isDocument ? ['t.code', "t.status = 'Removed'"] : ['null::integer', 'false'];
    return `select t.id, '${name}' as resource, ${title} as title, ${currency} as currency, ${code} as code,
         true as "isStored", ${isRemoved} as "isRemoved" from ${tableOf(stored)} t where t.id = any ($1)`;
  }),
  // What a deleted document was called is only in its history.
  `select t.document_id, t.resource, (select coalesce(field ->> 'old', '') from jsonb_array_elements(t.updated_fields) as field
       where field ->> 'field' in ('title', 'name') limit 1), null, null, false, true
     from history t where t.document_id = any ($1) and t.operation = 'Permanent Delete'`,
].join(' union all ');

/** What others refer to and is no document: notes of transactions, classes of funds, and calls and distributions as a whole. */
const PARTS = `
  select note ->> 'id' as id, 'transactions' as resource, note ->> 'title' as title
    from transactions t, jsonb_array_elements(t.notes) as note where note ->> 'id' = any ($1)
  union all select class ->> 'uniqueKey', 'funds', class ->> 'name'
    from funds t, jsonb_array_elements(t.classes) as class where class ->> 'uniqueKey' = any ($1)
  union all select id, 'contributions', 'Capital call ' || number from capital_calls where id = any ($1)
  union all select id, 'distributions', 'Distribution ' || number from distribution_events where id = any ($1)`;

/**
 * What the documents with these ids are called, of whatever collection, and notes and classes, as far as the actor can see
 * them.
 */
export async function titlesOf(session: ReadSession, ids: Iterable<string>): Promise<Map<string, DocumentTitle>> {
  const distinct = [...new Set(ids)];
  const titles = new Map<string, DocumentTitle>();
  for (let at = 0; at < distinct.length; at += IDS_AT_A_TIME) {
    // With the policies of every table, planning takes ten times as long as the query.
    const rows = await session.query<DocumentTitle & { id: string }>(TITLES, [distinct.slice(at, at + IDS_AT_A_TIME)], {
      kept: true,
    });
    for (const { id, ...title } of rows) titles.set(id, { ...title, title: title.title || 'Untitled' });
  }
  const left = distinct.filter((id) => !titles.has(id));
  const parts =
    left.length > 0
      ? await session.query<{ id: string; resource: string; title: string }>(PARTS, [left], { kept: true })
      : [];
  for (const { id, resource, title } of parts) {
    titles.set(id, { resource, title, currency: null, code: null, isStored: true, isRemoved: false });
  }
  return titles;
}
