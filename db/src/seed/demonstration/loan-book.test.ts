import { daysBetween } from '@tapeline/domain/dates/calendar-date.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { ageAlderBook } from './alder-book.ts';
import { endOfMonth, type LoanPosition, levelPaymentCents, monthlyInterestCents } from './loan.ts';
import { ageNorthwindBook } from './northwind-book.ts';
import { NORTHWIND_CUT_OFF_DATES } from './northwind-tapes.ts';

type Book = LoanPosition<unknown>[][];
const total = (positions: LoanPosition<unknown>[], read: (position: LoanPosition<unknown>) => number): number =>
  positions.reduce((sum, position) => sum + read(position), 0);
const CLOSED = ['paidOff', 'prepaid'];

describe('the arithmetic of a loan', () => {
  it('sets the instalment a loan calculator gives, rounded up to the cent', () => {
    // 10,000.00 at 12 % over 36 months: 332.1431 a month.
    expect(levelPaymentCents(1_000_000, 1_200, 36)).toBe(33_215);
    expect(levelPaymentCents(1_200, 0, 12)).toBe(100);
    expect(monthlyInterestCents(1_000_000, 1_200)).toBe(10_000);
  });

  it('finds the end of a month', () => {
    expect(endOfMonth('2028-02-10')).toBe('2028-02-29');
    expect(endOfMonth('2026-12-31')).toBe('2026-12-31');
  });
});

describe.each([
  ['Northwind', ageNorthwindBook, 4_997],
  ['Alder', ageAlderBook, 1_198],
] as const)('the book of %s', (_name, age, size) => {
  let book: Book;
  beforeAll(() => {
    book = age(NORTHWIND_CUT_OFF_DATES);
  });

  it('is the same every time it is made', () => {
    expect(age(NORTHWIND_CUT_OFF_DATES)).toEqual(book);
  });

  it('is the same at a cut-off date whichever other dates are asked for', () => {
    expect(age(['2026-10-31'])[0]).toEqual(book[2]);
  });

  it('lists the same number of loans on every tape, each once', () => {
    for (const positions of book) {
      expect(positions).toHaveLength(size);
      expect(new Set(positions.map((position) => position.loan.id)).size).toBe(size);
    }
  });

  it('keeps every open loan on the next tape, and takes closed ones off', () => {
    for (const [index, positions] of book.slice(0, -1).entries()) {
      const next = new Set(book[index + 1]!.map((position) => position.loan.id));
      for (const { loan, status } of positions) {
        if (status === 'chargedOff') continue;
        expect([loan.id, next.has(loan.id)]).toEqual([loan.id, !CLOSED.includes(status)]);
      }
    }
  });

  it('fills the places of closed loans with loans made since the tape before', () => {
    for (const [index, positions] of book.slice(1).entries()) {
      const before = new Set(book[index]!.map((position) => position.loan.id));
      const added = positions.filter((position) => !before.has(position.loan.id));
      expect(added.length).toBeGreaterThan(0);
      for (const { loan, monthsOnBook } of added) {
        expect(loan.originationDate > NORTHWIND_CUT_OFF_DATES[index]!).toBe(true);
        expect(monthsOnBook).toBe(0);
      }
    }
  });

  it('never changes the facts of a loan from tape to tape', () => {
    const facts = new Map(book[0]!.map((position) => [position.loan.id, position.loan]));
    for (const { loan } of book.slice(1).flat()) expect(facts.get(loan.id) ?? loan).toEqual(loan);
  });

  it('keeps every balance between nothing and the original amount, and ties it to the principal paid', () => {
    for (const position of book.flat()) {
      const { loan, principalCents } = position;
      expect(principalCents).toBeGreaterThanOrEqual(0);
      expect(principalCents).toBeLessThanOrEqual(loan.originalCents);
      expect(position.principalPaidCents + principalCents).toBe(loan.originalCents);
      expect(Number.isSafeInteger(principalCents)).toBe(true);
      for (const cents of [position.accruedInterestCents, position.arrearsCents, position.interestPaidCents]) {
        expect(cents).toBeGreaterThanOrEqual(0);
      }
      expect(position.recoveriesCents).toBeLessThanOrEqual(principalCents);
    }
  });

  it('lets no balance grow, and lowers that of a loan that stays current by about one instalment', () => {
    for (const [index, positions] of book.slice(1).entries()) {
      const before = new Map(book[index]!.map((position) => [position.loan.id, position]));
      for (const position of positions) {
        const earlier = before.get(position.loan.id);
        if (!earlier) continue;
        expect(position.principalCents).toBeLessThanOrEqual(earlier.principalCents);
        const paysNow = position.status === 'current' && earlier.status === 'current' && earlier.monthsOnBook > 0;
        if (!paysNow) continue;
        const interest = monthlyInterestCents(earlier.principalCents, position.loan.rateBps);
        expect(position.principalCents).toBe(earlier.principalCents - (position.loan.paymentCents - interest));
      }
    }
  });

  it('gives each status the days past due, balance and dates that belong to it', () => {
    const bands = { current: [0, 0], '1-30': [1, 30], '31-60': [31, 60], '61-90': [61, 90], '90+': [91, 119] } as const;
    for (const [index, positions] of book.entries()) {
      const cutOff = NORTHWIND_CUT_OFF_DATES[index]!;
      for (const position of positions) {
        const { loan, status, daysPastDue } = position;
        if (CLOSED.includes(status)) {
          expect([position.principalCents, daysPastDue, position.nextPaymentDate]).toEqual([0, 0, null]);
          expect(position.lastPaymentDate?.slice(0, 7)).toBe(cutOff.slice(0, 7));
        } else if (status === 'chargedOff') {
          expect(position.chargeOffDate).not.toBeNull();
          expect(daysPastDue).toBeGreaterThanOrEqual(120);
        } else {
          const [low, high] = bands[status as keyof typeof bands];
          expect(daysPastDue).toBeGreaterThanOrEqual(low);
          expect(daysPastDue).toBeLessThanOrEqual(high);
          expect(position.arrearsCents > 0).toBe(daysPastDue > 0);
        }
        expect(daysBetween(loan.originationDate, cutOff)).toBeGreaterThanOrEqual(0);
        expect(loan.firstPaymentDate > loan.originationDate && loan.maturityDate > loan.firstPaymentDate).toBe(true);
        for (const paid of [position.lastPaymentDate, position.chargeOffDate]) {
          if (paid) expect(paid >= loan.originationDate && paid <= cutOff).toBe(true);
        }
        if (position.nextPaymentDate) expect(position.nextPaymentDate > cutOff).toBe(true);
      }
    }
  });

  it('rolls loans between the statuses at rates a lender would believe', () => {
    const moves = new Map<string, Map<string, number>>();
    for (const [index, positions] of book.slice(1).entries()) {
      const before = new Map(book[index]!.map((position) => [position.loan.id, position.status]));
      for (const { loan, status } of positions) {
        const from = before.get(loan.id);
        if (!from) continue;
        const row = moves.get(from) ?? moves.set(from, new Map()).get(from)!;
        row.set(status, (row.get(status) ?? 0) + 1);
      }
    }
    const share = (from: string, ...to: string[]): number => {
      const row = moves.get(from)!;
      const all = [...row.values()].reduce((sum, count) => sum + count, 0);
      return to.reduce((sum, status) => sum + (row.get(status) ?? 0), 0) / all;
    };
    expect(share('current', 'current')).toBeGreaterThan(0.93);
    expect(share('current', '1-30')).toBeGreaterThan(0.008);
    expect(share('current', '1-30')).toBeLessThan(0.05);
    expect(share('current', 'prepaid')).toBeGreaterThan(0.006);
    expect(share('current', 'prepaid')).toBeLessThan(0.02);
    expect(share('current', '31-60', '61-90', '90+', 'chargedOff')).toBe(0);
    // The more instalments are missed, the less likely a cure is.
    expect(share('1-30', 'current')).toBeGreaterThan(share('31-60', 'current'));
    expect(share('1-30', '31-60')).toBeGreaterThan(0.15);
    expect(share('1-30', '31-60')).toBeLessThan(0.5);
    expect(share('31-60', '61-90', '90+')).toBeGreaterThan(0.4);
    expect(share('61-90', '90+', 'chargedOff')).toBeGreaterThan(0.6);
    expect(share('90+', 'chargedOff')).toBeGreaterThan(0.5);
    expect(share('chargedOff', 'chargedOff')).toBe(1);
  });
});

