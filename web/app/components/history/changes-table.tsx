import { operationText } from '@tapeline/domain/history/action-sentence.ts';
import { Name } from '../figures/figures.tsx';
import { formatFigure } from '../figures/format.ts';
import type { Column } from '../tables/data-table.tsx';
import { type ChangeView, lineText } from './change-view.ts';

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

/** The columns of a list of single changes. */
export const CHANGE_COLUMNS: readonly Column<ChangeView>[] = [
  { head: 'When (UTC)', date: (change) => change.at, time: 'bare' },
  { head: 'Who', name: (change) => change.by.name },
  {
    head: 'Document',
    cell: (change) => (
      <>
        <Name length={44}>{change.title}</Name>
        <span className="block text-xs text-ink-3">{change.collection}</span>
      </>
    ),
  },
  { head: 'Change', cell: (change) => <ChangeSummary change={change} /> },
];
