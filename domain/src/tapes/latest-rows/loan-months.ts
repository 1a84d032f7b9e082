import { type CalendarDate, formatCalendarDate } from '../../dates/calendar-date.ts';
import { Refusal } from '../../errors/refusal.ts';
import { formatFigure } from '../../money/format-figure.ts';
import { isMissingWord } from '../suggest/column-shape.ts';
import type { SampleCell } from '../suggest/column-summary.ts';
import type { LatestRowCounts, LoanMonthColumns } from './latest-rows.schema.ts';
import { type ReadMonth, readMonths } from './read-months.ts';

/** Limits of what is held in memory, about 300 MB together. A workbook's sheet has fewer rows. */
const MAX_ROWS = 10_000_000;
export const MAX_LOANS = 1_000_000;
/** A column with more different values has no months. */
export const MAX_LEDGER_MONTHS = 10_000;

const NONE = -1;
/** The rows that are added at first; their memory doubles from there. */
const FIRST_ROWS = 4096;

/** The latest row of each loan: their numbers in the sheet, ascending, and what becomes of the others. */
export interface LatestRows {
  readonly rowNumbers: Int32Array;
  readonly counts: LatestRowCounts;
}

/** The loan and the month of each row of a sheet, in its order. */
export class LoanMonths {
  readonly #columns: LoanMonthColumns;
  readonly #loans = new Map<string, number>();
  readonly #months = new Map<string, number>();
  readonly #cells: SampleCell[] = [];
  #rowNumbers = new Int32Array(FIRST_ROWS);
  #loanOfRow = new Int32Array(FIRST_ROWS);
  #monthOfRow = new Int16Array(FIRST_ROWS);
  #rows = 0;
  #misfits = 0;

  constructor(columns: LoanMonthColumns) {
    this.#columns = columns;
  }

  /** The number of the loan with this id, as displayed; -1 if the cell has none. @throws Refusal for too many loans */
  loanOf(id: string): number {
    const text = id.trim();
    if (text === '' || isMissingWord(text)) return NONE;
    const known = this.#loans.get(text);
    if (known !== undefined) return known;
    if (this.#loans.size === MAX_LOANS) {
      throw tooLarge(
        `“${this.#columns.idColumn}” has more than ${formatFigure(MAX_LOANS)} different values.`,
        'Choose the column with the id of the loan, or split the file.',
      );
    }
    this.#loans.set(text, this.#loans.size);
    return this.#loans.size - 1;
  }

  /** The number of the month in this cell, as displayed; -1 if it is blank. @throws Refusal for too many months */
  monthOf(cell: SampleCell): number {
    const text = cell.value.trim();
    if (text === '') return NONE;
    const key = `${cell.tag} ${text}`;
    const known = this.#months.get(key);
    if (known !== undefined) return known;
    if (this.#months.size === MAX_LEDGER_MONTHS) {
      throw tooLarge(
        `“${this.#columns.monthColumn}” has more than ${formatFigure(MAX_LEDGER_MONTHS)} different values, so it has no months.`,
        'Choose the column with the months.',
      );
    }
    this.#months.set(key, this.#cells.length);
    this.#cells.push({ tag: cell.tag, value: text });
    return this.#cells.length - 1;
  }

