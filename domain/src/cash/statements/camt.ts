import type { CalendarDate } from '../../dates/calendar-day.ts';
import { accountNumberOf } from '../../entities/account-number.ts';
import { absolute, add, compare, type DecimalText, isNegative, negate, subtract, sum } from '../../money/decimal.ts';
import type { Balance, BankStatement, BankStatementLine } from '../bank-statement.ts';
import { MAX_STATEMENT_LINES, MAX_STATEMENTS } from '../statement-limits.ts';
import { quoted, refuseStatement } from './refuse-statement.ts';
import {
  ASK_THE_BANK,
  calendarDay,
  chargesOrNull,
  checkBalances,
  exactAmount,
  knownCurrency,
  MAX_REFERENCE,
  withUniqueReferences,
} from './statement-figures.ts';
import { beginningOf, oneLine, textOrNull } from './statement-text.ts';
import { all, elementAt, flagAt, readStatementXml, textAt, type XmlElement } from './statement-xml.ts';

/** The messages that are read: where their statements are. */
const MESSAGES = {
  '053': { format: 'camt.053', body: 'BkToCstmrStmt', statement: 'Stmt' },
  '054': { format: 'camt.054', body: 'BkToCstmrDbtCdtNtfctn', statement: 'Ntfctn' },
} as const;
type Message = (typeof MESSAGES)[keyof typeof MESSAGES];

/** Versions between the two that banks use, 02 and 08, have nothing that neither of them has. */
const [FIRST_VERSION, LAST_VERSION] = [2, 8];

/** Reads camt.053 and camt.054 of ISO 20022. */
export function readCamt(bytes: Uint8Array): BankStatement[] {
  const root = readStatementXml(bytes);
  const document = root.name === 'Document' ? root : elementAt(root, 'Document');
  const [, kind = '', version = ''] = /:camt\.(\d{3})\.001\.(\d\d)$/.exec(document?.namespace ?? '') ?? [];
  if (kind === '052') {
    throw refuseStatement(
      'interim',
      'The file is a camt.052, a report during the day that is not final. Upload the statement of the day, a camt.053.',
    );
  }
  const message = MESSAGES[kind as keyof typeof MESSAGES] as Message | undefined;
  if (!document || !message || Number(version) < FIRST_VERSION || Number(version) > LAST_VERSION) {
    throw refuseStatement(
      'version',
      `The file is ${kind === '' ? 'no bank statement' : `a camt.${kind}.001.${version}`}. Ask the bank for camt.053 or camt.054 in version 02 or 08.`,
    );
  }
  const body = elementAt(document, message.body);
  const statements = body ? all(body, message.statement) : [];
  if (!body || statements.length === 0)
    throw refuseStatement('field', `The file contains no statement. ${ASK_THE_BANK}`);
  const header = elementAt(body, 'GrpHdr');
  refuseParts(header, 'MsgPgntn');
  const entries = statements.reduce((count, statement) => count + all(statement, 'Ntry').length, 0);
  if (statements.length > MAX_STATEMENTS || entries > MAX_STATEMENT_LINES) {
    throw refuseStatement('limit', 'The file has too many statements or entries. Ask the bank for one file a month.');
  }
  return statements.map((statement) => readStatement(statement, header, message));
}

/** A statement over several pages is read once it is whole. */
function refuseParts(from: XmlElement | undefined, name: string): void {
  const pages = elementAt(from, name);
  const page = textAt(pages, 'PgNb');
  if (pages && (flagAt(pages, 'LastPgInd') === false || (page !== null && !/^0*[01]$/.test(page)))) {
    throw refuseStatement(
      'pages',
      `The file is page ${page ?? '?'} of a statement of several pages. Ask the bank for the statement in one file.`,
    );
  }
}

interface Context {
  readonly format: 'camt.053' | 'camt.054';
  readonly number: string;
  readonly currency: string;
  readonly account: string;
  /** The day of the statement, for entries without a date. */
  readonly to: CalendarDate;
}

