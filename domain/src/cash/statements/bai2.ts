import type { CalendarDate } from '../../dates/calendar-day.ts';
import { accountNumberOf } from '../../entities/account-number.ts';
import { compare, type DecimalText, fromScaled, isNegative, sum } from '../../money/decimal.ts';
import { minorUnitDigits } from '../../money/minor-units.ts';
import type { BankStatement, BankStatementLine } from '../bank-statement.ts';
import { MAX_STATEMENT_LINES, MAX_STATEMENTS } from '../statement-limits.ts';
import { quoted, refuseStatement } from './refuse-statement.ts';
import {
  ASK_THE_BANK,
  checkBalances,
  describedReference,
  exactAmount,
  knownCurrency,
  MAX_REFERENCE,
  shortDay,
  withUniqueReferences,
} from './statement-figures.ts';
import { beginningOf, oneLine, requireShort, statementLines, textOrNull } from './statement-text.ts';

/** A record with the records 88 that continue it. */
interface BankRecord {
  readonly code: string;
  readonly fields: string[];
  /** Of a transaction: its text may contain commas and slashes. */
  readonly texts: string[];
  /** In the file, from 1. */
  readonly line: number;
  /** Records of the file that it takes. */
  count: number;
}

/** Reads BAI2 of the Bank Administration Institute, with all control totals. */
export function readBai2(text: string): BankStatement[] {
  const records = recordsOf(text);
  const reader = new Bai2Reader();
  for (const record of records) reader.take(record);
  return reader.end();
}

function recordsOf(text: string): BankRecord[] {
  const records: BankRecord[] = [];
  /** Characters of the last record. */
  let length = 0;
  for (const [index, raw] of statementLines(text).entries()) {
    const line = raw.trimEnd();
    if (line === '') continue;
    const code = /^(\d\d)(?:,|$)/.exec(line)?.[1];
    if (code === undefined) throw refuse(index + 1, `${quoted(line)} is no record`);
    const last = records.at(-1);
    length = code === '88' ? length + line.length : line.length;
    requireShort(length, index + 1);
    if (code !== '88') {
      records.push({ code, fields: fieldsOf(line), texts: [], line: index + 1, count: 1 });
    } else if (!last) throw refuse(index + 1, 'the file begins with a continuation');
    else {
      last.count += 1;
      // A transaction is continued by text; balances by more balances.
      if (last.code === '16') last.texts.push(line.slice(3).replace(/\/$/, ''));
      else for (const field of fieldsOf(line).slice(1)) last.fields.push(field);
    }
    if (records.length > MAX_STATEMENT_LINES + 4 * MAX_STATEMENTS) {
      throw refuseStatement('limit', 'The file has too many records. Ask the bank for one file a month.');
    }
  }
  return records;
}

/** The fields of one line, whose end is a slash. */
const fieldsOf = (line: string): string[] =>
  line
    .replace(/\/$/, '')
    .split(',')
    .map((field) => field.trim());

const refuse = (line: number, what: string) => refuseStatement('field', `Line ${line}: ${what}. ${ASK_THE_BANK}`);

interface Group {
  readonly asOf: CalendarDate;
  readonly currency: string;
  /** Balances are final for the day unless the bank says that they are of an hour within it. */
  readonly isInterim: boolean;
  readonly control: bigint[];
  records: number;
  readonly line: number;
}

interface Account {
  readonly number: string;
  readonly currency: string;
  readonly balances: Map<string, bigint>;
  readonly lines: BankStatementLine[];
  /** Of all amounts, as the bank adds them up for the control total. */
  control: bigint;
  records: number;
}

const [OPENING, CLOSING, CREDITS, DEBITS] = ['010', '015', '100', '400'];

class Bai2Reader {
  private readonly statements: BankStatement[] = [];
  private readonly groupTotals: bigint[] = [];
  private fileId = '';
  private group: Group | null = null;
  private account: Account | null = null;
  private records = 0;
  private isOpen = false;
  private isClosed = false;

  take(record: BankRecord): void {
    this.records += record.count;
    if (this.isClosed) throw refuse(record.line, 'the file goes on after its end');
    if (this.group) this.group.records += record.count;
    if (this.account) this.account.records += record.count;
    switch (record.code) {
      case '01':
        this.openFile(record);
        break;
      case '02':
        this.openGroup(record);
        break;
      case '03':
        this.openAccount(record);
        break;
      case '16':
        this.addLine(record);
        break;
      case '49':
        this.closeAccount(record);
        break;
      case '98':
        this.closeGroup(record);
        break;
      case '99':
        this.closeFile(record);
        break;
      default:
        throw refuse(record.line, `the record ${record.code} is not known`);
    }
  }

  end(): BankStatement[] {
    if (!this.isClosed) throw refuseStatement('totals', `The file ends too early. ${ASK_THE_BANK}`);
    if (this.statements.length === 0) throw refuseStatement('field', `The file contains no statement. ${ASK_THE_BANK}`);
    return this.statements;
  }

