import { EmptyState } from '../../components/page/empty-state.tsx';
import { Pagination } from '../../components/page/pagination.tsx';
import { Panel } from '../../components/page/section.tsx';
import { formatFigure } from '../../figures/format.ts';
import type { ErroredView } from '../../tapes/tape-head.ts';
import { ERRORED_ROWS } from '../../tapes/tape-words.ts';

type Row = ErroredView['rows'][number];

/** A cell as read; blank says that it was. */
function Cell({ value, isAtFault }: { value: Row['originData'][string]; isAtFault: boolean }) {
  const text = value === null ? 'blank' : String(value);
  return (
    <dd className={`break-words ${isAtFault ? 'font-medium text-danger' : value === null ? 'text-ink-3' : ''}`}>
      {text}
    </dd>
  );
}

function ErroredRow({ row }: { row: Row }) {
  const atFault = new Set(row.errors.map((error) => error.column));
  return (
    <li className="grid gap-x-6 gap-y-3 border-b border-line px-4 py-3 last:border-b-0 lg:grid-cols-[7rem_minmax(0,1fr)_minmax(0,1.4fr)]">
      <h3 className="figures text-sm font-medium">Row {formatFigure(row.rowNumber)}</h3>
      <ul aria-label={`Reasons of row ${row.rowNumber}`} className="space-y-1.5 text-sm">
        {row.errors.map((error) => (
          <li key={`${error.rule}-${error.target}-${error.reason}`}>
            <b className="font-medium">{error.column ?? error.target}</b>{' '}
            <span className="text-ink-2">
              {error.reason}
              {error.value === null || error.reason.includes(error.value) ? '' : `: “${error.value}”`}
            </span>
            <span className="block text-xs text-ink-3">
              rule {error.rule} · {error.target}
            </span>
          </li>
        ))}
      </ul>
      <details className="text-sm">
        <summary className="text-xs font-medium text-accent hover:underline">
          What was read ({Object.keys(row.originData).length} cells)
        </summary>
        <dl className="mt-2 grid grid-cols-[repeat(auto-fill,minmax(9rem,1fr))] gap-x-4 gap-y-2">
          {Object.entries(row.originData).map(([header, value]) => (
            <div key={header} className="min-w-0">
              <dt className="text-xs break-words text-ink-3">{header}</dt>
              <Cell value={value} isAtFault={atFault.has(header)} />
            </div>
          ))}
        </dl>
      </details>
    </li>
  );
}

/** Rows that could not become assets: every reason, and beside it all that was read. */
export function ErroredTab({ view }: { view: ErroredView }) {
  return (
    <Panel>
      {view.total === 0 ? (
        <EmptyState title="No errored rows">Every row of the sheet became an asset.</EmptyState>
      ) : (
        <>
          <ul>
            {view.rows.map((row) => (
              <ErroredRow key={row.rowNumber} row={row} />
            ))}
          </ul>
          <Pagination total={view.total} limit={ERRORED_ROWS} noun="errored rows" />
        </>
      )}
    </Panel>
  );
}
