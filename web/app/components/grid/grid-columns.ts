/** One column of the grid: a path of the list it reads, and how its values are written. */
export interface GridColumn {
  /** The list's field, also the key in the URL and in what is remembered. */
  path: string;
  /** The unit of a figure stands here: "Sum (USD)". */
  label: string;
  kind: 'text' | 'code' | 'status' | 'number' | 'decimal' | 'date' | 'boolean';
  /** Digits after the point of a decimal; two where left out. */
  digits?: number;
  /** Shown before a person has chosen. */
  shown: boolean;
  widthPx?: number;
}

/** Figures stand under each other by their last digit. */
export const isRightAligned = (column: GridColumn) => column.kind === 'number' || column.kind === 'decimal';

/** How many rows the server draws for people without JavaScript, and while the grid is fetched. */
export const FIRST_ROWS = 50;

/** Sorting as the list language writes it: `{"fico":-1}`. */
export type GridSort = Record<string, 1 | -1>;

/** The sort of an address; what is not a sort of known columns is left out. */
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

/** The list's own search part: scope and filter joined so that a filter can never widen the scope. */
export function listSearch(request: {
  scope: Record<string, unknown>;
  filter: string | null;
  sort: GridSort;
  skip: number;
  limit: number;
}): URLSearchParams {
  const search = new URLSearchParams({ skip: String(request.skip), limit: String(request.limit) });
  // The scope stands at the top, where the list finds the tape it is about without reading the rest.
  const filter = request.filter ? { ...request.scope, $and: [JSON.parse(request.filter)] } : request.scope;
  search.set('filter', JSON.stringify(filter));
  if (Object.keys(request.sort).length > 0) search.set('sort', JSON.stringify(request.sort));
  return search;
}
