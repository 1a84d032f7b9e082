import { Link } from '@remix-run/react';
import type { ReactNode } from 'react';
import { classNames } from '../class-names.ts';

export interface Column<Row> {
  /** Unique among the columns; also the React key. */
  key: string;
  /** The unit of a figure stands here, not in each cell: "Amount (USD)". */
  head: ReactNode;
  cell: (row: Row) => ReactNode;
  /** Right-aligned with tabular figures. */
  numeric?: boolean;
  /** Said quietly: what only explains. */
  quiet?: boolean;
  /** Left out under 640 px. */
  wideOnly?: boolean;
  /** The cell of the sum row. */
  total?: ReactNode;
}

/**
 * A semantic table of up to a few hundred rows (longer lists are a grid). Scrolls sideways inside its panel, never the page.
 * @param caption what the table lists, for readers of the page by ear
 * @param rowTo where a row leads; its first cell becomes the link
 * @param empty shown in place of the rows where there are none
 */
export function DataTable<Row>({
  rows,
  columns,
  rowKey,
  caption,
  rowTo,
  empty,
}: {
  rows: readonly Row[];
  columns: readonly Column<Row>[];
  rowKey: (row: Row) => string;
  caption: string;
  rowTo?: (row: Row) => string | null;
  empty?: ReactNode;
}) {
  if (rows.length === 0 && empty) return <>{empty}</>;
  const hasTotals = columns.some((column) => column.total !== undefined);
  const cellClass = (column: Column<Row>) =>
    classNames(
      'h-8 px-3 whitespace-nowrap',
      column.numeric && 'figures text-right',
      column.wideOnly && 'max-sm:hidden',
    );
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section className="relative overflow-x-auto" aria-label={`${caption}, scrolls sideways`} tabIndex={0}>
      <table className="w-full border-collapse text-sm">
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr className="border-b border-line">
            {columns.map((column) => (
              <th
                key={column.key}
                scope="col"
                className={classNames(
                  cellClass(column),
                  'text-xs font-medium text-ink-3',
                  !column.numeric && 'text-left',
                )}
              >
                {column.head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => {
            const to = rowTo?.(row) ?? null;
            return (
              <tr
                key={rowKey(row)}
                className={classNames('border-b border-line last:border-b-0', to && 'relative hover:bg-hover')}
              >
                {columns.map((column, index) => (
                  <td key={column.key} className={classNames(cellClass(column), column.quiet && 'text-ink-3')}>
                    {index === 0 && to ? (
                      <Link to={to} prefetch="intent" className="after:absolute after:inset-0 hover:text-accent">
                        {column.cell(row)}
                      </Link>
                    ) : (
                      column.cell(row)
                    )}
                  </td>
                ))}
              </tr>
            );
          })}
        </tbody>
        {hasTotals ? (
          <tfoot>
            <tr className="border-t border-line bg-canvas font-semibold">
              {columns.map((column) => (
                <td key={column.key} className={cellClass(column)}>
                  {column.total}
                </td>
              ))}
            </tr>
          </tfoot>
        ) : null}
      </table>
    </section>
  );
}
