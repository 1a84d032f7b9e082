import { valuesOf } from '../documents/labels.ts';
import { REPAYMENT_KIND_LABELS } from '../repayments/kinds.ts';

/** What a line of an invoice asks for: what a repayment can pay. */
export const INVOICE_LINE_LABELS = REPAYMENT_KIND_LABELS;
export type InvoiceLineKind = keyof typeof INVOICE_LINE_LABELS;
export const INVOICE_LINE_KINDS = valuesOf(INVOICE_LINE_LABELS);

/** What a payment pays first, second and last, unless the invoice says otherwise. */
export const DEFAULT_WATERFALL: readonly InvoiceLineKind[] = ['fees', 'interest', 'principal'];

/** The orders in which a payment can be applied, as a form offers them. */
export const WATERFALL_LABELS = {
  'fees,interest,principal': 'Fees, interest, principal',
  'interest,fees,principal': 'Interest, fees, principal',
  'fees,principal,interest': 'Fees, principal, interest',
  'interest,principal,fees': 'Interest, principal, fees',
  'principal,fees,interest': 'Principal, fees, interest',
  'principal,interest,fees': 'Principal, interest, fees',
} as const;
export type WaterfallOrder = keyof typeof WATERFALL_LABELS;

export const waterfallOrderOf = (waterfall: readonly InvoiceLineKind[]): WaterfallOrder =>
  waterfall.join(',') as WaterfallOrder;

/** Days of one period: its pieces are stored with the invoice. */
export const MAX_PERIOD_DAYS = 366;
/** Between the day on which an invoice is prepared and its due date, unless another day is entered. */
export const DAYS_TO_PAY = 30;

/** How a line was calculated. */
export const INVOICE_RULE_LABELS = {
  accrued: 'Interest accrued to the end of the period, less what had accrued at its beginning',
  inKind: 'Added to the principal at the end of the period instead of being paid',
  corrected: 'Interest or a fee of an earlier invoice as it accrues now, less what was invoiced for it',
  daily: 'Accrues each day at a yearly rate',
  minimumUsage: 'Accrues on what the average balance of the period is below the minimum usage, at a yearly rate',
  prepayment: 'A percentage of principal that was repaid before it was due',
  first: 'Charged once, on the first day of the fee',
  last: 'Charged once, on the last day of the fee',
  each: 'A fixed amount for each whole month, quarter or year that ends in the period',
  entered: 'Scheduled repayment, as entered',
} as const;
export type InvoiceRule = keyof typeof INVOICE_RULE_LABELS;

/** Why the interest or a fee of an invoice is another one after it was issued. */
export const CORRECTION_LABELS = {
  balance: 'a draw or a repayment was recorded or removed since',
  commitments: 'the commitments changed since',
  rate: 'the rate changed since',
  dayCount: 'the day count changed since',
  terms: 'the terms of the fee changed since',
  withdrawn: 'the invoice was withdrawn after it had been corrected',
  rest: 'what an invoice before this one could not take back',
} as const;
export type CorrectionReason = keyof typeof CORRECTION_LABELS;

/** Corrections of one invoice, and the pieces of all of them: more are left for the next invoice. */
export const MAX_INVOICE_CORRECTIONS = 40;
export const MAX_CORRECTION_PIECES = 800;

/** Why a line has no amount. The invoice cannot be issued until it has. */
export const UNKNOWN_LINE_LABELS = {
  noFixing: 'The base rate has no fixing on or before',
  noBalance: 'No draw or repayment is recorded for the note',
  noCommitments: 'The terms have no commitments',
  noBasis: 'The terms do not say what the percentage is of',
  noDate: 'The terms have no date for',
  mixedCurrencies: 'What is undrawn depends on exchange rates, because the commitment is also drawn in',
} as const;
export type UnknownLine = keyof typeof UNKNOWN_LINE_LABELS;
