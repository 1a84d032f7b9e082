import { type CalendarDate, daysBetween } from '../../dates/calendar-day.ts';
import { accountNumberOf } from '../../entities/account-number.ts';
import type { Balance, BankStatement, BankStatementLine } from '../bank-statement.ts';
import { MAX_STATEMENT_LINES, MAX_STATEMENTS } from '../statement-limits.ts';
import { type Details, readDetails } from './mt940-details.ts';
import { quoted, refuseStatement } from './refuse-statement.ts';
import {
  ASK_THE_BANK,
  calendarDay,
  checkBalances,
  exactAmount,
  knownCurrency,
  MAX_REFERENCE,
  shortDay,
  withUniqueReferences,
} from './statement-figures.ts';
import { beginningOf, oneLine, requireShort, statementLines } from './statement-text.ts';
import { accountWithoutCurrency } from './written-account.ts';

interface Field {
  readonly tag: string;
  readonly lines: string[];
  /** In the file, from 1. */
  readonly line: number;
}

/** Fields that say nothing about money that was booked. */
const LEFT_OUT = new Set(['20', '21', 'NS', '13', '13D', '64', '65', '90C', '90D']);

/** Reads MT940 of SWIFT, with the details of German, Dutch and other banks. */
export function readMt940(text: string): BankStatement[] {
  const messages = messagesOf(fieldsOf(text));
  if (messages.length === 0) throw refuseStatement('field', `The file contains no statement. ${ASK_THE_BANK}`);
  if (messages.length > MAX_STATEMENTS)
    throw refuseStatement('limit', 'The file has too many statements. Ask the bank for one file a month.');
  return messages.map(readMessage);
}

/** The fields of all messages. A line that starts with no tag continues the field before it. */
function fieldsOf(text: string): Field[] {
  const fields: Field[] = [];
  let isOpen = false;
  /** Characters of the last field. */
  let length = 0;
  for (const [index, raw] of statementLines(text).entries()) {
    // The envelope of SWIFT: headers in braces before the first field, and a hyphen after the last.
    const line = raw.replace(/^(?:\{[1-35]:(?:[^{}]|\{[^{}]*\})*\})*\{4:/, '').trimEnd();
    const tag = /^:(\d{2}[A-Z]?|NS):(.*)$/s.exec(line);
    if (tag) {
      fields.push({ tag: tag[1] ?? '', lines: [tag[2] ?? ''], line: index + 1 });
      isOpen = true;
      length = line.length;
    } else if (/^-(\}|$)/.test(line) || isEnvelope(line)) isOpen = false;
    else if (isOpen) {
      // An empty line counts as well.
      length += line.length + 1;
      requireShort(length, index + 1);
      fields.at(-1)?.lines.push(line);
    }
    if (fields.length > MAX_STATEMENT_LINES * 3) {
      throw refuseStatement('limit', 'The file has too many lines. Ask the bank for one file a month.');
    }
  }
  return fields;
}

/** The control characters between which some banks send messages. */
const isEnvelope = (line: string): boolean => line === '\u0001' || line === '\u0003';

function messagesOf(fields: readonly Field[]): Field[][] {
  const messages: Field[][] = [];
  for (const field of fields) {
    if (field.tag === '20') messages.push([field]);
    else if (messages.length > 0) messages.at(-1)?.push(field);
    else throw refuseStatement('field', `Line ${field.line}: the statement does not begin with :20:. ${ASK_THE_BANK}`);
  }
  return messages;
}

