import { seesActivity } from '@tapeline/db/operations/capital/activity.ts';
import {
  CALL_HEADERS,
  DISTRIBUTION_HEADERS,
  listCallHeaders,
  listDistributionHeaders,
} from '@tapeline/db/operations/capital/calls-and-distributions.ts';
import type { LineTable } from '@tapeline/db/operations/capital/headers.ts';
import { CAPITAL_STATUSES } from '@tapeline/domain/capital/capital-document.ts';
import { columnsOf } from '@tapeline/domain/collections/collections.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import { type FilteredSource, fieldsWith, readFilteredList } from '../../components/filters/filtered-list.ts';
import { skipOf } from '../../components/page/skip.ts';
import { readScreen } from '../../http/screen.server.ts';
import { HEADER_SORT } from './header-rows.ts';
import { ownCalls, ownDistributions } from './own-documents.server.ts';
import { OWN_PER_PAGE } from './own-documents.tsx';

const shared = {
  sort: HEADER_SORT,
  finds: ['callNumber', 'fundTitle'],
  fields: fieldsWith({ status: [...CAPITAL_STATUSES, 'Upcoming', 'Several'] }),
};

export const HEADER_LISTS: Readonly<Record<LineTable, FilteredSource>> = {
  contributions: {
    ...shared,
    table: CALL_HEADERS,
    columns: columnsOf('contributions'),
    totals: ['amount'],
    load: listCallHeaders,
  },
  distributions: {
    ...shared,
    table: DISTRIBUTION_HEADERS,
    columns: columnsOf('distributions'),
    totals: ['principal', 'amount'],
    load: listDistributionHeaders,
  },
};

/** An investor's own, and the day by which they are sorted, the latest first. */
const OWN = {
  contributions: { list: ownCalls, latest: 'dueDate' },
  distributions: { list: ownDistributions, latest: 'cutOffDate' },
} as const;

/** The loader of the list of calls or distributions: of those of the manager, or of an investor's own. */
export const readHeaderList = (table: LineTable) =>
  readScreen(`${table}/read`, async (screen) => {
    const { url, db, actor } = screen;
    if (actor.lpIds.length > 0) {
      const { list, latest } = OWN[table];
      const query = { sort: { [latest]: -1 }, skip: skipOf(url.searchParams), limit: OWN_PER_PAGE };
      const own = await db((session) => list(session, query));
      const withCashFlows = seesActivity(actor);
      return { own, withCashFlows, found: null, mayWrite: false };
    }
    const found = await readFilteredList(screen, HEADER_LISTS[table]);
    return { own: null, withCashFlows: false, mayWrite: can(actor, `${table}/write`), found };
  });
