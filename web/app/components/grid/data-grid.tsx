import { Form, useLocation, useNavigation, useSearchParams } from '@remix-run/react';
import { Columns3 } from 'lucide-react';
import { type CSSProperties, lazy, Suspense, useEffect, useState } from 'react';
import { paths } from '../../paths.ts';
import { classNames } from '../class-names.ts';
import { Money } from '../figures/figures.tsx';
import { formatFigure, formatTotal } from '../figures/format.ts';
import { Button, LinkButton } from '../forms/button.tsx';
import { DROP_DOWN, DROP_DOWN_PANEL } from '../overlays/drop-down.ts';
import { StatusChip } from '../page/chip.tsx';
import { EmptyState } from '../page/empty-state.tsx';
import { Pagination } from '../page/pagination.tsx';
import { Panel } from '../page/section.tsx';
import { TableSkeleton } from '../page/skeleton.tsx';
import { DataTable } from '../tables/data-table.tsx';
import { useHydrated } from '../use-hydrated.ts';
import type { GridRow } from './arrow-page.ts';
import type { GridSource } from './data-grid.client.tsx';
import { FIRST_ROWS, type GridColumn, type GridSort, isRightAligned, readSort } from './grid-columns.ts';
import { GRID_FORMATS, isExported, MAX_SELECTED } from './grid-export.ts';
import { writeCell } from './grid-values.ts';
import { ViewMenu } from './view-menu.tsx';

/** The height of a row and of the header, as in the grid's theme. */
const ROW_PX = 32;
const LEAST_ROWS = 4;
const SCROLL_BAR_PX = 18;

const Script = lazy(() => import('./data-grid.client.tsx').then((module) => ({ default: module.DataGridScript })));

/** The columns that an address names; null if it names none that exist. */
function columnsOfAddress(text: string | null, columns: readonly GridColumn[]): ReadonlySet<string> | null {
  const named = new Set((text ?? '').split(','));
  const known = columns.filter(({ path }) => named.has(path)).map(({ path }) => path);
  return known.length > 0 ? new Set(known) : null;
}

/** The columns of the address, such as those of a saved view, or else those that the person has chosen in this browser. */
function useChosenColumns(id: string, columns: readonly GridColumn[]) {
  const key = `tapeline-columns/${id}`;
  const [search, setSearch] = useSearchParams();
  const named = columnsOfAddress(search.get('columns'), columns);
  const usual = columns.filter((column) => column.shown).map((column) => column.path);
  const [held, setHeld] = useState<ReadonlySet<string>>(() => new Set(usual));
  useEffect(() => {
    try {
      const kept: unknown = JSON.parse(localStorage.getItem(key) ?? 'null');
      if (Array.isArray(kept)) setHeld(new Set(kept.filter((path) => typeof path === 'string')));
    } catch {
      // Ignore an unreadable value, as if no columns had been chosen.
    }
  }, [key]);
  const chosen = named ?? held;
  const choose = (path: string, isShown: boolean) => {
    const next = new Set(chosen);
    if (isShown) next.add(path);
    else next.delete(path);
    if (named) {
      const after = new URLSearchParams(search);
      after.set('columns', [...next].join(','));
      setSearch(after, { preventScrollReset: true, replace: true });
      return;
    }
    setHeld(next);
    localStorage.setItem(key, JSON.stringify([...next]));
  };
  const inOrder = columns.filter(({ path }) => chosen.has(path)).map(({ path }) => path);
  return { chosen, choose, unusual: inOrder.join() === usual.join() ? null : inOrder };
}

function ColumnChooser({
  id,
  columns,
  chosen,
  choose,
}: {
  id: string;
  columns: readonly GridColumn[];
  chosen: ReadonlySet<string>;
  choose: (path: string, isShown: boolean) => void;
}) {
  return (
    <details className={classNames('needs-script', DROP_DOWN)}>
      <summary className="flex h-[26px] max-sm:h-10 items-center gap-1.5 rounded-full border border-line-strong px-2.5 text-xs hover:bg-hover">
        <Columns3 aria-hidden="true" size={13} strokeWidth={1.75} /> Columns
      </summary>
      <fieldset className={classNames(DROP_DOWN_PANEL, 'right-0 max-h-80 w-64 overflow-y-auto p-2')}>
        <legend className="sr-only">Visible columns</legend>
        {columns.map((column) => (
          <label
            key={column.path}
            htmlFor={`${id}-${column.path}`}
            className="flex h-8 max-sm:h-10 items-center gap-2 rounded-md px-2 text-sm hover:bg-hover"
          >
            <input
              id={`${id}-${column.path}`}
              type="checkbox"
              className="size-4 accent-accent"
              checked={chosen.has(column.path)}
              onChange={(event) => choose(column.path, event.target.checked)}
            />
            {column.label}
          </label>
        ))}
      </fieldset>
    </details>
  );
}

/** A form that takes the chosen rows to another screen: `?<name>=<id>` for each. */
export interface RowChoice {
  to: string;
  name: string;
  /** The most rows that the screen takes. */
  most: number;
  /** The button's label, by the number of chosen rows. Without scripts, the number is not known and is zero. */
  label: (chosen: number) => string;
  /** How a row's checkbox is called: "Select Mara Holt". */
  rowLabel: (row: GridRow) => string;
}

