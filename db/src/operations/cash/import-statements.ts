import { createHash } from 'node:crypto';
import type { BankStatementLine, BankStatement as ReadStatement } from '@tapeline/domain/cash/bank-statement.ts';
import type { CsvMapping } from '@tapeline/domain/cash/statements/csv-mapping.ts';
import { type EarlierLine, isCounted, knownPayments } from '@tapeline/domain/cash/statements/known-lines.ts';
import { type CsvReading, readStatements } from '@tapeline/domain/cash/statements/read-statements.ts';
import { refuseStatement } from '@tapeline/domain/cash/statements/refuse-statement.ts';
import { beginningOf } from '@tapeline/domain/cash/statements/statement-text.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { isNegative, isZero } from '@tapeline/domain/money/decimal.ts';
import { BankStatement } from '../../entities/bank-statements.ts';
import { type BankAccount, Payment } from '../../entities/cash.ts';
import { newId } from '../../ids.ts';
import type { Session } from '../../store.ts';
import { createdMetadata } from '../metadata.ts';
import { requirePermission, tenantOf } from '../permission.ts';
import { type BankStatementView, viewsOfStatements } from './bank-statements.ts';
import { matchPayments } from './match-payments.ts';
import { accountOf, lockAccounts, setColumns } from './statement-accounts.ts';

export interface StatementFile {
  readonly file: { readonly id: string; readonly name: string };
  readonly bytes: Uint8Array;
  /** Of a CSV file. */
  readonly bankAccountId?: string | null;
  /** How a CSV file is read; without it, as the last one of the account. */
  readonly csvMapping?: CsvMapping | null;
  /** Whose file it is, if the program imports it. */
  readonly managerId?: string;
}

/** What came of one statement of a file. */
export interface ImportedStatement {
  readonly statement: BankStatementView;
  /** False if it was imported before: it adds nothing. */
  readonly isNew: boolean;
  /** Lines that became payments, and lines whose payments were there. */
  readonly added: number;
  readonly known: number;
}

/**
 * Imports a file of bank statements, all of it or nothing: each line becomes a payment, unless an earlier file brought it.
 * The same file again adds nothing.
 * @throws Refusal forbidden without payments/write; badRequest for a file that is not understood, whose balances do not
 *   hold, or that is of an account that is not ours
 */
export async function importStatements(session: Session, command: StatementFile): Promise<ImportedStatement[]> {
  requirePermission(session, 'payments/write');
  const managerId = await tenantOf(session, command.managerId);
  const accounts = await lockAccounts(session, managerId);
  const csv = command.bankAccountId ? await csvReading(session, accounts, command) : undefined;
  const statements = readStatements(command.bytes, csv);
  const stored: { id: string; isNew: boolean; added: number; known: number }[] = [];
  for (const statement of inOrder(statements)) {
    stored.push(await storeStatement(session, accountOf(accounts, statement), statement, command.file));
  }
  if (stored.some(({ added }) => added > 0)) await matchPayments(session, { manager: managerId });
  const found = await session.em.find(BankStatement, { id: { $in: stored.map(({ id }) => id) } });
  const views = new Map((await viewsOfStatements(session, found)).map((view) => [view.id, view]));
  return stored.flatMap(({ id, ...rest }) => {
    const statement = views.get(id);
    return statement ? [{ statement, ...rest }] : [];
  });
}

/** Notifications first: a statement with balances takes over their payments. */
const inOrder = (statements: readonly ReadStatement[]): ReadStatement[] =>
  statements.toSorted((a, b) => Number(isCounted(a)) - Number(isCounted(b)));

/** How a CSV file of the account is read: as the account remembers it. A file of another format needs no mapping. */
async function csvReading(
  session: Session,
  accounts: readonly BankAccount[],
  command: StatementFile,
): Promise<() => CsvReading> {
  const account = accounts.find(({ id }) => id === command.bankAccountId);
  if (!account) throw new Refusal('badRequest', undefined, { flags: { bankAccount: 'is none of your bank accounts' } });
  if (command.csvMapping) await setColumns(session, account, command.csvMapping);
  const { title, accountNumber: number, currency } = account;
  return () => {
    const mapping = command.csvMapping ?? account.csvMapping;
    if (mapping) return { mapping, account: { number, currency } };
    throw new Refusal('badRequest', undefined, {
      flags: { csvMapping: `Describe the columns of the CSV files of ${title} first` },
    });
  };
}

