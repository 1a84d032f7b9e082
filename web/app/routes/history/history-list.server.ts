import { listHistory } from '@tapeline/db/operations/history/history.ts';
import type { ReadSession } from '@tapeline/db/read-session.ts';
import { COLLECTIONS, isRecorded, readableHistory } from '@tapeline/domain/collections/collections.ts';
import { isCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { isId } from '@tapeline/domain/documents/id.schema.ts';
import { containing } from '@tapeline/domain/filters/like.ts';
import { HISTORY_OPERATIONS } from '@tapeline/domain/history/history.schema.ts';
import type { Actor } from '@tapeline/domain/people/actor.ts';
import { viewChanges } from '../../commands/history.server.ts';
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

/** A page of the history with its filters. */
export async function readHistory(session: ReadSession, search: URLSearchParams) {
  const filters = filtersOf(search);
  const query = { ...queryOf(filters), skip: skipOf(search), limit: CHANGES_PER_PAGE };
  const { documents, total } = await listHistory(session, query);
  const changes = await viewChanges(session, documents);
  return { filters, total, changes, collections: collectionChoices(session.actor) };
}

const collectionChoices = (actor: Actor) =>
  readableHistory(actor)
    .map((value) => ({ value, label: COLLECTIONS[value].many }))
    .sort((a, b) => (a.label < b.label ? -1 : 1));