function readMessage(fields: readonly Field[]): BankStatement {
  const named = (tags: readonly string[]): Field | undefined => {
    const found = fields.filter(({ tag }) => tags.includes(tag));
    if (found.length > 1) {
      throw refuseStatement(
        'field',
        `Line ${found[1]?.line}: :${tags[0]}: occurs twice in a statement. ${ASK_THE_BANK}`,
      );
    }
    return found[0];
  };
  if (fields.some(({ tag }) => tag === '34F')) {
    throw refuseStatement(
      'interim',
      'The file is an MT942, a report during the day that is not final. Upload the statement of the day, an MT940.',
    );
  }
  const number = numberOf(named(['28C', '28']));
  const where = `Statement ${number}`;
  const written = named(['25', '25P'])?.lines[0] ?? '';
  if (written.trim() === '') throw refuseStatement('field', `${where} names no account. ${ASK_THE_BANK}`);
  const account = accountWithoutCurrency(accountNumberOf(written));
  const [opening, currency] = balanceOf(named(['60F', '60M']), where);
  const [closing, closingCurrency] = balanceOf(named(['62F', '62M']), where);
  if (currency !== closingCurrency) {
    throw refuseStatement(
      'currency',
      `${where} opens in ${currency} and closes in ${closingCurrency}. ${ASK_THE_BANK}`,
    );
  }
  const lines = withUniqueReferences(linesOf(fields, currency, number));
  const read: BankStatement = {
    format: 'MT940',
    account,
    currency,
    number,
    from: opening.date <= closing.date ? opening.date : null,
    to: closing.date,
    opening,
    closing,
    lines,
  };
  checkBalances(read);
  return read;
}

/** "00042/001" is 42/1. */
function numberOf(field: Field | undefined): string {
  const number = oneLine(field?.lines[0] ?? '').replaceAll(/(^|\/)0+(?=\d)/g, '$1');
  if (number === '') throw refuseStatement('field', `A statement has no number. ${ASK_THE_BANK}`);
  return beginningOf(number, MAX_REFERENCE);
}

/**
 * Amounts have a comma and no separators between thousands. Some banks write a point, and leave it out of whole amounts of
 * lines: the balances, which have one always, prove that these are no cents.
 */
function amountOf(written: string, currency: string, where: string, isLine = false): string {
  if (!(isLine ? /^\d+(,\d*|\.\d{2})?$/ : /^\d+(,\d*|\.\d{2})$/).test(written)) {
    throw refuseStatement('amount', `${where}: ${quoted(written)} is not an amount. ${ASK_THE_BANK}`);
  }
  return exactAmount(written.replace(',', '.').replace(/\.$/, ''), currency, where);
}

function balanceOf(field: Field | undefined, where: string): [Balance, string] {
  const parts = /^([CD])(\d{6})([A-Z]{3})([\d,.]+)$/.exec(oneLine(field?.lines.join('') ?? ''));
  if (!parts) {
    throw refuseStatement('balance', `${where} has no opening or closing balance that can be read. ${ASK_THE_BANK}`);
  }
  const [, side, day = '', code = '', written = ''] = parts;
  const currency = knownCurrency(code, where);
  const amount = amountOf(written, currency, where);
  return [
    { date: shortDay(day, where), amount: side === 'D' && /[1-9]/.test(amount) ? `-${amount}` : amount },
    currency,
  ];
}

function linesOf(fields: readonly Field[], currency: string, number: string): BankStatementLine[] {
  const booked: { readonly field: Field; readonly details: string[] }[] = [];
  /** Characters of the details of the last line. */
  let length = 0;
  let isAfterLines = false;
  for (const field of fields) {
    if (field.tag === '61') {
      if (isAfterLines)
        throw refuseStatement('field', `Line ${field.line}: a line follows the closing balance. ${ASK_THE_BANK}`);
      booked.push({ field, details: [] });
      length = 0;
    } else if (field.tag === '86') {
      // Before the first line and after the closing balance, it is about the statement.
      if (isAfterLines) continue;
      for (const line of field.lines) {
        booked.at(-1)?.details.push(line);
        length += line.length + 1;
      }
      requireShort(length, field.line);
    } else if (field.tag.startsWith('62')) isAfterLines = true;
    else if (!['25', '25P', '28', '28C', '60F', '60M'].includes(field.tag) && !LEFT_OUT.has(field.tag)) {
      throw refuseStatement('field', `Line ${field.line}: the field :${field.tag}: is not known. ${ASK_THE_BANK}`);
    }
  }
  return booked.map(({ field, details }, index) => readLine(field, details, index, currency, number));
}

