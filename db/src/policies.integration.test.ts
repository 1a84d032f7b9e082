import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { RECORDED } from '@tapeline/domain/collections/collections.ts';
import { DOCUMENT_COLLECTIONS } from '@tapeline/domain/people/access.ts';
import type { Actor } from '@tapeline/domain/people/actor.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { STORED, tableOf } from './collections/collections.ts';
import { newId } from './ids.ts';
import { HISTORY } from './migrations/tenant-table.ts';
import { SYSTEM } from './store.ts';
import { testActor } from './testing/actors.ts';
import { makeTenant } from './testing/tenants.ts';
import { createTestDatabase, type TestDatabase } from './testing/test-store.ts';

/** The kinds of actors, in the order of `actors`. The manager with blocked documents and the company with allowed ones name some of each collection. */
const KINDS = [
  'program',
  'admin',
  'manager',
  'company',
  'investor',
  'investor group',
  'manager with blocked documents',
  'company with allowed documents',
  'manager who reads funds only',
  'nobody',
];

/**
 * What each kind of actor can do with the rows of two tenants: the number of rows of a table that it can read, insert
 * copies of, update, delete, and move to the second tenant. Who can do nothing with a table has no line.
 */
const REACH = readFileSync(new URL('policies.csv', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
  .slice(1);

/** Collections that have no line have one document, of the first manager: nobody else reads it, or writes it. */
const ofManager = (table: string): string[] => [
  `${table},program,1,1,1,1,1`,
  `${table},admin,1,1,1,1,1`,
  `${table},manager,1,1,1,1,0`,
  `${table},manager with blocked documents,1,1,1,1,0`,
  `${table},manager who reads funds only,1,1,1,1,0`,
];
const FURTHER = RECORDED.map(([name]) => tableOf(STORED[name])).filter(
  (table) => !REACH.some((line) => line.startsWith(`${table},`)),
);
const EXPECTED = [...REACH, ...FURTHER.flatMap(ofManager)].sort();

/** `npm run mutate-access` opens every policy. Otherwise, a sample keeps the test short. */
const SAMPLED = process.env.EVERY_POLICY ? 1 : 6;

let database: TestDatabase;
let actors: Actor[];
let tables: string[];
let otherManager: string;

beforeAll(async () => {
  database = await createTestDatabase();
  const [one, two] = await database.store.as(SYSTEM, async (session) => [
    await makeTenant(session),
    await makeTenant(session),
  ]);
  const ofOne = { managerId: one!.managerId };
  const documents = await documentsOf(one!.managerId);
  // A file that no document names is hidden with its company.
  await database.query(
    `insert into files select (jsonb_populate_record(f, jsonb_build_object('id', $2::text, 'key', $2::text))).* from files f
     where company_id = $1 limit 1`,
    [one!.companies[1]!.id, newId()],
  );
  await database.query(
    `insert into calendar_feeds (id, user_id, created_at) select id, id, now() from users where type = 'company'`,
  );
  const nobody = { ...testActor({ type: 'manager', ...ofOne }), type: '' } as unknown as Actor;
  actors = [
    SYSTEM,
    testActor({ type: 'admin' }),
    testActor({ type: 'manager', ...ofOne }),
    testActor({ type: 'company', ...ofOne, companyId: one!.companies[0]!.id, userId: one!.companies[0]!.userId }),
    testActor({ type: 'LP', ...ofOne, lpIds: [one!.lpIds[0]!] }),
    testActor({ type: 'LPGroup', ...ofOne, lpIds: one!.lpIds }),
    // A person's own chats, filters, views and notifications are found by the id of the user.
    testActor({ type: 'manager', ...ofOne, blockedDocuments: documents, userId: one!.companies[1]!.userId }),
    testActor({ type: 'company', ...ofOne, companyId: one!.companies[0]!.id, allowedDocuments: documents }),
    testActor({ type: 'manager', ...ofOne, userId: one!.companies[0]!.userId, permissions: ['funds/read'] }),
    nobody,
  ];
  otherManager = two!.managerId;
  tables = (
    await database.query<{ name: string }>(
      `select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace
       and relname <> 'mikro_orm_migrations' order by 1`,
    )
  ).map(({ name }) => name);
  await leaveOnlyPolicies();
  await fillEmptyTables(one!.managerId);
});
afterAll(() => database.close());

/** The second document of each collection in which single documents can be blocked or allowed, or the only one. */
async function documentsOf(managerId: string): Promise<string[]> {
  const documents: string[] = [];
  for (const [table, history] of HISTORY) {
    const resource = 'resource' in history ? history.resource : null;
    if (!DOCUMENT_COLLECTIONS.some((collection) => collection === resource)) continue;
    const owner = table === 'managers' ? 'id' : 'manager_id';
    const rows = await database.query<{ id: string }>(
      `select id from ${table} where ${owner} = $1 order by code limit 2`,
      [managerId],
    );
    documents.push(...rows.slice(-1).map(({ id }) => `${resource}/${id}`));
  }
  return documents;
}

/** Removes what else could refuse a row: constraints and triggers. Only policies and grants are under test. */
async function leaveOnlyPolicies(): Promise<void> {
  await database.query(`do $$ declare part record; begin
    for part in select conrelid::regclass as name, conname from pg_constraint
      where connamespace = 'public'::regnamespace and conrelid <> 0 and contype in ('f', 'c', 'u', 'p', 'x')
      order by case contype when 'f' then 0 when 'c' then 1 else 2 end
    loop execute format('alter table %s drop constraint if exists %I cascade', part.name, part.conname); end loop;
    for part in select indexrelid::regclass as name from pg_index join pg_class c on c.oid = indrelid
      where indisunique and c.relnamespace = 'public'::regnamespace and c.relname <> 'mikro_orm_migrations'
    loop execute format('drop index if exists %s', part.name); end loop;
    for part in select attrelid::regclass as name, attname from pg_attribute join pg_class c on c.oid = attrelid
      where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and attnum > 0 and attnotnull and not attisdropped
        and attidentity = ''
    loop execute format('alter table %s alter column %I drop not null', part.name, part.attname); end loop;
    for part in select oid::regclass as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace
    loop execute format('alter table %s disable trigger all', part.name); end loop;
  end $$`);
}

/** Collections without a document in `makeTenant` get one of the manager. */
async function fillEmptyTables(managerId: string): Promise<void> {
  for (const table of FURTHER) await database.query(`insert into ${table} (manager_id) values ($1)`, [managerId]);
  // Of a transfer, either of the two commitments can be blocked, and of its parts the commitment or the document.
  await database.query(
    `with firsts as (select distinct on (manager_id) manager_id, id as first from lp_commitments order by manager_id, code)
     insert into transfers (id, manager_id, commitment_id, to_commitment_id)
     select id, manager_id, id, first from lp_commitments join firsts using (manager_id)
     union all select reverse(id), manager_id, first, id from lp_commitments join firsts using (manager_id)`,
  );
  await database.query(
    `insert into transferred_lines (manager_id, commitment_id, investor_lp_id, document_id)
     select manager_id, id, investor_lp_id, null from lp_commitments
     union all select manager_id, null, null, id from contributions`,
  );
  // What was paid is hidden with its fund, with its investor or borrower, and with its document.
  for (const table of ['allocations', 'obligation_differences'])
    await database.query(
      `insert into ${table} (manager_id, document_id, fund_id, investor_lp_id, company_id)
       select manager_id, id, null, null, null from contributions union all select manager_id, null, fund_id, null, null from contributions
       union all select manager_id, null, null, investor_lp_id, null from contributions
       union all select manager_id, null, null, null, company_id from draws
       union all select manager_id, id, null, null, null from invoices`,
    );
  // A borrower sees what is issued.
  await database.query(`update invoices set status = 'Active', issued_on = period_to`);
  for (const table of ['bank_accounts', 'payments'])
    await database.query(`insert into ${table} (id, manager_id, fund_id) select id, manager_id, id from funds`);
  // What a bank says, and a month that is closed, is hidden with the fund of the account.
  await database.query(
    `insert into account_closings (bank_account_id, month, manager_id, fund_id) select id, '2026-01-01', manager_id, id from funds`,
  );
  await database.query(
    `insert into bank_statements (id, manager_id, fund_id, status) select id, manager_id, id, 'Active' from funds`,
  );
  await database.query(
    'insert into bank_statement_lines (statement_id, sequence, manager_id, fund_id) select id, 0, manager_id, id from funds',
  );
  // A delivered file is hidden from whoever has blocked documents: it can be of any account.
  await database.query(`insert into statement_files (id, manager_id, name) values ($1, $1, 'a.sta')`, [managerId]);
  // A payment of a run is hidden with what it pays, and with its commitment, fund, investor, borrower or facility.
  await database.query(
    `insert into payment_run_lines (manager_id, document_id, commitment_id, fund_id, investor_lp_id, company_id, transaction_id)
     select manager_id, id, null, null, null, null, null from distributions
     union all select manager_id, id, null, null, null, null, null from draws
     union all select manager_id, null, commitment_id, null, null, null, null from distributions
     union all select manager_id, null, null, fund_id, null, null, null from distributions
     union all select manager_id, null, null, null, investor_lp_id, null, null from distributions
     union all select manager_id, null, null, null, null, company_id, null from draws
     union all select manager_id, null, null, null, null, null, transaction_id from draws`,
  );
  // A request for an account is hidden with its investor or borrower.
  await database.query(
    `insert into account_requests (id, manager_id, investor_lp_id, company_id, status)
     select id, manager_id, id, null, 'Requested' from lps union all select id, manager_id, null, id, 'Requested' from companies`,
  );
  // An adjustment is hidden with its certificate, and from the borrower until it is approved.
  await database.query(
    `insert into base_adjustments (id, manager_id, company_id, tape_id, contract_id, status)
     select case s.status when 'Requested' then id else reverse(id) end, manager_id, company_id, tape_id, contract_id, s.status
     from borrowing_bases b cross join unnest('{Requested,Approved}'::text[]) as s (status) where b.status = 'Active'`,
  );
  // What was said of loans that left a tape is hidden with it.
  await database.query(
    'insert into departures (id, manager_id, company_id, tape_id) select id, manager_id, company_id, id from loan_tapes',
  );
  // A borrower's certificate is hidden with its borrowing base, and from the lender until it is submitted.
  await database.query(
    `insert into certifications (id, manager_id, company_id, tape_id, contract_id, base_id, status)
     select case s.status when 'Draft' then id else reverse(id) end, manager_id, company_id, tape_id, contract_id, id, s.status
     from borrowing_bases b cross join unnest('{Draft,Submitted}'::text[]) as s (status) where b.status = 'Active'`,
  );
  // A scenario is hidden with its borrowing base, and from the borrower.
  await database.query(
    `insert into scenarios (id, manager_id, company_id, tape_id, contract_id)
     select id, manager_id, company_id, tape_id, contract_id from borrowing_bases where status = 'Active'`,
  );
  // A figure is hidden with its borrower, and from it until it is reviewed.
  await database.query(
    `insert into facility_figures (id, manager_id, company_id, status)
     select case s.status when 'Entered' then id else reverse(id) end, manager_id, id, s.status
     from companies cross join unnest('{Entered,Reviewed}'::text[]) as s (status)`,
  );
  // Covenants, their results and deliverables are hidden with their facility, and with its borrower; a waiver also until it is approved.
  for (const table of ['covenants', 'covenant_results', 'deliverables'])
    await database.query(
      `insert into ${table} (id, manager_id, company_id, transaction_id) select id, manager_id, company_id, id from transactions
       union all select reverse(id), manager_id, company_id, null from transactions`,
    );
  await database.query(
    `insert into covenant_waivers (id, manager_id, company_id, transaction_id, status)
     select case s.status when 'Requested' then id else reverse(id) end, manager_id, company_id, id, s.status
     from transactions cross join unnest('{Requested,Approved}'::text[]) as s (status)`,
  );
  // What was sent for a deliverable is hidden with its facility, and with its borrower, which sends it and does not decide.
  await database.query(
    `insert into deliverable_items (id, manager_id, company_id, transaction_id, status)
     select case s.status when 'Received' then id else reverse(id) end, manager_id, company_id, case s.status when 'Received' then id end, s.status
     from transactions cross join unnest('{Received,Waived}'::text[]) as s (status)`,
  );
  // A closing without commitments is hidden with its fund alone.
  await database.query(
    `insert into closings (id, manager_id, fund_id, commitment_ids) select id, manager_id, id, '{}' from funds`,
  );
  // A run is hidden with the account that pays.
  await database.query(
    `insert into payment_runs (id, manager_id, bank_account_id, count) select id, manager_id, id, 0 from bank_accounts`,
  );
  // A pair of loans is hidden with either of their tapes, and with the facilities of either borrower.
  await database.query(
    `insert into duplicate_pairs (id, manager_id, first_tape_id, second_tape_id, first_company_id, second_company_id)
     select id, manager_id, id, null, null, null from loan_tapes
     union all select id, manager_id, null, id, null, null from loan_tapes
     union all select id, manager_id, null, null, company_id, null from transactions
     union all select id, manager_id, null, null, null, company_id from transactions`,
  );
  // Its history does not name the facilities.
  await database.query(
    `insert into history (id, manager_id, resource, document_id, owners)
     select id, manager_id, 'duplicates', id, array['duplicates/' || id] from transactions`,
  );
  await database.query('insert into duplicate_searches (id, manager_id) select id, id from managers');
  for (const table of tables)
    await database.query(`insert into ${table} select where not exists (select from ${table})`);
}

const MOVES = `begin
      update {table} set manager_id = current_setting('test.other');
      get diagnostics moves = row_count;
      raise exception 'undo' using errcode = 'P0999';
    exception when sqlstate 'P0999' then null; when insufficient_privilege then null;
    end;`;

/**
 * Statements without a condition touch every row that the policy of their own operation allows. A condition would also
 * apply the policy for reading.
 */
const probe = (table: string, column: string, columns: readonly string[]): string => `do $$
  declare reads int := 0; inserts int := 0; updates int := 0; deletes int := 0; moves int := 0; entry jsonb;
  begin
    begin select count(*) into reads from ${table}; exception when insufficient_privilege then null; end;
    for entry in select jsonb_array_elements(current_setting('test.rows')::jsonb) loop
      begin
        insert into ${table} (${columns.join(', ')}) overriding user value
          select ${columns.join(', ')} from jsonb_populate_record(null::${table}, entry);
        inserts := inserts + 1;
        raise exception 'undo' using errcode = 'P0999';
      exception when sqlstate 'P0999' then null; when insufficient_privilege then null;
      end;
    end loop;
    begin
      update ${table} set ${column} = default;
      get diagnostics updates = row_count;
      raise exception 'undo' using errcode = 'P0999';
    exception when sqlstate 'P0999' then null; when insufficient_privilege then null;
    end;
    begin
      delete from ${table};
      get diagnostics deletes = row_count;
      raise exception 'undo' using errcode = 'P0999';
    exception when sqlstate 'P0999' then null; when insufficient_privilege then null;
    end;
    ${columns.includes('manager_id') ? MOVES.replaceAll('{table}', table) : ''}
    perform set_config('test.reach', concat_ws(',', reads, inserts, updates, deletes, moves), true);
  end $$`;

/** The lines of a table, as REACH has them. */
async function reachOf(table: string): Promise<string[]> {
  const rows = await database.query<{ row: unknown }>(`select to_jsonb(t) as row from ${table} t`);
  const columns = await database.query<{ name: string }>(
    `select quote_ident(attname) as name from pg_attribute
     where attrelid = '${table}'::regclass and attnum > 0 and not attisdropped and attgenerated = '' order by attnum`,
  );
  const names = columns.map(({ name }) => name);
  // A column that no policy reads, so that setting it does not change the owner of the row.
  const harmless = names.find((name) => ['version', 'created_at', 'checksum'].includes(name)) ?? names.at(-1);
  const statement = probe(table, harmless as string, names);
  const found: string[] = [];
  for (const [index, actor] of actors.entries()) {
    const [reach] = await database.store.as(
      actor,
      async ({ query }) => {
        await query(`select set_config('test.rows', $1, true), set_config('test.other', $2, true)`, [
          JSON.stringify(rows.map(({ row }) => row)),
          otherManager,
        ]);
        await query(statement);
        return query<{ reach: string }>(`select current_setting('test.reach') as reach`);
      },
      { rollback: true },
    );
    if (reach!.reach !== '0,0,0,0,0') found.push([table, KINDS[index], reach!.reach].join());
  }
  return found;
}

test('every table can be reached by exactly the intended users', async () => {
  const reach: string[] = [];
  for (const table of tables) reach.push(...(await reachOf(table)));
  expect(reach.sort()).toEqual(EXPECTED);
});

interface Policy {
  table: string;
  name: string;
  condition: string | null;
  check: string | null;
}

interface Mutation {
  table: string;
  /** Removes the limit of the policy. */
  open: string;
  restore: string;
}

/** Every policy that the program's grants do not already exclude. */
async function mutations(): Promise<Mutation[]> {
  const all = await database.query<Policy & { operation: string }>(
    `select tablename as table, policyname as name, qual as condition, with_check as check, cmd as operation
     from pg_policies where schemaname = 'public' and policyname <> 'within' order by 1, 2`,
  );
  const granted = await database.query<{ table: string; operation: string }>(
    `select table_name as table, privilege_type as operation from information_schema.role_table_grants
     where grantee = 'tapeline_app' and table_schema = 'public'`,
  );
  return all
    .filter((policy) =>
      granted.some(({ table, operation }) => table === policy.table && operation === policy.operation),
    )
    .map(({ table, name, condition, check }) => {
      const alter = (using: string, becoming: string): string =>
        `alter policy ${name} on ${table} ${condition === null ? '' : `using (${using})`} ${check === null ? '' : `with check (${becoming})`}`;
      return { table, open: alter('true', 'true'), restore: alter(condition ?? '', check ?? '') };
    });
}

// The narrowing by saved filters has a test of its own.
test('no policy can be opened without this test noticing', async () => {
  const unnoticed: string[] = [];
  const sample = (await mutations()).filter((_, index) => index % SAMPLED === 0);
  expect(sample.length).toBeGreaterThan(10);
  for (const { table, open, restore } of sample) {
    await database.query(open);
    const reach = await reachOf(table);
    const expected = EXPECTED.filter((line) => line.startsWith(`${table},`));
    if (isDeepStrictEqual(reach.sort(), expected)) unnoticed.push(open);
    await database.query(restore);
  }
  expect(unnoticed).toEqual([]);
});
