import { listRepayments, REPAYMENTS } from '@tapeline/db/operations/repayments/repayments.ts';
import { columnsOf } from '@tapeline/domain/collections/collections.ts';
import { REPAYMENT_KINDS } from '@tapeline/domain/repayments/repayment.schema.ts';
import { type FilteredSource, fieldsWith } from '../../../components/filters/filtered-list.ts';
import { rowsFrom } from '../../../components/grid/grid-list.ts';

export const REPAYMENT_LIST: FilteredSource = {
  table: REPAYMENTS,
  columns: columnsOf('repayments'),
  sort: { cutOffDate: -1 },
  finds: [],
  totals: ['amountInMainCurrency.sum'],
  fields: fieldsWith({ status: ['Active', 'Removed'], 'repayments.kind': REPAYMENT_KINDS }),
  // As the REST list shows a repayment to the grid.
  load: rowsFrom(listRepayments, ({ transactionId, transactionTitle, ...repayment }) => ({
    ...repayment,
    transaction: { id: transactionId, title: transactionTitle },
  })),
};
