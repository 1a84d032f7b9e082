import {
  CellStyleModule,
  type ColDef,
  ColumnApiModule,
  type GridApi,
  type IDatasource,
  InfiniteRowModelModule,
  type IRowNode,
  ModuleRegistry,
  RowStyleModule,
  TooltipModule,
} from 'ag-grid-community';
import { AgGridReact } from 'ag-grid-react';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { StatusChip } from '../page/chip.tsx';
import { Notice } from '../page/notice.tsx';
import { type GridRow, rowsOfArrow } from './arrow-page.ts';
import { type GridColumn, type GridSort, isRightAligned, listSearch } from './grid-columns.ts';
import { gridTheme } from './grid-theme.ts';
import { writeCell } from './grid-values.ts';

ModuleRegistry.registerModules([
  InfiniteRowModelModule,
  CellStyleModule,
  ColumnApiModule,
  RowStyleModule,
  TooltipModule,
]);

const ARROW_STREAM = 'application/vnd.apache.arrow.stream';
const BLOCK_ROWS = 200;
const MISSING = 'Not given on the tape';

export interface GridSource {
  /** The list's address: `/crud/assets`. */
  list: string;
  /** Conditions that always hold, such as `{ loanTape: id }`. */
  scope: Record<string, unknown>;
}

interface Failure {
  message: string;
  traceId: string | null;
}

/** One block of rows, and the total before skip and limit. Throws the error body of a refused call. */
async function fetchBlock(source: GridSource, block: Parameters<typeof listSearch>[0], signal: AbortSignal) {
  const answer = await fetch(`${source.list}?${listSearch(block)}`, {
    headers: { Accept: ARROW_STREAM },
    credentials: 'same-origin',
    signal,
  });
  if (!answer.ok) {
    const body = await answer.json().catch(() => ({}));
    throw { message: body.message ?? 'The rows could not be read', traceId: body.traceId ?? null } satisfies Failure;
  }
  const rows = rowsOfArrow(new Uint8Array(await answer.arrayBuffer()));
  return { rows, total: Number(answer.headers.get('X-Docs-Count') ?? block.skip + rows.length) };
}

/** A little narrower than it is meant at most: the usual columns fit a usual screen, and fill a wide one. */
const widthsOf = (column: GridColumn): Pick<ColDef<GridRow>, 'initialFlex' | 'minWidth'> => {
  const widthPx = column.widthPx ?? (column.kind === 'text' ? 150 : 130);
  return { initialFlex: widthPx, minWidth: Math.round(widthPx * 0.85) };
};

/** The row of a place in the grid: as it was read, or as the page brought it until then. */
type RowAt = (node: Pick<IRowNode<GridRow>, 'data' | 'rowIndex'> | null | undefined) => GridRow | undefined;

const cellOf = (column: GridColumn, rowAt: RowAt): ColDef<GridRow> => ({
  colId: column.path,
  headerName: column.label,
  headerTooltip: column.label,
  tooltipValueGetter: ({ value, data }) => (data && value === null ? MISSING : null),
  // A path has dots of its own, which the grid must not follow.
  valueGetter: ({ node }) => rowAt(node)?.[column.path] ?? null,
  valueFormatter: ({ value, node }) => (rowAt(node) ? writeCell(value, column) : ''),
  ...(column.kind === 'status'
    ? {
        cellRenderer: ({ value }: { value: unknown }) =>
          typeof value === 'string' ? <StatusChip status={value} /> : null,
      }
    : {}),
  cellClass: [
    isRightAligned(column) ? 'ag-right-aligned-cell' : '',
    column.kind === 'code' ? 'font-mono text-xs' : '',
  ].filter(Boolean),
  // Rules, since a cell stands before its row is read and takes on what the row says then.
  cellClassRules: {
    'text-ink-3': ({ value, node }) => rowAt(node) !== undefined && value === null,
    'text-danger': ({ value }) => isRightAligned(column) && String(value ?? '').startsWith('-'),
  },
  headerClass: isRightAligned(column) ? 'ag-right-aligned-header' : undefined,
  ...widthsOf(column),
  sortable: true,
  resizable: true,
  suppressMovable: false,
});

