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

/**
 * What each actor can do with the rows of two tenants, for the program itself, an admin, a
 * manager, a company, an investor, an investor group, a manager with blocked documents, a company with allowed
 * documents, a manager who may read funds only and nobody, in this order: the number of rows that it can read,
 * insert copies of, update, delete, and move to the second tenant, or "-" for nothing.
 */
const REACH: Readonly<Record<string, string>> = {
  activities: '4/4/4/4/4 4/0/0/0/0 2/0/0/0/0 1/1/1/0/0 - - 2/1/1/0/0 - 2/1/1/0/0 -',
  address_changes: '1/1/1/1/0 - - - - - - - - -',
  announcements: '8/8/8/8/8 8/8/8/8/8 4/4/4/4/0 1/0/0/0/0 2/0/0/0/0 3/0/0/0/0 1/4/4/4/0 1/0/0/0/0 4/4/4/4/0 -',
  asset_ids: '4/4/4/4/4 4/4/4/4/4 2/2/2/2/0 1/0/0/0/0 - - 1/2/2/2/0 1/0/0/0/0 2/2/2/2/0 -',
  backup_runs: '1/1/1/1/0 1/0/0/0/0 - - - - - - - -',
  borrowing_bases: '4/4/4/4/4 4/4/4/4/4 2/2/2/2/0 1/0/0/0/0 - - 1/2/2/2/0 2/0/0/0/0 2/2/2/2/0 -',
  capital_accounts: '4/4/4/4/4 4/4/4/4/4 2/2/2/2/0 - 1/0/0/0/0 2/0/0/0/0 0/2/2/2/0 1/0/0/0/0 2/2/2/2/0 -',
  capital_calls: '2/2/2/2/2 2/2/2/2/2 1/1/1/1/0 - 1/0/0/0/0 1/0/0/0/0 0/1/1/1/0 - 1/1/1/1/0 -',
  chats: '4/4/4/4/4 - - 1/1/1/1/0 - - 1/1/1/1/0 - 1/1/1/1/0 -',
  companies: '4/4/4/4/4 4/4/4/4/4 2/2/2/2/0 1/0/0/0/0 - - 1/2/2/2/0 2/0/0/0/0 2/2/2/2/0 -',
  contracts: '4/4/4/4/4 4/4/4/4/4 2/2/2/2/0 1/0/0/0/0 - - 1/2/2/2/0 2/0/0/0/0 2/2/2/2/0 -',
  contributions: '4/4/4/4/4 4/4/4/4/4 2/2/2/2/0 - 1/0/0/0/0 2/0/0/0/0 0/2/2/2/0 1/0/0/0/0 2/2/2/2/0 -',
  correction_proposals: '4/4/4/0/4 4/4/4/0/4 2/0/2/0/0 1/1/1/0/1 - - 1/0/2/0/0 1/1/1/0/1 2/0/2/0/0 -',
  currency_rates: '1/1/1/1/0 1/1/1/1/0 1/0/0/0/0 1/0/0/0/0 1/0/0/0/0 1/0/0/0/0 1/0/0/0/0 1/0/0/0/0 1/0/0/0/0 -',
  distribution_events: '2/2/2/2/2 2/2/2/2/2 1/1/1/1/0 - 1/0/0/0/0 1/0/0/0/0 0/1/1/1/0 - 1/1/1/1/0 -',
  distributions: '4/4/4/4/4 4/4/4/4/4 2/2/2/2/0 - 1/0/0/0/0 2/0/0/0/0 0/2/2/2/0 1/0/0/0/0 2/2/2/2/0 -',
  document_codes: '- - - - - - - - - -',
  document_counts: '18/0/0/0/0 18/0/0/0/0 9/0/0/0/0 - - - 9/0/0/0/0 - 9/0/0/0/0 -',
  draws: '4/4/4/4/4 4/4/4/4/4 2/2/2/2/0 1/1/1/0/1 - - 1/2/2/2/0 2/1/1/0/1 2/2/2/2/0 -',
  dropped_objects: '1/1/1/1/0 - - - - - - - - -',
  entities: '10/10/10/10/10 10/10/10/10/10 5/5/4/0/0 1/0/0/0/0 1/0/0/0/0 2/0/0/0/0 3/5/4/0/0 3/0/0/0/0 5/5/4/0/0 -',
  files: '7/7/7/7/7 7/7/7/7/7 4/4/4/4/0 1/1/1/1/1 1/0/0/0/0 1/0/0/0/0 1/4/4/4/0 1/1/1/1/1 4/4/4/4/0 -',
  funds: '2/2/2/2/2 2/2/2/2/2 1/1/1/1/0 - 1/0/0/0/0 1/0/0/0/0 0/1/1/1/0 1/0/0/0/0 1/1/1/1/0 -',
  grid_views: '4/4/4/4/4 - - 1/1/1/1/0 - - 1/1/1/1/0 - 1/1/1/1/0 -',
  group_filters: '4/4/4/4/4 - - 1/1/1/1/0 - - 1/1/1/1/0 - 1/1/1/1/0 -',
  history: '118/0/0/0/0 118/0/0/0/0 59/0/0/0/0 - - - 24/0/0/0/0 - - -',
  holds: '1/1/1/1/0 1/0/0/0/0 - - - - - - - -',
  import_drafts: '4/4/4/4/4 - - - - - 1/1/1/1/0 - 1/1/1/1/0 -',
  imports: '4/4/4/4/4 4/4/4/4/4 2/2/2/2/0 - - - 2/2/2/2/0 - 2/2/2/2/0 -',
  instance: '1/1/1/1/0 - - - - - - - - -',
  job_failures: '1/1/1/1/0 1/0/0/0/0 - - - - - - - -',
  limited_calls: '1/1/1/1/0 - - - - - - - - -',
  loan_tapes: '4/4/4/4/4 4/4/4/4/4 2/2/2/2/0 1/0/0/0/0 - - 1/2/2/2/0 2/0/0/0/0 2/2/2/2/0 -',
  lp_commitments: '4/4/4/4/4 4/4/4/4/4 2/2/2/2/0 - 1/0/0/0/0 2/0/0/0/0 0/2/2/2/0 1/0/0/0/0 2/2/2/2/0 -',
  lp_groups: '2/2/2/2/2 2/2/2/2/2 1/1/1/1/0 - 1/0/0/0/0 1/0/0/0/0 1/1/1/1/0 - 1/1/1/1/0 -',
  lps: '4/4/4/4/4 4/4/4/4/4 2/2/2/2/0 - 1/0/0/0/0 2/0/0/0/0 1/2/2/2/0 1/0/0/0/0 2/2/2/2/0 -',
  magic_links: '1/1/1/1/0 - - - - - - - - -',
  main_funds: '2/2/2/2/2 2/2/2/2/2 1/1/1/1/0 - 1/0/0/0/0 1/0/0/0/0 0/1/1/1/0 1/0/0/0/0 1/1/1/1/0 -',
  managers: '2/2/2/2/0 2/2/2/2/0 1/0/0/0/0 - - - 1/0/0/0/0 - 1/0/0/0/0 -',
  mappings: '4/4/4/4/4 4/4/4/4/4 2/2/2/2/0 1/0/0/0/0 - - 1/2/2/2/0 2/0/0/0/0 2/2/2/2/0 -',
  navs: '4/4/4/4/4 4/4/4/4/4 2/2/2/2/0 - 1/0/0/0/0 2/0/0/0/0 0/2/2/2/0 1/0/0/0/0 2/2/2/2/0 -',
  notifications: '4/4/4/4/0 - - 1/0/1/0/0 - - 0/0/1/0/0 - 0/0/1/0/0 -',
  object_comparison: '1/1/1/1/0 1/0/0/0/0 - - - - - - - -',
  object_findings: '1/1/1/1/0 1/0/0/0/0 - - - - - - - -',
  option_lists: '2/2/2/2/2 2/2/2/2/2 1/1/1/1/0 1/0/0/0/0 - - 1/1/1/1/0 1/0/0/0/0 1/1/1/1/0 -',
  outbox: '1/1/1/1/0 1/0/0/0/0 - - - - - - - -',
  ownership_tokens: '1/1/1/1/0 - - - - - - - - -',
  permissions: '1/1/1/1/0 1/1/1/1/0 1/0/0/0/0 1/0/0/0/0 1/0/0/0/0 1/0/0/0/0 1/0/0/0/0 1/0/0/0/0 1/0/0/0/0 -',
  rate_refreshes: '1/1/1/1/0 1/0/0/0/0 - - - - - - - -',
  refresh_tokens: '1/1/1/1/0 - - - - - - - - -',
  repayments: '4/4/4/4/4 4/4/4/4/4 2/2/2/2/0 1/0/0/0/0 - - 1/2/2/2/0 2/0/0/0/0 2/2/2/2/0 -',
  reports: '2/2/2/2/2 2/2/2/2/2 1/1/1/1/0 - 1/0/0/0/0 1/0/0/0/0 0/1/1/1/0 1/0/0/0/0 1/1/1/1/0 -',
  roles: '2/2/2/2/2 2/2/2/2/2 1/1/1/1/0 - - - 1/1/1/1/0 - 1/1/1/1/0 -',
  search_words: '- - - - - - - - - -',
  sent_requests: '1/1/1/1/0 - - - - - - - - -',
  service_providers: '2/2/2/2/2 2/2/2/2/2 1/1/1/1/0 - - - 0/1/1/1/0 1/0/0/0/0 1/1/1/1/0 -',
  secret_mails: '1/1/1/1/0 - - - - - - - - -',
  sign_in_codes: '1/1/1/1/0 - - - - - - - - -',
  tape_generations: '4/4/4/4/4 4/4/4/4/4 2/2/2/2/0 1/0/0/0/0 - - 1/2/2/2/0 1/0/0/0/0 2/2/2/2/0 -',
  transactions: '4/4/4/4/4 4/4/4/4/4 2/2/2/2/0 1/0/0/0/0 - - 1/2/2/2/0 2/0/0/0/0 2/2/2/2/0 -',
  used_id_tokens: '1/1/1/1/0 - - - - - - - - -',
  users: '4/4/4/4/4 4/4/4/4/4 2/2/2/2/0 1/0/0/0/0 - - 1/2/2/2/0 - 2/2/2/2/0 -',
  worker_heartbeats: '1/1/1/1/0 - - - - - - - - -',
  write_offs: '4/4/4/4/4 4/4/4/4/4 2/2/2/2/0 - 1/0/0/0/0 2/0/0/0/0 0/2/2/2/0 1/0/0/0/0 2/2/2/2/0 -',
};

