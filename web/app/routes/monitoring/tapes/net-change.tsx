import { EmptyState } from '../../../components/page/empty-state.tsx';
import { type Column, TableSection } from '../../../components/tables/data-table.tsx';
import type { NoteWithChange } from './note-change.ts';

/**
 * The net borrowing base of each note, for the tape as published and as reviewed.
 * @param change what is reviewed: "the correction"
 * @param decision what the user would do, as a subject and with "when": ["accepting", "accept"]
 */
export function NetChange({
  notes,
  calculates,
  change,
  decision: [deciding, decide],
}: {
  notes: readonly NoteWithChange[];
  calculates: boolean;
  change: string;
  decision: readonly [string, string];
}) {
  const net = (head: string, money: (note: NoteWithChange) => NoteWithChange['change']): Column<NoteWithChange> => ({
    head,
    money,
    withCurrency: true,
    unknown: ({ failure }) => failure ?? undefined,
  });
  return (
    <TableSection
      title="Net borrowing base"
      note={
        calculates
          ? `recalculated when you ${decide}`
          : `none calculated from this tape yet; ${deciding} does not calculate one`
      }
      narrow="list"
      caption={`Net borrowing base of each note before and after ${change}`}
      rows={notes}
      rowKey={(row) => row.noteId}
      columns={[
        {
          head: 'Note',
          cell: (row) => (
            <>
              {row.title}
              {row.failure ? <span className="block text-xs whitespace-normal text-ink-3">{row.failure}</span> : null}
            </>
          ),
        },
        net('Now', ({ before }) => before),
        net(`With ${change}`, ({ after }) => after),
        net('Change', ({ change }) => change),
      ]}
      empty={
        <EmptyState title="No note">The borrower has no facility with a note, so no borrowing base changes.</EmptyState>
      }
    />
  );
}