const fingerprintOf = (statement: ReadStatement): string =>
  createHash('sha256').update(JSON.stringify(statement)).digest('hex');

interface Earlier {
  id: string;
  number: string;
  format: string;
  fingerprint: string;
  isSame: boolean;
}

/** Statements with the number of this one, and those with balances that are the same days again in another format. */
const EARLIER = `
  select id, number, format, fingerprint, number = $2 and fingerprint = $4 as "isSame" from bank_statements
  where bank_account_id = $1 and to_date = $3 and ((number = $2 and (fingerprint = $4 or (closing_amount is not null and $6::numeric is not null)))
    or (opening_amount = $5::numeric and closing_amount = $6::numeric and opening_amount <> closing_amount))
  order by "isSame" desc limit 1`;

async function storeStatement(
  session: Session,
  account: BankAccount,
  statement: ReadStatement,
  file: StatementFile['file'],
) {
  const fingerprint = fingerprintOf(statement);
  const { number, to, opening, closing } = statement;
  const [earlier] = await session.query<Earlier>(EARLIER, [
    account.id,
    number,
    to,
    fingerprint,
    isCounted(statement) ? opening!.amount : null,
    isCounted(statement) ? closing!.amount : null,
  ]);
  if (earlier?.isSame) return { id: earlier.id, isNew: false, added: 0, known: statement.lines.length };
  if (earlier) {
    throw refuseStatement(
      'again',
      `Statement ${number} of ${account.title} to ${to} was imported before, as ${earlier.format} with the number ${earlier.number}, and the file differs from it. Nothing was saved. If the bank corrected the statement, ask it for a correction by new entries.`,
    );
  }
  const id = newId(session.now);
  session.em.create(BankStatement, {
    id,
    managerId: account.managerId,
    bankAccountId: account.id,
    fundId: account.fundId ?? null,
    format: statement.format,
    number,
    currency: account.currency,
    fromDate: statement.from,
    toDate: to,
    openingDate: opening?.date ?? null,
    openingAmount: opening?.amount ?? null,
    closingDate: closing?.date ?? null,
    closingAmount: closing?.amount ?? null,
    lineCount: statement.lines.length,
    fingerprint,
    fileId: file.id,
    fileName: file.name.slice(0, 250),
    metadata: createdMetadata(session),
  });
  await session.em.flush();
  return { id, isNew: true, ...(await storeLines(session, id, account, statement)) };
}

/** Lines that files brought, and payments that a person recorded before the bank said so. */
const KNOWN = `
  select l.payment_id as "paymentId", l.reference, l.booked_on::text as "bookedOn", l.amount::text as amount,
    l.counterparty_account as "counterpartyAccount", l.end_to_end_id as "endToEndId", l.remittance,
    bool_or(s.opening_amount is not null and s.closing_amount is not null) over (partition by l.payment_id) as "isCounted"
  from bank_statement_lines l join bank_statements s on s.id = l.statement_id
  where l.bank_account_id = $1 and l.payment_id is not null and l.booked_on between $2 and $3
  union all
  select p.id, coalesce(p.bank_reference, ''), p.booked_on::text,
    (case p.direction when 'in' then p.amount else -p.amount end)::text, p.counterparty_account, null, p.remittance, false
  from payments p
  where p.bank_account_id = $1 and p.status = 'Active' and p.statement_line is null and p.booked_on between $2 and $3
  order by 1`;

/** What is known of the days of these lines, each payment once. */
async function earlierLines(session: Session, account: BankAccount, lines: readonly BankStatementLine[]) {
  const days = lines.map(({ bookedOn }) => bookedOn).toSorted();
  if (days.length === 0) return [];
  const rows = await session.query<EarlierLine['line'] & { paymentId: string; isCounted: boolean }>(KNOWN, [
    account.id,
    days[0],
    days.at(-1),
  ]);
  const once = new Map(
    rows
      .toReversed()
      .map(({ paymentId, isCounted: counted, ...line }) => [paymentId, { paymentId, isCounted: counted, line }]),
  );
  return [...once.values()].toReversed();
}

