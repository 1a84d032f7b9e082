import { readFileSync } from 'node:fs';
import { paymentCreateSchema } from '@tapeline/domain/cash/cash.schema.ts';
import type { CsvMapping } from '@tapeline/domain/cash/statements/csv-mapping.ts';
import type { Actor, UserActor } from '@tapeline/domain/people/actor.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { BankAccount } from '../../entities/cash.ts';
import { Manager } from '../../entities/people.ts';
import { StoredFile } from '../../entities/records.ts';
import { newId } from '../../ids.ts';
import { type Session, SYSTEM } from '../../store.ts';
import { testActor } from '../../testing/actors.ts';
import { addEntity } from '../../testing/entities.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-store.ts';
import { getBankStatement, linesOfStatement, listBankStatements } from './bank-statements.ts';
import { importStatements, type StatementFile } from './import-statements.ts';
import { createPayment } from './payments.ts';
import { rememberColumns } from './statement-accounts.ts';

let database: TestDatabase;
let managerId: string;
let accountId: string;
let fileId: string;
const IBAN = 'DE89 3704 0044 0532 0130 00';
const manager = (fields: Partial<UserActor> = {}) => testActor({ type: 'manager', managerId, ...fields });
const as = <Result>(actor: Actor, work: (session: Session) => Promise<Result>) => database.store.as(actor, work);

const mt940 = (number: string, day: string, opening: number, ...lines: readonly string[]): string => {
  const cents = (line: string): number =>
    Math.round(Number(/\d+,\d\d/.exec(line)![0].replace(',', '.')) * 100) * (line.startsWith('D') ? -1 : 1);
  const closing = lines.reduce((total, line) => total + cents(line), opening * 100) / 100;
  const balance = (amount: number) =>
    `${amount < 0 ? 'D' : 'C'}${day}EUR${Math.abs(amount).toFixed(2).replace('.', ',')}`;
  return [
    ':20:X',
    `:25:${IBAN.replaceAll(' ', '')}`,
    `:28C:${number}`,
    `:60F:${balance(opening)}`,
    ...lines.map((line) => `:61:${day}${line}`),
    `:62F:${balance(closing)}`,
    '-',
  ].join('\n');
};
const send = (text: string | Uint8Array, more: Partial<StatementFile> = {}, actor: Actor = manager()) =>
  as(actor, (session) =>
    importStatements(session, {
      file: { id: fileId, name: 'statement.sta' },
      bytes: typeof text === 'string' ? new TextEncoder().encode(text) : text,
      ...more,
    }),
  );
const problem = (problem: string) => ({ reasons: { file: { code: 'statementFile', data: { problem } } } });
const payments = () =>
  database.query<{ reference: string; amount: string; direction: string }>(
    `select bank_reference as reference, amount::text, direction from payments where bank_account_id = $1 order by bank_reference`,
    [accountId],
  );
const counts = (imported: Awaited<ReturnType<typeof send>>) =>
  imported.map(({ isNew, added, known }) => [isNew, added, known]);

async function addAccount(fields: Partial<BankAccount> = {}) {
  const id = newId();
  await as(SYSTEM, async ({ em }) => {
    em.create(BankAccount, {
      id,
      managerId,
      title: 'Collections',
      bankName: 'Commerzbank',
      accountNumber: IBAN,
      currency: 'EUR',
      openingDate: '2025-12-31',
      ...fields,
    });
  });
  return id;
}

beforeAll(async () => {
  database = await createTestDatabase();
});
beforeEach(async () => {
  [managerId, fileId] = [newId(), newId()];
  await as(SYSTEM, async ({ em }) => {
    em.create(Manager, { id: managerId, entityId: addEntity(em, managerId, `Harbour ${managerId}`) });
    em.create(StoredFile, {
      id: fileId,
      bucket: 'bankStatements',
      key: `${fileId}/statement.sta`,
      name: 'statement.sta',
      size: 1,
      type: 'text/plain',
      checksum: 'x',
      status: 'Active',
      managerId,
      createdAt: new Date(),
    });
  });
  accountId = await addAccount();
});
afterAll(() => database.close());