/** Rows that are still being read have the shape of rows, not of an empty sheet. */
const awaitedRows = (rowAt: RowAt) => ({
  'row-awaited': ({ node }: { node: IRowNode<GridRow> }) => rowAt(node) === undefined,
});

/**
 * AG Grid Community over a server-side list: sort and filter run on the server, a million rows scroll by blocks of 200 read as Arrow.
 * Arrows move between cells, Enter on a row opens it.
 * @param first the rows that came with the page, in its order and filter: shown until the grid has read its own
 */
export function AssetGridScript({
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
  onOpen,
}: {
  source: GridSource;
  columns: readonly GridColumn[];
  first: readonly GridRow[];
  shown: ReadonlySet<string>;
  sort: GridSort;
  filter: string | null;
  /** How many rows there are, as the page counted them. */
  total: number;
  heightPx: number;
  onSort: (sort: GridSort) => void;
  onCount: (total: number) => void;
  onOpen?: (row: GridRow) => void;
}) {
  const api = useRef<GridApi<GridRow> | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const latest = useRef({ onCount, onSort, first });
  latest.current = { onCount, onSort, first };
  /** Null once the grid has rows of its own, which may stand in another order. */
  const lent = useRef<readonly GridRow[] | null>(first);
  const rowAt = useCallback<RowAt>((node) => node?.data ?? lent.current?.[node?.rowIndex ?? -1], []);
  const scope = JSON.stringify(source.scope);

  const rows = useMemo<IDatasource & { end: () => void }>(() => {
    const calls = new AbortController();
    lent.current = latest.current.first;
    return {
      end: () => calls.abort(),
      // The grid's own order: it asks at once for rows in the order that was clicked, before the address says it.
      getRows({ startRow, endRow, sortModel, successCallback, failCallback }) {
        const block = {
          scope: JSON.parse(scope),
          filter,
          sort: Object.fromEntries(
            sortModel.map(({ colId, sort: way }): [string, 1 | -1] => [colId, way === 'desc' ? -1 : 1]),
          ),
          skip: startRow,
          limit: endRow - startRow,
        };
        fetchBlock({ list: source.list, scope: block.scope }, block, calls.signal)
          .then(({ rows: found, total }) => {
            setFailure(null);
            latest.current.onCount(total);
            lent.current = null;
            successCallback(found, total);
          })
          .catch((fault: Failure | DOMException) => {
            failCallback();
            if (calls.signal.aborted) return;
            setFailure({ message: fault.message, traceId: 'traceId' in fault ? fault.traceId : null });
          });
      },
    };
  }, [source.list, scope, filter]);
  useEffect(() => () => rows.end(), [rows]);

  const definitions = useMemo(
    () =>
      columns.map((column) => ({
        ...cellOf(column, rowAt),
        hide: !shown.has(column.path),
        sort: sort[column.path] === 1 ? ('asc' as const) : sort[column.path] === -1 ? ('desc' as const) : null,
        sortIndex: column.path in sort ? Object.keys(sort).indexOf(column.path) : null,
      })),
    [columns, shown, sort, rowAt],
  );
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
      <div className="asset-grid" style={{ height: heightPx }}>
        <AgGridReact<GridRow>
          theme={gridTheme}
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
          onRowClicked={(event) => {
            const row = rowAt(event.node);
            if (row) onOpen?.(row);
          }}
          onCellKeyDown={(event) => {
            const row = rowAt(event.node);
            if ((event.event as KeyboardEvent | null)?.key === 'Enter' && row) onOpen?.(row);
          }}
        />
      </div>
    </>
  );
}
