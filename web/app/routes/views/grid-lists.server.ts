import { COLLECTIONS, callsOf, columnsOf } from '@tapeline/domain/collections/collections.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { COLLECTION_OF_GRID } from '@tapeline/domain/grid-views/grid-view.schema.ts';
import { can, type UserActor } from '@tapeline/domain/people/actor.ts';
import { endpoints } from '../../api/api.server.ts';
import { type ExportedGrid, isExported } from '../../components/grid/grid-export.ts';
import { type GridList, rowsFrom } from '../../components/grid/grid-list.ts';
import { USER_LIST } from '../admin/users/user-list.server.ts';
import { HEADER_LISTS } from '../capital/header-list.server.ts';
import { FUND_LIST } from '../funds/list/list.server.ts';
import { MAIN_FUND_LIST } from '../main-funds/main-fund-list.server.ts';
import { DRAW_LIST } from '../monitoring/draws/draw-list.server.ts';
import { REPAYMENT_LIST } from '../monitoring/repayments/repayment-list.server.ts';
import { TRANSACTION_LIST } from '../monitoring/transactions/list/list.server.ts';

/** The lists whose rows are not the documents of the list's REST call. */
const LISTS: Partial<Record<ExportedGrid, GridList>> = {
  funds: FUND_LIST,
  'main-funds': MAIN_FUND_LIST,
  'capital-calls': HEADER_LISTS.contributions,
  distributions: HEADER_LISTS.distributions,
  transactions: TRANSACTION_LIST,
  draws: DRAW_LIST,
  repayments: REPAYMENT_LIST,
  users: USER_LIST,
};

/** The list of a grid; that of its REST call if it has none of its own. */
function listOf(grid: ExportedGrid): GridList {
  const own = LISTS[grid];
  if (own) return own;
  const collection = COLLECTION_OF_GRID[grid];
  const path = callsOf(collection);
  const load = endpoints.find((endpoint) => endpoint.method === 'GET' && endpoint.path === path)?.load;
  if (!load) throw new Error(`${path} has no list`);
  return { columns: columnsOf(collection), sort: {}, load: rowsFrom(load) };
}

/** The list of the grid that an address names. @throws Refusal notFound if there is none that the actor may read */
export function listNamed(grid: string | undefined, actor: UserActor): GridList & { grid: ExportedGrid } {
  if (grid === undefined || !isExported(grid) || !can(actor, COLLECTIONS[COLLECTION_OF_GRID[grid]].read))
    throw new Refusal('notFound');
  return { ...listOf(grid), grid };
}
