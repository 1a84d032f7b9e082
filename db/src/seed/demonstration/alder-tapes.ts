import type { CalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { type AutoDetails, ageAlderBook } from './alder-book.ts';
import type { LoanPosition, LoanStatus } from './loan.ts';
import { type ColumnOf, dollars, spoilRows, type TapeProblem, type TapeSheet } from './tape-sheet.ts';

export const ALDER_SHEET = 'Portfolio';
export const ALDER_CUT_OFF_DATE: CalendarDate = '2026-10-31';

type Position = LoanPosition<AutoDetails>;

/** Alder's system writes one letter and, for late loans, the start of the delinquency bucket. */
const STATUS_CODES: Readonly<Record<LoanStatus, string>> = {
  current: 'C',
  '1-30': 'L1',
  '31-60': 'L31',
  '61-90': 'L61',
  '90+': 'L91',
  chargedOff: 'X',
  paidOff: 'P',
  prepaid: 'PE',
};

/** Unlike in Northwind's tapes, dates are text in US format and rates are percentage points. */
const COLUMNS: readonly ColumnOf<Position>[] = [
  { header: 'Acct #', kind: 'text', width: 10, read: ({ loan }) => loan.id },
  { header: 'Cust No', kind: 'text', width: 10, read: ({ loan }) => loan.borrower.id },
  { header: 'Dealer', kind: 'text', width: 22, read: ({ loan }) => loan.details.dealer },
  { header: 'Vehicle', kind: 'text', width: 16, read: ({ loan }) => loan.details.vehicle },
  { header: 'Model Yr', kind: 'whole', width: 9, read: ({ loan }) => loan.details.modelYear },
  { header: 'New/Used', kind: 'text', width: 9, read: ({ loan }) => (loan.details.isNew ? 'New' : 'Used') },
  { header: 'Contract Dt', kind: 'text', width: 12, read: ({ loan }) => american(loan.originationDate) },
  { header: '1st Pmt Dt', kind: 'text', width: 12, read: ({ loan }) => american(loan.firstPaymentDate) },
  { header: 'Mat Dt', kind: 'text', width: 12, read: ({ loan }) => american(loan.maturityDate) },
  { header: 'Amt Financed', kind: 'money', width: 14, read: ({ loan }) => dollars(loan.originalCents) },
  { header: 'Curr Bal', kind: 'money', width: 14, read: (position) => dollars(position.principalCents) },
  { header: 'APR %', kind: 'decimal', width: 8, read: ({ loan }) => loan.rateBps / 100 },
  { header: 'Orig Term', kind: 'whole', width: 10, read: ({ loan }) => loan.termMonths },
  { header: 'Rem Term', kind: 'whole', width: 10, read: (position) => position.remainingTermMonths },
  { header: 'Mthly Pmt', kind: 'money', width: 11, read: ({ loan }) => dollars(loan.paymentCents) },
  { header: 'Delq Days', kind: 'whole', width: 10, read: (position) => position.daysPastDue },
  { header: 'Delq Amt', kind: 'money', width: 11, read: (position) => dollars(position.arrearsCents) },
  { header: 'Stat', kind: 'text', width: 6, read: (position) => STATUS_CODES[position.status] },
  { header: 'Last Pmt Dt', kind: 'text', width: 12, read: (position) => american(position.lastPaymentDate) },
  { header: 'Veh Value', kind: 'money', width: 12, read: ({ loan }) => dollars(loan.details.vehicleValueCents) },
  { header: 'LTV', kind: 'percent', width: 8, read: ({ loan }) => originalLtv(loan) },
  { header: 'Score', kind: 'whole', width: 7, read: ({ loan }) => loan.borrower.fico },
  { header: 'Tier', kind: 'text', width: 8, read: ({ loan }) => loan.grade },
  { header: 'ST', kind: 'text', width: 5, read: ({ loan }) => loan.borrower.state },
  { header: 'City', kind: 'text', width: 16, read: ({ loan }) => loan.borrower.city },
  { header: 'ZIP', kind: 'text', width: 8, read: ({ loan }) => loan.borrower.zip },
];

/** The headers of the sheet, left to right. */
export const ALDER_HEADERS: readonly string[] = COLUMNS.map((column) => column.header);

export type AlderTape = { readonly sheet: TapeSheet; readonly problems: readonly TapeProblem[] };

/** Alder's only tape: 1,200 rows, of which 2 repeat a loan, below a title and next to a blank column. */
export function makeAlderTape(): AlderTape {
  const [positions = []] = ageAlderBook([ALDER_CUT_OFF_DATE]);
  const written = positions.map((position) => COLUMNS.map((column) => column.read(position)));
  const { rows, problems } = spoilRows(COLUMNS, written, {
    seed: `alder/faults/${ALDER_CUT_OFF_DATE}`,
    idHeader: 'Acct #',
    rateHeader: 'APR %',
    dateHeader: 'Contract Dt',
    amountHeader: 'Curr Bal',
    impossibleDate: '13/45/2025',
    amountText: 'TBD',
    each: 2,
  });
  return {
    sheet: {
      fileName: 'alder-auto-2026-10.xlsx',
      sheetName: ALDER_SHEET,
      cutOffDate: ALDER_CUT_OFF_DATE,
      titleRows: ['Alder Auto Finance LLC', 'Retail contract portfolio as of 10/31/2026 (USD)', ''],
      blankColumns: 1,
      columns: COLUMNS.map(({ header, kind, width }) => ({ header, kind, width })),
      rows,
    },
    problems,
  };
}

/** '2026-10-31' as '10/31/2026'. */
function american(date: CalendarDate | null): string | null {
  return date && `${date.slice(5, 7)}/${date.slice(8)}/${date.slice(0, 4)}`;
}

/** Amount financed divided by the vehicle's value, as a fraction rounded to four decimal places. */
function originalLtv(loan: Position['loan']): number {
  return Math.round((loan.originalCents * 10_000) / loan.details.vehicleValueCents) / 10_000;
}
