import type { CalendarDate } from '../../dates/calendar-day.ts';
import { accountNumberOf } from '../../entities/account-number.ts';
import { absolute, add, compare, type DecimalText, isNegative, isZero, negate, subtract } from '../../money/decimal.ts';
import { minorUnitDigits } from '../../money/minor-units.ts';
import { readTypedNumber } from '../../money/typed-number.ts';
import type { BankStatement, BankStatementLine } from '../bank-statement.ts';
import { MAX_STATEMENT_CELLS, MAX_STATEMENT_LINES } from '../statement-limits.ts';
import type { CsvDateOrder, CsvMapping } from './csv-mapping.ts';
import { quoted, refuseStatement } from './refuse-statement.ts';
import {
  calendarDay,
  checkBalances,
  describedReference,
  exactAmount,
  MAX_REFERENCE,
  withUniqueReferences,
} from './statement-figures.ts';
import { beginningOf, oneLine, requireShort, textOrNull } from './statement-text.ts';

/** The account whose lines a CSV file has: such files rarely name it. */
export interface CsvAccount {
  readonly number: string;
  readonly currency: string;
}

/** Lines above the header: banks write the account and the period there. */
const MAX_LINES_ABOVE = 30;

interface Row {
  readonly cells: readonly string[];
  /** In the file, from 1. */
  readonly line: number;
}

/** Reads a CSV file of a bank as its mapping says. */
export function readCsvStatement(text: string, mapping: CsvMapping, account: CsvAccount): BankStatement {
  const rows = rowsOf(text, mapping.separator);
  const columns = columnsOf(mapping);
  const head = rows.slice(0, MAX_LINES_ABOVE).findIndex(({ cells }) => columns.every((name) => cells.includes(name)));
  if (head === -1) {
    const [first] = rows;
    const missing = columns.filter((name) => !first?.cells.includes(name)).map(quoted);
    throw refuseStatement(
      'mapping',
      `The file has no header with all columns of the mapping${missing.length > 0 ? `: ${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} not in its first line` : ''}. Change the mapping of the account, or choose the right file.`,
    );
  }
  const header = rows[head]?.cells ?? [];
  const twice = columns.find((name) => header.indexOf(name) !== header.lastIndexOf(name));
  if (twice)
    throw refuseStatement('mapping', `The column ${quoted(twice)} occurs twice in the file. Rename one of them.`);
  const filled = rows.slice(head + 1).filter(({ cells }) => cells.some((cell) => cell !== ''));
  if (filled.length === 0) throw refuseStatement('field', 'The file has no lines below its header.');
  if (filled.length > MAX_STATEMENT_LINES)
    throw refuseStatement('limit', 'The file has too many lines. Upload one month at a time.');
  const indexes = new Map(header.map((name, index) => [name, index]));
  const read = filled.map((row) => new RowReader(row, indexes, header.length, mapping, account.currency).read());
  return statementOf(read, account);
}

const columnsOf = (mapping: CsvMapping): string[] => {
  const { bookedOn, valuedOn, amount, debit, credit, balance, currency, reference, charges } = mapping;
  const { counterpartyName, counterpartyAccount, remittance } = mapping;
  const optional = [valuedOn, amount, debit, credit, balance, currency, reference, charges, counterpartyName];
  const named = [bookedOn, ...optional, counterpartyAccount, ...remittance].filter((name) => name !== null);
  return [...new Set(named)];
};

/** The rows of a CSV file: fields may be quoted, and quoted fields have separators and line ends of their own. */
function rowsOf(text: string, separator: string): Row[] {
  const rows: Row[] = [];
  let cells: string[] = [];
  let cell = '';
  let isQuoted = false;
  let wasQuoted = false;
  let line = 1;
  let startLine = 1;
  let isBlank = true;
  const add = (sign: string): void => {
    cell += sign;
    requireShort(cell.length, line);
  };
  const endCell = (): void => {
    cells.push(cell.trim());
    cell = '';
    wasQuoted = false;
    isBlank = true;
    if (cells.length > MAX_STATEMENT_CELLS) {
      throw refuseStatement(
        'limit',
        `Line ${startLine} has more than ${MAX_STATEMENT_CELLS} columns. Check the separator of the mapping.`,
      );
    }
  };
  const endRow = (): void => {
    endCell();
    rows.push({ cells, line: startLine });
    cells = [];
    if (rows.length > MAX_STATEMENT_LINES + MAX_LINES_ABOVE + 1) {
      throw refuseStatement('limit', 'The file has too many lines. Upload one month at a time.');
    }
  };
  const source = text.replaceAll(/\r\n?/g, '\n').replace(/^sep=.\n/, '\n');
  for (let at = 0; at < source.length; at += 1) {
    const sign = source[at] ?? '';
    if (sign === '\n') line += 1;
    if (isQuoted) {
      if (sign !== '"') add(sign);
      else if (source[at + 1] === '"') {
        add('"');
        at += 1;
      } else isQuoted = false;
    } else if (sign === '"' && isBlank && !wasQuoted) {
      cell = '';
      isQuoted = true;
      wasQuoted = true;
    } else if (sign === separator) endCell();
    else if (sign === '\n') {
      endRow();
      startLine = line;
    } else {
      add(sign);
      isBlank &&= sign.trim() === '';
    }
  }
  if (isQuoted)
    throw refuseStatement('field', `Line ${startLine}: a quotation mark is not closed. Download the file again.`);
  if (cell !== '' || cells.length > 0) endRow();
  return rows;
}

