import { Link, useSearchParams } from '@remix-run/react';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { classNames } from '../class-names.ts';
import { formatFigure } from '../figures/format.ts';
import { StatusChip } from '../page/chip.tsx';
import { DataTable, type RowGroup } from '../tables/data-table.tsx';
import type { CardPlace } from '../tables/table-columns.tsx';
import type { GridRow } from './arrow-page.ts';
import { type GridColumn, type GridSort, isRightAligned } from './grid-columns.ts';
import { writeCell } from './grid-values.ts';

/** The header of a column, which sorts the list by it: first upwards, then downwards. */
function SortLink({ column, sort }: { column: GridColumn; sort: GridSort }) {
  const [search] = useSearchParams();
  const way = sort[column.path];
  const next = new URLSearchParams(search);
  next.delete('skip');
  next.set('sort', JSON.stringify({ [column.path]: way === 1 ? -1 : 1 }));
  const Arrow = way === -1 ? ArrowDown : ArrowUp;
  return (
    <Link
      to={`?${next}`}
      preventScrollReset
      replace
      className="group/sort inline-flex items-center gap-1 rounded-sm hover:text-ink"
    >
      {column.label}
      {way ? <Arrow aria-hidden="true" size={12} strokeWidth={2} className="flex-none text-ink-2" /> : null}
    </Link>
  );
}

const DUE = 'dueDate';

/** What the rows of one part of a list have in common. */
export interface RowPart {
  readonly title: string;
  readonly has: (row: GridRow) => boolean;
}

/** The rows of each part in their order, part by part, and the line above each part. */
function inParts(rows: readonly GridRow[], parts: readonly RowPart[]) {
  const found = parts.map(({ title, has }) => ({ title, rows: rows.filter(has) }));
  const groups = new Map<GridRow, RowGroup>();
  for (const { title, rows: own } of found) {
    const line = (
      <>
        <b className="font-medium">{title}</b> <span className="text-ink-3">{formatFigure(own.length)}</span>
      </>
    );
    for (const row of own) groups.set(row, { key: title, title: line, isOpen: true, titlesOne: true });
  }
  return { rows: found.flatMap((part) => part.rows), groupOf: (row: GridRow) => groups.get(row) ?? null };
}

/** Where the columns are on the card of a row on a phone: name and amount, then date and state. */
function cardPlaces(columns: readonly GridColumn[]): ReadonlyMap<string, CardPlace> {
  const places = new Map<string, CardPlace>();
  const take = (place: CardPlace, fits: (column: GridColumn) => boolean): void => {
    const found = columns.find((column) => !places.has(column.path) && fits(column));
    if (found) places.set(found.path, place);
  };
  const isText = ({ kind }: GridColumn) => !['number', 'decimal', 'date', 'boolean', 'status'].includes(kind);
  take('name', isText);
  if (places.size === 0) take('name', () => true);
  take('amount', ({ kind }) => kind === 'decimal');
  take('state', ({ kind }) => kind === 'status');
  const isTaken = (place: CardPlace) => [...places.values()].includes(place);
  // What is due is asked for first.
  take('date', ({ path }) => path === DUE);
  if (!isTaken('date')) take('date', ({ kind }) => kind === 'date');
  // What a list lacks leaves its place to what it has.
  if (!isTaken('date')) take('date', isText);
  if (!isTaken('amount')) take('amount', ({ kind }) => kind === 'number');
  if (!isTaken('state')) take('state', isText);
  return places;
}

/** The currency of an amount whose column does not name it: `amount.currency` beside `amount.sum`. */
const currencyOf = (row: GridRow, path: string): string | null => {
  const currency = row[path.replace(/(^|\.)[^.]*$/, '$1currency')];
  return typeof currency === 'string' ? currency : null;
};

/**
 * The rows of a list as a table, whose order is in the address. On a phone, each row is a card of two lines.
 * @param parts of the list, each under a line with its title; every row is in one of them
 * @param selection the checkbox of each row, which belongs to the form of what can be done with them
 */
export function ListTable({
  caption,
  columns,
  rows,
  sort,
  rowTo,
  parts,
  selection,
}: {
  caption: string;
  columns: readonly GridColumn[];
  rows: readonly GridRow[];
  sort: GridSort;
  rowTo?: ((row: GridRow) => string) | undefined;
  parts?: readonly RowPart[] | undefined;
  selection?:
    | {
        readonly form: string;
        readonly name: string;
        readonly label: (row: GridRow) => string;
        /** Null before the scripts have loaded: the browser keeps what is checked. */
        readonly chosen: readonly string[] | null;
        readonly onChoose: (id: string, isChosen: boolean) => void;
      }
    | undefined;
}) {
  const places = cardPlaces(columns);
  const number = columns.find(({ path }) => path === 'code' && !places.has(path));
  return (
    <DataTable<GridRow>
      caption={caption}
      narrow="cards"
      {...(parts ? inParts(rows, parts) : { rows })}
      rowKey={(row) => String(row.id ?? row.row)}
      rowTo={rowTo}
      columns={[
        ...(selection
          ? [
              {
                head: <span className="sr-only">Select</span>,
                control: true,
                card: 'control' as const,
                cell: (row: GridRow) => (
                  <input
                    type="checkbox"
                    form={selection.form}
                    // Once the scripts have loaded, the form has the chosen rows of all pages itself.
                    name={selection.chosen ? undefined : selection.name}
                    value={String(row.id)}
                    aria-label={selection.label(row)}
                    className="block size-4 accent-accent max-sm:size-5"
                    {...(selection.chosen ? { checked: selection.chosen.includes(String(row.id)) } : {})}
                    onChange={(event) => selection.onChoose(String(row.id), event.target.checked)}
                  />
                ),
              },
            ]
          : []),
        ...columns.map((column) => ({
          head: column.sortable === false ? column.label : <SortLink column={column} sort={sort} />,
          sorted:
            sort[column.path] === 1
              ? ('ascending' as const)
              : sort[column.path] === -1
                ? ('descending' as const)
                : undefined,
          card: places.get(column.path) ?? null,
          numeric: isRightAligned(column),
          wraps: !isRightAligned(column) && !['date', 'status'].includes(column.kind),
          cell: (row: GridRow) => {
            const value = row[column.path];
            if (column.kind === 'status' && typeof value === 'string') return <StatusChip status={value} />;
            const currency =
              places.get(column.path) === 'amount' && value !== null ? currencyOf(row, column.path) : null;
            return (
              <span
                className={classNames(
                  value === null && 'text-ink-3',
                  isRightAligned(column) && String(value ?? '').startsWith('-') && 'text-danger',
                  column.kind === 'code' && 'font-mono text-xs',
                )}
              >
                {places.get(column.path) === 'date' ? (
                  <span className="sm:hidden">
                    {number ? `${number.label} ${writeCell(row[number.path] ?? null, number)} · ` : null}
                    {column.path === DUE ? 'due ' : null}
                  </span>
                ) : null}
                {writeCell(value, column)}
                {currency ? <span className="text-2xs text-ink-3 sm:hidden"> {currency}</span> : null}
              </span>
            );
          },
        })),
      ]}
    />
  );
}
