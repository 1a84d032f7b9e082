import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { payablesOf, readPayingAccount } from '@tapeline/db/operations/cash/payables.ts';
import { getPaymentRun, preparePaymentRun } from '@tapeline/db/operations/cash/payment-runs.ts';
import type { Store } from '@tapeline/db/store.ts';
import { mt940Statement, openCashLedger } from '@tapeline/db/testing/cash-ledger.ts';
import { createTestDatabase, type TestDatabase } from '@tapeline/db/testing/test-store.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openFileStore } from './file-store.ts';
import type { ObjectStore } from './object-store.ts';
import { releaseRun } from './release-run.ts';

const NOW = new Date('2026-06-10T12:00:00Z');

let database: TestDatabase;
let home: string;
let objects: ObjectStore;

beforeAll(async () => {
  database = await createTestDatabase();
  home = await mkdtemp(join(tmpdir(), 'killed-cash-'));
  objects = await openFileStore({ home, appSecret: 'only for tests', publicUrl: 'http://localhost' });
});
afterAll(async () => {
  await database.close();
  await rm(home, { recursive: true, force: true });
});

/**
 * Does work in a process that dies after so many milliseconds: PostgreSQL ends all its connections, and what it had not
 * committed is gone.
 * @returns whether the work was done before
 */
async function killedAfter(milliseconds: number, work: (store: Store) => Promise<unknown>): Promise<boolean> {
  const others = await database.query<{ pid: number }>('select pid from pg_stat_activity');
  const process = await database.openAnother();
  const working = work(process).then(
    () => true,
    () => false,
  );
  await pause(milliseconds);
  await database.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and pid <> all ($1)`,
    [others.map(({ pid }) => pid)],
  );
  return working;
}

test('a statement is imported once, however often the process dies meanwhile', async () => {
  const ledger = await openCashLedger(database, { now: NOW });
  const lines = Array.from({ length: 300 }, (_, index) => ({
    amount: `${index + 1}.00`,
    reference: `R${index}`,
    text: `PAYMENT ${index}`,
  }));
  const text = mt940Statement(1, '2026-05-04', '1000', lines);
  const stored = async () => {
    const [row] = await database.query<{ statements: number; lines: number; payments: number; sum: string | null }>(
      `select (select count(*)::int from bank_statements where bank_account_id = $1) as statements,
         (select count(*)::int from bank_statement_lines l join bank_statements s on s.id = l.statement_id where s.bank_account_id = $1) as lines,
         count(*)::int as payments, sum(amount)::text as sum from payments where bank_account_id = $1`,
      [ledger.account],
    );
    return row;
  };
  const whole = { statements: 1, lines: 300, payments: 300, sum: '45150.00' };
  const nothing = { statements: 0, lines: 0, payments: 0, sum: null };
  let killed = 0;
  for (let after = 0; ; after = after * 1.5 + 5) {
    const isDone = await killedAfter(after, (store) => ledger.send(text, store));
    const found = await stored();
    // All of it or nothing, also if the process died while PostgreSQL answered that it was committed.
    expect([whole, nothing]).toContainEqual(found);
    if (isDone) expect(found).toEqual(whole);
    if (isDone) break;
    killed += 1;
  }
  expect(killed).toBeGreaterThan(2);
  expect(await ledger.send(text)).toMatchObject([{ isNew: false, added: 0 }]);
  expect(await stored()).toEqual(whole);
});

test('a run is released once with one file, however often the process dies meanwhile', async () => {
  const { account, as, manager } = await openCashLedger(database, { now: NOW });
  const payables = await as(async (session) => payablesOf(session, await readPayingAccount(session, account)));
  const run = await as((session) =>
    preparePaymentRun(session, {
      bankAccount: account,
      executeOn: '2026-06-10',
      format: 'CSV',
      payables: payables.filter(({ kind }) => kind === 'distribution').map(({ kind, id }) => ({ kind, id })),
    }),
  );
  expect(run).toMatchObject({ count: 2, status: 'Prepared' });
  const read = () => as((session) => getPaymentRun(session, run.id));
  let killed = 0;
  for (let after = 0; ; after = after * 1.4 + 3) {
    const isDone = await killedAfter(after, (store) => releaseRun({ store, objects }, manager(), run, { now: NOW }));
    const { status, version } = await read();
    if (status === 'Prepared') {
      expect(isDone).toBe(false);
      expect(version).toBe(run.version);
      killed += 1;
      continue;
    }
    expect([status, version]).toEqual(['Released', run.version + 1]);
    break;
  }
  expect(killed).toBeGreaterThan(2);
  const { file } = await read();
  await expect(releaseRun({ store: database.store, objects }, manager(), run)).rejects.toMatchObject({
    code: 'badRequest',
  });
  // What was stored before the process died is the same file under the same key.
  const stored = await readdir(join(home, 'objects'), { recursive: true, withFileTypes: true });
  const files = stored.filter((entry) => entry.isFile());
  expect(files).toHaveLength(1);
  expect((await readFile(join(files[0]!.parentPath, files[0]!.name))).length).toBe(file!.size);
});
