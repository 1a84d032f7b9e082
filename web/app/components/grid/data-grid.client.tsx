import { Link, useNavigate } from '@remix-run/react';
import {
  CellStyleModule,
  type ColDef,
  ColumnApiModule,
  type GridApi,
  type GridOptions,
  type IDatasource,
  InfiniteRowModelModule,
  type IRowNode,
  ModuleRegistry,
  RowSelectionModule,
  RowStyleModule,
  TooltipModule,
} from 'ag-grid-community';
import { AgGridReact } from 'ag-grid-react';
import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useRef, useState } from 'react';
import { FOCUS_RETURNS } from '../overlays/side-panel.tsx';
import { StatusChip } from '../page/chip.tsx';
import { Notice } from '../page/notice.tsx';
import { pageNonce } from '../page-nonce.ts';
import { type GridRow, rowsOfArrow } from './arrow-page.ts';
import { rowsOfDocuments } from './document-rows.ts';
import { type GridColumn, type GridSort, isRightAligned, listSearch } from './grid-columns.ts';
import { gridTheme } from './grid-theme.ts';
import { writeCell } from './grid-values.ts';

ModuleRegistry.registerModules([
  InfiniteRowModelModule,
  CellStyleModule,
  ColumnApiModule,
  RowSelectionModule,
  RowStyleModule,
  TooltipModule,
]);

const ARROW_STREAM = 'application/vnd.apache.arrow.stream';
const BLOCK_ROWS = 200;
const MISSING = 'Not on the tape';

export interface GridSource {
  /** The list's address: `/crud/assets`. */
  list: string;
  /** Conditions that always hold, such as `{ loanTape: id }`. */
  scope: Record<string, unknown>;
  /** Parameters of the list in addition to its query vocabulary, such as the borrowing base to show. */
  parameters?: Readonly<Record<string, string>>;
  /** How the list sends its rows: assets as Arrow, documents as JSON. */
  format: 'arrow' | 'json';
}

interface Failure {
  message: string;
  traceId: string | null;
}

/** Fetches one block of rows, and the total before skip and limit. Throws the error body of a refused call. */
async function fetchBlock(
  source: Pick<GridSource, 'list' | 'format'>,
  columns: readonly GridColumn[],
  block: Parameters<typeof listSearch>[0],
  signal: AbortSignal,
) {
  const answer = await fetch(`${source.list}?${listSearch(block)}`, {
    headers: { Accept: source.format === 'arrow' ? ARROW_STREAM : 'application/json' },
    credentials: 'same-origin',
    signal,
  });
  if (!answer.ok) {
    const body = await answer.json().catch(() => ({}));
    throw { message: body.message ?? 'The rows could not be loaded', traceId: body.traceId ?? null } satisfies Failure;
  }
  const rows =
    source.format === 'arrow'
      ? rowsOfArrow(new Uint8Array(await answer.arrayBuffer()))
      : rowsOfDocuments(await answer.json(), columns);
  return { rows, total: Number(answer.headers.get('X-Docs-Count') ?? block.skip + rows.length) };
}

/** "31 Dec 2026" and the padding of its cell. */
const DATE_PX = 116;

/** A digit at the size of the grid, and the padding of a cell. */
const DIGIT_PX = 7.6;
const PADDING_PX = 26;
/** Later rows can have longer figures than the first ones. */
const MORE_DIGITS = 2;

/** What the figures of a column take, of which no digit may be cut. */
const figuresPx = (column: GridColumn, rows: readonly GridRow[]): number =>
  Math.ceil((Math.max(0, ...rows.map((row) => writeCell(row[column.path], column).length)) + MORE_DIGITS) * DIGIT_PX) +
  PADDING_PX;

/**
 * The minimum width is a little smaller than the intended width, so that the usual columns fit a usual screen and fill
 * a wide one.
 */
const widthsOf = (column: GridColumn, rows: readonly GridRow[]): Pick<ColDef<GridRow>, 'initialFlex' | 'minWidth'> => {
  const widthPx = column.widthPx ?? (column.kind === 'text' ? 150 : 130);
  const neededPx = isRightAligned(column) ? figuresPx(column, rows) : column.kind === 'date' ? DATE_PX : 0;
  return {
    initialFlex: Math.max(widthPx, neededPx),
    minWidth: isRightAligned(column) ? neededPx : Math.max(Math.round(widthPx * 0.7), neededPx),
  };
};

/** Returns the row at a position in the grid. Until the row has been read, this is the row that came with the page. */
type RowAt = (node: Pick<IRowNode<GridRow>, 'data' | 'rowIndex'> | null | undefined) => GridRow | undefined;

type RowTo = (row: GridRow) => string;
/** A context, because the grid does not render its cells again when the address that a row leads to changes. */
const RowToContext = createContext<RowTo | null>(null);

/** The link of a row. Not in the tab order: Tab moves between the grid's cells, where Enter follows the link. */
function RowLink({ row, children }: { row: GridRow; children: ReactNode }) {
  const rowTo = useContext(RowToContext);
  if (!rowTo) return children;
  return (
    <Link to={rowTo(row)} tabIndex={-1} preventScrollReset className="hover:text-accent hover:underline">
      {children}
    </Link>
  );
}

