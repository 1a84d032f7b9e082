import { formatCount, formatFigure } from '../../../../components/figures/format.ts';
import { Panel } from '../../../../components/page/section.tsx';
import type { ProposalPage } from '../proposal-page.server.ts';
import { CellDetails, ResultingAsset, RowOutcome } from '../row-parts.tsx';

type Row = ProposalPage['rows'][number];

const blank = (text: string) => (text === '' ? 'blank' : text);

/** A row of a proposal: why it failed, its cells before and after, and what it would become. */
export function ProposedRow({ row }: { row: Row }) {
  const { result } = row;
  return (
    <Panel>
      <div className="flex flex-wrap items-center gap-2.5 border-b border-line px-4 py-3">
        <h3 className="figures text-sm font-semibold">Row {formatFigure(row.row)}</h3>
        {result ? <RowOutcome errors={result.errors} /> : null}
        <p className="w-full text-xs break-words text-ink-2">Failed because of {row.reasons}</p>
        {result?.errors.map(({ rule, target, column, reason }) => (
          <p key={`${rule}-${target}-${reason}`} className="w-full text-xs break-words text-danger">
            {column ?? target}: {reason}
          </p>
        ))}
      </div>
      <dl className="space-y-2.5 px-4 py-3 text-sm">
        {row.cells.map(({ header, before, after }) => (
          <div key={header} className="grid gap-x-4 gap-y-0.5 sm:grid-cols-[minmax(8rem,14rem)_minmax(0,1fr)]">
            <dt className="text-xs break-words text-ink-3 sm:pt-0.5">{header}</dt>
            <dd className="min-w-0 break-words">
              <del className="text-ink-3">{blank(before)}</del>{' '}
              <span aria-hidden="true" className="text-ink-3">
                →
              </span>{' '}
              <ins className="font-medium no-underline">{blank(after)}</ins>
            </dd>
          </div>
        ))}
      </dl>
      {row.rest.length > 0 ? (
        <CellDetails
          summary={`Other cells in the row (${formatCount(row.rest.length, 'cell')}, as read)`}
          cells={row.rest.map(({ header, text }) => ({ name: header, text }))}
        />
      ) : null}
      {result ? <ResultingAsset result={result} /> : null}
    </Panel>
  );
}
