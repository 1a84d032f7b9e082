import { type Action, actionsOf } from '@tapeline/db/operations/history/actions.ts';
import { titlesOf } from '@tapeline/db/operations/history/document-titles.ts';
import type { Change, Documents } from '@tapeline/db/operations/history/history.ts';
import type { ReadSession } from '@tapeline/db/read-session.ts';
import { referencesOf } from '@tapeline/domain/history/references.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import { type ActionView, actionView } from '../components/history/action-view.ts';
import { type ChangeView, changeView } from '../components/history/change-view.ts';
import { HISTORY_PAGE } from '../components/history/history-page.ts';
import { skipOf } from '../components/page/skip.ts';

/** Lines of a change in a list; its own panel shows up to `MAX_LINES`. */
const LINES_IN_LIST = 3;
export const MAX_CHANGE_LINES = 500;

/** What the documents are called whose changes these are, and those that their values refer to. */
function titlesFor(session: ReadSession, changes: readonly Change[], others: readonly string[] = []) {
  const ids = new Set(others);
  for (const change of changes) {
    ids.add(change.documentId);
    for (const id of referencesOf(change.differences)) ids.add(id);
  }
  return titlesOf(session, ids);
}

/** Changes in words. The names of their documents, and of the documents that they refer to, are read in one query. */
export async function viewChanges(
  session: ReadSession,
  changes: readonly Change[],
  most = LINES_IN_LIST,
): Promise<ChangeView[]> {
  const titles = await titlesFor(session, changes);
  return changes.map((change) => changeView(change, titles, most));
}

/** What people did, in words. */
export async function viewActions(session: ReadSession, actions: readonly Action[]): Promise<ActionView[]> {
  const changes = actions.flatMap((action) => action.changes);
  const counted = actions.flatMap(({ counts }) => counts.map(({ documentId }) => documentId));
  const titles = await titlesFor(session, changes, counted);
  return actions.map((action) => actionView(action, titles));
}

/** A page of the history of a document and of what belongs to it. */
export interface DocumentHistory {
  readonly actions: readonly ActionView[];
  /** How many actions there are, and how many changes. */
  readonly total: number;
  readonly changes: number;
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
  const { actions, ...counts } = await actionsOf(session, documents, page);
  return { ...counts, actions: await viewActions(session, actions) };
}
