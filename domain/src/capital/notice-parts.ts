import type { CalendarDate } from '../dates/calendar-date.ts';
import type { Bank } from '../entities/bank.schema.ts';
import type { DecimalText } from '../money/decimal.ts';
import type { LineBasis } from './line-basis.ts';

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
  /** As it is registered: the beneficiary of payments. */
  readonly legalName: string;
  /** The class of the investor whom the document is for; of a list, the class of all investors. */
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
  /** Whom the account belongs to: its holder, or else the fund by its legal name. */
  readonly beneficiary: string;
  /** The fund by its legal name. */
  readonly fund: string;
  /** Null if the register does not name the bank. */
  readonly bank: string | null;
  readonly branch: string | null;
  readonly bankAddress: string | null;
  readonly accountNumber: string;
  readonly IBAN: string | null;
  readonly swiftCode: string | null;
  readonly abaOrRouting: string | null;
}

/** A bank account of a fund, as notices state it. @param legalName of the fund */
export const wireDetailsOf = (bank: Bank, legalName: string): WireDetails => ({
  beneficiary: bank.accountName || legalName,
  fund: legalName,
  bank: bank.bankName || null,
  branch: bank.branch || null,
  bankAddress: bank.address || null,
  accountNumber: bank.accountNumber,
  IBAN: bank.IBAN || null,
  swiftCode: bank.swiftCode || null,
  abaOrRouting: bank.abaOrRouting || null,
});

/** What an investor who pays is told if the fund has no account on record. */
export const NO_ACCOUNT =
  'The notice states no account to pay into: ask your fund manager, on a number that you had before.';

/** A line of the account to pay into. Codes are copied, so that they are set in a fixed width. */
export interface WireFact {
  readonly label: string;
  readonly value: string;
  readonly isCode?: boolean;
}

/** An IBAN in groups of four, as banks print it. */
const inGroups = (IBAN: string | null): string | null => IBAN?.replaceAll(/(.{4})(?=.)/g, '$1 ') ?? null;

/** The account to pay into, line by line, as notices and screens state it; what is not known is left out. */
export function wireFacts(wire: WireDetails, reference: string | null): WireFact[] {
  const fact = (label: string, value: string | null, isCode = false): WireFact[] =>
    value ? [{ label, value, ...(isCode ? { isCode } : {}) }] : [];
  return [
    ...fact('Beneficiary', wire.beneficiary),
    ...fact('Fund', wire.fund === wire.beneficiary ? null : wire.fund),
    ...fact(
      wire.bank ? 'Bank' : 'Address of the bank',
      [wire.bank, wire.branch, wire.bankAddress].filter(Boolean).join(', '),
    ),
    ...fact('Account number', wire.accountNumber, true),
    ...fact('IBAN', inGroups(wire.IBAN), true),
    ...fact('ABA routing number', wire.abaOrRouting, true),
    ...fact('SWIFT', wire.swiftCode, true),
    ...fact('Payment reference', reference, true),
  ];
}

/** What a share in percent is a share of. */
export type HoldingOf = 'fund' | 'class';

/** What a share is called. A figure and its label come from the same place, so that they agree. */
export const HOLDING_LABELS: Readonly<Record<HoldingOf, string>> = {
  fund: 'Your share of the fund',
  class: 'Your share of the class',
};

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

/** One investor's part of a call or distribution. */
export interface NoticeShare {
  readonly investor: NoticeInvestor;
  /** The class of the commitment; null if the fund has none. */
  readonly className: string | null;
  /** Share in percent, at the cut-off date: of the fund, or of the class if the document is of the class alone. */
  readonly holdingPercent: DecimalText | null;
  readonly holdingOf: HoldingOf;
  /** Where each amount comes from, in the order of the lines; empty where that is not recorded. */
  readonly basis: readonly LineBasis[];
}

/** The column of the shares: of the fund, of the class, or if they differ just shares. */
export function shareHead(shares: readonly Pick<NoticeShare, 'holdingOf'>[]): string {
  const [one, ...more] = new Set(shares.map(({ holdingOf }) => holdingOf));
  return one === undefined || more.length > 0 ? 'Share' : `Share of ${one}`;
}
