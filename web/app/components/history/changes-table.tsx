import { paths } from '../../paths.ts';
import { Name } from '../figures/figures.tsx';
import { formatFigure } from '../figures/format.ts';
import { EmptyState } from '../page/empty-state.tsx';
import { Pagination } from '../page/pagination.tsx';
import { MoreLink, Panel, Section } from '../page/section.tsx';
import { type Column, DataTable } from '../tables/data-table.tsx';
import { type ChangeView, lineText, operationText } from './change-view.ts';
import { HISTORY_PAGE } from './history-page.ts';

/** What a change did: its sentence, or its first differences. */
export function ChangeSummary({ change }: { change: ChangeView }) {
  const { sentence, lines, more, operation } = change;
  if (sentence !== null) return <span className="whitespace-normal">{sentence}</span>;
  if (operation !== 'Update') return <span>{operationText(operation)}</span>;
  return (
    <span className="block whitespace-normal">
      {lines.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a change never change places
        <span key={index} className="block break-words">
          {lineText(line)}
        </span>
      ))}
      {lines.length === 0 ? 'Internal fields' : null}
      {more > 0 ? <span className="text-ink-3">and {formatFigure(more)} more</span> : null}
    </span>
  );
}

/** The columns of every list of changes. `withDocument` adds what was changed. */
export const changeColumns = (withDocument: boolean): Column<ChangeView>[] => [
  { head: 'When (UTC)', date: (change) => change.at, time: 'bare' },
  { head: 'Who', name: (change) => change.by.name },
  ...(withDocument
    ? [
        {
          head: 'Document',
          cell: (change: ChangeView) => (
            <>
              <Name length={44}>{change.title}</Name>
              <span className="block text-xs text-ink-3">{change.collection}</span>
            </>
          ),
        },
      ]
    : []),
  { head: 'Change', cell: (change) => <ChangeSummary change={change} /> },
];

/**
 * The history of a document, on its page.
 * @param several whether changes of documents that belong to it are listed too, so that each row names its document
 */
export function HistorySection({
  history,
  several = false,
  page,
  all,
}: {
  history: { readonly changes: readonly ChangeView[]; readonly total: number };
  several?: boolean;
  /** The page of the history in the address, if another list has `skip`. */
  page?: string;
  /** The document whose full history is linked. */
  all: { resource: string; id: string };
}) {
  return (
    <Section
      title="History"
      note="Times in UTC"
      more={<MoreLink to={paths.documentHistory(all.resource, all.id)}>Open in history</MoreLink>}
    >
      <HistoryPanel history={history} several={several} page={page} />
    </Section>
  );
}

/** The changes with their pages, for a tab. */
export function HistoryPanel({
  history,
  several = false,
  page,
}: {
  history: { readonly changes: readonly ChangeView[]; readonly total: number };
  several?: boolean;
  page?: string | undefined;
}) {
  return (
    <Panel>
      <DataTable
        narrow="list"
        caption="History, times in UTC"
        rows={history.changes}
        rowTo={(change) => paths.historyChange(change.id)}
        columns={changeColumns(several)}
        empty={<EmptyState title="No changes yet" />}
      />
      <Pagination total={history.total} limit={HISTORY_PAGE} noun="changes" {...(page ? { name: page } : {})} />
    </Panel>
  );
}
