import type { DecimalText } from '@tapeline/domain/money/decimal.ts';
import { DateText, Name, Unknown } from '../../components/figures/figures.tsx';
import { EmptyState } from '../../components/page/empty-state.tsx';
import { Pagination } from '../../components/page/pagination.tsx';
import { Panel } from '../../components/page/section.tsx';
import { DataTable } from '../../components/tables/data-table.tsx';
import { paths } from '../../paths.ts';

export const OWN_PER_PAGE = 100;

/** One call or distribution of the investor who is signed in. */
export interface OwnDocument {
  readonly id: string;
  readonly to: string;
  readonly fund: string | null;
  readonly investor: string | null;
  readonly callNumber: string;
  readonly cutOffDate: string;
  readonly dueDate: string | null;
  readonly amount: DecimalText;
  readonly currency: string;
  readonly status: string;
  readonly noticeId: string | null;
}

/** The link to a stored notice. */
export function NoticeLink({ id }: { id: string | null }) {
  return id === null ? (
    <Unknown reason="The notice is not stored yet" />
  ) : (
    <a href={paths.download(id)} className="tap-text relative z-[1] text-accent hover:underline">
      Notice
    </a>
  );
}

/** What an investor has to pay, or was paid. @param noun "capital calls" or "distributions" */
export function OwnDocuments({
  rows,
  total,
  noun,
  amount,
}: {
  rows: readonly OwnDocument[];
  total: number;
  noun: string;
  amount: string;
}) {
  const isCall = rows.some(({ dueDate }) => dueDate !== null);
  // On a phone an investor is named only where there are several.
  const hasSeveral = new Set(rows.map(({ investor }) => investor)).size > 1;
  return (
    <Panel>
      <DataTable
        narrow="cards"
        caption={`Your ${noun}`}
        rows={rows}
        rowTo={(row) => row.to}
        empty={<EmptyState title={`No ${noun} yet`}>They are listed here once they are issued to you.</EmptyState>}
        columns={[
          {
            head: 'Fund',
            card: 'name',
            cell: (row) => (
              <>
                {/* The number comes first on a phone, where the end of a long name is cut off. */}
                <span className="sm:hidden">
                  {isCall ? 'Call' : 'Distribution'} {row.callNumber},{' '}
                </span>
                {row.fund === null ? <Unknown /> : <Name length={40}>{row.fund}</Name>}
              </>
            ),
          },
          { head: 'Number', cell: (row) => row.callNumber },
          {
            head: 'Investor',
            cell: (row) => (row.investor === null ? <Unknown /> : <Name length={40}>{row.investor}</Name>),
          },
          { head: 'Cut-off date', date: (row) => row.cutOffDate, ...(isCall ? {} : { card: 'date' }) },
          ...(isCall
            ? [
                {
                  head: 'Due date',
                  card: 'date' as const,
                  oneLine: true,
                  cell: (row: OwnDocument) => (
                    <>
                      <span className="sm:hidden">due </span>
                      <DateText value={row.dueDate} />
                      {hasSeveral && row.investor !== null ? <span className="sm:hidden">, {row.investor}</span> : null}
                    </>
                  ),
                },
              ]
            : []),
          {
            head: amount,
            card: 'amount',
            money: (row) => ({ sum: row.amount, currency: row.currency }),
            withCurrency: true,
            zero: 'figure',
          },
          { head: 'Status', card: 'state', status: (row) => row.status },
          { head: 'Notice', cell: (row) => <NoticeLink id={row.noticeId} /> },
        ]}
      />
      <Pagination total={total} limit={OWN_PER_PAGE} noun={noun} />
    </Panel>
  );
}