interface ReadRow {
  readonly line: BankStatementLine;
  /** After this line; null if the mapping has no column. */
  readonly balance: DecimalText | null;
  readonly row: number;
}

/** Letters other than a currency: "5k" is no amount of a bank. */
const hasWords = (written: string): boolean =>
  /[a-z]/i.test(written.replace(/^([^a-z]*)[a-z]{3}(?![a-z])/i, '$1').replace(/US\$/i, ''));

class RowReader {
  private readonly row: Row;
  private readonly indexes: ReadonlyMap<string, number>;
  private readonly mapping: CsvMapping;
  private readonly currency: string;
  private readonly where: string;

  constructor(row: Row, indexes: ReadonlyMap<string, number>, columns: number, mapping: CsvMapping, currency: string) {
    this.row = row;
    this.indexes = indexes;
    this.mapping = mapping;
    this.currency = currency;
    this.where = `Line ${row.line}`;
    if (row.cells.slice(columns).some((cell) => cell !== '')) {
      throw refuseStatement(
        'field',
        `${this.where} has ${row.cells.length} values under ${columns} columns. Check the separator of the mapping.`,
      );
    }
  }

  read(): ReadRow {
    const { mapping, where } = this;
    const written = this.cell(mapping.currency).toUpperCase();
    if (written !== '' && written !== this.currency) {
      throw refuseStatement(
        'currency',
        `${where} is in ${quoted(written)}, and the account is in ${this.currency}. Upload a file for each currency.`,
      );
    }
    const bookedOn = this.date(mapping.bookedOn);
    const line: Omit<BankStatementLine, 'reference'> = {
      bookedOn,
      valuedOn: this.cell(mapping.valuedOn) === '' ? bookedOn : this.date(mapping.valuedOn ?? ''),
      amount: this.amount(),
      charges: this.charges(),
      original: null,
      counterpartyName: textOrNull(this.cell(mapping.counterpartyName)),
      counterpartyAccount: accountNumberOf(this.cell(mapping.counterpartyAccount)) || null,
      remittance: oneLine(mapping.remittance.map((name) => this.cell(name)).join(' ')),
      endToEndId: null,
      returned: null,
    };
    const reference = textOrNull(this.cell(mapping.reference)) ?? describedReference(line);
    const balance = this.cell(mapping.balance) === '' ? null : this.number(mapping.balance ?? '');
    return { line: { ...line, reference: beginningOf(reference, MAX_REFERENCE) }, balance, row: this.row.line };
  }

  private cell(name: string | null): string {
    return name === null ? '' : (this.row.cells[this.indexes.get(name) ?? -1] ?? '');
  }

  private date(name: string): CalendarDate {
    return writtenDay(this.cell(name), this.mapping.dateOrder, this.where);
  }

  private amount(): DecimalText {
    const { amount, debit, credit } = this.mapping;
    if (amount !== null) return this.number(amount);
    const isFilled = (name: string | null): boolean => !/^[\s0.,-]*$/.test(this.cell(name));
    if (isFilled(debit) === isFilled(credit)) {
      throw refuseStatement(
        'amount',
        `${this.where} must have an amount in one of ${quoted(debit ?? '')} and ${quoted(credit ?? '')}. Change the mapping of the account, or remove the line.`,
      );
    }
    if (isFilled(credit)) {
      const value = this.number(credit ?? '');
      if (isNegative(value)) throw this.wrongSign(credit);
      return value;
    }
    // Some banks write what went out with a minus in its own column.
    return exactAmount(negate(absolute(this.number(debit ?? ''))), this.currency, this.where);
  }

