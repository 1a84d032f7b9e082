import { formatCount, formatFigure } from '../../../../components/figures/format.ts';
import { TableSection } from '../../../../components/tables/data-table.tsx';
import { paths } from '../../../../paths.ts';
import type { ErroredView } from '../tape-head.ts';

type Proposal = ErroredView['proposals'][number];

/** Maximum number of sheet rows that a line lists. The remaining ones are counted. */
const NAMED = 4;

function rowsInWords(rows: readonly number[]): string {
  const named = rows.slice(0, NAMED).map((row) => formatFigure(row));
  if (rows.length === 1) return `row ${named[0]}`;
  return rows.length > NAMED
    ? `${formatCount(rows.length, 'row')} (including ${named.join(', ')})`
    : `rows ${named.join(', ')}`;
}

/** Corrections that the borrower proposed: the open ones, and the outcome of the most recent closed ones. */
export function Proposals({
  tapeId,
  proposals,
  mayDecide,
}: {
  tapeId: string;
  proposals: readonly Proposal[];
  mayDecide: boolean;
}) {
  if (proposals.length === 0) return null;
  return (
    <TableSection
      title="Proposed corrections"
      note="the tape changes only when the manager accepts one"
      narrow="list"
      caption="Corrections proposed by the borrower, times in UTC"
      rows={proposals}
      rowTo={({ id }) => paths.proposal(tapeId, id)}
      columns={[
        { head: 'Proposal', cell: ({ code, rowNumbers }) => `${code}, ${rowsInWords(rowNumbers)}` },
        { head: 'By', cell: ({ proposedBy }) => proposedBy ?? 'The borrower' },
        { head: 'When (UTC)', date: ({ proposedAt }) => proposedAt, time: 'bare' },
        { head: 'Status', status: ({ status, beingAccepted }) => (beingAccepted ? 'Processing' : status) },
        {
          head: 'Decided by',
          quiet: true,
          cell: ({ status, beingAccepted, decidedBy }) =>
            status === 'Proposed' && !beingAccepted && mayDecide ? (
              <span className="font-medium text-accent">Review</span>
            ) : (
              (decidedBy ?? '')
            ),
        },
      ]}
    />
  );
}