test('each line becomes a payment, and the statement has its balances and lines', async () => {
  const [imported] = await send(
    mt940('1', '260105', 100, 'C250,00NTRFE2E-1//B1', 'D50,00NCHGNONREF//B2', 'C0,00NMSC//B3'),
  );
  expect(imported).toMatchObject({ isNew: true, added: 2, known: 0, statement: { lineCount: 3, gap: null } });
  expect(await payments()).toEqual([
    { reference: 'B1', amount: '250.00', direction: 'in' },
    { reference: 'B2', amount: '50.00', direction: 'out' },
  ]);
  const { id } = imported!.statement;
  const lines = await as(manager(), (session) => linesOfStatement(session, { id }));
  expect(lines.map(({ amount, paymentId, endToEndId }) => [amount, paymentId === null, endToEndId])).toEqual([
    ['250.00', false, 'E2E-1'],
    ['-50.00', false, null],
    ['0.00', true, null],
  ]);
  expect(await as(manager(), (session) => getBankStatement(session, id))).toMatchObject({
    openingAmount: '100.00',
    closingAmount: '300.00',
    bankAccount: { id: accountId, title: 'Collections', accountNumber: IBAN },
  });
  const [payment] = await database.query<Record<string, unknown>>(
    'select statement_line, booked_on::text, fund_id from payments where bank_reference = $1 and bank_account_id = $2',
    ['B1', accountId],
  );
  expect(payment).toEqual({ statement_line: `${id}/0`, booked_on: '2026-01-05', fund_id: null });
});

test('the same file again adds nothing, also under another name', async () => {
  const file = mt940('1', '260105', 0, 'C1,00NTRF//B1');
  expect(counts(await send(file))).toEqual([[true, 1, 0]]);
  expect(counts(await send(file, { file: { id: fileId, name: 'again.txt' } }))).toEqual([[false, 0, 1]]);
  expect(await payments()).toHaveLength(1);
});

test('two people who import the same file at once have one statement', async () => {
  const file = mt940('1', '260105', 0, 'C1,00NTRF//B1');
  const both = await Promise.all([send(file), send(file)]);
  expect(both.map(([one]) => one!.isNew).toSorted()).toEqual([false, true]);
  expect(await payments()).toHaveLength(1);
});

test('a statement that differs from the one of its number and day is refused, as is the same day in another format', async () => {
  await send(mt940('1', '260105', 0, 'C1,00NTRF//B1'));
  await expect(send(mt940('1', '260105', 0, 'C2,00NTRF//B1'))).rejects.toMatchObject(problem('again'));
  await expect(send(mt940('7', '260105', 0, 'C1,00NTRF//B9'))).rejects.toMatchObject(problem('again'));
  expect(await payments()).toHaveLength(1);
});

test('a file is imported as a whole or not at all', async () => {
  const second = mt940('2', '260106', 1, 'C1,00NTRF//B2').replace(':62F:C260106EUR2,00', ':62F:C260106EUR3,00');
  await expect(send(`${mt940('1', '260105', 0, 'C1,00NTRF//B1')}\n${second}`)).rejects.toMatchObject(
    problem('balance'),
  );
  expect(await payments()).toEqual([]);
  expect((await as(manager(), (session) => listBankStatements(session))).total).toBe(0);
});

test('a statement that is missing between two is a gap, until it is imported', async () => {
  await send(mt940('1', '260105', 0, 'C1,00NTRF//B1'));
  const [third] = await send(mt940('3', '260107', 11, 'C1,00NTRF//B3'));
  expect(third!.statement.gap).toEqual({ after: '1', amount: '10.00' });
  await send(mt940('2', '260106', 1, 'C10,00NTRF//B2'));
  const { documents } = await as(manager(), (session) => listBankStatements(session));
  expect(documents.map(({ number, gap }) => [number, gap])).toEqual([
    ['3', null],
    ['2', null],
    ['1', null],
  ]);
});

