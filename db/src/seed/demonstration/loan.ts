import { addMonths, type CalendarDate, fromEpochDay, toEpochDay } from '@tapeline/domain/dates/calendar-date.ts';

/** A person or company that borrows; one borrower can have several loans. */
export type Borrower = {
  readonly id: string;
  /** Score when the borrower is first seen; null if the credit bureau has no file. */
  readonly fico: number | null;
  /** Null if the lender never recorded an address. */
  readonly state: string | null;
  readonly city: string | null;
  readonly zip: string | null;
  readonly employment: string;
  /** Annual, in whole dollars. */
  readonly income: number;
};

/** The terms of a loan that never change. Amounts are whole cents, rates whole basis points. */
export type Loan<Details> = {
  readonly id: string;
  readonly borrower: Borrower;
  readonly originationDate: CalendarDate;
  readonly firstPaymentDate: CalendarDate;
  readonly maturityDate: CalendarDate;
  readonly termMonths: number;
  readonly originalCents: number;
  readonly rateBps: number;
  readonly paymentCents: number;
  readonly grade: string;
  readonly details: Details;
};

export type LoanStatus =
  | 'current'
  | '1-30'
  | '31-60'
  | '61-90'
  | '90+'
  /** Charged off in this month or in one of the months before. */
  | 'chargedOff'
  /** The last instalment was paid in this month. */
  | 'paidOff'
  /** Prepaid in full in this month. */
  | 'prepaid';

/** The state of a loan at a cut-off date. Amounts are whole cents. */
export type LoanPosition<Details> = {
  readonly loan: Loan<Details>;
  readonly status: LoanStatus;
  readonly daysPastDue: number;
  readonly principalCents: number;
  readonly accruedInterestCents: number;
  /** Instalments due and unpaid. */
  readonly arrearsCents: number;
  readonly principalPaidCents: number;
  readonly interestPaidCents: number;
  readonly recoveriesCents: number;
  readonly lastPaymentDate: CalendarDate | null;
  readonly nextPaymentDate: CalendarDate | null;
  readonly chargeOffDate: CalendarDate | null;
  readonly monthsOnBook: number;
  readonly remainingTermMonths: number;
  readonly currentFico: number | null;
};

/** The last day of the month of a date. */
export function endOfMonth(date: CalendarDate): CalendarDate {
  return fromEpochDay(toEpochDay(addMonths(`${date.slice(0, 7)}-01`, 1)) - 1);
}

/** Calendar months between the months of two dates, whatever their days. */
export function monthsBetween(from: CalendarDate, to: CalendarDate): number {
  return (Number(to.slice(0, 4)) - Number(from.slice(0, 4))) * 12 + Number(to.slice(5, 7)) - Number(from.slice(5, 7));
}

/** The level instalment, in cents, of an amortising loan with monthly interest of a twelfth of the annual rate. */
export function levelPaymentCents(originalCents: number, rateBps: number, termMonths: number): number {
  const monthly = rateBps / 120_000;
  if (monthly === 0) return Math.ceil(originalCents / termMonths);
  let growth = 1;
  for (let month = 0; month < termMonths; month += 1) growth *= 1 + monthly;
  return Math.ceil((originalCents * monthly * growth) / (growth - 1));
}

/** A month's interest on a balance, in cents. */
export function monthlyInterestCents(balanceCents: number, rateBps: number): number {
  return Math.round((balanceCents * rateBps) / 120_000);
}
