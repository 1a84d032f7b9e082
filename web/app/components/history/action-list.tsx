import { Link } from '@remix-run/react';
import { operationText } from '@tapeline/domain/history/action-sentence.ts';
import { ChevronRight } from 'lucide-react';
import { paths } from '../../paths.ts';
import { DateText } from '../figures/figures.tsx';
import { formatCount, formatFigure } from '../figures/format.ts';
import { EmptyState } from '../page/empty-state.tsx';
import { Pagination } from '../page/pagination.tsx';
import { MoreLink, Panel, Section } from '../page/section.tsx';
import type { ActionView } from './action-view.ts';
import type { ChangeView } from './change-view.ts';
import { DifferenceList } from './difference-list.tsx';
import { HISTORY_PAGE } from './history-page.ts';

function ChangedDocument({ change, said, search }: { change: ChangeView; said: string; search: string }) {
  const { id, title, collection, operation, sentence, lines, more } = change;
  return (
    <li>
      <p className="mb-1 text-sm break-words">
        <Link to={paths.historyChange(id, search)} className="font-medium text-accent hover:underline">
          {title}
        </Link>{' '}
        <span className="text-xs text-ink-3">
          {collection}, {operationText(operation).toLowerCase()}
        </span>
      </p>
      {sentence === null || said.includes(sentence) ? null : <p className="mb-1 text-sm break-words">{sentence}</p>}
      <DifferenceList lines={lines} />
      {more > 0 ? <p className="mt-1 text-xs text-ink-3">and {formatCount(more, 'more field')}</p> : null}
    </li>
  );
}

function ActionItem({ action, search }: { action: ActionView; search: string }) {
  const { id, at, by, sentence, changes, more } = action;
  return (
    <li>
      <details className="group">
        <summary className="flex cursor-pointer list-none items-baseline gap-2 px-3 py-2 text-sm hover:bg-hover max-sm:min-h-10 [&::-webkit-details-marker]:hidden">
          <ChevronRight
            aria-hidden="true"
            size={14}
            strokeWidth={1.75}
            className="flex-none self-center text-ink-3 transition-transform duration-100 group-open:rotate-90"
          />
          <span className="flex min-w-0 flex-1 flex-wrap items-baseline gap-x-4 gap-y-0.5">
            <span className="min-w-0 flex-1 basis-80 break-words">{sentence}</span>
            <span className="flex gap-x-3 text-xs text-ink-3">
              <span className="sr-only">, </span>
              <span className="min-w-0 break-words">{by.name}</span>
              <span className="sr-only">, </span>
              <DateText time="bare" value={at} />
            </span>
          </span>
        </summary>
        <div className="border-t border-line px-3 pt-3 pb-4 sm:pl-8">
          <ul className="grid gap-4">
            {changes.map((change) => (
              <ChangedDocument key={change.id} change={change} said={sentence} search={search} />
            ))}
          </ul>
          {more > 0 ? (
            <p className="mt-3 text-sm">
              <Link to={paths.history({ action: id })} className="tap-text font-medium text-accent hover:underline">
                All {formatFigure(changes.length + more)} changes
              </Link>
            </p>
          ) : null}
        </div>
      </details>
    </li>
  );
}

/**
 * What people did, latest first: each action is a sentence that opens to its documents and their fields, also without
 * JavaScript.
 * @param search the search part of the list, for the panel of a change next to it
 */
export const ActionList = ({ actions, search = '' }: { actions: readonly ActionView[]; search?: string }) => (
  <ul aria-label="History, times in UTC" className="divide-y divide-line">
    {actions.map((action) => (
      <ActionItem key={action.id} action={action} search={search} />
    ))}
  </ul>
);

interface ShownHistory {
  readonly actions: readonly ActionView[];
  readonly total: number;
}

/**
 * The history of a document, on its page.
 * @param page the page of the history in the address, if another list has `skip`
 * @param all the document whose full history is linked
 */
export function HistorySection({
  history,
  page,
  all,
}: {
  history: ShownHistory;
  page?: string;
  all: { resource: string; id: string };
}) {
  return (
    <Section
      title="History"
      note="Times in UTC"
      more={<MoreLink to={paths.documentHistory(all.resource, all.id)}>Open in history</MoreLink>}
    >
      <HistoryPanel history={history} page={page} />
    </Section>
  );
}

/** The actions with their pages, for a tab. */
export function HistoryPanel({ history, page }: { history: ShownHistory; page?: string | undefined }) {
  return (
    <Panel>
      {history.actions.length === 0 ? <EmptyState title="No changes yet" /> : <ActionList actions={history.actions} />}
      <Pagination total={history.total} limit={HISTORY_PAGE} noun="actions" {...(page ? { name: page } : {})} />
    </Panel>
  );
}
