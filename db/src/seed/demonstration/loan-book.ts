import {
  addMonths,
  type CalendarDate,
  daysBetween,
  fromEpochDay,
  toEpochDay,
} from '@tapeline/domain/dates/calendar-date.ts';
import {
  type Borrower,
  endOfMonth,
  type Loan,
  type LoanPosition,
  type LoanStatus,
  levelPaymentCents,
  monthlyInterestCents,
  monthsBetween,
} from './loan.ts';
import { createRandom, type Random } from './random.ts';

/** The terms of one new loan. */
export type Offer<Details> = {
  readonly originalCents: number;
  readonly rateBps: number;
  readonly termMonths: number;
  readonly grade: string;
  /** How much more likely than the lender's average this loan is to miss an instalment. */
  readonly risk: number;
  readonly details: Details;
};

/** How one lender lends and how its loans behave. */
export type BookProfile<Details> = {
  readonly seed: string;
  /** First month of lending, as its first day. */
  readonly opened: CalendarDate;
  /** Number of loans on the tape at the end of the nth month since opening (0-based). */
  readonly listedLoans: (month: number) => number;
  readonly loanId: (sequence: number) => string;
  readonly makeBorrower: (sequence: number, random: Random) => Borrower;
  readonly makeOffer: (borrower: Borrower, originationDate: CalendarDate, random: Random) => Offer<Details>;
  /** Share of new loans that go to an existing borrower. */
  readonly repeatShare: number;
  /** One borrower that borrows again every month from the given month, as dealers and small companies do. */
  readonly outsized?: { readonly fromMonth: number; readonly makeBorrower: (random: Random) => Borrower };
  /** Monthly probability that a current loan of average risk misses its instalment. */
  readonly missShare: number;
  /** Monthly probability that a current loan is prepaid in full. */
  readonly prepayShare: number;
};

/**
 * Transitions of a loan with 1, 2, 3 or 4 missed instalments over one month, as weights for each number of missed
 * instalments (0 to 5). A charge-off follows from 120 days.
 */
const ROLL_WEIGHTS: Readonly<Record<number, readonly (readonly [missed: number, weight: number])[]>> = {
  1: [
    [0, 44],
    [1, 26],
    [2, 30],
  ],
  2: [
    [0, 13],
    [1, 9],
    [2, 18],
    [3, 60],
  ],
  3: [
    [0, 5],
    [2, 5],
    [3, 12],
    [4, 78],
  ],
  4: [
    [0, 3],
    [3, 3],
    [4, 8],
    [5, 86],
  ],
};

const CHARGE_OFF_DAYS = 120;
/** Number of months that a charged-off loan stays on the tape, while recoveries come in. */
const MONTHS_LISTED_AFTER_CHARGE_OFF = 3;

type Account<Details> = {
  readonly loan: Loan<Details>;
  readonly risk: number;
  readonly random: Random;
  principalCents: number;
  interestPaidCents: number;
  instalmentsPaid: number;
  recoveriesCents: number;
  lastPaymentDate: CalendarDate | null;
  chargeOffDate: CalendarDate | null;
  closed: 'paidOff' | 'prepaid' | null;
  currentFico: number | null;
};

/**
 * Simulates a lender's book month by month from its opening. For each cut-off date (month ends, ascending), returns the
 * loans on the tape in origination order. A loan is on the tape from its first month to the month in which it is paid
 * off, or until a few months after its charge-off.
 */
export function ageLoanBook<Details>(
  profile: BookProfile<Details>,
  cutOffDates: readonly CalendarDate[],
): LoanPosition<Details>[][] {
  const snapshots: LoanPosition<Details>[][] = [];
  const borrowers: Borrower[] = [];
  const outsized = profile.outsized?.makeBorrower(createRandom(`${profile.seed}/outsized`));
  const lastCutOff = cutOffDates[cutOffDates.length - 1];
  let listed: Account<Details>[] = [];
  let sequence = 0;
  if (lastCutOff === undefined) return snapshots;

  for (let month = 0; month <= monthsBetween(profile.opened, lastCutOff); month += 1) {
    const firstDay = addMonths(profile.opened, month);
    const monthEnd = endOfMonth(firstDay);
    listed = listed.filter((account) => staysListed(account, monthEnd));
    for (const account of listed) ageOneMonth(profile, account, monthEnd);

    const random = createRandom(`${profile.seed}/month/${firstDay}`);
    const wanted = Math.max(0, profile.listedLoans(month) - listed.length);
    const dates = Array.from({ length: wanted }, () => businessDay(firstDay, random)).sort();
    for (const [index, originationDate] of dates.entries()) {
      sequence += 1;
      const isOutsized = outsized && month >= (profile.outsized?.fromMonth ?? 0) && index === 0;
      const known = borrowers.length > 50 && random.chance(profile.repeatShare);
      let borrower: Borrower;
      if (isOutsized) borrower = outsized;
      else if (known) borrower = borrowers[random.whole(0, borrowers.length - 1)]!;
      else {
        borrower = profile.makeBorrower(sequence, createRandom(`${profile.seed}/borrower/${sequence}`));
        borrowers.push(borrower);
      }
      listed.push(open(profile, sequence, borrower, originationDate));
    }
    if (cutOffDates.includes(monthEnd)) snapshots.push(listed.map((account) => positionOf(account, monthEnd)));
  }
  return snapshots;
}