test('a gap that the numbers alone tell has no amount', async () => {
  await send(mt940('1', '260105', 0, 'C1,00NTRF//B1'));
  const [third] = await send(mt940('3', '260107', 1, 'C1,00NTRF//B3'));
  expect(third!.statement.gap).toEqual({ after: '1', amount: '0.00' });
});

test('an account that is not ours is refused with its number, and one in another currency with what to do', async () => {
  const other = mt940('1', '260105', 0, 'C1,00NTRF//B1').replace('DE89370400440532013000', 'GB29NWBK60161331926819');
  await expect(send(other)).rejects.toMatchObject({
    ...problem('account'),
    message: expect.stringContaining('GB29NWBK60161331926819'),
  });
  await expect(send(mt940('1', '260105', 0, 'C1,00NTRF//B1').replaceAll('EUR', 'USD'))).rejects.toMatchObject(
    problem('currency'),
  );
  await addAccount({ currency: 'USD', title: 'Dollars' });
  expect(counts(await send(mt940('1', '260105', 0, 'C1,00NTRF//B1').replaceAll('EUR', 'USD')))).toEqual([[true, 1, 0]]);
});

test('a bank that uses a reference again in another statement has two payments', async () => {
  await send(mt940('1', '260105', 0, 'C1,00NTRF//B1'));
  await send(mt940('2', '260106', 1, 'C1,00NTRF//B1'));
  expect((await payments()).map(({ reference }) => reference)).toEqual(['B1', 'B1 (2, 2026-01-06)']);
});

test('a payment that a person recorded before is the one that the bank reports', async () => {
  const body = { bankAccount: accountId, direction: 'in', amount: 7, bookedOn: '2026-01-05', bankReference: 'B1' };
  const { id } = await as(manager(), (session) => createPayment(session, paymentCreateSchema.parse(body)));
  expect(counts(await send(mt940('1', '260105', 0, 'C7,00NTRF//B1', 'C7,00NTRF//B2')))).toEqual([[true, 1, 1]]);
  const rows = await database.query(
    'select id, statement_line is null as "isManual" from payments where bank_account_id = $1 order by bank_reference',
    [accountId],
  );
  expect(rows).toMatchObject([{ id, isManual: false }, { isManual: false }]);
});

const NOTIFICATION = readFileSync(
  new URL('../../../../domain/src/cash/statements/samples/camt054-08.xml', import.meta.url),
  'utf8',
)
  .replaceAll('CH9300762011623852957', IBAN.replaceAll(' ', ''))
  .replaceAll('CHF', 'EUR');

test('a statement takes over the payments of a notification', async () => {
  expect(counts(await send(NOTIFICATION))).toEqual([[true, 3, 0]]);
  expect(counts(await send(NOTIFICATION.replace('N-2026-04-02', 'N-again')))).toEqual([[true, 0, 3]]);
  const lines = ['C600,00NTRF//B-77-1', 'C400,00NTRF//B-77-2', 'D10,00NCHG//B-77', 'C5,00NTRF//B-78'];
  expect(counts(await send(mt940('9', '260402', 0, ...lines)))).toEqual([[true, 1, 3]]);
  expect(await payments()).toHaveLength(4);
});

const MAPPING: CsvMapping = {
  separator: ';',
  decimal: ',',
  dateOrder: 'DMY',
  bookedOn: 'Day',
  valuedOn: null,
  amount: 'Amount',
  debit: null,
  credit: null,
  balance: null,
  currency: null,
  reference: null,
  charges: null,
  counterpartyName: null,
  counterpartyAccount: null,
  remittance: ['Text'],
};
const CSV = 'Day;Amount;Text\n05.01.2026;10,00;Call 9\n05.01.2026;10,00;Call 9\n';

