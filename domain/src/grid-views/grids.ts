import type { Column } from '../collections/collection.ts';
import {
  COLLECTIONS,
  EVERY_COLLECTION,
  type NameWith,
  titleOfCollection,
  type ValueOf,
} from '../collections/collections.ts';

type CollectionGrid = ValueOf<'grid'>;
export type GridId = CollectionGrid | 'tape-assets';

/** The collection that each grid lists. The assets of a tape are listed on the page of the tape. */
export const COLLECTION_OF_GRID = Object.fromEntries(
  EVERY_COLLECTION.flatMap(([name, { grid }]) => (grid ? [[grid, name]] : [])),
) as Readonly<Record<CollectionGrid, NameWith<{ grid: string; columns: readonly Column[] }>>>;

/** The grids whose views can be saved, with their names. */
export const GRIDS = {
  ...Object.fromEntries(
    Object.entries(COLLECTION_OF_GRID).map(([grid, name]) => [grid, titleOfCollection(COLLECTIONS[name])]),
  ),
  'tape-assets': 'Assets of a tape',
} as Readonly<Record<GridId, string>>;
export const GRID_IDS = Object.keys(GRIDS) as GridId[];

/** The parts of a grid's address that a view keeps: everything but the page and what is open next to it. */
export const VIEW_PARAMETERS = [
  'filter',
  'find',
  'sort',
  'columns',
  'status',
  'company',
  'note',
  'mainFund',
  'category',
  'country',
] as const;

/** How many views a user has of one grid, and how long the address of one is. */
export const MAX_VIEWS = 50;
export const MAX_VIEW_LETTERS = 8_000;

/** The part of an address that a view keeps, in the order of `VIEW_PARAMETERS`. */
export function viewSearch(address: URLSearchParams): string {
  const kept = new URLSearchParams();
  for (const name of VIEW_PARAMETERS) {
    const value = address.get(name);
    if (value !== null && value !== '') kept.set(name, value);
  }
  return kept.toString();
}
