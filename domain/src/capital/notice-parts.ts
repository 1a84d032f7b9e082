import type { CalendarDate } from '../dates/calendar-date.ts';
import type { Bank } from '../entities/bank.schema.ts';
import type { DecimalText } from '../money/decimal.ts';

/** Who sends a notice or a statement: the fund manager, at the top of the first page. */
export interface Letterhead {
  readonly name: string;
  /** A PNG or JPEG file in base64. Without one, the name alone is shown. */
  readonly logo: string | null;
  /** Address, email and phone, a line each. */
  readonly contact: readonly string[];
}

/** The fund of a document. All its amounts are in the currency of the fund. */
export interface NoticeFund {
  readonly title: string;
  readonly className: string | null;
  readonly currency: string;
}

/** The investor to whom a document is addressed. */
export interface NoticeInvestor {
  readonly formalName: string;
  readonly code: string;
  /** Contact person and postal address, a line each. */
  readonly address: readonly string[];
}

/** The account to pay into, in full: the investor who is called may see it. */
export interface WireDetails {
  readonly bank: string;
  readonly bankAddress: string | null;
  readonly accountName: string | null;
  readonly accountNumber: string;
  readonly IBAN: string | null;
  readonly swiftCode: string | null;
  readonly abaOrRouting: string | null;
}

/** The account of a bank, as notices state it. */
export const wireDetailsOf = (bank: Bank): WireDetails => ({
  bank: bank.title,
  bankAddress: bank.address || null,
  accountName: bank.accountName || null,
  accountNumber: bank.accountNumber,
  IBAN: bank.IBAN || null,
  swiftCode: bank.swiftCode || null,
  abaOrRouting: bank.abaOrRouting || null,
});

/** What an investor states with its payment, so that the fund can match it. */
export const paymentReference = (callNumber: string, investorCode: string): string =>
  `CALL-${callNumber}-${investorCode}`;

/** Who signs for the general partner. */
export interface Signatory {
  readonly organization: string;
  readonly name: string | null;
  readonly role: string | null;
}

/** A figure before and after a call or a distribution. */
export interface Change {
  readonly before: DecimalText;
  readonly after: DecimalText;
}

/** What every notice of one call or distribution has in common. */
export interface NoticeFacts {
  readonly letterhead: Letterhead;
  readonly fund: NoticeFund;
  readonly callNumber: string;
  /** The day the document is issued. It also dates the file, so that the same notice gives the same bytes. */
  readonly issueDate: CalendarDate;
  readonly cutOffDate: CalendarDate;
  readonly trailingDescription: string | null;
  readonly signatory: Signatory | null;
}

/** One investor of a call or distribution, as a document that lists all of them shows it. For managers only. */
export interface ListedInvestor {
  readonly code: string;
  readonly formalName: string;
  readonly commitment: DecimalText;
  /** Share of the fund or class in percent. */
  readonly holdingPercent: DecimalText | null;
}
