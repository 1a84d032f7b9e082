import { formatCount, formatFigure } from '../../../../components/figures/format.ts';
import { Chip } from '../../../../components/page/chip.tsx';
import { Panel } from '../../../../components/page/section.tsx';
import { shownAmount } from '../correct-words.ts';
import type { ProposalPage } from '../proposal-page.server.ts';

type Row = ProposalPage['rows'][number];

const blank = (text: string) => (text === '' ? 'blank' : text);

function Cells({ summary, cells }: { summary: string; cells: readonly { name: string; text: string }[] }) {
  return (
    <details className="border-t border-line px-4 py-3 text-sm">
      <summary className="text-xs font-medium text-accent hover:underline max-sm:py-3">{summary}</summary>
      <dl className="mt-2 grid grid-cols-[repeat(auto-fill,minmax(9rem,1fr))] gap-x-4 gap-y-2">
        {cells.map(({ name, text }) => (
          <div key={name} className="min-w-0">
            <dt className="text-xs break-words text-ink-3">{name}</dt>
            <dd className={`break-words ${text === '' ? 'text-ink-3' : ''}`}>{blank(text)}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

/** A row of a proposal: why it failed, its cells before and after, and what it would become. */
export function ProposedRow({ row }: { row: Row }) {
  const { result } = row;
  const made = result?.cells.filter(({ value }) => value !== null) ?? [];
  return (
    <Panel>
      <div className="flex flex-wrap items-center gap-2.5 border-b border-line px-4 py-3">
        <h3 className="figures text-sm font-semibold">Row {formatFigure(row.row)}</h3>
        {result ? (
          <Chip tone={result.errors.length === 0 ? 'good' : 'danger'}>
            {result.errors.length === 0 ? 'Valid' : 'Still errored'}
          </Chip>
        ) : null}
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
        <Cells
          summary={`Other cells in the row (${formatCount(row.rest.length, 'cell')}, as read)`}
          cells={row.rest.map(({ header, text }) => ({ name: header, text }))}
        />
      ) : null}
      {result && result.errors.length === 0 ? (
        <Cells
          summary={`Resulting asset (${formatCount(made.length, 'value')})`}
          cells={made.map(({ label, value }) => ({ name: label, text: shownAmount(value ?? '') }))}
        />
      ) : null}
    </Panel>
  );
}
