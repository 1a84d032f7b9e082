import { Money } from '../../../../components/figures/figures.tsx';
import { EmptyState } from '../../../../components/page/empty-state.tsx';
import { TableSection } from '../../../../components/tables/data-table.tsx';
import type { ProposalPage } from '../proposal-page.server.ts';

/** The net borrowing base of each note, for the tape as published and with the correction. */
export function NetChange({ notes, calculates }: { notes: NonNullable<ProposalPage['notes']>; calculates: boolean }) {
  const money = (value: (typeof notes)[number]['change'], failure: string | null) => (
    <Money value={value} withCurrency unknown={failure ?? undefined} />
  );
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
        { head: 'Now', numeric: true, cell: (row) => money(row.before, row.failure) },
        { head: 'With the correction', numeric: true, cell: (row) => money(row.after, row.failure) },
        { head: 'Change', numeric: true, cell: (row) => money(row.change, row.failure) },
      ]}
      empty={
        <EmptyState title="No note">
          The company has no transaction with a note, so no borrowing base changes.
        </EmptyState>
      }
    />
  );
}
