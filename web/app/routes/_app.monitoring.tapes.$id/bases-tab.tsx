import { Money } from '../../components/figures/figures.tsx';
import { Chip } from '../../components/page/chip.tsx';
import { EmptyState } from '../../components/page/empty-state.tsx';
import { Notice } from '../../components/page/notice.tsx';
import { Panel } from '../../components/page/section.tsx';
import { DataTable } from '../../components/tables/data-table.tsx';
import { paths } from '../../paths.ts';
import type { BasesView, TapeHead } from '../../tapes/tape-head.ts';

const NO_BALANCE = 'Draws and repayments of the note are not recorded yet';

/** The borrowing bases that were made from this tape, one a note. */
export function BasesTab({ head, view }: { head: TapeHead; view: BasesView }) {
  const currencies = new Set(view.rows.map((row) => row.currency));
  const [only] = currencies.size === 1 ? currencies : [];
  const unit = only ? ` (${only})` : '';
  const money = (value: Parameters<typeof Money>[0]['value'], unknown?: string) => (
    <Money value={value} withCurrency={!only} unknown={unknown} />
  );
  return (
    <>
      {view.rows.some(({ isStale }) => isStale) ? (
        <Notice tone="warning">
          {view.rows.every(({ isStale }) => isStale) ? 'These were' : 'Some of these were'} calculated before corrected
          rows became assets of this tape. Calculate again to count them.
        </Notice>
      ) : null}
      <Panel>
        <DataTable
          narrow="list"
          caption="Borrowing bases of this tape"
          rows={view.rows}
          rowKey={(row) => row.id}
          rowTo={(row) => paths.borrowingBase(row.id)}
          columns={[
            {
              key: 'note',
              head: 'Note',
              cell: (row) => (
                <>
                  {row.note} {row.isStale ? <Chip tone="warning">earlier assets</Chip> : null}
                </>
              ),
            },
            {
              key: 'first',
              head: `Before concentration${unit}`,
              numeric: true,
              wideOnly: true,
              cell: (row) => money({ sum: row.firstBB, currency: row.currency }),
            },
            {
              key: 'net',
              head: `Net borrowing base${unit}`,
              numeric: true,
              cell: (row) => money({ sum: row.netBB, currency: row.currency }),
            },
            {
              key: 'balance',
              head: 'Balance',
              numeric: true,
              wideOnly: true,
              cell: (row) => money(row.balance, NO_BALANCE),
            },
            {
              key: 'availability',
              head: 'Availability',
              numeric: true,
              cell: (row) => money(row.availability, NO_BALANCE),
            },
          ]}
          empty={
            <EmptyState title="No borrowing base yet">
              {head.may.calculate
                ? 'Calculate one: every note of the company with a contract in force on the cut-off date gets its own.'
                : 'Nobody has calculated one from this tape.'}
            </EmptyState>
          }
        />
      </Panel>
    </>
  );
}
