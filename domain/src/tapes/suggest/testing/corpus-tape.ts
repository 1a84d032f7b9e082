import { CellTag } from '@tapeline/sheets/cell-tag.ts';
import type { SampleCell } from '../column-summary.ts';
import type { SampleColumn } from '../suggest-mapping.ts';

/** A value as a sheet would hold it; a `Date` is a cell with a date style. */
export type CorpusValue = string | number | boolean | Date | null;

/** For a column for which choosing no field is as right as choosing one. */
export const NONE = 'none';

/**
 * A column of a public schema: its header, the field that an analyst would choose (several if either is right, null if
 * the column belongs to no field), and its values.
 */
export type CorpusColumn = readonly [
  header: string,
  target: string | readonly string[] | null,
  value: (loan: Loan) => CorpusValue,
];

export interface CorpusTape {
  readonly name: string;
  readonly columns: readonly CorpusColumn[];
}

const DAY_MS = 86_400_000;
const CUT_OFF = Date.UTC(2024, 5, 30);

/**
 * One loan whose figures are consistent, with random values for everything else. All values are derived from the seed.
 */
export class Loan {
  readonly row: number;
  readonly amount: number;
  /** Points: 6.5 is 6.5 %. */
  readonly rate: number;
  readonly termMonths: number;
  readonly ageMonths: number;
  readonly payment: number;
  readonly balance: number;
  readonly paidInterest: number;
  readonly daysPastDue: number;
  readonly isChargedOff: boolean;
  readonly isPaid: boolean;
  readonly score: number;
  readonly value: number;
  #state: number;

  constructor(row: number, seed: number) {
    this.row = row;
    this.#state = (Math.imul(seed + 1, 0x9e3779b1) ^ Math.imul(row + 1, 0x85ebca6b)) >>> 0;
    for (let turn = 0; turn < 4; turn += 1) this.random();
    this.amount = this.whole(20, 400) * 1_000;
    this.rate = this.whole(20, 96) / 8;
    this.termMonths = this.pick(120, 180, 240, 360);
    this.ageMonths = this.whole(1, 90);
    const monthly = this.rate / 1_200;
    this.payment = cents((this.amount * monthly) / (1 - (1 + monthly) ** -this.termMonths));
    const grown = (1 + monthly) ** this.ageMonths;
    const left = this.amount * grown - (this.payment * (grown - 1)) / monthly;
    this.isChargedOff = this.chance(0.04);
    this.isPaid = !this.isChargedOff && this.chance(0.08);
    this.balance = this.isPaid || this.isChargedOff ? 0 : cents(left);
    this.paidInterest = cents(this.payment * this.ageMonths - (this.amount - left));
    this.daysPastDue = this.balance > 0 && this.chance(0.09) ? this.whole(1, 110) : 0;
    this.score = this.whole(600, 830);
    this.value = Math.round((this.amount / this.whole(50, 97)) * 100);
  }

  random(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  whole(from: number, to: number): number {
    return from + Math.floor(this.random() * (to - from + 1));
  }

  money(from: number, to: number): number {
    return cents(from + this.random() * (to - from));
  }

  chance(share: number): boolean {
    return this.random() < share;
  }

  pick<Value>(...values: readonly Value[]): Value {
    return values[Math.floor(this.random() * values.length)]!;
  }

  /** The value in a share of the rows, blank in the others. */
  some<Value>(share: number, value: Value): Value | null {
    return this.chance(share) ? value : null;
  }

  get paidPrincipal(): number {
    return cents(this.amount - this.balance);
  }

  get arrears(): number {
    return this.daysPastDue > 0 ? cents(Math.min(this.balance, this.payment * Math.ceil(this.daysPastDue / 30))) : 0;
  }

  get remainingMonths(): number {
    return this.termMonths - this.ageMonths;
  }

  get ltv(): number {
    return Math.round((this.amount / this.value) * 100);
  }

  get currentLtv(): number {
    return Math.round((this.balance / this.value) * 90);
  }

  /** The date that many months after the loan was made. */
  month(after: number): Date {
    const cutOff = new Date(CUT_OFF);
    return new Date(Date.UTC(cutOff.getUTCFullYear(), cutOff.getUTCMonth() - this.ageMonths + after, 1));
  }

  get made(): Date {
    return new Date(this.month(0).getTime() + (this.row % 27) * DAY_MS);
  }

  get state(): string {
    return this.pick('CA', 'TX', 'FL', 'NY', 'IL', 'OH', 'GA', 'WA');
  }

  get city(): string {
    return this.pick('Austin', 'Dayton', 'Tampa', 'Reno', 'Macon', 'Yonkers', 'Tacoma', 'Fresno');
  }

  get zip(): string {
    return String(this.whole(10_001, 99_950));
  }
}

const cents = (value: number): number => Math.round(value * 100) / 100;

const isoDay = (date: Date): string => date.toISOString().slice(0, 10);
export const iso = isoDay;
export const american = (date: Date): string =>
  `${date.getUTCMonth() + 1}/${date.getUTCDate()}/${date.getUTCFullYear()}`;
/** `032018`, as the agencies write a month. */
export const monthYear = (date: Date): string =>
  `${String(date.getUTCMonth() + 1).padStart(2, '0')}${date.getUTCFullYear()}`;
/** `201803`. */
export const yearMonth = (date: Date): string =>
  `${date.getUTCFullYear()}${String(date.getUTCMonth() + 1).padStart(2, '0')}`;
/** `03/2018`, as ABS-EE writes a month. */
export const slashedMonth = (date: Date): string =>
  `${String(date.getUTCMonth() + 1).padStart(2, '0')}/${date.getUTCFullYear()}`;
export const monthName = (date: Date): string =>
  `${['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'][date.getUTCMonth()]}-${date.getUTCFullYear()}`;

function cellOf(value: CorpusValue): SampleCell {
  if (value === null || value === '') return { tag: CellTag.blank, value: '' };
  if (value instanceof Date) return { tag: CellTag.date, value: isoDay(value) };
  if (typeof value === 'number') return { tag: CellTag.number, value: String(value) };
  if (typeof value === 'boolean') return { tag: CellTag.boolean, value: String(value) };
  return { tag: CellTag.text, value };
}

/** The columns as input for a suggestion, as if sampled from the first rows and from all over the sheet. */
export function columnsOfTape({ columns }: CorpusTape, seed: number, rows = 300): SampleColumn[] {
  const loans = Array.from({ length: rows }, (_, row) => new Loan(row, seed));
  return columns.map(([header, , value]) => ({ header, cells: loans.map((loan) => cellOf(value(loan))) }));
}