  /**
   * Adds the next row of the sheet.
   * @param loan as `loanOf` returns it
   * @param month as `monthOf` returns it
   */
  add(rowNumber: number, loan: number, month: number): void {
    if (this.#rows === this.#rowNumbers.length) this.#grow();
    this.#rowNumbers[this.#rows] = rowNumber;
    this.#loanOfRow[this.#rows] = loan;
    this.#monthOfRow[this.#rows] = month;
    this.#rows += 1;
  }

  /** Counts a row with more fields than the header: which of its values are the id and the month is unknown. */
  addMisfit(): void {
    this.#misfits += 1;
  }

  #grow(): void {
    if (this.#rows >= MAX_ROWS) {
      throw tooLarge(`The sheet has more than ${formatFigure(MAX_ROWS)} rows.`, 'Split the file by loan.');
    }
    const rows = Math.min(MAX_ROWS, 2 * this.#rows);
    const copy = <T extends Int32Array | Int16Array>(before: T, after: T): T => {
      after.set(before);
      return after;
    };
    this.#rowNumbers = copy(this.#rowNumbers, new Int32Array(rows));
    this.#loanOfRow = copy(this.#loanOfRow, new Int32Array(rows));
    this.#monthOfRow = copy(this.#monthOfRow, new Int16Array(rows));
  }

  /**
   * The latest row of each loan; of several rows with the same month, the last one.
   * @param upTo rows of later days, and of months that begin later, are left out
   * @param epoch of the workbook, for months that are the days that it counts
   * @throws Refusal badRequest if the columns are not those of loans and months, or if no row remains
   */
  latest(upTo: CalendarDate | null, epoch: 1900 | 1904): LatestRows {
    const months = readMonths(this.#cells, epoch);
    const isLater = months.map((month) => month !== null && upTo !== null && month.from > upTo);
    const found = this.#lastRows(months, isLater);
    const { counted, rowOfLoan } = found;
    const { idColumn, monthColumn } = this.#columns;
    const dated = this.#rows - counted.withoutId - counted.withoutMonth;
    if (dated <= counted.withoutMonth) {
      throw new Refusal(
        'badRequest',
        `“${monthColumn}” has no month in ${formatFigure(counted.withoutMonth)} of ${formatFigure(this.#rows)} rows. Choose the column with the months.`,
      );
    }
    if (dated === found.loans) {
      throw new Refusal(
        'badRequest',
        `Each “${idColumn}” has one row only, so the sheet does not have a row for each loan and month.`,
      );
    }
    const rows = rowOfLoan.filter((row) => row !== NONE).sort();
    if (rows.length === 0) {
      throw new Refusal(
        'badRequest',
        `No row is of ${upTo === null ? 'a month' : formatCalendarDate(upTo)} or earlier. The first month is ${found.first}.`,
      );
    }
    const monthOf = (row: number): ReadMonth => months[this.#monthOfRow[row]!]!;
    let latest = rows[0]!;
    for (const row of rows) if (monthOf(row).date > monthOf(latest).date) latest = row;
    const { date } = monthOf(latest);
    return {
      rowNumbers: rows.map((row) => this.#rowNumbers[row]!),
      counts: {
        rows: this.#rows + this.#misfits,
        loans: rows.length,
        ...counted,
        misfits: this.#misfits,
        behind: rows.reduce((sum, row) => sum + (monthOf(row).date.slice(0, 7) < date.slice(0, 7) ? 1 : 0), 0),
        latestMonth: { text: this.#cells[this.#monthOfRow[latest]!]!.value, date },
      },
    };
  }

  /** The index of each loan's latest row, and how many rows are left out for which reason. */
  #lastRows(months: readonly (ReadMonth | null)[], isLater: readonly boolean[]) {
    const rowOfLoan = new Int32Array(this.#loans.size).fill(NONE);
    const isDated = new Uint8Array(this.#loans.size);
    /** Whether a loan has several rows of its latest month. */
    const isTied = new Uint8Array(this.#loans.size);
    const counted = { later: 0, withoutId: 0, withoutMonth: 0, lostLoans: 0, tied: 0 };
    let first: ReadMonth | null = null;
    for (let row = 0; row < this.#rows; row += 1) {
      const loan = this.#loanOfRow[row]!;
      const at = this.#monthOfRow[row]!;
      const month = months[at] ?? null;
      if (loan === NONE) {
        counted.withoutId += 1;
        continue;
      }
      if (month === null) {
        counted.withoutMonth += 1;
        continue;
      }
      isDated[loan] = 1;
      if (first === null || month.from < first.from) first = month;
      if (isLater[at]) {
        counted.later += 1;
        continue;
      }
      const before = rowOfLoan[loan]!;
      const dateBefore = before === NONE ? '' : months[this.#monthOfRow[before]!]!.date;
      if (dateBefore > month.date) continue;
      rowOfLoan[loan] = row;
      isTied[loan] = dateBefore === month.date ? 1 : 0;
    }
    const loans = isDated.reduce((sum, each) => sum + each, 0);
    counted.tied = isTied.reduce((sum, each) => sum + each, 0);
    counted.lostLoans = this.#loans.size - loans;
    return { rowOfLoan, counted, loans, first: first ? formatCalendarDate(first.from) : '' };
  }
}

const tooLarge = (problem: string, whatToDo: string): Refusal => new Refusal('badRequest', `${problem} ${whatToDo}`);
