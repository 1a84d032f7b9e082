import type { BorrowingBaseFigures } from '@tapeline/db/operations/borrowing-bases/borrowing-base-figures.ts';
import type { NoteName } from '@tapeline/db/operations/transactions/note-names.ts';
import { AVAILABILITY_AT_CUT_OFF, NO_BALANCE } from '@tapeline/domain/facilities/position-labels.ts';
import { isNegative, subtract } from '@tapeline/domain/money/decimal.ts';
import { shareOf } from '@tapeline/domain/money/shares.ts';
import { Name, Unknown } from '../../../../components/figures/figures.tsx';
import { formatPercent } from '../../../../components/figures/format.ts';
import { DataTable } from '../../../../components/tables/data-table.tsx';
import { paths } from '../../../../paths.ts';

function Movement({ bases }: { bases: readonly BorrowingBaseFigures[] }) {
  const [latest, before] = [bases.at(-1), bases.at(-2)];
  if (!latest || !before || before.currency !== latest.currency) return <Unknown reason="No earlier borrowing base" />;
  const points = shareOf(subtract(latest.netBB, before.netBB), before.netBB);
  if (points === null) return <Unknown reason="The previous value was zero" />;
  return (
    <span className={isNegative(points) ? 'text-danger' : 'text-good'}>
      {isNegative(points) ? '' : '+'}
      {formatPercent(points, 2)}
    </span>
  );
}

export function LatestTable({ series }: { series: readonly { note: NoteName; bases: BorrowingBaseFigures[] }[] }) {
  const rows = series.flatMap(({ note, bases }) => {
    const latest = bases.at(-1);
    return latest ? [{ note, bases, latest }] : [];
  });
  return (
    <DataTable
      narrow="list"
      caption="Latest borrowing base per note"
      rows={rows}
      rowKey={(row) => row.note.noteId}
      rowTo={(row) => paths.borrowingBase(row.latest.id)}
      columns={[
        {
          head: 'Note',
          cell: ({ note }) => (
            <>
              <Name>{note.transactionTitle}</Name>, {note.noteTitle}
            </>
          ),
        },
        { head: 'Cut-off', date: ({ latest }) => latest.cutOffDate },
        { head: 'Currency', quiet: true, cell: ({ latest }) => latest.currency },
        { head: 'Eligible or performing', money: ({ latest }) => latest.pool, wideOnly: true },
        { head: 'Net borrowing base', money: ({ latest }) => latest.netBB },
        { head: 'Change', numeric: true, cell: ({ bases }) => <Movement bases={bases} /> },
        {
          head: 'Advance rate',
          percent: ({ latest }) => latest.weightedAdvanceRatePercent,
          wideOnly: true,
          unknown: 'The pool is empty',
        },
        { head: AVAILABILITY_AT_CUT_OFF, money: ({ latest }) => latest.availability, unknown: NO_BALANCE },
      ]}
    />
  );
}

export function BorrowingBaseTable({
  bases,
  notes,
}: {
  bases: readonly BorrowingBaseFigures[];
  notes: Record<string, NoteName>;
}) {
  return (
    <DataTable
      narrow="list"
      caption="Borrowing bases over time"
      rows={bases}
      rowTo={(base) => paths.borrowingBase(base.id)}
      columns={[
        { head: 'Cut-off', date: (base) => base.cutOffDate },
        {
          head: 'Note',
          cell: ({ noteId }) => {
            const note = notes[noteId];
            return note ? (
              <>
                <Name>{note.transactionTitle}</Name>, {note.noteTitle}
              </>
            ) : (
              <Unknown reason="This facility was removed" />
            );
          },
        },
        { head: 'Currency', quiet: true, cell: (base) => base.currency },
        { head: 'Eligible or performing', money: (base) => base.pool, wideOnly: true },
        { head: 'Excess', money: (base) => base.excess, wideOnly: true },
        { head: 'Gross borrowing base', money: (base) => base.firstBB, wideOnly: true },
        { head: 'Net borrowing base', money: (base) => base.netBB },
      ]}
    />
  );
}