/** References for new payments: one that a payment of the account has is told apart by the statement. */
async function freeReferences(
  session: Session,
  account: BankAccount,
  { number, to }: ReadStatement,
  references: readonly string[],
): Promise<string[]> {
  const inStatement = (reference: string): string => `${reference} (${number}, ${to})`.slice(-MAX_BANK_REFERENCE);
  const rows = await session.query<{ reference: string }>(
    `select bank_reference as reference from payments where bank_account_id = $1 and status <> 'Removed' and bank_reference = any ($2)`,
    [account.id, references.flatMap((reference) => [reference, inStatement(reference)])],
  );
  const taken = new Set(rows.map(({ reference }) => reference));
  return references.map((reference) => {
    const free = [reference, inStatement(reference)].find((one) => !taken.has(one));
    if (free === undefined) {
      throw refuseStatement(
        'again',
        `Statement ${number} of ${account.title} has the reference ${reference}, which another line of the same days has. Nothing was saved. Import a file that has each day as a whole.`,
      );
    }
    taken.add(free);
    return free;
  });
}

const MAX_BANK_REFERENCE = 250;

/** Stores the lines, with a payment for each that no earlier file brought. */
async function storeLines(session: Session, statementId: string, account: BankAccount, statement: ReadStatement) {
  const { lines } = statement;
  const payments = knownPayments(statement, await earlierLines(session, account, lines));
  const added = lines.flatMap((line, index) => (payments[index] === null && !isZero(line.amount) ? [index] : []));
  const references = await freeReferences(
    session,
    account,
    statement,
    added.map((index) => lines[index]!.reference),
  );
  const known = payments.filter((payment) => payment !== null).length;
  for (const [at, index] of added.entries()) {
    const line = lines[index]!;
    const id = newId(session.now);
    payments[index] = id;
    session.em.create(Payment, {
      id,
      managerId: account.managerId,
      bankAccountId: account.id,
      fundId: account.fundId ?? null,
      direction: isNegative(line.amount) ? 'out' : 'in',
      amount: line.amount.replace('-', ''),
      currency: account.currency,
      bookedOn: line.bookedOn,
      valuedOn: line.valuedOn,
      counterpartyName: shortened(line.counterpartyName, 250),
      counterpartyAccount: accountText(line.counterpartyAccount),
      remittance: beginningOf(line.remittance, 2000),
      charges: line.charges,
      bankReference: references[at]!,
      statementLine: `${statementId}/${index}`,
      metadata: createdMetadata(session),
    });
  }
  await session.em.flush();
  await session.query(REPORTED, [payments.map((id, index) => `${id}:${statementId}/${index}`)]);
  await session.query(INSERT_LINES, [
    statementId,
    account.managerId,
    account.id,
    account.fundId ?? null,
    JSON.stringify(lines.map((line, index) => rowOf(line, index, payments[index] ?? null))),
  ]);
  return { added: added.length, known };
}

const shortened = (text: string | null, most: number): string | null =>
  text === null ? null : beginningOf(text, most) || null;
/** What is too short to be an account says nothing. */
const accountText = (text: string | null): string | null =>
  text !== null && text.length >= 2 ? beginningOf(text, 250) : null;

/** What a person recorded is now reported by the bank. */
const REPORTED = `
  update payments p set statement_line = split_part(line, ':', 2), version = p.version + 1 from unnest($1::text[]) as line
  where p.id = split_part(line, ':', 1) and p.statement_line is null`;

const INSERT_LINES = `
  insert into bank_statement_lines (statement_id, manager_id, bank_account_id, fund_id, sequence, reference, booked_on, valued_on,
    amount, original_amount, original_currency, counterparty_name, counterparty_account, remittance, end_to_end_id, return_reason,
    payment_id)
  select $1, $2, $3, $4, line.* from jsonb_to_recordset($5::jsonb) as line (sequence integer, reference text, booked_on date,
    valued_on date, amount numeric, original_amount numeric, original_currency text, counterparty_name text,
    counterparty_account text, remittance text, end_to_end_id text, return_reason text, payment_id text)`;

const rowOf = (line: BankStatementLine, sequence: number, paymentId: string | null) => ({
  sequence,
  reference: line.reference,
  booked_on: line.bookedOn,
  valued_on: line.valuedOn,
  amount: line.amount,
  original_amount: line.original?.amount ?? null,
  original_currency: line.original?.currency ?? null,
  counterparty_name: line.counterpartyName,
  counterparty_account: line.counterpartyAccount,
  remittance: line.remittance,
  end_to_end_id: line.endToEndId,
  return_reason: line.returned?.reason ?? null,
  payment_id: paymentId,
});