const cellOf = (column: GridColumn, rowAt: RowAt, isLink: boolean, rows: readonly GridRow[]): ColDef<GridRow> => ({
  colId: column.path,
  headerName: column.label,
  headerTooltip: column.label,
  tooltipValueGetter: ({ value, data }) => (data && value === null ? MISSING : null),
  // A path contains dots, which the grid must not interpret.
  valueGetter: ({ node }) => rowAt(node)?.[column.path] ?? null,
  valueFormatter: ({ value, node }) => (rowAt(node) ? writeCell(value, column) : ''),
  ...(column.kind === 'status'
    ? {
        cellRenderer: ({ value }: { value: unknown }) =>
          typeof value === 'string' ? <StatusChip status={value} /> : null,
      }
    : {}),
  ...(isLink
    ? {
        cellRenderer: ({ valueFormatted, node }: { valueFormatted: string | null; node: IRowNode<GridRow> }) => {
          const row = rowAt(node);
          return row ? <RowLink row={row}>{valueFormatted}</RowLink> : null;
        },
      }
    : {}),
  cellClass: [
    isRightAligned(column) ? 'ag-right-aligned-cell' : '',
    column.kind === 'code' ? 'font-mono text-xs' : '',
  ].filter(Boolean),
  // These are rules, because a cell is rendered before its row is read and has to be updated when the row arrives.
  cellClassRules: {
    'text-ink-3': ({ value, node }) => rowAt(node) !== undefined && value === null,
    'text-danger': ({ value }) => isRightAligned(column) && String(value ?? '').startsWith('-'),
  },
  headerClass: isRightAligned(column) ? 'ag-right-aligned-header' : undefined,
  ...widthsOf(column, rows),
  sortable: column.sortable !== false,
  resizable: true,
  suppressMovable: false,
});

/** Links and checkboxes in a cell handle clicks and keys themselves. */
const isOwn = (event: Event | null | undefined) =>
  event?.target instanceof Element && event.target.closest('a, input, .ag-selection-checkbox') !== null;
const isNewTab = (event: Event | null | undefined) =>
  (event instanceof MouseEvent || event instanceof KeyboardEvent) && (event.ctrlKey || event.metaKey);

/** Rows are chosen by their checkboxes only: a click opens a row. */
const CHOOSING: GridOptions<GridRow> = {
  rowSelection: {
    mode: 'multiRow',
    // A row that is still being read has no id yet: a selection of it would be lost.
    checkboxes: ({ data }) => data !== undefined,
    isRowSelectable: ({ data }) => data !== undefined,
    headerCheckbox: false,
    enableClickSelection: false,
  },
  selectionColumnDef: { headerName: 'Select', width: 68, resizable: false, suppressMovable: true },
  getRowId: ({ data }) => String(data.id),
};

/** Styles rows that are still being read as placeholder rows. */
const awaitedRows = (rowAt: RowAt) => ({
  'row-awaited': ({ node }: { node: IRowNode<GridRow> }) => rowAt(node) === undefined,
});

/**
 * AG Grid Community over a server-side list. Sorting and filtering run on the server. A million rows scroll in blocks
 * of 200, read as Arrow. Arrow keys move between cells, Enter opens a row, and Ctrl+Enter opens it in a new tab.
 * @param onChoose if given, rows have checkboxes; called with the ids of all chosen rows
 * @param first the rows that came with the page, in its order and filter; shown until the grid has read its own
 */
