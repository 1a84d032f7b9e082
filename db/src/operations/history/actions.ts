import { RECORDED } from '@tapeline/domain/collections/collections.ts';
import type { ChangedBy } from '@tapeline/domain/documents/document.schema.ts';
import { parseListQuery } from '@tapeline/domain/filters/list-query.schema.ts';
import type { HistoryOperation } from '@tapeline/domain/history/history.schema.ts';
import { STORED, tableOf } from '../../collections/collections.ts';
import type { StoredCollection } from '../../collections/stored-collection.ts';
import { History } from '../../entities/records.ts';
import { findDocuments, type ReadSession } from '../../read-session.ts';
import { conditionOf } from '../listing/list-documents.ts';
import { type Change, type Documents, documentsCondition, HISTORY, narrowed, shown } from './history.ts';

/** The documents of one collection that an action changed in the same way. */
export interface ActionCount {
  readonly resource: string;
  readonly operation: HistoryOperation;
  /** The status that they got; null if it stayed. */
  readonly status: string | null;
  readonly documents: number;
  /** One of the documents. */
  readonly documentId: string;
  /** The title of what all of them are the lines of, such as a capital call. */
  readonly header: string | null;
}

/** What one person did in one request: all changes of a transaction. */
export interface Action {
  /** The id of its latest change, by which `listHistory` finds all of them. */
  readonly id: string;
  readonly at: Date;
  readonly changedBy: ChangedBy;
  readonly counts: readonly ActionCount[];
  /** The first changes, in the order in which they were recorded. */
  readonly changes: readonly Change[];
  /** How many changes there are. */
  readonly total: number;
}

export interface Actions {
  readonly actions: Action[];
  /** How many actions and how many changes there are, before skip and limit. */
  readonly total: number;
  readonly changes: number;
}

/** Changes of each action that are read. */
const CHANGES_READ = 6;

/**
 * What the changes of one action share. A transaction has one author and one moment. Changes of earlier versions do not
 * name their transaction, and belong together by author and moment, to the millisecond.
 */
const KEY = ['changed_at', 'changed_by_id', 'changed_by_name', 'action_id'] as const;
const sameAs = (other: string): string =>
  KEY.map((name) => `t.${name} is not distinct from ${other}.${name}`).join(' and ');

/** SQL of the header that all documents of a part belong to. */
const HEADERS_OF_LINES = RECORDED.flatMap(([name]) => {
  const stored: StoredCollection = STORED[name];
  return stored.header
    ? [
        `when '${name}' then (select case when count(distinct ${stored.header.id}) = 1 then min(${stored.header.title}) end
           from ${tableOf(stored)} t where t.id = any (part.ids))`,
      ]
    : [];
});

const NEW_STATUS = `case when 'status' = any (t.fields) then
  (select field ->> 'new' from jsonb_array_elements(t.updated_fields) as field where field ->> 'field' = 'status') end`;

interface FoundAction {
  readonly id: string;
  readonly total: number;
  readonly ids: readonly string[];
  readonly counts: readonly ActionCount[];
}

async function readActions(
  session: ReadSession,
  condition: { readonly sql: string; readonly values: readonly unknown[] },
  { skip, limit }: { skip: number; limit: number },
): Promise<Actions> {
  const { sql, values } = condition;
  const key = KEY.map((name) => `t.${name}`).join(', ');
  const [found = [], [counted] = []] = await session.queries<[FoundAction[], { total: number; changes: number }[]]>([
    {
      sql: `with page as (
          select ${key}, count(*)::int as total, max(t.id) as last from history t where ${sql}
          group by ${key} order by t.changed_at desc nulls last, last desc offset $${values.length + 1} limit $${values.length + 2}
        )
        select page.last as id, page.total,
          array(select t.id from history t where ${sameAs('page')} and ${sql} order by t.id limit ${CHANGES_READ})::text[] as ids,
          (select jsonb_agg(jsonb_build_object('resource', part.resource, 'operation', part.operation, 'status', part.status,
              'documents', cardinality(part.ids), 'documentId', part.ids[1],
              'header', case part.resource ${HEADERS_OF_LINES.join(' ')} end) order by part.first)
            from (select t.resource, t.operation, ${NEW_STATUS} as status, array_agg(distinct t.document_id) as ids, min(t.id) as first
              from history t where ${sameAs('page')} and ${sql} group by 1, 2, 3) part) as counts
        from page order by page.changed_at desc nulls last, page.last desc`,
      values: [...values, skip, limit],
    },
    {
      sql: `select count(*)::int as total, coalesce(sum(changes), 0)::int as changes
        from (select count(*) as changes from history t where ${sql} group by ${key}) as actions`,
      values,
    },
  ]);
  const ids = found.flatMap((one) => one.ids);
  const changes = ids.length > 0 ? await findDocuments(session, History, 'where id = any ($1) order by id', [ids]) : [];
  const changeOf = new Map(changes.map((change) => [change.id, shown(session, change)]));
  return {
    actions: found.flatMap(({ ids: some, ...action }) => {
      const read = some.flatMap((id) => changeOf.get(id) ?? []);
      const [first] = read;
      return first ? [{ ...action, at: first.changedAt, changedBy: first.changedBy, changes: read }] : [];
    }),
    total: counted?.total ?? 0,
    changes: counted?.changes ?? 0,
  };
}

/**
 * A page of what people did, latest first. An action has those of its changes that the actor can see and that match the query.
 * @param query as of `listHistory`
 */
export function listActions(session: ReadSession, query: unknown): Promise<Actions> {
  const [list, { narrowing }] = narrowed(query);
  const parsed = parseListQuery(list, HISTORY.catalog);
  return readActions(session, conditionOf(HISTORY, parsed, session.actor, narrowing), parsed);
}

/** A page of what people did to these documents, latest first, as far as the actor can see it. */
export async function actionsOf(
  session: ReadSession,
  documents: Documents,
  { skip = 0, limit = 25 }: { skip?: number; limit?: number } = {},
): Promise<Actions> {
  if (documents.length === 0) return { actions: [], total: 0, changes: 0 };
  return readActions(session, documentsCondition(documents), { skip, limit });
}
