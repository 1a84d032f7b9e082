import { Link } from '@remix-run/react';
import { ChevronRight } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { classNames } from '../class-names.ts';
import { Panel, Section } from '../page/section.tsx';
import { type CardPlace, type Column, type DrawnColumn, drawnColumn } from './table-columns.tsx';

export type { Column } from './table-columns.tsx';

/** What tells rows apart: their ids, if they have them. */
type RowKey<Row> = { rowKey?: (row: Row) => string } & (Row extends { id: string } ? unknown : { rowKey: unknown });

const idOf = (row: unknown): string => (row as { id: string }).id;

interface Table<Row> {
  rows: readonly Row[];
  columns: readonly Column<Row>[];
  caption: string;
  rowTo?: (row: Row) => string | null;
  isShown?: (row: Row) => boolean;
  empty?: ReactNode;
  narrow?: 'list' | 'cards' | 'scroll';
  groupOf?: (row: Row) => RowGroup | null;
}

/** What rows that follow one another have in common. */
export interface RowGroup {
  readonly key: string;
  /** What the line above the rows says. */
  readonly title: ReactNode;
  /** Whether its rows are shown before somebody opens it. */
  readonly isOpen: boolean;
  /** Whether a single row has the line too. */
  readonly titlesOne?: boolean;
}

/** Rows with the group that they are in. Those of no group, or alone in one, are together until the next group. */
function inGroups<Row>(
  rows: readonly Row[],
  groupOf: ((row: Row) => RowGroup | null) | undefined,
): { group: RowGroup | null; rows: Row[] }[] {
  const runs: { group: RowGroup | null; rows: Row[] }[] = [];
  for (const row of rows) {
    const group = groupOf?.(row) ?? null;
    const last = runs.at(-1);
    if (last && last.group?.key === group?.key) last.rows.push(row);
    else runs.push({ group, rows: [row] });
  }
  return runs.map((run) => (run.rows.length === 1 && !run.group?.titlesOne ? { ...run, group: null } : run));
}

/** The cells of a card. Its control is before both lines. */
const CARD_CELLS: Readonly<Record<CardPlace, string>> = {
  control: 'max-sm:row-span-2 max-sm:self-center',
  name: 'max-sm:row-start-1 max-sm:col-start-2 max-sm:truncate max-sm:font-medium',
  amount: 'max-sm:row-start-1 max-sm:col-start-3 max-sm:text-right max-sm:font-medium',
  date: 'max-sm:row-start-2 max-sm:col-start-2 max-sm:text-left max-sm:text-xs max-sm:text-ink-3',
  state: 'max-sm:row-start-2 max-sm:col-start-3 max-sm:text-right max-sm:text-xs',
};

/**
 * A semantic table of up to a few hundred rows. Longer lists use a grid.
 * @param narrow the layout under 640 px: rows as a list with each figure under its header, so that everything is
 *   visible (lists of items); rows as cards of two lines (`card` of the columns); or a table that scrolls sideways inside its panel with a sticky first column (figures to
 *   compare within a column)
 * @param caption what the table lists, for screen readers
 * @param rowTo where a row leads; its first cell that is no control becomes the link
 * @param isShown the row whose details are shown next to the table; it is marked, and choosing another row keeps the
 *   scroll position
 * @param empty shown instead of the rows if there are none
 * @param groupOf puts rows that follow one another and have the same key under a line that opens and closes them; a single
 *   row stays as it is, unless its group has a title for one. Without JavaScript, all are open
 */