  private openFile({ fields, line }: BankRecord): void {
    if (this.isOpen) throw refuse(line, 'a second file begins');
    if (fields[8] !== '2' && fields.at(-1) !== '2') {
      throw refuseStatement('version', 'The file is not BAI in version 2. Ask the bank for BAI2.');
    }
    this.isOpen = true;
    this.fileId = fields[5] ?? '';
  }

  private openGroup({ fields, line, count }: BankRecord): void {
    if (!this.isOpen || this.group) throw refuse(line, 'a group begins where none can');
    if (fields[3] !== '1') {
      throw refuse(line, `the group has the status ${quoted(fields[3] ?? '')}: only 1, an update, is read`);
    }
    const currency = knownCurrency(fields[6] || 'USD', `Line ${line}`);
    const isInterim = fields[7] === '1' || fields[7] === '3';
    this.group = {
      asOf: shortDay(fields[4] ?? '', `Line ${line}`),
      currency,
      isInterim,
      control: [],
      records: count,
      line,
    };
  }

  private openAccount({ fields, line, count }: BankRecord): void {
    const { group } = this;
    if (!group || this.account) throw refuse(line, 'an account begins where none can');
    const number = accountNumberOf(fields[1] ?? '');
    if (number === '') throw refuse(line, 'the account has no number');
    if (this.statements.length >= MAX_STATEMENTS) {
      throw refuseStatement('limit', 'The file has too many accounts. Ask the bank for one file a month.');
    }
    const currency = knownCurrency(fields[2] || group.currency, `Line ${line}`);
    const account: Account = { number, currency, balances: new Map(), lines: [], control: 0n, records: count };
    // Kind, amount, number of items, availability: four fields, or more where the availability is spread over days.
    for (let at = 3; at < fields.length; ) {
      const kind = fields[at] ?? '';
      if (kind === '') {
        at += 1;
        continue;
      }
      if (!/^\d{3}$/.test(kind)) throw refuse(line, `${quoted(kind)} is not the kind of a balance`);
      const written = fields[at + 1] ?? '';
      if (written !== '') {
        const amount = unitsOf(written, line);
        account.control += amount;
        if (account.balances.has(kind)) throw refuse(line, `the balance ${kind} occurs twice`);
        account.balances.set(kind, amount);
      }
      at += 3 + fundsFields(fields, at + 3, line);
    }
    this.account = account;
  }

  private addLine(record: BankRecord): void {
    const { fields, line, texts } = record;
    const { account, group } = this;
    if (!account || !group) throw refuse(line, 'a transaction is outside of an account');
    const kind = fields[1] ?? '';
    const units = (fields[2] ?? '') === '' ? 0n : unitsOf(fields[2] ?? '', line);
    account.control += units;
    // 890 is information without money.
    if (kind === '890' || (units === 0n && (fields[2] ?? '') === '')) return;
    if (units < 0n) throw refuse(line, 'the amount of a transaction is negative');
    const isOut = isDebit(kind, line);
    const at = 3 + fundsFields(fields, 3, line);
    const valuedOn = fields[3] === 'V' ? shortDay(fields[4] ?? '', `Line ${line}`) : group.asOf;
    // The text is all that is left: its commas are its own.
    const text = oneLine([fields.slice(at + 2).join(', '), ...texts].join(' '));
    const amount = amountOf(isOut ? -units : units, account.currency, `Line ${line}`);
    const read = { ...NOTHING_ELSE, bookedOn: group.asOf, valuedOn, amount, remittance: text };
    const endToEndId = meaningful(fields[at + 1]);
    const bankReference = meaningful(fields[at]);
    account.lines.push({
      ...read,
      endToEndId,
      reference: beginningOf(bankReference ?? describedReference(read), MAX_REFERENCE),
      returned: RETURNS.has(kind) ? { reason: `Returned (BAI ${kind})` } : null,
    });
  }

  private closeAccount({ fields, line }: BankRecord): void {
    const { account, group } = this;
    if (!account || !group) throw refuse(line, 'an account ends that has not begun');
    const total = checkControl(fields[1], account.control, line, 'account');
    checkCount(fields[2], account.records, line, 'account');
    group.control.push(total);
    this.statements.push(statementOf(account, group, this.fileId));
    this.account = null;
  }

  private closeGroup({ fields, line }: BankRecord): void {
    const { group } = this;
    if (!group || this.account) throw refuse(line, 'a group ends that has not begun');
    const total = checkControl(fields[1], added(group.control), line, 'group');
    checkCount(fields[2], group.control.length, line, 'group');
    checkCount(fields[3], group.records, line, 'group');
    this.groupTotals.push(total);
    this.group = null;
  }

  private closeFile({ fields, line }: BankRecord): void {
    if (!this.isOpen || this.group) throw refuse(line, 'the file ends within a group');
    checkControl(fields[1], added(this.groupTotals), line, 'file');
    checkCount(fields[2], this.groupTotals.length, line, 'file');
    checkCount(fields[3], this.records, line, 'file');
    this.isClosed = true;
  }
}

