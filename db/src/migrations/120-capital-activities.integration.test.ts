import { afterAll, beforeAll, expect, test } from 'vitest';
import { migrate } from '../migrate.ts';
import { type EmptyDatabase, makeEmptyDatabase } from '../testing/empty-database.ts';
import { createTestDatabase } from '../testing/test-store.ts';

let database: EmptyDatabase;
beforeAll(async () => {
  // Migrating the first database of a server creates the application's role.
  await (await createTestDatabase()).close();
  database = await makeEmptyDatabase();
});
afterAll(() => database.close());

const id = (text: string): string => text.padStart(24, '0');
const [MANAGER, FUND, LP, TOGETHER] = [id('1'), id('2'), id('3'), id('b0')] as const;

interface Line {
  readonly id: string;
  readonly number: string;
  readonly due?: string;
  readonly together?: string;
  readonly status?: string;
  readonly amount?: string;
}

/** Lines as a version before stored them: what was entered together shares a field of their metadata. */
const LINES: readonly Line[] = [
  { id: id('a1'), number: '1', together: TOGETHER, amount: '10.01' },
  { id: id('a2'), number: '1', together: TOGETHER, amount: '5' },
  // One investor was given longer to pay.
  { id: id('a3'), number: '1', together: TOGETHER, due: '2026-06-30' },
  { id: id('a4'), number: '2', status: 'Draft' },
  { id: id('a5'), number: '3', together: id('b1'), status: 'Removed' },
];

async function storeLines(): Promise<void> {
  // Only the lines are of interest: nothing that they refer to is checked.
  const values = LINES.map(
    ({ id: line, number, due = '2026-05-15', together, status = 'Active', amount = '1' }, place) =>
      `('${line}', ${place + 1}, '${MANAGER}', '${FUND}', '${id('c')}', 'LP', '${LP}', 'USD', '2026-05-01', '${number}',
        '${status}', '${JSON.stringify(together ? { bundleId: together } : {})}', '{}', 4,
        'DUE', '${JSON.stringify([{ title: 'A', kind: 'other', amount }])}')`.replace('DUE', due),
  );
  const columns = `id, code, manager_id, fund_id, commitment_id, investor_kind, investor_lp_id, currency, cut_off_date, call_number,
    status, metadata, pdf_options, version`;
  await database.query(`
    set session_replication_role = replica;
    insert into managers (id, code, entity_id, name) values ('${MANAGER}', 1, '${id('e')}', 'A manager');
    insert into funds (id, code, manager_id, title, type, strategy, currency, target_size, hard_cap)
      values ('${FUND}', 1, '${MANAGER}', 'A fund', 'SMA', 'ABL', 'USD', 1, 1);
    insert into lp_commitments (id, code, manager_id, fund_id, investor_kind, investor_lp_id, currency, closing_date, max_commitment, active_commitment)
      values ('${id('c')}', 1, '${MANAGER}', '${FUND}', 'LP', '${LP}', 'USD', '2026-01-01', 100, 100);
    insert into contributions (${columns}, due_date, purposes) values ${values.join(', ')};
    insert into distributions (${columns}, distribution_kind, principal)
      select id, code, manager_id, fund_id, commitment_id, investor_kind, investor_lp_id, currency, cut_off_date, call_number,
        status, metadata, pdf_options, version, 'Principal Only', amount from contributions where call_number <> '3';
    set session_replication_role = origin`);
}

test('what was entered together gets one header, and what had another number or day one of its own', async () => {
  await migrate(database.databaseAdminUrl, { to: '110-found-functions' });
  await storeLines();
  await migrate(database.databaseAdminUrl);
  const headers = (table: string, days: string, amount: string) =>
    database.query(
      `select id, number, ${days}, ${amount} as amount, status, version from ${table} order by number, id desc`,
    );
  expect(await headers('capital_calls', 'due_date::text as due', 'purposes #>> $${0,amount}$$')).toEqual([
    { id: TOGETHER, number: '1', due: '2026-05-15', amount: '15.01', status: 'Active', version: 1 },
    { id: id('a3'), number: '1', due: '2026-06-30', amount: '1', status: 'Active', version: 1 },
    { id: id('a4'), number: '2', due: '2026-05-15', amount: '1', status: 'Draft', version: 1 },
    { id: id('b1'), number: '3', due: '2026-05-15', amount: null, status: 'Removed', version: 1 },
  ]);
  // Distributions have no due date.
  expect(await headers('distribution_events', 'cut_off_date::text as day', 'principal::text')).toEqual([
    { id: TOGETHER, number: '1', day: '2026-05-01', amount: '16.01', status: 'Active', version: 1 },
    { id: id('a4'), number: '2', day: '2026-05-01', amount: '1', status: 'Draft', version: 1 },
  ]);
  const lines = await database.query(
    `select id, activity_id as header, version, metadata::text from contributions order by id`,
  );
  expect(lines).toEqual(
    [TOGETHER, TOGETHER, id('a3'), id('a4'), id('b1')].map((header, place) => ({
      id: LINES[place]!.id,
      header,
      version: 4,
      metadata: '{}',
    })),
  );
});

test('a line cannot have another number or day than its header, nor can two calls of a fund have one number and day', async () => {
  for (const change of [`call_number = '9'`, `due_date = '2026-07-01'`, `cut_off_date = '2026-04-30'`]) {
    await expect(
      database.query(
        `set constraints contributions_of_header immediate; update contributions set ${change} where id = '${id('a4')}'`,
      ),
    ).rejects.toThrow('contributions_of_header');
  }
  await expect(
    database.query(
      `insert into capital_calls (id, manager_id, fund_id, currency, number, cut_off_date, due_date)
       select '${id('f')}', manager_id, fund_id, currency, number, cut_off_date, due_date from capital_calls where id = '${id('a4')}'`,
    ),
  ).rejects.toThrow('capital_calls_days_of_number');
});
