import type { CalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { endOfMonth, type LoanPosition, type LoanStatus } from './loan.ts';
import { ageSevernBook, type VehicleDetails } from './severn-book.ts';
import { type ColumnOf, dollars, spoilRows, type TapeSheet } from './tape-sheet.ts';

export const SEVERN_SHEET = 'HP Agreements';
/** A year of month ends. The tape for October 2026 is late. */
export const SEVERN_CUT_OFF_DATES: readonly CalendarDate[] = [
  '2025-10',
  '2025-11',
  '2025-12',
  '2026-01',
  '2026-02',
  '2026-03',
  '2026-04',
  '2026-05',
  '2026-06',
  '2026-07',
  '2026-08',
  '2026-09',
].map((month) => endOfMonth(`${month}-01`));

type Position = LoanPosition<VehicleDetails>;

const STATUS_TEXTS: Readonly<Record<LoanStatus, string>> = {
  current: 'Live',
  '1-30': 'Arrears 1',
  '31-60': 'Arrears 2',
  '61-90': 'Arrears 3',
  '90+': 'Default',
  chargedOff: 'Written off',
  paidOff: 'Settled',
  prepaid: 'Settled early',
};

const COLUMNS: readonly ColumnOf<Position>[] = [
  { header: 'Agreement', kind: 'text', width: 12, read: ({ loan }) => loan.id },
  { header: 'Customer', kind: 'text', width: 11, read: ({ loan }) => loan.borrower.id },
  { header: 'Dealer', kind: 'text', width: 26, read: ({ loan }) => loan.details.dealer },
  { header: 'Vehicle', kind: 'text', width: 18, read: ({ loan }) => loan.details.vehicle },
  { header: 'New or used', kind: 'text', width: 12, read: ({ loan }) => (loan.details.isNew ? 'New' : 'Used') },
  { header: 'Start date', kind: 'date', width: 12, read: ({ loan }) => loan.originationDate },
  { header: 'First payment', kind: 'date', width: 13, read: ({ loan }) => loan.firstPaymentDate },
  { header: 'End date', kind: 'date', width: 12, read: ({ loan }) => loan.maturityDate },
  { header: 'Amount financed', kind: 'money', width: 16, read: ({ loan }) => dollars(loan.originalCents) },
  { header: 'Capital outstanding', kind: 'money', width: 18, read: (position) => dollars(position.principalCents) },
  { header: 'Arrears', kind: 'money', width: 12, read: (position) => dollars(position.arrearsCents) },
  { header: 'Instalment', kind: 'money', width: 12, read: ({ loan }) => dollars(loan.paymentCents) },
  { header: 'Vehicle value', kind: 'money', width: 14, read: ({ loan }) => dollars(loan.details.vehicleValuePence) },
  { header: 'Rate', kind: 'percent', width: 8, read: ({ loan }) => loan.rateBps / 10_000 },
  { header: 'Term', kind: 'whole', width: 7, read: ({ loan }) => loan.termMonths },
  { header: 'Months left', kind: 'whole', width: 11, read: (position) => position.remainingTermMonths },
  { header: 'Days in arrears', kind: 'whole', width: 14, read: (position) => position.daysPastDue },
  { header: 'Status', kind: 'text', width: 12, read: (position) => STATUS_TEXTS[position.status] },
  { header: 'Last payment', kind: 'date', width: 13, read: (position) => position.lastPaymentDate },
  { header: 'Score', kind: 'whole', width: 7, read: ({ loan }) => loan.borrower.fico },
  { header: 'Band', kind: 'text', width: 8, read: ({ loan }) => loan.grade },
  { header: 'Region', kind: 'text', width: 15, read: ({ loan }) => loan.borrower.state },
  { header: 'Town', kind: 'text', width: 14, read: ({ loan }) => loan.borrower.city },
  { header: 'Postcode', kind: 'text', width: 9, read: ({ loan }) => loan.borrower.zip },
];

export const SEVERN_HEADERS: readonly string[] = COLUMNS.map((column) => column.header);

/** Severn's monthly tapes, oldest first: 340 to 510 rows each, one of each kind of error in the last one. */
export function makeSevernTapes(): TapeSheet[] {
  return ageSevernBook(SEVERN_CUT_OFF_DATES).map((positions, index) => {
    const cutOffDate = SEVERN_CUT_OFF_DATES[index]!;
    const written = positions.map((position) => COLUMNS.map((column) => column.read(position)));
    const { rows } = spoilRows(COLUMNS, written, {
      seed: `severn/faults/${cutOffDate}`,
      idHeader: 'Agreement',
      rateHeader: 'Rate',
      dateHeader: 'Start date',
      amountHeader: 'Capital outstanding',
      impossibleDate: '31/02/2026',
      amountText: 'query',
      each: index === SEVERN_CUT_OFF_DATES.length - 1 ? 1 : 0,
    });
    return {
      fileName: `severn-${cutOffDate.slice(0, 7)}.xlsx`,
      sheetName: SEVERN_SHEET,
      cutOffDate,
      titleRows: [],
      blankColumns: 0,
      columns: COLUMNS.map(({ header, kind, width }) => ({ header, kind, width })),
      rows,
    };
  });
}