/** The name of the selected rows in the addresses of forms, unless the grid's own form names them otherwise. */
const ROW_ID = 'id';

/** What can be done with the selected rows: a file of them, and the grid's own form. One form, so it works unscripted. */
function ChosenRows({
  id,
  grid,
  choice,
  chosen,
  columns,
  sort,
}: {
  id: string;
  grid: string;
  choice: RowChoice | undefined;
  chosen: readonly string[];
  columns: readonly string[];
  sort: GridSort;
}) {
  const hydrated = useHydrated();
  const hasFile = isExported(grid);
  const most = Math.min(hasFile ? MAX_SELECTED : Number.POSITIVE_INFINITY, choice?.most ?? Number.POSITIVE_INFINITY);
  const isTooMany = chosen.length > most;
  const fileOf = (format: string): string => {
    const search = new URLSearchParams(chosen.slice(0, MAX_SELECTED).map((one) => [ROW_ID, one]));
    search.set('format', format);
    search.set('columns', columns.join(','));
    if (Object.keys(sort).length > 0) search.set('sort', JSON.stringify(sort));
    return `${paths.gridExport(grid)}?${search}`;
  };
  // Nothing to do yet, where the number is known.
  const hidesFile = hydrated && (chosen.length === 0 || isTooMany);
  return (
    <Form
      method="get"
      action={choice?.to ?? paths.gridExport(grid)}
      id={id}
      className="flex flex-wrap items-center gap-2"
      reloadDocument={!choice}
    >
      {chosen.map((one) => (
        <input key={one} type="hidden" name={choice?.name ?? ROW_ID} value={one} />
      ))}
      {choice ? (
        <Button type="submit" disabled={isTooMany}>
          {choice.label(chosen.length)}
        </Button>
      ) : null}
      {hasFile && !choice && !hidesFile ? (
        <>
          <input type="hidden" name="columns" value={columns.join(',')} />
          {Object.keys(sort).length > 0 ? <input type="hidden" name="sort" value={JSON.stringify(sort)} /> : null}
          {Object.entries(GRID_FORMATS).map(([format, label]) =>
            hydrated ? (
              <LinkButton key={format} external to={fileOf(format)}>
                Export {formatFigure(chosen.length)} to {label}
              </LinkButton>
            ) : (
              <Button key={format} type="submit" name="format" value={format}>
                Export selected to {label}
              </Button>
            ),
          )}
        </>
      ) : null}
      <span role="status" className="text-xs text-danger">
        {isTooMany ? `Select at most ${most} at once.` : ''}
      </span>
    </Form>
  );
}

/** The totals of all filtered rows, a line for each column and an amount for each currency. */
function Totals({
  totals,
  columns,
  noun,
}: {
  totals: readonly GridTotal[];
  columns: readonly GridColumn[];
  noun: string;
}) {
  const shown = columns.flatMap(({ path, label }) => {
    const amounts = totals.filter((total) => total.path === path);
    return amounts.length > 0 ? [{ path, label, amounts }] : [];
  });
  if (shown.length === 0) return null;
  return (
    <dl
      aria-label={`Totals of all ${noun} found`}
      className="figures flex flex-wrap gap-x-8 gap-y-1.5 border-t border-line bg-canvas px-3 py-2 text-xs"
    >
      {shown.map(({ path, label, amounts }) => (
        <div key={path} className="flex flex-wrap items-baseline gap-x-2">
          <dt className="text-ink-3">{/^total\b/i.test(label) ? label : `Total ${label.toLowerCase()}`}</dt>
          {amounts.map(({ currency, sum }) => (
            <dd key={currency} className="font-semibold">
              <Money value={{ sum, currency }} withCurrency />
            </dd>
          ))}
        </div>
      ))}
    </dl>
  );
}

/** The sum of a column over all rows that the filter finds, in one currency. */
export interface GridTotal {
  readonly path: string;
  readonly currency: string;
  readonly sum: string;
}

/**
 * A long list. The loader reads the first rows (`skip`, `limit` FIRST_ROWS, `sort` and `filter` of the address) through
 * the same operation that the REST list uses. Without JavaScript, these rows are shown with pagination. With
 * JavaScript, the grid takes over and reads the rest itself.
 * @param id identifies the grid in this browser's saved settings
 * @param tools filter chips and similar controls, on the left of the toolbar
 * @param rowTo the address that a row links to
 * @param choice a form for the selected rows in place of their export
 * @param totals of all rows that the filter finds, shown under the grid
 */