describe('the shape of the book of Northwind', () => {
  const [august = []] = ageNorthwindBook(['2026-08-31']);
  const pool = total(august, (position) => position.principalCents);
  const shareOf = (keep: (position: LoanPosition<unknown>) => boolean): number =>
    total(august.filter(keep), (position) => position.principalCents) / pool;

  it('holds between 45 and 55 million dollars, of which 2 to 7 per cent are late', () => {
    expect(pool / 100).toBeGreaterThan(45e6);
    expect(pool / 100).toBeLessThan(55e6);
    const late = shareOf((position) => position.daysPastDue > 0 && position.status !== 'chargedOff');
    expect(late).toBeGreaterThan(0.02);
    expect(late).toBeLessThan(0.07);
  });

  it('leans on the large states and lends in nearly all', () => {
    expect(shareOf((position) => position.loan.borrower.state === 'CA')).toBeGreaterThan(0.12);
    expect(new Set(august.map((position) => position.loan.borrower.state)).size).toBeGreaterThan(48);
  });

  it('charges more for a worse grade', () => {
    const average = (grade: string): number => {
      const loans = august.filter((position) => position.loan.grade === grade);
      return total(loans, (position) => position.loan.rateBps) / loans.length;
    };
    const averages = ['A', 'B', 'C', 'D', 'E', 'F'].map(average);
    expect(averages).toEqual([...averages].sort((left, right) => left - right));
  });

  it('has one outsized obligor, some who borrowed twice, and some without a score or a state', () => {
    const loans = new Map<string, number>();
    for (const { loan } of august) loans.set(loan.borrower.id, (loans.get(loan.borrower.id) ?? 0) + 1);
    const most = [...loans.values()].sort((left, right) => right - left);
    expect(most[0]).toBeGreaterThan(25);
    expect(most[1]).toBeLessThan(6);
    expect(most.filter((count) => count > 1).length).toBeGreaterThan(50);
    expect(shareOf((position) => position.loan.borrower.id === 'B-690042')).toBeGreaterThan(0.01);
    expect(august.some((position) => position.loan.borrower.fico === null)).toBe(true);
    expect(august.some((position) => position.loan.borrower.state === null)).toBe(true);
  });
});
