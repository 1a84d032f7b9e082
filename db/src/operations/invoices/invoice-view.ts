import type { DecimalText } from '@tapeline/domain/money/decimal.ts';
import type { Invoice } from '../../entities/invoices.ts';

/** An invoice with what it belongs to and what was paid of it. */
export type InvoiceView = Invoice & {
  /** Null while a line is unknown. */
  readonly amount: DecimalText | null;
  readonly companyName: string;
  readonly transactionTitle: string;
  readonly noteTitle: string;
  /** What the borrower states with its payment. */
  readonly reference: string;
  readonly received: DecimalText;
  /** Null unless it is issued. */
  readonly open: DecimalText | null;
};