function open<Details>(
  profile: BookProfile<Details>,
  sequence: number,
  borrower: Borrower,
  originationDate: CalendarDate,
): Account<Details> {
  const random = createRandom(`${profile.seed}/loan/${sequence}`);
  const { risk, ...offer } = profile.makeOffer(borrower, originationDate, random);
  const firstPaymentDate = addMonths(originationDate, 1);
  const loan: Loan<Details> = {
    id: profile.loanId(sequence),
    borrower,
    originationDate,
    firstPaymentDate,
    maturityDate: addMonths(firstPaymentDate, offer.termMonths - 1),
    paymentCents: levelPaymentCents(offer.originalCents, offer.rateBps, offer.termMonths),
    ...offer,
  };
  return {
    loan,
    risk,
    random,
    principalCents: offer.originalCents,
    interestPaidCents: 0,
    instalmentsPaid: 0,
    recoveriesCents: 0,
    lastPaymentDate: null,
    chargeOffDate: null,
    closed: null,
    currentFico: borrower.fico,
  };
}

function staysListed<Details>(account: Account<Details>, monthEnd: CalendarDate): boolean {
  if (account.closed) return false;
  if (!account.chargeOffDate) return true;
  return monthsBetween(account.chargeOffDate, monthEnd) <= MONTHS_LISTED_AFTER_CHARGE_OFF;
}

function ageOneMonth<Details>(profile: BookProfile<Details>, account: Account<Details>, monthEnd: CalendarDate): void {
  const { loan, random } = account;
  if (account.chargeOffDate) {
    const left = account.principalCents - account.recoveriesCents;
    if (random.chance(0.35)) account.recoveriesCents += Math.round(left * (0.01 + 0.07 * random.next()));
    return;
  }
  const dueBefore = instalmentsDue(loan, fromEpochDay(toEpochDay(`${monthEnd.slice(0, 7)}-01`) - 1));
  const due = instalmentsDue(loan, monthEnd);
  const missedBefore = dueBefore - account.instalmentsPaid;
  const missed = Math.min(nextMissed(profile, account, missedBefore, due), missedBefore + due - dueBefore);

  payInstalments(account, due - missed - account.instalmentsPaid, monthEnd, missedBefore === 0);
  if (account.instalmentsPaid === loan.termMonths) account.closed = 'paidOff';
  else if (missed === 0 && due >= 2 && random.chance(profile.prepayShare)) prepay(account, monthEnd);
  else if (missed > 0 && daysPastDue(account, monthEnd) >= CHARGE_OFF_DAYS) account.chargeOffDate = monthEnd;
  if (account.currentFico !== null) account.currentFico = driftedScore(account.currentFico, missed, random);
}

function nextMissed<Details>(
  profile: BookProfile<Details>,
  account: Account<Details>,
  missedBefore: number,
  due: number,
): number {
  if (due === 0) return 0;
  if (missedBefore === 0) return account.random.chance(profile.missShare * account.risk) ? 1 : 0;
  return account.random.pick(ROLL_WEIGHTS[Math.min(missedBefore, 4)]!);
}

function payInstalments<Details>(
  account: Account<Details>,
  count: number,
  monthEnd: CalendarDate,
  onTime: boolean,
): void {
  const { loan, random } = account;
  for (let paid = 0; paid < count; paid += 1) {
    const interestCents = monthlyInterestCents(account.principalCents, loan.rateBps);
    account.instalmentsPaid += 1;
    account.interestPaidCents += interestCents;
    const isLast = account.instalmentsPaid === loan.termMonths;
    account.principalCents = isLast ? 0 : account.principalCents - (loan.paymentCents - interestCents);
  }
  if (count <= 0) return;
  const dueDate = `${monthEnd.slice(0, 7)}-${loan.firstPaymentDate.slice(8)}`;
  const earliest = onTime ? toEpochDay(dueDate) : toEpochDay(`${monthEnd.slice(0, 7)}-01`);
  const latest = onTime ? Math.min(earliest + 3, toEpochDay(monthEnd)) : toEpochDay(monthEnd);
  account.lastPaymentDate = fromEpochDay(random.whole(earliest, latest));
}

