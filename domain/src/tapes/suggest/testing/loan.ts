/**
 * How long the loans of a tape run: decades, as mortgages; some years, as consumer loans and leases; or a month or more,
 * as invoices.
 */
export const LOAN_KINDS = ['long', 'short', 'invoice'] as const;
type LoanKind = (typeof LOAN_KINDS)[number];

const DAY_MS = 86_400_000;
export const CUT_OFF = Date.UTC(2024, 5, 30);

const TERM_MONTHS = { long: [120, 180, 240, 360], short: [12, 24, 36, 48, 60], invoice: [1, 2, 3] } as const;
const TERM_DAYS = [30, 45, 60, 90] as const;

/** One loan whose figures agree with each other. All of them are derived from the row and the seed. */
export class Loan {
  readonly row: number;
  readonly kind: LoanKind;
  readonly amount: number;
  /** Points: 6.5 is 6.5 %. */
  readonly rate: number;
  readonly termMonths: number;
  readonly termDays: number;
  readonly ageMonths: number;
  readonly payment: number;
  readonly balance: number;
  readonly paidInterest: number;
  readonly daysPastDue: number;
  readonly isChargedOff: boolean;
  readonly isPaid: boolean;
  readonly score: number;
  readonly value: number;
  readonly made: Date;
  readonly maturity: Date;
  #state: number;

  constructor(row: number, seed: number, kind: LoanKind = 'long') {
    this.row = row;
    this.kind = kind;
    this.#state = (Math.imul(seed + 1, 0x9e3779b1) ^ Math.imul(row + 1, 0x85ebca6b)) >>> 0;
    for (let turn = 0; turn < 4; turn += 1) this.random();
    this.amount = kind === 'long' ? this.whole(20, 400) * 1_000 : kind === 'short' ? this.whole(10, 400) * 100 : 0;
    this.rate = this.whole(20, 96) / 8;
    this.termMonths = this.pick(...TERM_MONTHS[kind]);
    this.ageMonths = this.whole(1, kind === 'long' ? 90 : this.termMonths);
    this.termDays = kind === 'invoice' ? this.pick(...TERM_DAYS) : Math.round(this.termMonths * 30.4);
    if (kind === 'invoice') this.amount = this.money(250, 60_000);
    const monthly = this.rate / 1_200;
    this.payment = cents((this.amount * monthly) / (1 - (1 + monthly) ** -this.termMonths));
    const grown = (1 + monthly) ** this.ageMonths;
    const left = Math.max(0, this.amount * grown - (this.payment * (grown - 1)) / monthly);
    this.isChargedOff = this.chance(0.04);
    this.isPaid = !this.isChargedOff && (this.chance(0.08) || left < 1);
    const isOver = this.isPaid || this.isChargedOff;
    const open = kind === 'invoice' ? this.amount * (this.chance(0.85) ? 1 : 0.4) : left;
    this.balance = isOver ? 0 : cents(open);
    this.paidInterest = cents(Math.max(0, this.payment * this.ageMonths - (this.amount - left)));
    const invoiceAge = this.whole(1, 140);
    this.made =
      kind === 'invoice'
        ? new Date(CUT_OFF - invoiceAge * DAY_MS)
        : new Date(this.month(0).getTime() + (row % 27) * DAY_MS);
    this.maturity =
      kind === 'invoice' ? new Date(this.made.getTime() + this.termDays * DAY_MS) : this.month(this.termMonths);
    const isLate = this.balance > 0 && this.chance(0.09);
    const invoiceLate = this.balance > 0 ? Math.max(0, invoiceAge - this.termDays) : 0;
    this.daysPastDue = kind === 'invoice' ? invoiceLate : isLate ? this.whole(1, 110) : 0;
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

  get paidPrincipal(): number {
    return cents(this.amount - this.balance);
  }

  get arrears(): number {
    if (this.kind === 'invoice') return this.daysPastDue > 0 ? this.balance : 0;
    return this.daysPastDue > 0 ? cents(Math.min(this.balance, this.payment * Math.ceil(this.daysPastDue / 30))) : 0;
  }

  /** The date that many months after the loan was made. */
  month(after: number): Date {
    const cutOff = new Date(CUT_OFF);
    return new Date(Date.UTC(cutOff.getUTCFullYear(), cutOff.getUTCMonth() - this.ageMonths + after, 1));
  }
}

export const cents = (value: number): number => Math.round(value * 100) / 100;
