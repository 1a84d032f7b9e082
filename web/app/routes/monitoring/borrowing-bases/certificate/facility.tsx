import { facilityFigures } from '@tapeline/domain/borrowing-base/facility-figures.ts';
import type { BorrowingBaseResult } from '@tapeline/domain/borrowing-base/result.ts';
import { BALANCE_AT_CUT_OFF, NO_BALANCE } from '@tapeline/domain/facilities/position-labels.ts';
import { formatFigure } from '../../../../components/figures/format.ts';
import { Notice } from '../../../../components/page/notice.tsx';
import { TableSection } from '../../../../components/tables/data-table.tsx';

/** A negative availability, and either amount that cures it. */
export function Deficiency({ result }: { result: BorrowingBaseResult }) {
  const { cure } = facilityFigures(result);
  if (!cure) return null;
  return (
    <Notice tone="danger">
      Deficiency of {formatFigure(cure.repay)} {cure.currency}: repay that amount
      {cure.addCollateral === null
        ? ' to cure it.'
        : `, or add eligible collateral of ${formatFigure(cure.addCollateral)} ${cure.currency} at the weighted advance rate, to cure it.`}
    </Notice>
  );
}

/** Balance and commitments in each currency. Empty for results of versions that did not record them. */
export function PositionByCurrency({ result }: { result: BorrowingBaseResult }) {
  const { byCurrency } = facilityFigures(result);
  if (byCurrency.length === 0) return null;
  return (
    <TableSection
      title="Balance and commitments by currency"
      note="commitments at the exchange rates of the tape"
      rows={byCurrency}
      rowKey={({ currency }) => currency}
      columns={[
        { head: 'Currency', cell: ({ currency }) => currency },
        { head: 'Commitments', money: ({ limit }) => limit },
        { head: BALANCE_AT_CUT_OFF, money: ({ balance }) => balance, unknown: NO_BALANCE },
        { head: 'Undrawn', money: ({ undrawn }) => undrawn, unknown: NO_BALANCE },
      ]}
    />
  );
}