function readStatement(statement: XmlElement, header: XmlElement | undefined, { format }: Message): BankStatement {
  const number = beginningOf(
    oneLine(textAt(statement, 'ElctrncSeqNb') ?? textAt(statement, 'LglSeqNb') ?? textAt(statement, 'Id') ?? ''),
    MAX_REFERENCE,
  );
  const where = `Statement ${number}`;
  if (number === '') throw refuseStatement('field', `A statement has no number. ${ASK_THE_BANK}`);
  refuseParts(statement, 'StmtPgntn');
  refuseParts(statement, 'NtfctnPgntn');
  const account = accountNumberOf(
    textAt(statement, 'Acct', 'Id', 'IBAN') ?? textAt(statement, 'Acct', 'Id', 'Othr', 'Id') ?? '',
  );
  if (account === '') throw refuseStatement('field', `${where} names no account. ${ASK_THE_BANK}`);
  const currency = currencyOf(statement, where);
  const opening = format === 'camt.053' ? balanceOf(statement, ['OPBD', 'PRCD'], currency, where) : null;
  const closing = format === 'camt.053' ? balanceOf(statement, ['CLBD'], currency, where) : null;
  const to =
    closing?.date ?? dayAt(statement, 'FrToDt', ['ToDt', 'ToDtTm'], where) ?? createdOn(statement, header, where);
  const context: Context = { format, number, currency, account, to };
  const entries = all(statement, 'Ntry');
  if (format === 'camt.054') checkTotals(statement, entries, context);
  const lines = withUniqueReferences(entries.flatMap((entry, index) => readEntry(entry, index, context)));
  const from = dayAt(statement, 'FrToDt', ['FrDt', 'FrDtTm'], where);
  const read: BankStatement = { format, account, currency, number, from, to, opening, closing, lines };
  checkBalances(read);
  return read;
}

function currencyOf(statement: XmlElement, where: string): string {
  const named = [
    textAt(statement, 'Acct', 'Ccy'),
    ...all(statement, 'Bal', 'Amt').map((amount) => amount.currency),
    ...all(statement, 'Ntry', 'Amt').map((amount) => amount.currency),
  ].filter((code) => code !== null);
  const currency = knownCurrency(named[0] ?? null, where);
  const other = named.find((code) => code !== currency);
  if (other) {
    throw refuseStatement(
      'currency',
      `${where} has amounts in ${currency} and ${quoted(other)}. Ask the bank for a statement for each currency.`,
    );
  }
  return currency;
}

/** American banks write the kinds of BAI2 for opening and closing. */
const kindOf = (balance: XmlElement): string | null => {
  const own = textAt(balance, 'Tp', 'CdOrPrtry', 'Prtry');
  const known = own === '010' ? 'OPBD' : own === '015' ? 'CLBD' : null;
  return textAt(balance, 'Tp', 'CdOrPrtry', 'Cd') ?? known;
};

/** The balance of the first of these kinds that the statement has. */
function balanceOf(statement: XmlElement, kinds: readonly string[], currency: string, where: string): Balance {
  const balances = all(statement, 'Bal');
  for (const kind of kinds) {
    const found = balances.filter((balance) => kindOf(balance) === kind);
    const [balance] = found;
    if (!balance) continue;
    if (found.length > 1)
      throw refuseStatement('balance', `${where} has ${found.length} balances ${kind}. ${ASK_THE_BANK}`);
    const amount = signed(balance, xmlAmount(textAt(balance, 'Amt') ?? '', currency, where), where);
    const date = dateAt(balance, 'Dt', where);
    if (date === null) throw refuseStatement('date', `${where} has a balance without a date. ${ASK_THE_BANK}`);
    return { date, amount };
  }
  throw refuseStatement(
    'balance',
    `${where} has no balance ${kinds.join(' or ')}. Ask the bank for statements with balances.`,
  );
}

/** A decimal of XML may begin with a plus, and leave out the digits on one side of its point. */
function xmlAmount(written: string, currency: string, where: string): DecimalText {
  const plain = written
    .replace(/^\+/, '')
    .replace(/^\.(?=\d)/, '0.')
    .replace(/^(\d+)\.$/, '$1');
  return exactAmount(plain, currency, where);
}

/** The amount with the sign of what was booked. A reversal already has the sign of its own booking. */
function signed(element: XmlElement, amount: DecimalText, where: string): DecimalText {
  const side = textAt(element, 'CdtDbtInd');
  if (side !== 'CRDT' && side !== 'DBIT') {
    throw refuseStatement('field', `${where} has an amount that is neither CRDT nor DBIT. ${ASK_THE_BANK}`);
  }
  return side === 'DBIT' && compare(amount, '0') !== 0 ? negate2(amount) : amount;
}

/** Negated with its decimals. */
const negate2 = (amount: DecimalText): DecimalText => (amount.startsWith('-') ? amount.slice(1) : `-${amount}`);

/** The day of a choice between a date and a time, as the bank writes it. */
const dateAt = (from: XmlElement, name: string, where: string): CalendarDate | null =>
  dayAt(from, name, ['Dt', 'DtTm'], where);

