import { useLocation, useNavigation, useSearchParams } from '@remix-run/react';
import { type CSSProperties, lazy, type ReactNode, Suspense, useEffect, useState, useSyncExternalStore } from 'react';
import { formatFigure, formatTotal } from '../figures/format.ts';
import { EmptyState } from '../page/empty-state.tsx';
import { listTools } from '../page/list-tools.ts';
import { Pagination } from '../page/pagination.tsx';
import { Panel } from '../page/section.tsx';
import { useHydrated } from '../use-hydrated.ts';
import type { GridRow } from './arrow-page.ts';
import { ChosenRows, ROW_ID, type RowChoice } from './chosen-rows.tsx';
import { ColumnChooser, useChosenColumns } from './column-chooser.tsx';
import type { GridSource } from './data-grid.client.tsx';
import { FIRST_ROWS, type GridColumn, type GridSort, MAX_TABLE_ROWS, pageRows, readSort } from './grid-columns.ts';
import { isExported } from './grid-export.ts';
import { ListTable, type RowPart } from './list-table.tsx';
import { type GridTotal, ListTotals } from './totals.tsx';
import { ViewMenu } from './view-menu.tsx';

/** The height of a row and of the header, as in the grid's theme. */
const ROW_PX = 32;
const LEAST_ROWS = 4;
const SCROLL_BAR_PX = 18;

const Script = lazy(() => import('./data-grid.client.tsx').then((module) => ({ default: module.DataGridScript })));

const PHONE = '(max-width: 639px)';

function onPhoneChange(changed: () => void): () => void {
  const query = window.matchMedia(PHONE);
  query.addEventListener('change', changed);
  return () => query.removeEventListener('change', changed);
}

/** Whether the page is as narrow as a phone. False on the server. */
const useIsPhone = (): boolean =>
  useSyncExternalStore(
    onPhoneChange,
    () => window.matchMedia(PHONE).matches,
    () => false,
  );

/**
 * A list of documents or assets. The loader reads its first rows (`skip`, `sort` and `filter` of the address) through
 * the operation that the REST list uses. Up to `MAX_TABLE_ROWS` documents are a plain table, and so are longer lists on a
 * phone and without JavaScript, with pages. Otherwise a grid takes over, whose code is loaded then, and reads the rest.
 * @param id identifies the list in this browser's saved settings
 * @param tools its search and filter, on the left of the toolbar
 * @param rowTo the address that a row links to
 * @param choice a form for the selected rows in place of their export
 * @param parts of a plain table in its usual order, each under its title: "Waiting for a decision", "Decided"
 * @param totals of all rows that the filter finds, shown under the list
 * @param covers how many rows these are the totals of
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
  actions,
  rowTo,
  choice,
  parts,
  totals = [],
  covers,
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
  tools?: ReactNode;
  /** Shown after the count: the number of all rows. */
  summary?: ReactNode;
  /** Beside its columns and views, such as its export. */
  actions?: ReactNode;
  rowTo?: (row: GridRow) => string;
  choice?: RowChoice | undefined;
  parts?: readonly RowPart[] | undefined;
  totals?: readonly GridTotal[];
  covers?: string | undefined;
  /** The order if the address has none. The loader must use the same. */
  defaultSort?: GridSort;
  heightPx?: number;
  /** Several of its rows: "draws". */
  noun: string;
  /** What to do if there are no rows. */
  empty: ReactNode;
}) {
  // Short lists take the place of their rows, and of the scroll bar of wide ones.
  const fittedPx = Math.min(heightPx, ROW_PX * (Math.max(total, LEAST_ROWS) + 1) + SCROLL_BAR_PX);
  const isHydrated = useHydrated();
  const isPhone = useIsPhone();
  // Assets are read as Arrow, which is what the grid is for.
  const isOfAssets = source.format === 'arrow';
  const isLong = isOfAssets || total > MAX_TABLE_ROWS;
  const hasGrid = isLong && !(isPhone && !isOfAssets);
  const [search, setSearch] = useSearchParams();
  const here = useLocation().pathname;
  const awaited = useNavigation().location;
  const { chosen, choose, unusual } = useChosenColumns(id, columns);
  const [count, setCount] = useState(total);
  const [chosenRows, setChosenRows] = useState<readonly string[]>([]);
  const choiceId = `${id}-choice`;
  const isSelectable = choice !== undefined || isExported(id);
  useEffect(() => setCount(total), [total]);
  // Nothing is selected that cannot be seen.
  // biome-ignore lint/correctness/useExhaustiveDependencies: for another filter
  useEffect(() => setChosenRows([]), [filter]);
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
  // What this browser has chosen is known once the scripts have loaded.
  const shown = columns.filter((column) =>
    search.has('columns') || isHydrated ? chosen.has(column.path) : column.shown,
  );
  const table = (
    <>
      <ListTable
        caption={noun}
        columns={shown}
        rows={rows}
        sort={sort}
        rowTo={rowTo}
        // Of a longer list, a page has only some rows of each part.
        parts={isLong || Object.keys(chosenSort).length > 0 ? undefined : parts}
        selection={
          isSelectable
            ? {
                form: choiceId,
                name: choice?.name ?? ROW_ID,
                label:
                  choice?.rowLabel ??
                  ((row) => `Select ${columns.map(({ path }) => row[path]).find((value) => value) ?? row.id}`),
                chosen: isHydrated ? chosenRows : null,
                onChoose: (row, isChosen) =>
                  setChosenRows((before) => (isChosen ? [...before, row] : before.filter((each) => each !== row))),
              }
            : undefined
        }
      />
      <Pagination total={total} limit={isOfAssets ? FIRST_ROWS : pageRows(total)} noun={noun} />
    </>
  );
  // Has the same height as the grid that replaces it, to avoid a layout shift. Without JavaScript, and on a phone whose
  // list has no grid, the whole page of rows is visible.
  const windowed = (
    <div
      className={isOfAssets ? 'scripted-window' : 'scripted-window max-sm:h-auto! max-sm:overflow-visible!'}
      style={{ '--window-height': `${fittedPx}px` } as CSSProperties}
    >
      {table}
    </div>
  );
  return (
    <Panel className="overflow-visible">
      <div
        id={listTools(id)}
        tabIndex={-1}
        className="flex flex-wrap items-center gap-2 border-b border-line px-3 py-2 text-sm outline-none"
      >
        {tools}
        <span className="figures ml-auto text-xs text-ink-3">
          {summary ? formatFigure(count) : formatTotal(count, noun)}
          {summary}
        </span>
        <ViewMenu grid={id} columns={unusual} />
        <ColumnChooser id={id} columns={columns} chosen={chosen} choose={choose} />
        {actions}
      </div>
      {total === 0 ? (
        <EmptyState title={`No ${noun} found`}>{empty}</EmptyState>
      ) : !isLong ? (
        table
      ) : isHydrated && hasGrid ? (
        <Suspense fallback={windowed}>
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
            chosen={chosenRows}
            onChoose={isSelectable ? setChosenRows : undefined}
            rowTo={rowTo}
          />
        </Suspense>
      ) : (
        windowed
      )}
      <ListTotals totals={totals} columns={columns} noun={noun} covers={covers} />
      {isSelectable && total > 0 ? (
        <ChosenRows
          id={choiceId}
          grid={id}
          choice={choice}
          chosen={chosenRows}
          columns={shown.map(({ path }) => path)}
          sort={sort}
          onClear={() => setChosenRows([])}
        />
      ) : null}
    </Panel>
  );
}