export function DataGridScript({
  source,
  columns,
  first,
  shown,
  sort,
  filter,
  total,
  heightPx,
  onSort,
  onCount,
  chosen,
  onChoose,
  rowTo,
}: {
  source: GridSource;
  columns: readonly GridColumn[];
  first: readonly GridRow[];
  shown: ReadonlySet<string>;
  sort: GridSort;
  filter: string | null;
  /** The number of rows, as counted by the page's loader. */
  total: number;
  heightPx: number;
  onSort: (sort: GridSort) => void;
  onCount: (total: number) => void;
  /** The ids of the chosen rows. Another control can clear them. */
  chosen: readonly string[];
  onChoose?: ((ids: readonly string[]) => void) | undefined;
  /** The address that a row leads to. The first visible column has the link. */
  rowTo?: RowTo;
}) {
  const navigate = useNavigate();
  const api = useRef<GridApi<GridRow> | null>(null);
  useEffect(() => {
    // Rows that have arrived since are drawn again, and the cell that had the focus is gone.
    const focusAgain = (): void => {
      const cell = api.current?.getFocusedCell();
      if (cell) api.current?.setFocusedCell(cell.rowIndex, cell.column);
    };
    document.addEventListener(FOCUS_RETURNS, focusAgain);
    return () => document.removeEventListener(FOCUS_RETURNS, focusAgain);
  }, []);
  const [failure, setFailure] = useState<Failure | null>(null);
  const latest = useRef({ onCount, onSort, first, columns });
  latest.current = { onCount, onSort, first, columns };
  /** Null once the grid has its own rows, which may be in another order. */
  const lent = useRef<readonly GridRow[] | null>(first);
  const rowAt = useCallback<RowAt>((node) => node?.data ?? lent.current?.[node?.rowIndex ?? -1], []);
  const asked = JSON.stringify({ scope: source.scope, parameters: source.parameters ?? {} });

  const rows = useMemo<IDatasource & { end: () => void }>(() => {
    const calls = new AbortController();
    lent.current = latest.current.first;
    return {
      end: () => calls.abort(),
      // Use the grid's own sort order. It requests rows in the new order before the address is updated.
      getRows({ startRow, endRow, sortModel, successCallback, failCallback }) {
        const block = {
          ...(JSON.parse(asked) as Pick<GridSource, 'scope'> & Required<Pick<GridSource, 'parameters'>>),
          filter,
          sort: Object.fromEntries(
            sortModel.map(({ colId, sort: way }): [string, 1 | -1] => [colId, way === 'desc' ? -1 : 1]),
          ),
          skip: startRow,
          limit: endRow - startRow,
        };
        fetchBlock({ list: source.list, format: source.format }, latest.current.columns, block, calls.signal)
          .then(({ rows: found, total }) => {
            setFailure(null);
            latest.current.onCount(total);
            lent.current = null;
            successCallback(found, total);
          })
          .catch((problem: Failure | DOMException) => {
            failCallback();
            if (calls.signal.aborted) return;
            setFailure({ message: problem.message, traceId: 'traceId' in problem ? problem.traceId : null });
          });
      },
    };
  }, [source.list, source.format, asked, filter]);
  useEffect(() => () => rows.end(), [rows]);
  useEffect(() => {
    if (chosen.length === 0) api.current?.deselectAll();
  }, [chosen]);

  const linked = columns.find((column) => shown.has(column.path));
  const definitions = useMemo(
    () =>
      columns.map((column) => ({
        ...cellOf(column, rowAt, column === linked, latest.current.first),
        hide: !shown.has(column.path),
        sort: sort[column.path] === 1 ? ('asc' as const) : sort[column.path] === -1 ? ('desc' as const) : null,
        sortIndex: column.path in sort ? Object.keys(sort).indexOf(column.path) : null,
      })),
    [columns, shown, sort, rowAt, linked],
  );
  const open = (to: string, inNewTab: boolean) => {
    // The address may be relative to that of the page.
    if (inNewTab) window.open(new URL(to, window.location.href), '_blank', 'noopener');
    else navigate(to, { preventScrollReset: true });
  };
  const rowClassRules = useMemo(() => awaitedRows(rowAt), [rowAt]);

  return (
    <>
      {failure ? (
        <Notice
          tone="danger"
          action={
            <button type="button" onClick={() => api.current?.purgeInfiniteCache()}>
              Try again
            </button>
          }
        >
          {failure.message}
          {failure.traceId ? <span className="ml-2 font-mono text-xs">{failure.traceId}</span> : null}
        </Notice>
      ) : null}
      <div className="data-grid" style={{ height: heightPx }}>
        <RowToContext.Provider value={rowTo ?? null}>
          <AgGridReact<GridRow>
            {...(onChoose ? CHOOSING : {})}
            onSelectionChanged={({ api: grid }) =>
              onChoose?.(grid.getSelectedNodes().flatMap(({ data }) => (data ? [String(data.id)] : [])))
            }
            theme={gridTheme}
            styleNonce={pageNonce}
            rowModelType="infinite"
            datasource={rows}
            columnDefs={definitions}
            cacheBlockSize={BLOCK_ROWS}
            maxBlocksInCache={30}
            infiniteInitialRowCount={Math.max(1, Math.min(BLOCK_ROWS, total))}
            rowClassRules={rowClassRules}
            blockLoadDebounceMillis={60}
            animateRows={false}
            maintainColumnOrder
            onGridReady={(event) => {
              api.current = event.api;
            }}
            onSortChanged={(event) => {
              if (event.source !== 'uiColumnSorted') return;
              lent.current = null;
              const sorted = event.api.getColumnState().filter((state) => state.sort);
              sorted.sort((a, b) => (a.sortIndex ?? 0) - (b.sortIndex ?? 0));
              latest.current.onSort(
                Object.fromEntries(sorted.map((state) => [state.colId, state.sort === 'asc' ? 1 : -1])),
              );
            }}
            onRowClicked={({ node, event }) => {
              const row = rowAt(node);
              if (row && rowTo && !isOwn(event)) open(rowTo(row), isNewTab(event));
            }}
            onCellKeyDown={({ node, event }) => {
              const row = rowAt(node);
              const isEnter = (event as KeyboardEvent | null)?.key === 'Enter';
              if (row && rowTo && isEnter && !isOwn(event)) open(rowTo(row), isNewTab(event));
            }}
          />
        </RowToContext.Provider>
      </div>
    </>
  );
}