/** Collections that are not named above have one document, of the first manager: nobody else reads it, or writes it. */
const OF_MANAGER = '1/1/1/1/1 1/1/1/1/1 1/1/1/1/0 - - - 1/1/1/1/0 - 1/1/1/1/0 -';
const COLLECTION_TABLES = RECORDED.map(([name]) => tableOf(STORED[name]));

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
  for (const table of COLLECTION_TABLES.filter((name) => !(name in REACH)))
    await database.query(`insert into ${table} (manager_id) values ($1)`, [managerId]);
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
    perform set_config('test.reach', concat_ws('/', reads, inserts, updates, deletes, moves), true);
  end $$`;

async function reachOf(table: string): Promise<string> {
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
  for (const actor of actors) {
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
    found.push(reach!.reach === '0/0/0/0/0' ? '-' : reach!.reach);
  }
  return found.join(' ');
}

test('every table can be reached by exactly the intended users', async () => {
  const reach: Record<string, string> = {};
  for (const table of tables) reach[table] = await reachOf(table);
  const others = COLLECTION_TABLES.map((name) => [name, OF_MANAGER]);
  expect(reach).toEqual({ ...Object.fromEntries(others), ...REACH });
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
  const sample = (await mutations()).filter((_, place) => place % SAMPLED === 0);
  expect(sample.length).toBeGreaterThan(10);
  for (const { table, open, restore } of sample) {
    await database.query(open);
    if ((await reachOf(table)) === REACH[table]) unnoticed.push(open);
    await database.query(restore);
  }
  expect(unnoticed).toEqual([]);
});
