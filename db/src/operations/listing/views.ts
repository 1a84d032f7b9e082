import type { Row } from '../../read-batch.ts';
import type { ReadSession } from '../../read-session.ts';
import type { Listable } from './define-lists.ts';
import { listDocuments, type Page, type PageOptions, readForDocuments } from './list-documents.ts';

/** The documents of a list as they are shown: with what they refer to, which is read for a whole page at once. */
export interface Views<Document, View> {
  /** A page of the documents that the actor can see. @throws Refusal badRequest with flags for errors in the query */
  list(session: ReadSession, query?: unknown, options?: Pick<PageOptions, 'narrowing'>): Promise<Page<View>>;
  /** These documents, in their order. */
  all(session: ReadSession, documents: readonly Document[]): Promise<View[]>;
  one(session: ReadSession, document: Document): Promise<View>;
}

/**
 * @typeParam Rows the rows that each statement returns, which only its SQL knows
 * @param statements SQL that reads what the documents refer to. In it, the table `page` holds the documents
 * @param show the documents with the rows of each statement
 */
export function viewsOf<
  Document extends { id: string },
  View,
  Rows extends readonly (readonly object[] | undefined)[] = readonly Row[][],
>(
  listable: Listable<Document>,
  statements: readonly string[] | ((session: ReadSession) => readonly string[]),
  show: (documents: readonly Document[], rows: Rows, session: ReadSession) => View[],
): Views<Document, View> {
  const statementsOf = typeof statements === 'function' ? statements : () => statements;
  const shown = (documents: readonly Document[], rows: readonly Row[][], session: ReadSession) =>
    show(documents, rows as unknown as Rows, session);
  const all = async (session: ReadSession, documents: readonly Document[]): Promise<View[]> =>
    shown(documents, await readForDocuments(session, listable, documents, statementsOf(session)), session);
  return {
    async list(session, query = {}, options = {}) {
      const page = await listDocuments(session, listable, query, { ...options, statements: statementsOf(session) });
      return { documents: shown(page.documents, page.rows, session), total: page.total };
    },
    all,
    one: async (session, document) => (await all(session, [document]))[0]!,
  };
}
