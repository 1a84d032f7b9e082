import type { PrintedBlock, PrintedColumn, PrintedRow } from './printed-document.ts';

type Table = Extract<PrintedBlock, { kind: 'table' }>;

/** A column of a table, with what it shows of each item, and of all of them together. */
export interface TableColumn<Item> extends PrintedColumn {
  readonly cell: (item: Item) => string;
  readonly total?: string | undefined;
}

/** A column of texts. @param width relative to the other columns */
export const texts = <Item>(
  head: string,
  width: number,
  cell: (item: Item) => string,
  total?: string,
): TableColumn<Item> => ({ head, width, cell, total });

/** A column of figures. @param width relative to the other columns */
export const figures = <Item>(
  head: string,
  width: number,
  cell: (item: Item) => string,
  total?: string,
): TableColumn<Item> => ({ head, width, isNumeric: true, cell, total });

interface TableOf<Item> extends Omit<Table, 'kind' | 'columns' | 'rows' | 'total'> {
  readonly columns: readonly TableColumn<Item>[];
  /** How the row of an item looks. */
  readonly looks?: (item: Item) => Omit<PrintedRow, 'cells'>;
}

/** A table with a row for each item, and with totals below if one of its columns has a total. */
export function tableOf<Item>(items: readonly Item[], { columns, looks, ...table }: TableOf<Item>): Table {
  return {
    kind: 'table',
    ...table,
    columns: columns.map(({ cell: _, total: __, ...column }) => column),
    rows: items.map((item) => ({ cells: columns.map(({ cell }) => cell(item)), ...looks?.(item) })),
    ...(columns.some(({ total }) => total !== undefined) ? { total: columns.map(({ total = '' }) => total) } : {}),
  };
}
