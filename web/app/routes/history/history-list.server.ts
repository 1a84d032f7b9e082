import { listActions } from '@tapeline/db/operations/history/actions.ts';
import { listChangesOfAction } from '@tapeline/db/operations/history/history.ts';
import type { ReadSession } from '@tapeline/db/read-session.ts';
import { COLLECTIONS, isRecorded, readableHistory } from '@tapeline/domain/collections/collections.ts';
import { isCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { isId } from '@tapeline/domain/documents/id.schema.ts';
import { containing } from '@tapeline/domain/filters/like.ts';
import { HISTORY_OPERATIONS } from '@tapeline/domain/history/history.schema.ts';
import type { Actor } from '@tapeline/domain/people/actor.ts';
import { viewActions, viewChanges } from '../../commands/history.server.ts';
import { HISTORY_PAGE } from '../../components/history/history-page.ts';
import { skipOf } from '../../components/page/skip.ts';

/** The filters in the address of the history, as they were entered. Unknown values are ignored. */
export interface HistoryFilters {
  /** Id of a user. */
  readonly by: string;
  /** Part of an author's name. */
  readonly who: string;
  readonly collection: string;
  readonly operation: string;
  readonly from: string;
  readonly to: string;
  /** Name of a field. */
  readonly field: string;
  /** Id of a change: all changes of its action, and nothing else narrows them. */
  readonly action: string;
}

const MAX_CHARACTERS = 100;

export function filtersOf(search: URLSearchParams): HistoryFilters {
  const text = (name: string) => (search.get(name) ?? '').trim().slice(0, MAX_CHARACTERS);
  const known = (name: string, accepts: (value: string) => boolean) => (accepts(text(name)) ? text(name) : '');
  return {
    by: known('by', isId),
    who: text('who'),
    collection: known('collection', isRecorded),
    operation: known('operation', (value) => HISTORY_OPERATIONS.some((one) => one === value)),
    from: known('from', isCalendarDate),
    to: known('to', isCalendarDate),
    field: text('field'),
    action: known('action', isId),
  };
}

const dayAfter = (date: string): string => new Date(Date.parse(date) + 86_400_000).toISOString();

/** The filters as a query of the list. Days are days in UTC. */
export function queryOf({ by, who, collection, operation, from, to, field }: HistoryFilters) {
  const changedAt = {
    ...(from ? { gte: `${from}T00:00:00.000Z` } : {}),
    ...(to ? { lt: dayAfter(to) } : {}),
  };
  return {
    filter: {
      ...(by ? { 'changedBy.entity.id': by } : {}),
      ...(who ? { 'changedBy.name': { like: containing(who) } } : {}),
      ...(collection ? { resource: collection } : {}),
      ...(operation ? { operation } : {}),
      ...(from || to ? { changedAt } : {}),
    },
    ...(field ? { field } : {}),
  };
}

export const CHANGES_PER_PAGE = 50;

/** A page of the history with its filters: what people did, or all changes of one action. */
export async function readHistory(session: ReadSession, search: URLSearchParams) {
  const filters = filtersOf(search);
  const collections = collectionChoices(session.actor);
  const skip = skipOf(search);
  if (filters.action) {
    const found = await listChangesOfAction(session, filters.action, { skip, limit: CHANGES_PER_PAGE });
    const changes = await viewChanges(session, found.documents);
    return {
      filters,
      collections,
      of: { kind: 'changes' as const, changes, total: found.total },
      changed: found.total,
    };
  }
  const { actions, total, changes } = await listActions(session, { ...queryOf(filters), skip, limit: HISTORY_PAGE });
  const of = { kind: 'actions' as const, actions: await viewActions(session, actions), total };
  return { filters, collections, of, changed: changes };
}

const collectionChoices = (actor: Actor) =>
  readableHistory(actor)
    .map((value) => ({ value, label: COLLECTIONS[value].many }))
    .sort((a, b) => (a.label < b.label ? -1 : 1));
