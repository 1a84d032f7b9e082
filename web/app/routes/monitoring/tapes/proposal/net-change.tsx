import { EmptyState } from '../../../../components/page/empty-state.tsx';
import { type Column, TableSection } from '../../../../components/tables/data-table.tsx';
import type { ProposalPage } from '../proposal-page.server.ts';

type Note = NonNullable<ProposalPage['notes']>[number];

/** The net borrowing base of each note, for the tape as published and with the correction. */
export function NetChange({ notes, calculates }: { notes: readonly Note[]; calculates: boolean }) {
  const net = (head: string, money: (note: Note) => Note['change']): Column<Note> => ({
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
          ? 'recalculated when you accept'
          : 'none calculated from this tape yet; accepting does not calculate one'
      }
      narrow="list"
      caption="Net borrowing base of each note before and after the correction"
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
        net('With the correction', ({ after }) => after),
        net('Change', ({ change }) => change),
      ]}
      empty={
        <EmptyState title="No note">
          The company has no transaction with a note, so no borrowing base changes.
        </EmptyState>
      }
    />
  );
}