/**
 * Value date, entry date, reversal and side, third letter of the currency, amount, kind, references. Some banks leave the
 * kind blank behind its letter.
 */
const LINE = /^(\d{6})(\d{4})?(R?[CD])([A-Z])?(\d[\d,.]*)(?:([A-Z][A-Z0-9 ]{3})(.*))?$/;

function readLine(
  field: Field,
  details: readonly string[],
  index: number,
  currency: string,
  number: string,
): BankStatementLine {
  const where = `Line ${field.line}`;
  const parts = LINE.exec((field.lines[0] ?? '').trim());
  if (!parts)
    throw refuseStatement(
      'field',
      `${where}: ${quoted(field.lines[0] ?? '')} is not a line of a statement. ${ASK_THE_BANK}`,
    );
  const [, day = '', entryDay, mark = '', letter, written = '', , references = ''] = parts;
  if (letter !== undefined && letter !== currency[2]) {
    throw refuseStatement(
      'currency',
      `${where} is in another currency than ${currency}, the currency of the balances. ${ASK_THE_BANK}`,
    );
  }
  const valuedOn = valueDay(day, where);
  const plain = amountOf(written, currency, where, true);
  // RC takes back what came in, RD what went out.
  const isOut = mark === 'D' || mark === 'RC';
  const amount = isOut && /[1-9]/.test(plain) ? `-${plain}` : plain;
  const [ofOwner = '', ofBank = ''] = references.split(/\/\/(.*)/s);
  const supplement = field.lines.slice(1).join(' ');
  const read = readDetails(details, supplement, { amount, currency, where });
  return {
    reference: beginningOf(oneLine(meaningful(ofBank) ?? `${number}:${index + 1}`), MAX_REFERENCE),
    bookedOn: entryDay === undefined ? valuedOn : entryDate(valuedOn, entryDay, where),
    valuedOn,
    amount,
    charges: read.charges,
    original: read.original,
    counterpartyName: read.counterpartyName,
    counterpartyAccount: read.counterpartyAccount,
    remittance: read.remittance,
    endToEndId: read.endToEndId ?? meaningful(ofOwner),
    returned: returnOf(mark, read),
  };
}

/** A reference that is one: "KREF+" only says that the details have one. */
const meaningful = (reference: string): string | null => {
  const text = oneLine(reference);
  return text === '' || /^(NONREF|NOREF|NOTPROVIDED|0+|[KEM]REF\+)$/i.test(text) ? null : text;
};

const returnOf = (mark: string, { returned }: Details): BankStatementLine['returned'] =>
  returned !== null || mark.startsWith('R') ? { reason: returned || 'Reversed by the bank' } : null;

/** German banks give each month thirty days of interest: their 29th and 30th of February is its last day. */
function valueDay(day: string, where: string): CalendarDate {
  const isLeapYear = Number(day.slice(0, 2)) % 4 === 0;
  const last = isLeapYear ? '29' : '28';
  return shortDay(/^\d\d02(29|30)$/.test(day) ? `${day.slice(0, 4)}${last}` : day, where);
}

/** The entry date has no year: it is the day nearest to the value date. */
function entryDate(valuedOn: CalendarDate, monthDay: string, where: string): CalendarDate {
  const year = Number(valuedOn.slice(0, 4));
  const rest = `-${monthDay.slice(0, 2)}-${monthDay.slice(2)}`;
  const possible = [year - 1, year, year + 1].flatMap((each) => {
    try {
      return [calendarDay(`${each}${rest}`, where)];
    } catch {
      return [];
    }
  });
  const [nearest] = possible.toSorted(
    (a, b) => Math.abs(daysBetween(valuedOn, a)) - Math.abs(daysBetween(valuedOn, b)),
  );
  return nearest ?? calendarDay(`${year}${rest}`, where);
}