  private charges(): DecimalText | null {
    if (this.cell(this.mapping.charges) === '') return null;
    const charges = exactAmount(absolute(this.number(this.mapping.charges ?? '')), this.currency, this.where);
    return isZero(charges) ? null : charges;
  }

  private wrongSign(name: string | null) {
    return refuseStatement(
      'amount',
      `${this.where} has a negative amount in ${quoted(name ?? '')}. Change the mapping of the account.`,
    );
  }

  private number(name: string): DecimalText {
    const written = this.cell(name);
    const decimals = minorUnitDigits(this.currency);
    const read = hasWords(written)
      ? null
      : readTypedNumber(written.replace(/^\+/, ''), {
          decimals,
          decimal: this.mapping.decimal,
          currency: this.currency,
        });
    if (read?.problem !== null) {
      throw refuseStatement(
        'amount',
        `${this.where}: ${quoted(written)} in ${quoted(name)} is not an amount in ${this.currency}. Check the decimal mark of the mapping.`,
      );
    }
    return exactAmount(read.value, this.currency, this.where);
  }
}

/** A date of figures in the order of the mapping. */
function writtenDay(written: string, order: CsvDateOrder, where: string): CalendarDate {
  const compact = /^\d{8}$/.test(written) ? compactParts(written, order) : null;
  const parts = compact ?? /^(\d{1,4})[-./](\d{1,2})[-./](\d{2,4})(?:[T ].*)?$/.exec(written)?.slice(1);
  const at = { YMD: [0, 1, 2], DMY: [2, 1, 0], MDY: [2, 0, 1] }[order] as [number, number, number];
  const [year = '', month = '', day = ''] = at.map((index) => parts?.[index] ?? '');
  if (!/^(\d{2}|\d{4})$/.test(year) || month.length > 2 || day.length > 2) {
    throw refuseStatement(
      'date',
      `${where}: ${quoted(written)} is not a date in the order of the mapping. Change the mapping of the account.`,
    );
  }
  const whole = year.length === 4 ? year : `20${year}`;
  return calendarDay(`${whole}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`, where);
}

const compactParts = (written: string, order: CsvDateOrder): string[] =>
  order === 'YMD'
    ? [written.slice(0, 4), written.slice(4, 6), written.slice(6)]
    : [written.slice(0, 2), written.slice(2, 4), written.slice(4)];

/** The statement of the rows, which go forward or backward in time. Balances lead from each to the next. */
function statementOf(rows: readonly ReadRow[], account: CsvAccount): BankStatement {
  const isBackward = leadsOn(rows.toReversed()) && !leadsOn(rows);
  const ordered = isBackward || isLatestFirst(rows) ? rows.toReversed() : rows;
  const balances = ordered.filter(({ balance }) => balance !== null);
  if (balances.length > 0 && !leadsOn(ordered)) {
    throw refuseStatement(
      'balance',
      'The balances of the file do not lead from each line to the next. Lines are missing, or the mapping of the account is wrong. Nothing was saved.',
    );
  }
  const dates = ordered.map(({ line }) => line.bookedOn).toSorted();
  const [from = '', to = from] = [dates[0], dates.at(-1)];
  const [first] = ordered;
  const last = ordered.at(-1);
  const hasBalances = first?.balance != null && last?.balance != null;
  const exact = (amount: DecimalText): DecimalText => exactAmount(amount, account.currency, 'The balance');
  const statement: BankStatement = {
    format: 'CSV',
    account: account.number,
    currency: account.currency,
    number: from === to ? from : `${from} to ${to}`,
    from,
    to,
    opening: hasBalances ? { date: from, amount: exact(subtract(first.balance, first.line.amount)) } : null,
    closing: hasBalances ? { date: to, amount: last.balance } : null,
    lines: withUniqueReferences(ordered.map(({ line }) => line)),
  };
  checkBalances(statement);
  return statement;
}

const isLatestFirst = (rows: readonly ReadRow[]): boolean =>
  (rows[0]?.line.bookedOn ?? '') > (rows.at(-1)?.line.bookedOn ?? '');

/** Whether each balance is the one before it with the lines since. */
function leadsOn(rows: readonly ReadRow[]): boolean {
  let reached: DecimalText | null = null;
  for (const { line, balance } of rows) {
    const expected: DecimalText | null = reached === null ? null : add(reached, line.amount);
    if (balance !== null && expected !== null && compare(expected, balance) !== 0) return false;
    reached = balance ?? expected;
  }
  return true;
}
