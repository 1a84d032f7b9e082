import { AVAILABILITY_AT_CUT_OFF, BALANCE_AT_CUT_OFF } from '@tapeline/domain/facilities/position-labels.ts';
import { Money } from '../../../../components/figures/figures.tsx';
import { Chip } from '../../../../components/page/chip.tsx';
import { EmptyState } from '../../../../components/page/empty-state.tsx';
import { Notice } from '../../../../components/page/notice.tsx';
import { Panel } from '../../../../components/page/section.tsx';
import { DataTable } from '../../../../components/tables/data-table.tsx';
import { paths } from '../../../../paths.ts';
import type { BasesView, TapeHead } from '../tape-head.ts';

const NO_BALANCE = 'No draws or repayments recorded for this note yet';

/** The borrowing bases that were calculated from this tape, one per note. */
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
          {view.rows.every(({ isStale }) => isStale)
            ? 'These borrowing bases were'
            : 'Some of these borrowing bases were'}{' '}
          calculated before corrected rows were added to this tape. Recalculate to include them.
        </Notice>
      ) : null}
      <Panel>
        <DataTable
          narrow="list"
          caption="Borrowing bases of this tape"
          rows={view.rows}
          rowTo={(row) => paths.borrowingBase(row.id)}
          columns={[
            {
              head: 'Note',
              cell: (row) => (
                <>
                  {row.note} {row.isStale ? <Chip tone="warning">outdated</Chip> : null}
                </>
              ),
            },
            {
              head: `Gross borrowing base${unit}`,
              numeric: true,
              wideOnly: true,
              cell: (row) => money({ sum: row.firstBB, currency: row.currency }),
            },
            {
              head: `Net borrowing base${unit}`,
              numeric: true,
              cell: (row) => money({ sum: row.netBB, currency: row.currency }),
            },
            { head: BALANCE_AT_CUT_OFF, numeric: true, wideOnly: true, cell: (row) => money(row.balance, NO_BALANCE) },
            { head: AVAILABILITY_AT_CUT_OFF, numeric: true, cell: (row) => money(row.availability, NO_BALANCE) },
          ]}
          empty={
            <EmptyState title="No borrowing base yet">
              {head.may.calculate
                ? 'Calculate one for each note with a contract active on the cut-off date.'
                : 'No borrowing base has been calculated from this tape.'}
            </EmptyState>
          }
        />
      </Panel>
    </>
  );
}
