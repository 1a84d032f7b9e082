/** What a repayment pays, and what people call it. */
export const REPAYMENT_KIND_LABELS = { principal: 'Principal', interest: 'Interest', fees: 'Fees' } as const;