const NOTHING_ELSE = {
  charges: null,
  original: null,
  counterpartyName: null,
  counterpartyAccount: null,
  endToEndId: null,
  returned: null,
} as const;

/** Returned checks, ACH and wire items. */
const RETURNS = new Set([
  '252',
  '255',
  '256',
  '257',
  '258',
  '259',
  '266',
  '552',
  '555',
  '556',
  '557',
  '558',
  '559',
  '566',
]);

const added = (amounts: readonly bigint[]): bigint => amounts.reduce((total, amount) => total + amount, 0n);

const meaningful = (reference: string | undefined): string | null => {
  const text = textOrNull(reference);
  return text === null || /^0+$/.test(text) ? null : text;
};

/** An amount in the smallest unit of its currency. */
function unitsOf(written: string, line: number): bigint {
  if (!/^[+-]?0*\d{1,17}$/.test(written)) {
    throw refuseStatement(
      'amount',
      `Line ${line}: ${quoted(written)} is not an amount in whole cents. ${ASK_THE_BANK}`,
    );
  }
  return BigInt(written.replace('+', ''));
}

const amountOf = (units: bigint, currency: string, where: string): DecimalText =>
  exactAmount(fromScaled(units, minorUnitDigits(currency)), currency, where);

/** Whether the kind of a transaction takes money from the account. */
function isDebit(kind: string, line: number): boolean {
  const number = /^\d{3}$/.test(kind) ? Number(kind) : 0;
  if ((number >= 100 && number <= 399) || (number >= 920 && number <= 959)) return false;
  if ((number >= 400 && number <= 699) || number >= 960) return true;
  throw refuse(line, `${quoted(kind)} is not the kind of a credit or a debit`);
}

/** How many fields say when the money is available. */
function fundsFields(fields: readonly string[], at: number, line: number): number {
  switch (fields[at] ?? '') {
    case 'S':
      return 4;
    case 'V':
      return 3;
    case 'D':
      return 2 + 2 * Number(/^\d{1,3}$/.exec(fields[at + 1] ?? '')?.[0] ?? 0);
    case '':
    case 'Z':
    case '0':
    case '1':
    case '2':
      return 1;
    default:
      throw refuse(line, `${quoted(fields[at] ?? '')} does not say when money is available`);
  }
}

/** The control total: empty ones are not checked. */
function checkControl(written: string | undefined, total: bigint, line: number, what: string): bigint {
  if ((written ?? '') === '') return total;
  const control = unitsOf(written ?? '', line);
  if (control !== total) {
    throw refuseStatement(
      'totals',
      `Line ${line}: the amounts of the ${what} add up to ${total}, and its control total is ${control}. ${ASK_THE_BANK}`,
    );
  }
  return total;
}

function checkCount(written: string | undefined, count: number, line: number, what: string): void {
  if ((written ?? '') === '' || (/^\d+$/.test(written ?? '') && Number(written) === count)) return;
  throw refuseStatement(
    'totals',
    `Line ${line}: the ${what} has ${count} records or parts and announces ${quoted(written ?? '')}. ${ASK_THE_BANK}`,
  );
}

function statementOf(account: Account, group: Group, fileId: string): BankStatement {
  const { currency, balances } = account;
  const digits = minorUnitDigits(currency);
  const balanceOf = (kind: string | undefined) => {
    const amount = balances.get(kind ?? '');
    return amount === undefined || group.isInterim
      ? null
      : { date: group.asOf, amount: amountOf(amount, currency, `Account ${account.number}`) };
  };
  const statement: BankStatement = {
    format: 'BAI2',
    account: account.number,
    currency,
    number: group.isInterim ? `${group.asOf} ${fileId}`.trim() : group.asOf,
    from: group.asOf,
    to: group.asOf,
    opening: balanceOf(OPENING),
    closing: balanceOf(CLOSING),
    lines: withUniqueReferences(account.lines),
  };
  checkBalances(statement);
  const amounts = account.lines.map(({ amount }) => amount);
  checkSummary(
    balances.get(CREDITS ?? ''),
    amounts.filter((amount) => !isNegative(amount)),
    digits,
    statement,
  );
  checkSummary(balances.get(DEBITS ?? ''), amounts.filter(isNegative), digits, statement);
  return statement;
}

/** The total of credits or debits, where the bank lists the transactions as well. */
function checkSummary(
  units: bigint | undefined,
  amounts: readonly DecimalText[],
  digits: number,
  { number, lines }: BankStatement,
): void {
  if (units === undefined || lines.length === 0) return;
  const total = sum(amounts.map((amount) => amount.replace('-', '')));
  if (compare(fromScaled(units < 0n ? -units : units, digits), total) === 0) return;
  throw refuseStatement(
    'totals',
    `Statement ${number}: the lines of one side add up to ${total}, and the bank's total is ${fromScaled(units, digits)}. ${ASK_THE_BANK}`,
  );
}
