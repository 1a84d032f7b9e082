import type { CalendarDate } from '../../dates/calendar-day.ts';
import { isCalendarDate } from '../../dates/calendar-day.ts';
import { add, compare, type DecimalText, isNegative, round, subtract, sum } from '../../money/decimal.ts';
import { isCurrencyCode, minorUnitDigits } from '../../money/minor-units.ts';
import type { BankStatement, BankStatementLine } from '../bank-statement.ts';
import { quoted, refuseStatement } from './refuse-statement.ts';
import { beginningOf } from './statement-text.ts';

/** Digits before the decimal point of an amount that is stored. */
const MAX_WHOLE_DIGITS = 15;
/** Digits behind it: banks fill them up with zeros. */
const MAX_DECIMALS = 15;

/** An amount as exact text with the decimals of its currency. @param where names the line in the refusal */
export function exactAmount(plain: string, currency: string, where: string): DecimalText {
  const digits = minorUnitDigits(currency);
  const [whole = '', fraction = ''] = plain.replace('-', '').split('.');
  // Some banks fill amounts up with zeros in front as well.
  const isPlain =
    whole.replace(/^0+/, '').length <= MAX_WHOLE_DIGITS &&
    fraction.length <= MAX_DECIMALS &&
    /^-?\d+(\.\d+)?$/.test(plain);
  if (!isPlain || fraction.replace(/0+$/, '').length > digits) {
    throw refuseStatement('amount', `${where}: ${quoted(plain)} is not an amount in ${currency}. ${ASK_THE_BANK}`);
  }
  return round(plain, digits);
}

export function knownCurrency(code: string | null, where: string): string {
  if (code === null || !isCurrencyCode(code)) {
    throw refuseStatement('currency', `${where}: ${quoted(code ?? '')} is not a currency. ${ASK_THE_BANK}`);
  }
  return code;
}

export function calendarDay(date: string | null, where: string): CalendarDate {
  if (!isCalendarDate(date) || date < '1980-01-01' || date > '2150-12-31') {
    throw refuseStatement('date', `${where}: ${quoted(date ?? '')} is not a date. ${ASK_THE_BANK}`);
  }
  return date;
}

/** YYMMDD, as banks write it. */
export function shortDay(digits: string, where: string): CalendarDate {
  const [, year = '', month = '', day = ''] = /^(\d\d)(\d\d)(\d\d)$/.exec(digits) ?? [];
  return calendarDay(`${Number(year) >= 80 ? '19' : '20'}${year}-${month}-${day}`, where);
}

export const ASK_THE_BANK = 'Download the file from the bank again; if it is the same, ask the bank what it means.';

/** Refuses a statement whose lines do not lead from the opening to the closing balance. */
export function checkBalances({ opening, closing, lines, number, account }: BankStatement): void {
  if (!opening || !closing) return;
  const reached = add(opening.amount, sum(lines.map(({ amount }) => amount)));
  if (compare(reached, closing.amount) === 0) return;
  throw refuseStatement(
    'balance',
    `Statement ${number} of account ${account}: the opening balance ${opening.amount} and the lines make ${reached}, and the closing balance is ${closing.amount}. Lines of ${subtract(closing.amount, reached)} are missing or wrong. Nothing was saved. ${ASK_THE_BANK}`,
  );
}

/** The lines with references that are unique in the statement: what a bank uses again is counted. */
export function withUniqueReferences(lines: readonly BankStatementLine[]): BankStatementLine[] {
  const taken = new Set<string>();
  const counts = new Map<string, number>();
  return lines.map((line) => {
    let count = counts.get(line.reference) ?? 0;
    let reference = line.reference;
    do {
      count += 1;
      reference = count === 1 ? line.reference : `${line.reference}#${count}`;
    } while (taken.has(reference));
    counts.set(line.reference, count);
    taken.add(reference);
    return { ...line, reference };
  });
}

/** What was taken from an amount, or null. */
export const chargesOrNull = (charges: DecimalText): DecimalText | null => (compare(charges, '0') > 0 ? charges : null);

/** A reference for a line without one: what it says, so that the same line in another file of the account is known again. */
export function describedReference(line: Omit<BankStatementLine, 'reference'>): string {
  const text = [line.counterpartyName, line.counterpartyAccount, line.remittance].filter(Boolean).join(' ');
  return beginningOf(`${line.bookedOn} ${isNegative(line.amount) ? '' : '+'}${line.amount} ${text}`, MAX_REFERENCE);
}

/** Characters of a reference. */
export const MAX_REFERENCE = 140;