test('a CSV file needs its account and its columns, which are remembered', async () => {
  await expect(send(CSV)).rejects.toMatchObject(problem('format'));
  await expect(send(CSV, { bankAccountId: accountId })).rejects.toMatchObject({
    flags: { csvMapping: 'Describe the columns of the CSV files of Collections first' },
  });
  await expect(send(CSV, { bankAccountId: newId() })).rejects.toMatchObject({
    flags: { bankAccount: expect.any(String) },
  });
  expect(counts(await send(CSV, { bankAccountId: accountId, csvMapping: MAPPING }))).toEqual([[true, 2, 0]]);
  const longer = `${CSV}06.01.2026;1,00;Fee\n`;
  expect(counts(await send(longer, { bankAccountId: accountId }))).toEqual([[true, 1, 2]]);
  await as(manager(), (session) =>
    rememberColumns(session, { id: accountId, version: 2, csvMapping: { ...MAPPING, bookedOn: 'Date' } }),
  );
  await expect(send(CSV, { bankAccountId: accountId })).rejects.toMatchObject(problem('mapping'));
  const stale = as(manager(), (session) =>
    rememberColumns(session, { id: accountId, version: 2, csvMapping: MAPPING }),
  );
  await expect(stale).rejects.toMatchObject({ conflict: { sent: 2, latest: 3 } });
});

test('who may not write payments imports nothing, and another manager sees nothing', async () => {
  await expect(send('', {}, manager({ permissions: ['payments/read'] }))).rejects.toMatchObject({ code: 'forbidden' });
  const [imported] = await send(mt940('1', '260105', 0, 'C1,00NTRF//B1'));
  const other = testActor({ type: 'manager', managerId: newId() });
  expect((await as(other, (session) => listBankStatements(session))).total).toBe(0);
  expect(await as(other, (session) => linesOfStatement(session, { id: imported!.statement.id }))).toEqual([]);
  await expect(as(other, (session) => getBankStatement(session, imported!.statement.id))).rejects.toMatchObject({
    code: 'notFound',
  });
});

test.each([
  ['update bank_statements set closing_amount = 5 where id = $1'],
  ['update bank_statement_lines set amount = 5 where statement_id = $1'],
  ['delete from bank_statement_lines where statement_id = $1'],
  ['delete from bank_statements where id = $1'],
])('%s changes nothing', async (sql) => {
  const [imported] = await send(mt940('1', '260105', 0, 'C1,00NTRF//B1'));
  const { id } = imported!.statement;
  await as(manager(), (session) => session.query(sql, [id])).catch(() => undefined);
  expect(await as(manager(), (session) => linesOfStatement(session, { id }))).toMatchObject([{ amount: '1.00' }]);
  expect(await as(manager(), (session) => getBankStatement(session, id))).toMatchObject({ closingAmount: '1.00' });
});

test.each([
  ['another closing balance', 'closing_amount = closing_amount + 1'],
  ['another number of lines', 'line_count = line_count + 1'],
])('the database refuses a statement with %s', async (_, change) => {
  const [imported] = await send(mt940('1', '260105', 0, 'C1,00NTRF//B1'));
  const insert = as(manager(), async (session) => {
    await session.query(`create temporary table copied on commit drop as select * from bank_statements where id = $1`, [
      imported!.statement.id,
    ]);
    await session.query(`update copied set id = $1, number = 'X', code = 99, ${change}`, [newId()]);
    await session.query('insert into bank_statements select * from copied');
    await session.query(
      `insert into bank_statement_lines select (select id from copied), l.manager_id, l.bank_account_id, l.fund_id, l.sequence,
        l.reference, l.booked_on, l.valued_on, l.amount, null, null, null, null, '', null, null, l.payment_id
       from bank_statement_lines l where l.statement_id = $1`,
      [imported!.statement.id],
    );
  });
  await expect(insert).rejects.toMatchObject({ constraint: 'bank_statements_balance' });
});
