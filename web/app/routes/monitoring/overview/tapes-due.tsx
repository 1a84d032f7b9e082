import { formatCount, formatFigure } from '../../../components/figures/format.ts';
import { Chip } from '../../../components/page/chip.tsx';
import { EmptyState } from '../../../components/page/empty-state.tsx';
import { TableSection } from '../../../components/tables/data-table.tsx';
import { paths } from '../../../paths.ts';
import type { MonitoringView } from './monitoring.server.ts';
import { dueWords } from './tape-due-words.ts';

type TapesDueView = NonNullable<MonitoringView['tapesDue']>;

const TONES = { Late: 'danger', Due: 'warning', Upcoming: 'neutral' } as const;

/** The next tape of each borrower with a facility, those due first. */
export function TapesDue({ due, mayUpload }: { due: TapesDueView; mayUpload: boolean }) {
  const counts = [
    ...(due.late > 0 ? [formatCount(due.late, 'late', 'late')] : []),
    ...(due.due > 0 ? [formatCount(due.due, 'due', 'due')] : []),
    ...(due.tapes.length < due.total ? [`the first ${due.tapes.length} of ${formatFigure(due.total)}`] : []),
  ];
  return (
    <TableSection
      title="Next tapes"
      note={counts.length > 0 ? counts.join(', ') : 'none late'}
      narrow="list"
      rows={due.tapes}
      rowKey={(tape) => tape.companyId}
      rowTo={(tape) => (mayUpload ? paths.newTape({ company: tape.companyId }) : paths.company(tape.companyId))}
      columns={[
        { head: 'Borrower', name: (tape) => tape.companyName },
        { head: 'Cut-off', date: (tape) => tape.cutOffDate },
        { head: 'Due', date: (tape) => tape.dueDate },
        {
          head: 'Status',
          cell: (tape) => <Chip tone={tape.isProcessing ? 'accent' : TONES[tape.state]}>{dueWords(tape)}</Chip>,
        },
      ]}
      empty={
        <EmptyState title="No tapes expected">
          A tape is expected for each month end while a facility has an active contract.
        </EmptyState>
      }
    />
  );
}