function prepay<Details>(account: Account<Details>, monthEnd: CalendarDate): void {
  account.closed = 'prepaid';
  account.interestPaidCents += accruedInterestCents(account, monthEnd);
  account.principalCents = 0;
  account.lastPaymentDate = fromEpochDay(
    account.random.whole(toEpochDay(account.lastPaymentDate ?? monthEnd), toEpochDay(monthEnd)),
  );
}

function positionOf<Details>(account: Account<Details>, cutOffDate: CalendarDate): LoanPosition<Details> {
  const { loan } = account;
  const due = instalmentsDue(loan, cutOffDate);
  const isOpen = account.closed === null && account.chargeOffDate === null;
  return {
    loan,
    status: statusOf(account, cutOffDate),
    daysPastDue: account.closed ? 0 : daysPastDue(account, cutOffDate),
    principalCents: account.principalCents,
    accruedInterestCents: isOpen ? accruedInterestCents(account, cutOffDate) : 0,
    arrearsCents: account.closed ? 0 : arrearsCents(account, due),
    principalPaidCents: loan.originalCents - account.principalCents,
    interestPaidCents: account.interestPaidCents,
    recoveriesCents: account.recoveriesCents,
    lastPaymentDate: account.lastPaymentDate,
    nextPaymentDate: isOpen && due < loan.termMonths ? addMonths(loan.firstPaymentDate, due) : null,
    chargeOffDate: account.chargeOffDate,
    monthsOnBook: monthsBetween(loan.originationDate, cutOffDate),
    remainingTermMonths: account.closed ? 0 : loan.termMonths - due,
    currentFico: account.currentFico,
  };
}

function statusOf<Details>(account: Account<Details>, cutOffDate: CalendarDate): LoanStatus {
  if (account.closed) return account.closed;
  if (account.chargeOffDate) return 'chargedOff';
  const days = daysPastDue(account, cutOffDate);
  if (days === 0) return 'current';
  if (days <= 30) return '1-30';
  if (days <= 60) return '31-60';
  return days <= 90 ? '61-90' : '90+';
}

/** Instalments that are due on or before the date, out of the loan's term. */
function instalmentsDue(loan: Loan<unknown>, date: CalendarDate): number {
  const months = monthsBetween(loan.firstPaymentDate, date) + (date.slice(8) >= loan.firstPaymentDate.slice(8) ? 1 : 0);
  return Math.max(0, Math.min(months, loan.termMonths));
}

/** Days since the oldest unpaid instalment was due. */
function daysPastDue<Details>(account: Account<Details>, date: CalendarDate): number {
  if (account.instalmentsPaid >= instalmentsDue(account.loan, date)) return 0;
  return daysBetween(addMonths(account.loan.firstPaymentDate, account.instalmentsPaid), date);
}

function arrearsCents<Details>(account: Account<Details>, due: number): number {
  const missed = due - account.instalmentsPaid;
  if (due < account.loan.termMonths) return missed * account.loan.paymentCents;
  let balance = account.principalCents;
  let arrears = 0;
  for (let instalment = 1; instalment <= missed; instalment += 1) {
    const interestCents = monthlyInterestCents(balance, account.loan.rateBps);
    const principal = instalment === missed ? balance : account.loan.paymentCents - interestCents;
    arrears += principal + interestCents;
    balance -= principal;
  }
  return arrears;
}

/** Interest accrued since the due date of the last paid instalment (actual/365). */
function accruedInterestCents<Details>(account: Account<Details>, date: CalendarDate): number {
  const { loan } = account;
  const from =
    account.instalmentsPaid === 0
      ? loan.originationDate
      : addMonths(loan.firstPaymentDate, account.instalmentsPaid - 1);
  return Math.round((account.principalCents * loan.rateBps * Math.max(0, daysBetween(from, date))) / (365 * 10_000));
}

function driftedScore(score: number, missed: number, random: Random): number {
  const pull = missed > 0 ? -14 * missed : 0;
  return Math.max(420, Math.min(850, Math.round(score + pull + random.normal(0, 3))));
}

/** A day of the month up to the 28th, moved off weekends. */
function businessDay(firstDay: CalendarDate, random: Random): CalendarDate {
  const day = toEpochDay(firstDay) + random.whole(2, 26) - 1;
  const weekday = (((day + 4) % 7) + 7) % 7; // 1970-01-01 was a Thursday; 0 is Sunday
  return fromEpochDay(weekday === 0 ? day + 1 : weekday === 6 ? day - 1 : day);
}
