import { collectionOf } from '@tapeline/domain/collections/collections.ts';
import { COLLECTION_OF_GRID, type GridId } from '@tapeline/domain/grid-views/grid-view.schema.ts';
import { paths } from '../../paths.ts';

/** Where each grid is. A tape's assets are on the page of each tape. */
const ADDRESSES = {
  ...Object.fromEntries(
    Object.entries(COLLECTION_OF_GRID).map(([grid, name]) => [grid, collectionOf(name)?.list ?? paths.home()]),
  ),
  'tape-assets': paths.tapes(),
} as Readonly<Record<GridId, string>>;
const TAPE = /^\/monitoring\/tapes\/[0-9a-f]{24}$/;

/** The grid of a page; null for a page without one. */
export function gridAt(url: URL): GridId | null {
  if (TAPE.test(url.pathname)) return url.searchParams.get('view') === 'assets' ? 'tape-assets' : null;
  for (const [grid, path] of Object.entries(ADDRESSES)) {
    if (path === url.pathname && grid !== 'tape-assets') return grid as GridId;
  }
  return null;
}

/** Whether the address asks for nothing, so that the user's default view applies. */
export const isPlainAddress = (url: URL): boolean =>
  url.search === '' || (TAPE.test(url.pathname) && url.search === '?view=assets');

/** The parameter that names the view that is shown. */
export const SHOWN_VIEW = 'grid';

/**
 * The address of a view on the page of its grid.
 * @param here the page, if it is one of the grid
 */
export function addressOfView(view: { id: string; grid: GridId; search: string }, here: URL | null): string {
  const search = new URLSearchParams(view.search);
  search.set(SHOWN_VIEW, view.id);
  if (here && gridAt(here) === view.grid && TAPE.test(here.pathname)) search.set('view', 'assets');
  const path = here && gridAt(here) === view.grid ? here.pathname : ADDRESSES[view.grid];
  return `${path}?${search}`;
}

/** The address of the grid without any view, also without the default. */
export function addressOfAll(here: URL): string {
  const search = new URLSearchParams({ [SHOWN_VIEW]: 'all' });
  if (TAPE.test(here.pathname)) search.set('view', 'assets');
  return `${here.pathname}?${search}`;
}
