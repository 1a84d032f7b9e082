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

const old = (text: string): string => `65f0c2a1${text.padStart(16, '0')}`;
const COMMITMENTS = { A: old('c1'), B: old('c2') };
const LATER = 'ffffffff00000000000000a5';
const [MANAGER, FUND, LP] = [old('1'), old('2'), old('3')] as const;
const LINES = [
  [old('a1'), old('b1'), 'A'],
  [old('a2'), old('b1'), 'A'],
  // Of a call of the whole fund.
  [old('a3'), old('b2'), 'A'],
  [old('a4'), old('b2'), 'B'],
  // Of the whole fund as well, in which all investors that are called have one class.
  [LATER, old('b3'), 'A'],
] as const;

test('a share from before has its class, where all that was entered with it has that class, and documents are found and counted', async () => {
  await migrate(database.databaseAdminUrl, { to: '70-mails-to-contacts' });
  const values = LINES.map(
    ([id, together, of], place) =>
      `('${id}', ${place + 1}, '${MANAGER}', '${FUND}', '${COMMITMENTS[of]}', 'LP', '${LP}', 'USD', '2026-05-01', '${together.slice(-2)}', 'Active',
        '{"bundleId": "${together}"}', '{}', 4, '${of}', '2026-05-15', '[{"title": "A", "kind": "other", "amount": "1"}]')`,
  );
  const columns = `id, code, manager_id, fund_id, commitment_id, investor_kind, investor_lp_id, currency, cut_off_date, call_number,
    status, metadata, pdf_options, version, class`;
  // Only the lines are of interest: nothing that they refer to is checked.
  await database.query(`
    set session_replication_role = replica;
    insert into managers (id, code, entity_id, name) values ('${MANAGER}', 1, '${old('e')}', 'A manager');
    insert into funds (id, code, manager_id, title, type, strategy, currency, target_size, hard_cap)
      values ('${FUND}', 1, '${MANAGER}', 'A fund', 'SMA', 'ABL', 'USD', 1, 1);
    insert into lps (id, code, manager_id, title, entity_id) values ('${LP}', 1, '${MANAGER}', 'An investor', '${old('e')}');
    insert into lp_commitments (id, code, manager_id, fund_id, investor_kind, investor_lp_id, currency, closing_date, max_commitment, active_commitment, class)
      values ('${COMMITMENTS.A}', 1, '${MANAGER}', '${FUND}', 'LP', '${LP}', 'USD', '2026-01-01', 100, 100, 'A'),
        ('${COMMITMENTS.B}', 2, '${MANAGER}', '${FUND}', 'LP', '${LP}', 'USD', '2026-01-01', 100, 100, 'B');
    insert into contributions (${columns}, due_date, purposes) values ${values.join(', ')};
    set session_replication_role = origin`);
  await migrate(database.databaseAdminUrl, { to: '120-capital-activities' });
  const classes = () =>
    database.query<{ id: string; holding_class: string | null }>(
      'select id, holding_class from contributions order by activity_id, id',
    );
  const found = () =>
    database.query(
      `select distinct document_id, btrim(line) as line from search_words where kind in ('fund', 'investor') and word in ('fund', 'investor') order by 1`,
    );
  // Row-level security applies to the owner of the tables, who ran migration 71.
  expect((await classes()).filter((line) => line.holding_class)).toEqual([]);
  expect(await found()).toEqual([]);
  await migrate(database.databaseAdminUrl);
  expect(await found()).toEqual([
    { document_id: FUND, line: 'a fund' },
    { document_id: LP, line: 'an investor' },
  ]);
  expect(await database.query(`select status, count from document_counts where collection = 'lps'`)).toEqual([
    { status: 'Active', count: 1 },
  ]);
  expect(await classes()).toEqual([
    { id: old('a1'), holding_class: 'A' },
    { id: old('a2'), holding_class: 'A' },
    { id: old('a3'), holding_class: null },
    { id: old('a4'), holding_class: null },
    { id: LATER, holding_class: null },
  ]);
});
