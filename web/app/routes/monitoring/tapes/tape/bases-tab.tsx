import {
  AVAILABILITY_AT_CUT_OFF,
  BALANCE_AT_CUT_OFF,
  NO_BALANCE,
} from '@tapeline/domain/facilities/position-labels.ts';
import { Chip } from '../../../../components/page/chip.tsx';
import { EmptyState } from '../../../../components/page/empty-state.tsx';
import { Notice } from '../../../../components/page/notice.tsx';
import { Panel } from '../../../../components/page/section.tsx';
import { DataTable } from '../../../../components/tables/data-table.tsx';
import { paths } from '../../../../paths.ts';
import type { BasesView, TapeHead } from '../tape-head.ts';

/** The borrowing bases that were calculated from this tape, one per note. */
export function BasesTab({ head, view }: { head: TapeHead; view: BasesView }) {
  const currencies = new Set(view.rows.map((row) => row.currency));
  const [only] = currencies.size === 1 ? currencies : [];
  const unit = only ? ` (${only})` : '';
  const withCurrency = !only;
  return (
    <>
      {view.rows.some(({ isStale }) => isStale) ? (
        <Notice tone="warning">
          {view.rows.every(({ isStale }) => isStale)
            ? 'These borrowing bases were'
            : 'Some of these borrowing bases were'}{' '}
          calculated before this tape was republished. Recalculate to use its current assets.
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
              money: ({ firstBB, currency }) => ({ sum: firstBB, currency }),
              withCurrency,
              wideOnly: true,
            },
            {
              head: `Net borrowing base${unit}`,
              money: ({ netBB, currency }) => ({ sum: netBB, currency }),
              withCurrency,
            },
            {
              head: BALANCE_AT_CUT_OFF,
              money: (row) => row.balance,
              withCurrency,
              wideOnly: true,
              unknown: NO_BALANCE,
            },
            { head: AVAILABILITY_AT_CUT_OFF, money: (row) => row.availability, withCurrency, unknown: NO_BALANCE },
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
