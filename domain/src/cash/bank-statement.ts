import type { CalendarDate } from '../dates/calendar-day.ts';
import type { DecimalText } from '../money/decimal.ts';

export const STATEMENT_FORMATS = ['camt.053', 'camt.054', 'MT940', 'BAI2', 'CSV'] as const;
export type StatementFormat = (typeof STATEMENT_FORMATS)[number];

/** What a bank says about one account: what was booked in a period, and the balances around it. */
export interface BankStatement {
  format: StatementFormat;
  /** The account as the file has it, without spaces: an IBAN, or another number. */
  account: string;
  /** Null where the file names none: the account's own then. */
  currency: string | null;
  /** As the bank numbers its statements. */
  number: string;
  from: CalendarDate | null;
  to: CalendarDate;
  /** Null where the file has none: in notifications (camt.054), intraday files and CSV without balances. */
  opening: Balance | null;
  closing: Balance | null;
  lines: BankStatementLine[];
}

export interface Balance {
  date: CalendarDate;
  /** Negative if the account is overdrawn. */
  amount: DecimalText;
}

export interface BankStatementLine {
  /** Of the bank, unique in the account. */
  reference: string;
  bookedOn: CalendarDate;
  valuedOn: CalendarDate;
  /** Signed: positive came in. */
  amount: DecimalText;
  /** What a bank took from the amount, in the currency of the account. Positive; null if nothing is reported. */
  charges: DecimalText | null;
  /** What was instructed, where it is another amount or currency. */
  original: { amount: DecimalText; currency: string } | null;
  counterpartyName: string | null;
  counterpartyAccount: string | null;
  remittance: string;
  endToEndId: string | null;
  /** A payment that came back, or that the bank reversed. */
  returned: { reason: string } | null;
}