export function DataGrid({
  id,
  source,
  columns,
  rows,
  total,
  filter,
  tools,
  summary,
  rowTo,
  choice,
  totals = [],
  defaultSort = {},
  heightPx = 560,
  noun,
  empty,
}: {
  id: string;
  source: GridSource;
  columns: readonly GridColumn[];
  rows: readonly GridRow[];
  total: number;
  /** The filter's JSON text as used by the loader. Null if there is no filter. */
  filter: string | null;
  tools?: React.ReactNode;
  /** Shown after the count: the number of all rows, and totals. */
  summary?: React.ReactNode;
  rowTo?: (row: GridRow) => string;
  choice?: RowChoice | undefined;
  totals?: readonly GridTotal[];
  /** The order if the address has none. The loader must use the same. */
  defaultSort?: GridSort;
  heightPx?: number;
  /** Several of its rows: "draws". */
  noun: string;
  /** What to do if there are no rows. */
  empty: React.ReactNode;
}) {
  // Short lists take the place of their rows, and of the scroll bar of wide ones.
  const fittedPx = Math.min(heightPx, ROW_PX * (Math.max(total, LEAST_ROWS) + 1) + SCROLL_BAR_PX);
  const isHydrated = useHydrated();
  const [search, setSearch] = useSearchParams();
  const here = useLocation().pathname;
  const awaited = useNavigation().location;
  const { chosen, choose, unusual } = useChosenColumns(id, columns);
  const [count, setCount] = useState(total);
  const [chosenRows, setChosenRows] = useState<readonly string[]>([]);
  const choiceId = `${id}-choice`;
  const isSelectable = choice !== undefined || isExported(id);
  const rowLabel =
    choice?.rowLabel ??
    ((row: GridRow) => `Select ${columns.map(({ path }) => row[path]).find((value) => value) ?? row.id}`);
  useEffect(() => setCount(total), [total]);
  const chosenSort = readSort(search.get('sort'), columns);
  const sort = Object.keys(chosenSort).length > 0 ? chosenSort : defaultSort;
  const keepSort = (next: GridSort) =>
    setSearch(
      (before) => {
        // Keep a filter whose navigation is still pending.
        const after = new URLSearchParams(awaited?.pathname === here ? awaited.search : before);
        after.delete('skip');
        if (Object.keys(next).length > 0) after.set('sort', JSON.stringify(next));
        else after.delete('sort');
        return after;
      },
      { preventScrollReset: true, replace: true },
    );
  const table = (
    <>
      <DataTable<GridRow>
        caption={`First ${noun}`}
        rows={rows}
        rowKey={(row) => String(row.id ?? row.row)}
        rowTo={rowTo}
        columns={[
          ...(isSelectable
            ? [
                {
                  head: 'Select',
                  control: true,
                  cell: (row: GridRow) => (
                    <input
                      type="checkbox"
                      form={choiceId}
                      name={choice?.name ?? ROW_ID}
                      value={String(row.id)}
                      aria-label={rowLabel(row)}
                      className="block size-4 accent-accent"
                    />
                  ),
                },
              ]
            : []),
          ...columns
            .filter((column) => (search.has('columns') ? chosen.has(column.path) : column.shown))
            .map((column) => ({
              head: column.label,
              numeric: isRightAligned(column),
              cell: (row: GridRow) =>
                column.kind === 'status' && typeof row[column.path] === 'string' ? (
                  <StatusChip status={String(row[column.path])} />
                ) : (
                  <span
                    className={classNames(
                      row[column.path] === null && 'text-ink-3',
                      column.kind === 'code' && 'font-mono text-xs',
                    )}
                  >
                    {writeCell(row[column.path], column)}
                  </span>
                ),
            })),
        ]}
      />
      <Pagination total={total} limit={FIRST_ROWS} noun={noun} />
    </>
  );
  // Has the same height as the grid that replaces it, to avoid a layout shift. Without JavaScript, the whole page of
  // rows is visible.
  const windowed = (
    <div className="scripted-window" style={{ '--window-height': `${fittedPx}px` } as CSSProperties}>
      {table}
    </div>
  );
  return (
    <Panel className="overflow-visible">
      <div className="flex flex-wrap items-center gap-2 border-b border-line px-3 py-2 text-sm">
        {tools}
        {isSelectable && total > 0 ? (
          <ChosenRows
            id={choiceId}
            grid={id}
            choice={choice}
            chosen={chosenRows}
            columns={columns.filter(({ path }) => chosen.has(path)).map(({ path }) => path)}
            sort={sort}
          />
        ) : null}
        <span className="figures ml-auto text-xs text-ink-3">
          {summary ? formatFigure(count) : formatTotal(count, noun)}
          {summary}
        </span>
        <ViewMenu grid={id} columns={unusual} />
        <ColumnChooser id={id} columns={columns} chosen={chosen} choose={choose} />
      </div>
      {total === 0 ? (
        <EmptyState title={`No ${noun} found`}>{empty}</EmptyState>
      ) : isHydrated ? (
        <Suspense fallback={rows.length > 0 ? windowed : <TableSkeleton rows={Math.floor(fittedPx / ROW_PX)} />}>
          <Script
            source={source}
            columns={columns}
            first={rows}
            total={total}
            shown={chosen}
            sort={sort}
            filter={filter}
            heightPx={fittedPx}
            onSort={keepSort}
            onCount={setCount}
            onChoose={isSelectable ? setChosenRows : undefined}
            rowTo={rowTo}
          />
        </Suspense>
      ) : (
        windowed
      )}
      <Totals totals={totals} columns={columns} noun={noun} />
    </Panel>
  );
}
