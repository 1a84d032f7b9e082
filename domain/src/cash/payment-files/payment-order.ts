import type { CalendarDate } from '../../dates/calendar-date.ts';
import type { DecimalText } from '../../money/decimal.ts';

/** How a bank is told what to pay. */
export const PAYMENT_FORMAT_LABELS = {
  'pain.001.001.03': 'Credit transfers, pain.001.001.03',
  'pain.001.001.09': 'Credit transfers, pain.001.001.09',
  NACHA: 'US ACH credits, NACHA',
  CSV: 'Table, CSV',
} as const;

/** The numbers of a bank account, without spaces. An account has an IBAN, a number or both. */
export interface AccountNumbers {
  readonly iban: string | null;
  readonly accountNumber: string | null;
  readonly bic: string | null;
  /** Of the American Bankers Association. */
  readonly routingNumber: string | null;
}

/** Who pays or is paid, as the bank knows them. */
export interface AccountHolder extends AccountNumbers {
  readonly name: string;
  readonly city: string | null;
  /** Two letters. */
  readonly country: string | null;
}

export interface PaymentInstruction {
  /** Of the obligation: it comes back on both bank statements. */
  readonly reference: string;
  /** Positive, in the currency of the order. */
  readonly amount: DecimalText;
  readonly payee: AccountHolder & {
    /** A person's account rather than that of a business. */
    readonly isPrivate: boolean;
    readonly bankName: string | null;
  };
  /** What the payee reads on its statement, beside the reference. */
  readonly purpose: string;
}

/** What a bank is asked to pay on a day, from one account. */
export interface PaymentOrder {
  /** Unique among the orders of the account; at most 30 letters, digits and hyphens. */
  readonly id: string;
  /** ISO instant. The file states it, so that the same order gives the same bytes. */
  readonly createdAt: string;
  readonly executeOn: CalendarDate;
  readonly currency: string;
  readonly payer: AccountHolder & {
    readonly bankName: string;
    /** What the bank calls the payer in NACHA files: ten characters. Null if the bank has given none. */
    readonly originator: string | null;
  };
  readonly payments: readonly PaymentInstruction[];
}

/** Why an order cannot be written in a format. */
export interface PaymentProblem {
  /** Index of the payment; null if it concerns the order or the payer. */
  readonly index: number | null;
  /** A sentence that names the payee or the payer. */
  readonly text: string;
}
