import type { Column } from '@tapeline/domain/collections/collection.ts';

/** One column of a grid, with its label. */
export type GridColumn = Column & { readonly label: string };

/** Figures are aligned on their last digit. */
export const isRightAligned = (column: GridColumn) => column.kind === 'number' || column.kind === 'decimal';

/** A list of up to so many rows is a plain table. A longer one is a grid, and has pages where there is none. */
export const MAX_TABLE_ROWS = 200;

/** How many rows of a longer list the server renders, for people without JavaScript and while the grid is loading. */
export const FIRST_ROWS = 50;

/** How many rows a page of a list has without the grid. */
export const pageRows = (total: number): number => (total > MAX_TABLE_ROWS ? FIRST_ROWS : MAX_TABLE_ROWS);

/** A sort in the list query language: `{"fico":-1}`. */
export type GridSort = Record<string, 1 | -1>;

/** Reads the sort of an address. Ignores anything that does not sort a known column. */
export function readSort(text: string | null, columns: readonly GridColumn[]): GridSort {
  if (!text) return {};
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed !== 'object' || parsed === null) return {};
    const known = new Set(columns.map((column) => column.path));
    return Object.fromEntries(
      Object.entries(parsed).filter(([path, way]) => known.has(path) && (way === 1 || way === -1)),
    );
  } catch {
    return {};
  }
}

/** Builds the list's search part. Scope and filter are combined so that a filter can never widen the scope. */
export function listSearch(request: {
  scope: Record<string, unknown>;
  /** Parameters of the list in addition to its query vocabulary. */
  parameters?: Readonly<Record<string, string>>;
  filter: string | null;
  sort: GridSort;
  skip: number;
  limit: number;
}): URLSearchParams {
  const search = new URLSearchParams({
    ...request.parameters,
    skip: String(request.skip),
    limit: String(request.limit),
  });
  // The scope is at the top level, where the list finds its tape without reading the rest.
  const filter = request.filter ? { ...request.scope, $and: [JSON.parse(request.filter)] } : request.scope;
  search.set('filter', JSON.stringify(filter));
  if (Object.keys(request.sort).length > 0) search.set('sort', JSON.stringify(request.sort));
  return search;
}