function dayAt(from: XmlElement, name: string, choices: readonly string[], where: string): CalendarDate | null {
  for (const choice of choices) {
    const written = textAt(from, name, choice);
    if (written !== null) return calendarDay(/^\d{4}-\d\d-\d\d/.exec(written)?.[0] ?? written, where);
  }
  return null;
}

/** In newer versions a statement may leave to its file when it was made. */
const createdOn = (statement: XmlElement, header: XmlElement | undefined, where: string): CalendarDate =>
  calendarDay((textAt(statement, 'CreDtTm') ?? textAt(header, 'CreDtTm') ?? '').slice(0, 10), where);

/** Notifications have no balances: their totals say whether they are whole. */
function checkTotals(statement: XmlElement, entries: readonly XmlElement[], { currency, number }: Context): void {
  const where = `Notification ${number}`;
  const total = elementAt(statement, 'TxsSummry', 'TtlNtries');
  const count = textAt(total, 'NbOfNtries');
  const written = textAt(total, 'Sum');
  const amounts = entries.map((entry) => xmlAmount(textAt(entry, 'Amt') ?? '', currency, where));
  if (count !== null && Number(count) !== entries.length) {
    throw refuseStatement('totals', `${where} has ${entries.length} entries and announces ${count}. ${ASK_THE_BANK}`);
  }
  if (written !== null && compare(xmlAmount(written, currency, where), sum(amounts)) !== 0) {
    throw refuseStatement(
      'totals',
      `${where} has entries of ${sum(amounts)} and announces ${written}. ${ASK_THE_BANK}`,
    );
  }
}

/** An entry as lines: one, or one for each of its transactions if it is a batch. */
function readEntry(entry: XmlElement, index: number, context: Context): BankStatementLine[] {
  const where = `Statement ${context.number}, entry ${index + 1}`;
  const status = textAt(entry, 'Sts', 'Cd') ?? textAt(entry, 'Sts');
  // Pending entries and information are in no booked balance.
  if (status === 'PDNG' || status === 'INFO' || status === 'FUTR') return [];
  if (status !== 'BOOK')
    throw refuseStatement('field', `${where} has the unknown status ${quoted(status ?? '')}. ${ASK_THE_BANK}`);
  const amount = signed(entry, xmlAmount(textAt(entry, 'Amt') ?? '', context.currency, where), where);
  const transactions = all(entry, 'NtryDtls', 'TxDtls');
  const parts = transactions.length > 1 ? batchAmounts(entry, transactions, amount, context, where) : null;
  if (!parts) return [readLine({ entry, transactions, amount, index, where, isPart: false }, context)];
  const lines = transactions.map((transaction, at) =>
    readLine(
      { entry, transactions: [transaction], amount: parts.amounts[at] ?? '0', index, where, isPart: true },
      context,
    ),
  );
  return parts.charges === null
    ? lines
    : [
        ...lines,
        {
          ...readLine({ entry, transactions: [], amount: parts.charges, index, where, isPart: true }, context),
          remittance: 'Charges',
          charges: null,
        },
      ];
}

/**
 * The amounts of a batch's transactions, which add up to its entry, as they are, each after its own charges, or all after
 * the charges of the entry. Null if the bank lists no amounts.
 */
function batchAmounts(
  entry: XmlElement,
  transactions: readonly XmlElement[],
  total: DecimalText,
  { currency }: Context,
  where: string,
): { amounts: DecimalText[]; charges: DecimalText | null } | null {
  const amounts = transactions.map((transaction) => {
    const element = [elementAt(transaction, 'Amt'), elementAt(transaction, 'AmtDtls', 'TxAmt', 'Amt')].find(
      (amount) => amount?.currency === currency,
    );
    if (!element) return null;
    const side = elementAt(transaction, 'CdtDbtInd') ? transaction : entry;
    return signed(side, xmlAmount(element.text.trim(), currency, where), where);
  });
  if (amounts.every((amount) => amount === null)) return null;
  const known = amounts.filter((amount) => amount !== null);
  if (known.length === amounts.length) {
    if (compare(sum(known), total) === 0) return { amounts: known, charges: null };
    // Each as it was before its own charges.
    const reduced = known.map((amount, index) => {
      const charges = chargesOf(transactions[index]!, currency, where);
      return exactAmount(subtract(amount, charges), currency, where);
    });
    if (compare(sum(reduced), total) === 0) return { amounts: reduced, charges: null };
    const charges = chargesOf(entry, currency, where);
    if (compare(subtract(sum(known), charges), total) === 0) {
      return { amounts: known, charges: exactAmount(negate(charges), currency, where) };
    }
  }
  throw refuseStatement(
    'batch',
    `${where} is a batch of ${total}, and its ${transactions.length} transactions add up to ${sum(known)}. ${ASK_THE_BANK}`,
  );
}

