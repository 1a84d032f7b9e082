import { titlesOf } from '@tapeline/db/operations/history/document-titles.ts';
import { type Change, type Documents, historyOf } from '@tapeline/db/operations/history/history.ts';
import type { ReadSession } from '@tapeline/db/read-session.ts';
import { referencesOf } from '@tapeline/domain/history/references.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import { type ChangeView, changeView } from '../components/history/change-view.ts';
import { HISTORY_PAGE } from '../components/history/history-page.ts';
import { skipOf } from '../components/page/skip.ts';

/** Lines of a change in a list; its own panel shows up to `MAX_LINES`. */
const LINES_IN_LIST = 3;
export const MAX_CHANGE_LINES = 500;

/** Changes in words. The names of their documents, and of the documents that they refer to, are read in one query. */
export async function viewChanges(
  session: ReadSession,
  changes: readonly Change[],
  most = LINES_IN_LIST,
): Promise<ChangeView[]> {
  const ids = new Set<string>();
  for (const change of changes) {
    ids.add(change.documentId);
    for (const id of referencesOf(change.differences)) ids.add(id);
  }
  const titles = await titlesOf(session, ids);
  return changes.map((change) => changeView(change, titles, most));
}

/** A page of the history of a document and of what belongs to it. */
export interface DocumentHistory {
  readonly changes: readonly ChangeView[];
  readonly total: number;
}

/**
 * The history for a document's page, from the `skip` of its address; null for actors who cannot read the history.
 * @param documents the document, and others that are part of it, such as the entity of a company
 * @param name of the page in the address, if another list has `skip`
 */
export async function documentHistory(
  session: ReadSession,
  documents: Documents,
  search: URLSearchParams,
  name = 'skip',
): Promise<DocumentHistory | null> {
  if (!can(session.actor, 'history/read')) return null;
  const page = { skip: skipOf(search, name), limit: HISTORY_PAGE };
  const found = await historyOf(session, documents, page);
  return { changes: await viewChanges(session, found.documents), total: found.total };
}
