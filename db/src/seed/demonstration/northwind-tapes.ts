import { addMonths, type CalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import type { LoanPosition, LoanStatus } from './loan.ts';
import { ageNorthwindBook, type ConsumerDetails } from './northwind-book.ts';
import { type ColumnOf, dollars, spoilRows, type TapeProblem, type TapeSheet } from './tape-sheet.ts';

export const NORTHWIND_SHEET = 'Loan Tape';
export const NORTHWIND_CUT_OFF_DATES: readonly CalendarDate[] = ['2026-08-31', '2026-09-30', '2026-10-31'];

type Position = LoanPosition<ConsumerDetails>;

/** The text that Northwind's servicing system writes for each status. */
const STATUS_TEXTS: Readonly<Record<LoanStatus, string>> = {
  current: 'Current',
  '1-30': '1-30 DPD',
  '31-60': '31-60 DPD',
  '61-90': '61-90 DPD',
  '90+': '90+ DPD',
  chargedOff: 'Charged Off',
  paidOff: 'Paid Off',
  prepaid: 'Prepaid',
};

const COLUMNS: readonly ColumnOf<Position>[] = [
  { header: 'Loan ID', kind: 'text', width: 12, read: ({ loan }) => loan.id },
  { header: 'Borrower ID', kind: 'text', width: 12, read: ({ loan }) => loan.borrower.id },
  { header: 'Product', kind: 'text', width: 18, read: ({ loan }) => loan.details.product },
  { header: 'Purpose', kind: 'text', width: 24, read: ({ loan }) => loan.details.purpose },
  { header: 'Currency', kind: 'text', width: 9, read: () => 'USD' },
  { header: 'Origination Date', kind: 'date', width: 16, read: ({ loan }) => loan.originationDate },
  { header: 'First Payment Date', kind: 'date', width: 18, read: ({ loan }) => loan.firstPaymentDate },
  { header: 'Maturity Date', kind: 'date', width: 14, read: ({ loan }) => loan.maturityDate },
  { header: 'Original Amount', kind: 'money', width: 16, read: ({ loan }) => dollars(loan.originalCents) },
  { header: 'Interest Rate', kind: 'percent', width: 13, read: ({ loan }) => loan.rateBps / 10_000 },
  { header: 'Term (months)', kind: 'whole', width: 13, read: ({ loan }) => loan.termMonths },
  { header: 'Remaining Term', kind: 'whole', width: 15, read: (position) => position.remainingTermMonths },
  { header: 'Months on Book', kind: 'whole', width: 15, read: (position) => position.monthsOnBook },
  { header: 'Monthly Payment', kind: 'money', width: 16, read: ({ loan }) => dollars(loan.paymentCents) },
  { header: 'Principal Balance', kind: 'money', width: 17, read: (position) => dollars(position.principalCents) },
  { header: 'Accrued Interest', kind: 'money', width: 16, read: (position) => dollars(position.accruedInterestCents) },
  { header: 'Past Due Amount', kind: 'money', width: 16, read: (position) => dollars(position.arrearsCents) },
  { header: 'Principal Paid', kind: 'money', width: 15, read: (position) => dollars(position.principalPaidCents) },
  { header: 'Interest Paid', kind: 'money', width: 14, read: (position) => dollars(position.interestPaidCents) },
  { header: 'Recoveries', kind: 'money', width: 12, read: (position) => dollars(position.recoveriesCents) },
  { header: 'Days Past Due', kind: 'whole', width: 14, read: (position) => position.daysPastDue },
  { header: 'Loan Status', kind: 'text', width: 12, read: (position) => STATUS_TEXTS[position.status] },
  { header: 'Last Payment Date', kind: 'date', width: 17, read: (position) => position.lastPaymentDate },
  { header: 'Next Payment Date', kind: 'date', width: 17, read: (position) => position.nextPaymentDate },
  { header: 'Charge-off Date', kind: 'date', width: 15, read: (position) => position.chargeOffDate },
  { header: 'FICO at Origination', kind: 'whole', width: 18, read: ({ loan }) => loan.borrower.fico },
  { header: 'Current FICO', kind: 'whole', width: 13, read: (position) => position.currentFico },
  { header: 'Grade', kind: 'text', width: 7, read: ({ loan }) => loan.grade },
  { header: 'State', kind: 'text', width: 7, read: ({ loan }) => loan.borrower.state },
  { header: 'City', kind: 'text', width: 18, read: ({ loan }) => loan.borrower.city },
  { header: 'Zip', kind: 'text', width: 8, read: ({ loan }) => loan.borrower.zip },
  { header: 'Employment', kind: 'text', width: 14, read: ({ loan }) => loan.borrower.employment },
  { header: 'Annual Income', kind: 'money', width: 15, read: ({ loan }) => loan.borrower.income },
  { header: 'DTI', kind: 'percent', width: 8, read: ({ loan }) => loan.details.dtiBps / 10_000 },
];

/** The headers of the sheet, left to right. */
export const NORTHWIND_HEADERS: readonly string[] = COLUMNS.map((column) => column.header);

/** A tape and the errors that were added to it. */
export type NorthwindTape = {
  readonly sheet: TapeSheet;
  readonly problems: readonly TapeProblem[];
  /** Loans whose static data differs from the previous tape; a `Consistent` check must find them. */
  readonly breaks: readonly string[];
};

/** Northwind's monthly tapes, oldest first: 5,000 rows each, of which 3 repeat a loan of the same tape. */
export function makeNorthwindTapes(): NorthwindTape[] {
  return ageNorthwindBook(NORTHWIND_CUT_OFF_DATES).map((positions, index) => {
    const cutOffDate = NORTHWIND_CUT_OFF_DATES[index]!;
    const { positions: restated, breaks } = restate(positions, index);
    const written = restated.map((position) => COLUMNS.map((column) => column.read(position)));
    const { rows, problems } = spoilRows(COLUMNS, written, {
      seed: `northwind/faults/${cutOffDate}`,
      idHeader: 'Loan ID',
      rateHeader: 'Interest Rate',
      dateHeader: 'First Payment Date',
      amountHeader: 'Principal Balance',
      impossibleDate: '2026-02-30',
      amountText: 'see servicer note',
      each: 3,
    });
    return {
      sheet: {
        fileName: `northwind-${cutOffDate.slice(0, 7)}.xlsx`,
        sheetName: NORTHWIND_SHEET,
        cutOffDate,
        titleRows: [],
        blankColumns: 0,
        columns: COLUMNS.map(({ header, kind, width }) => ({ header, kind, width })),
        rows,
      },
      problems,
      breaks,
    };
  });
}

/**
 * Two corrections that the lender makes without reporting them: the second tape moves one loan's maturity six months
 * later, and the third tape increases one loan's original amount.
 */
function restate(
  positions: readonly Position[],
  tapeIndex: number,
): { positions: readonly Position[]; breaks: string[] } {
  const change = (pick: number, facts: (loan: Position['loan']) => Partial<Position['loan']>) => {
    const target = positions.findIndex(
      (position, index) => index >= pick && position.status === 'current' && position.monthsOnBook > 3,
    );
    const changed = positions.map((position, index) =>
      index === target ? { ...position, loan: { ...position.loan, ...facts(position.loan) } } : position,
    );
    return { positions: changed, breaks: [positions[target]!.loan.id] };
  };
  if (tapeIndex === 1) return change(1_450, (loan) => ({ maturityDate: addMonths(loan.maturityDate, 6) }));
  if (tapeIndex === 2) return change(2_210, (loan) => ({ originalCents: loan.originalCents + 100_000 }));
  return { positions, breaks: [] };
}