export function DataTable<Row>({
  rows,
  columns: written,
  rowKey = idOf,
  caption,
  rowTo,
  isShown,
  empty,
  narrow = 'scroll',
  groupOf,
}: Table<Row> & RowKey<Row>) {
  // What a person has opened or closed, by the key of the group.
  const [switched, setSwitched] = useState<Readonly<Record<string, boolean>>>({});
  if (rows.length === 0 && empty) return <>{empty}</>;
  const columns = written.map((column, index) => ({ ...drawnColumn(column), key: String(index) }));
  const hasTotals = columns.some((column) => column.total !== undefined);
  const isList = narrow === 'list';
  const isCards = narrow === 'cards';
  const isScrolled = narrow === 'scroll';
  const linkAt = columns.findIndex((column) => !column.control);
  const cellClass = (column: DrawnColumn<Row>, index: number, isHead = false) =>
    classNames(
      'h-8 px-3 py-1 max-[1440px]:px-2',
      // Text takes several lines before the table scrolls. A figure or a date never does.
      column.wraps
        ? 'min-w-20 break-words'
        : (column.numeric || column.oneLine || column.control) && !isHead
          ? 'whitespace-nowrap'
          : isScrolled && index !== linkAt && 'max-sm:whitespace-nowrap',
      isScrolled && 'max-sm:px-2.5',
      column.numeric && 'figures text-right',
      column.isShown && 'bg-selected',
      column.wideOnly && 'max-sm:hidden',
      isList && 'max-sm:h-auto max-sm:min-w-0 max-sm:p-0 max-sm:text-left max-sm:break-words max-sm:whitespace-normal',
      isList && !column.wideOnly && 'max-sm:block',
      isList && index === 0 && 'max-sm:col-span-2 max-sm:font-medium',
      isCards && (column.card ? `max-sm:block max-sm:h-auto max-sm:p-0 ${CARD_CELLS[column.card]}` : 'max-sm:hidden'),
      isScrolled && index === linkAt && 'max-sm:sticky max-sm:left-0 max-sm:z-[1] max-sm:max-w-44 max-sm:min-w-24',
    );
  const rowClass = isList
    ? 'max-sm:grid max-sm:grid-cols-2 max-sm:gap-x-4 max-sm:gap-y-1.5 max-sm:px-3 max-sm:py-2.5'
    : isCards
      ? classNames(
          'max-sm:grid max-sm:grid-cols-[auto_minmax(0,1fr)_auto] max-sm:gap-x-3 max-sm:gap-y-0.5 max-sm:px-3.5 max-sm:py-2.5',
          // Without a control, its column is empty, and its gap is the padding.
          columns.every(({ card }) => card !== 'control') && 'max-sm:pl-0.5',
        )
      : '';
  const isBlock = isList || isCards;
  /** Repeats the header inside the cell, because the list layout has no header row. */
  const headInCell = (column: DrawnColumn<Row>, index: number) =>
    isList && index > 0 ? (
      <span aria-hidden="true" className="block text-2xs text-ink-3 sm:hidden">
        {column.head}
      </span>
    ) : null;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
    <section className="relative overflow-x-auto" aria-label={`${caption}, scrolls horizontally`} tabIndex={0}>
      <table className={classNames('w-full border-collapse text-sm', isBlock && 'max-sm:block')}>
        <caption className="sr-only">{caption}</caption>
        <thead className={isBlock ? 'max-sm:sr-only' : undefined}>
          <tr className="border-b border-line">
            {columns.map((column, index) => (
              <th
                key={column.key}
                scope="col"
                aria-sort={column.sorted}
                className={classNames(
                  cellClass(column, index, true),
                  'text-xs font-medium text-ink-3 max-sm:bg-paper',
                  !column.numeric && 'text-left',
                )}
              >
                {column.head}
              </th>
            ))}
          </tr>
        </thead>
        {inGroups(rows, groupOf).map(({ group, rows: grouped }, at) => {
          const isOpen = group === null || (switched[group.key] ?? group.isOpen);
          return (
            <tbody
              key={group?.key ?? String(at)}
              className={classNames('border-b border-line last:border-b-0', isBlock && 'max-sm:block')}
            >
              {group ? (
                <tr className={classNames('border-b border-line bg-canvas', isBlock && 'max-sm:block')}>
                  <th
                    scope="rowgroup"
                    colSpan={columns.length}
                    className={classNames('px-3 py-1 text-left font-normal', isBlock && 'max-sm:block')}
                  >
                    <button
                      type="button"
                      aria-expanded={isOpen}
                      onClick={() => setSwitched((before) => ({ ...before, [group.key]: !isOpen }))}
                      className="flex w-full items-center gap-1.5 rounded-sm py-0.5 text-left max-sm:min-h-10"
                    >
                      <ChevronRight
                        aria-hidden="true"
                        size={14}
                        className={classNames('flex-none text-ink-3', isOpen && 'rotate-90')}
                      />
                      {group.title}
                    </button>
                  </th>
                </tr>
              ) : null}
              {grouped.map((row) => {
                const to = rowTo?.(row) ?? null;
                const shown = isShown?.(row) ?? false;
                return (
                  <tr
                    key={rowKey(row)}
                    data-closed={isOpen ? undefined : ''}
                    className={classNames(
                      'group border-b border-line last:border-b-0',
                      to && 'relative hover:bg-hover',
                      to && isScrolled && 'max-sm:h-10',
                      shown && 'bg-selected hover:bg-selected',
                      rowClass,
                    )}
                  >
                    {columns.map((column, index) => (
                      <td
                        key={column.key}
                        className={classNames(
                          cellClass(column, index),
                          column.quiet && 'text-ink-3',
                          // Above the link, which covers the row.
                          column.control && 'relative z-[1]',
                          // Content that scrolls under the first column must not show through it.
                          isScrolled &&
                            index === linkAt &&
                            (shown ? 'max-sm:bg-selected' : 'max-sm:bg-paper max-sm:group-hover:bg-hover'),
                        )}
                      >
                        {headInCell(column, index)}
                        {index === linkAt && to ? (
                          <Link
                            to={to}
                            prefetch="intent"
                            preventScrollReset={isShown !== undefined}
                            aria-current={shown ? 'true' : undefined}
                            className="after:absolute after:inset-0 hover:text-accent"
                          >
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
          );
        })}
        {hasTotals ? (
          <tfoot className={isBlock ? 'max-sm:block' : undefined}>
            <tr className={classNames('border-t border-line bg-canvas font-semibold', rowClass)}>
              {columns.map((column, index) => (
                <td
                  key={column.key}
                  className={classNames(cellClass(column, index), isScrolled && index === linkAt && 'max-sm:bg-canvas')}
                >
                  {column.total ? headInCell(column, index) : null}
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

/**
 * A part of a page that is a table.
 * @param caption what the table lists, if the title alone does not say it
 * @param below what belongs to the table, under it in the same panel: its pagination, or a link to all rows
 * @param children under the panel: a note, or a button
 */
export function TableSection<Row>({
  title,
  note,
  more,
  below,
  children,
  caption = title,
  ...table
}: Omit<Table<Row>, 'caption'> & {
  title: string;
  caption?: string;
  note?: ReactNode;
  more?: ReactNode;
  below?: ReactNode;
  children?: ReactNode;
} & RowKey<Row>) {
  return (
    <Section title={title} note={note} more={more}>
      <Panel>
        <DataTable {...(table as unknown as Table<Row> & RowKey<Row>)} caption={caption} />
        {below}
      </Panel>
      {children}
    </Section>
  );
}