interface Booked {
  readonly entry: XmlElement;
  readonly transactions: readonly XmlElement[];
  readonly amount: DecimalText;
  readonly index: number;
  readonly where: string;
  /** Whether it is one of several lines of its entry. */
  readonly isPart: boolean;
}

function readLine(booked: Booked, context: Context): BankStatementLine {
  const { entry, transactions, amount, where, isPart } = booked;
  const transaction = transactions.length === 1 ? transactions[0] : undefined;
  const valuedOn = dateAt(entry, 'ValDt', where);
  const bookedOn = dateAt(entry, 'BookgDt', where) ?? valuedOn ?? context.to;
  const original = transaction ? originalOf(transaction, amount, context.currency, where) : null;
  const isReversal = flagAt(entry, 'RvslInd') === true;
  return {
    reference: referenceOf(booked, transaction, context),
    bookedOn,
    valuedOn: valuedOn ?? bookedOn,
    amount,
    charges: lineCharges(isPart ? null : entry, transaction, amount, original, context.currency, where),
    original,
    ...counterpartyOf(transaction, amount, isReversal, context.account),
    remittance: remittanceOf(entry, transactions),
    endToEndId: given(textAt(transaction, 'Refs', 'EndToEndId')),
    returned: returnOf(transaction, isReversal),
  };
}

/** Of the transaction in a batch, else of the entry; without one, its place in the statement. */
function referenceOf(
  { entry, index, isPart }: Booked,
  transaction: XmlElement | undefined,
  { number }: Context,
): string {
  const ofEntry = given(textAt(entry, 'AcctSvcrRef'));
  const ofTransaction = given(textAt(transaction, 'Refs', 'AcctSvcrRef'));
  const reference = isPart ? (ofTransaction ?? ofEntry) : (ofEntry ?? ofTransaction);
  return beginningOf(oneLine(reference ?? `${number}:${textAt(entry, 'NtryRef') ?? index + 1}`), MAX_REFERENCE);
}

/** A text that says something: banks write NOTPROVIDED where they must write anything. */
const given = (text: string | null): string | null =>
  text === null || /^(NOT ?PROVIDED|NONREF|NOTAVAILABLE)$/i.test(text) ? null : oneLine(text);

/** What was instructed, if that is not what was booked. */
function originalOf(
  transaction: XmlElement,
  amount: DecimalText,
  currency: string,
  where: string,
): BankStatementLine['original'] {
  const named = [
    elementAt(transaction, 'AmtDtls', 'InstdAmt', 'Amt'),
    elementAt(transaction, 'AmtDtls', 'TxAmt', 'Amt'),
    elementAt(transaction, 'Amt'),
  ].filter((element) => element !== undefined);
  const other = named.find((element) => element.currency !== currency) ?? named[0];
  if (!other) return null;
  const code = knownCurrency(other.currency, where);
  const instructed = xmlAmount(other.text.trim(), code, where);
  return code === currency && compare(instructed, absolute(amount)) === 0
    ? null
    : { amount: instructed, currency: code };
}

/**
 * What banks took from the amount: charges that are reported for the line, in its currency. Where none are reported,
 * what is lacking of the instructed amount of the same currency.
 */
function lineCharges(
  entry: XmlElement | null,
  transaction: XmlElement | undefined,
  amount: DecimalText,
  original: BankStatementLine['original'],
  currency: string,
  where: string,
): DecimalText | null {
  // The sender pays all charges: none is taken from what arrives.
  if (textAt(transaction, 'ChrgBr') === 'DEBT' && !isNegative(amount)) return null;
  // All that was instructed arrived: the charges are booked apart.
  if (!isNegative(amount) && isInstructed(transaction, amount, currency, where)) return null;
  const reported = [transaction, entry].find((element) => element && elementAt(element, 'Chrgs'));
  const charges = reported ? chargesOrNull(chargesOf(reported, currency, where)) : null;
  if (charges !== null || original?.currency !== currency || isNegative(amount)) return charges;
  const lacking = chargesOrNull(subtract(original.amount, amount));
  return lacking && exactAmount(lacking, currency, where);
}

function isInstructed(
  transaction: XmlElement | undefined,
  amount: DecimalText,
  currency: string,
  where: string,
): boolean {
  const instructed = elementAt(transaction, 'AmtDtls', 'InstdAmt', 'Amt');
  return instructed?.currency === currency && compare(xmlAmount(instructed.text.trim(), currency, where), amount) === 0;
}

