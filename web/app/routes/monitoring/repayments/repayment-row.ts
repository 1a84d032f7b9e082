import type { RepaymentView } from '@tapeline/db/operations/repayments/repayments.ts';

/** A repayment as the REST list shows it to the grid. */
export const repaymentRow = ({ transactionId, transactionTitle, ...repayment }: RepaymentView) => ({
  ...repayment,
  transaction: { id: transactionId, title: transactionTitle },
});
