import { Form, useSearchParams } from '@remix-run/react';
import { Button } from '../../components/forms/button.tsx';
import { CsrfField } from '../../components/forms/csrf-field.tsx';
import { ConfirmForm } from '../../components/overlays/confirm-form.tsx';
import { EmptyState } from '../../components/page/empty-state.tsx';
import { Notice } from '../../components/page/notice.tsx';
import { Pagination } from '../../components/page/pagination.tsx';
import { Panel } from '../../components/page/section.tsx';
import { formatFigure } from '../../figures/format.ts';
import type { ErroredView } from '../../tapes/tape-head.ts';
import { ERRORED_ROWS } from '../../tapes/tape-words.ts';

const CONSEQUENCE = 'They leave this list and count as discarded. This cannot be undone.';

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

function ErroredRow({ row, mayDiscard }: { row: Row; mayDiscard: boolean }) {
  const atFault = new Set(row.errors.map((error) => error.column));
  return (
    <li className="grid gap-x-6 gap-y-3 border-b border-line px-4 py-3 last:border-b-0 lg:grid-cols-[7rem_minmax(0,1fr)_minmax(0,1.4fr)]">
      <div className="space-y-2">
        <h3 className="figures text-sm font-medium">Row {formatFigure(row.rowNumber)}</h3>
        {mayDiscard ? (
          <ConfirmForm
            intent="discard"
            values={{ rows: String(row.rowNumber) }}
            label="Discard"
            title={`Discard row ${formatFigure(row.rowNumber)}?`}
            consequence={CONSEQUENCE}
            confirm="Discard the row"
          />
        ) : null}
      </div>
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

/** What a browser without JavaScript is asked before rows are discarded; the address says which. */
function AskOnPage({ what }: { what: string }) {
  return (
    <Notice tone="warning">
      {what === 'all' ? 'Discard all errored rows?' : `Discard row ${what}?`} {CONSEQUENCE}
      <Form method="post" className="mt-2">
        <CsrfField />
        <input type="hidden" name="intent" value="discard" />
        <input type="hidden" name="confirmed" value="yes" />
        <input type="hidden" name="rows" value={what} />
        <Button type="submit" tone="danger">
          {what === 'all' ? 'Discard all' : 'Discard the row'}
        </Button>
      </Form>
    </Notice>
  );
}

/** Rows that could not become assets: every reason, and beside it all that was read. */
export function ErroredTab({
  view,
  mayDiscard,
  discarded,
}: {
  view: ErroredView;
  mayDiscard: boolean;
  discarded: number;
}) {
  const [search] = useSearchParams();
  const asked = search.get('discard');
  if (view.total === 0) {
    return (
      <Panel>
        <EmptyState title="No errored rows">
          {discarded > 0
            ? `Rows of the sheet that could not become assets were discarded: ${formatFigure(discarded)}.`
            : 'Every row of the sheet became an asset.'}
        </EmptyState>
      </Panel>
    );
  }
  return (
    <>
      {mayDiscard && asked !== null && /^(all|[1-9]\d*)$/.test(asked) ? <AskOnPage what={asked} /> : null}
      <Panel>
        {mayDiscard || discarded > 0 ? (
          <div className="flex flex-wrap items-center justify-between gap-3 border-b border-line px-4 py-3">
            <p className="figures text-sm text-ink-2">
              {formatFigure(view.total)} errored{discarded > 0 ? `, ${formatFigure(discarded)} discarded` : ''}
            </p>
            {mayDiscard ? (
              <ConfirmForm
                intent="discard"
                values={{ rows: 'all' }}
                label="Discard all"
                title={`Discard all errored rows (${formatFigure(view.total)})?`}
                consequence={CONSEQUENCE}
                confirm="Discard all"
              />
            ) : null}
          </div>
        ) : null}
        <ul>
          {view.rows.map((row) => (
            <ErroredRow key={row.rowNumber} row={row} mayDiscard={mayDiscard} />
          ))}
        </ul>
        <Pagination total={view.total} limit={ERRORED_ROWS} noun="errored rows" />
      </Panel>
    </>
  );
}