/** The sum of the charges that are in the amount, with their taxes; those in another currency are no part of it. */
function chargesOf(from: XmlElement, currency: string, where: string): DecimalText {
  // Since version 04 the charges are records; before, each is an element of its own.
  const records = all(from, 'Chrgs').flatMap((charges) => {
    const listed = all(charges, 'Rcrd');
    return listed.length > 0 ? listed : [charges];
  });
  const total = records.reduce<DecimalText>((charges, record) => {
    const own = elementAt(record, 'Amt');
    const element = own ?? elementAt(record, 'TtlChrgsAndTaxAmt');
    if (element?.currency !== currency || flagAt(record, 'ChrgInclInd') === false) return charges;
    // The tax of a charge comes on top of its amount, and is in a total already.
    const parts = [element, own ? elementAt(record, 'Tax', 'Amt') : undefined].filter(
      (part) => part?.currency === currency,
    );
    const charge = sum(parts.map((part) => xmlAmount(part?.text.trim() ?? '', currency, where)));
    return textAt(record, 'CdtDbtInd') === 'CRDT' ? subtract(charges, charge) : add(charges, charge);
  }, '0');
  return exactAmount(total, currency, where);
}

const ROLES = { Dbtr: 'Cdtr', Cdtr: 'Dbtr' } as const;

/** Who paid what came in, and who was paid what went out. In a reversal both have the roles of what is reversed. */
function counterpartyOf(
  transaction: XmlElement | undefined,
  amount: DecimalText,
  isReversal: boolean,
  own: string,
): { counterpartyName: string | null; counterpartyAccount: string | null } {
  const parties = elementAt(transaction, 'RltdPties');
  const expected = isNegative(amount) === isReversal ? 'Dbtr' : 'Cdtr';
  const partyOf = (role: keyof typeof ROLES) => {
    const account = accountNumberOf(
      textAt(parties, `${role}Acct`, 'Id', 'IBAN') ?? textAt(parties, `${role}Acct`, 'Id', 'Othr', 'Id') ?? '',
    );
    // A bank that pays for itself is an agent (Agt). Some banks name only the ultimate party (Ultmt…).
    const name = textOrNull(
      textAt(parties, role, 'Pty', 'Nm') ??
        textAt(parties, role, 'Nm') ??
        textAt(parties, role, 'Agt', 'FinInstnId', 'Nm') ??
        textAt(parties, `Ultmt${role}`, 'Pty', 'Nm') ??
        textAt(parties, `Ultmt${role}`, 'Nm'),
    );
    return { counterpartyName: name, counterpartyAccount: account || null };
  };
  const party = partyOf(expected);
  const isOwn = party.counterpartyAccount === own;
  return isOwn || (party.counterpartyName === null && party.counterpartyAccount === null)
    ? withoutOwn(partyOf(ROLES[expected]), own)
    : party;
}

/** Nobody is the counterparty of itself: a line without another party has none. */
const withoutOwn = <Party extends { counterpartyName: string | null; counterpartyAccount: string | null }>(
  party: Party,
  own: string,
) => (party.counterpartyAccount === own ? { counterpartyName: null, counterpartyAccount: null } : party);

function remittanceOf(entry: XmlElement, transactions: readonly XmlElement[]): string {
  const texts = transactions.flatMap((transaction) => [
    ...all(transaction, 'RmtInf', 'Ustrd'),
    ...all(transaction, 'RmtInf', 'Strd').flatMap((structured) => [
      ...all(structured, 'CdtrRefInf', 'Ref'),
      ...all(structured, 'RfrdDocInf', 'Nb'),
      ...all(structured, 'AddtlRmtInf'),
    ]),
  ]);
  const found = texts.length > 0 ? texts : transactions.flatMap((transaction) => all(transaction, 'AddtlTxInf'));
  return oneLine((found.length > 0 ? found : all(entry, 'AddtlNtryInf')).map(({ text }) => text).join(' '));
}

function returnOf(transaction: XmlElement | undefined, isReversal: boolean): BankStatementLine['returned'] {
  const information = elementAt(transaction, 'RtrInf');
  if (!information && !isReversal) return null;
  const words = [
    textAt(information, 'Rsn', 'Cd') ?? textAt(information, 'Rsn', 'Prtry'),
    ...(information ? all(information, 'AddtlInf').map(({ text }) => text) : []),
  ];
  return { reason: oneLine(words.filter(Boolean).join(' ')) || 'Reversed by the bank' };
}
