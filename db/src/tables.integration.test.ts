import { RECORDED } from '@tapeline/domain/collections/collections.ts';
import { DOCUMENT_COLLECTIONS } from '@tapeline/domain/people/access.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { STORED, tableOf } from './collections/collections.ts';
import { ENTITIES } from './entities/index.ts';
import { fieldOf, HISTORY } from './migrations/tenant-table.ts';
import { RETENTION_KINDS, type RetentionKind } from './operations/retention/retention.ts';
import { SYSTEM } from './store.ts';
import { testActor } from './testing/actors.ts';
import { createTestDatabase, type TestDatabase } from './testing/test-store.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

/** Tables of the migrations themselves; the program has no rights on them. */
const INTERNAL = ['document_codes', 'mikro_orm_migrations'];

const tables = () =>
  database.query<{ name: string; forced: boolean; commands: string[] }>(
    `select c.relname as name, c.relrowsecurity and c.relforcerowsecurity as forced,
       array(select distinct p.cmd from pg_policies p where p.schemaname = 'public' and p.tablename = c.relname order by p.cmd) as commands
     from pg_class c where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and c.relname <> all ($1) order by 1`,
    [INTERNAL],
  );

test('every table has row-level security with a policy for each kind of access', async () => {
  const found = await tables();
  expect(found.length).toBeGreaterThan(20);
  for (const { name, forced, commands } of found) {
    expect([name, forced, commands]).toEqual([name, true, ['DELETE', 'INSERT', 'SELECT', 'UPDATE']]);
  }
});

test('checks, computed columns and indexes find the functions that their own ones call when a copy is restored, which sets no search path', async () => {
  const rows = await database.query<{ name: string }>(
    `with own as (
       select oid, proname as name, prosrc as body, proconfig as config from pg_proc
       where pronamespace = 'public'::regnamespace
         and oid not in (select objid from pg_depend where classid = 'pg_proc'::regclass and deptype = 'e')
     )
     select distinct used.oid::regprocedure::text as name from own used join pg_depend d on d.refobjid = used.oid
     where d.refclassid = 'pg_proc'::regclass and d.classid in ('pg_constraint'::regclass, 'pg_attrdef'::regclass, 'pg_class'::regclass)
       and exists (select from own called where called.oid <> used.oid and used.body ~ ('\\m' || called.name || '\\('))
       and not exists (select from unnest(used.config) as setting where setting like 'search_path=%')`,
  );
  expect(rows.map(({ name }) => name)).toEqual([]);
});

test('every table is registered for the history, or says why not', async () => {
  const found = await tables();
  expect([...HISTORY.keys()].sort()).toEqual(found.map(({ name }) => name));
});

const BOOKS = 'the books: a removed document stays as a record, until an administrator deletes it for good';
const SETTINGS = 'settings of an installation or tenant, which do not grow with time';

/** What removes the rows of each table, or why they stay (docs/operating/retention.md). */
const RETAINED: Readonly<Record<string, RetentionKind | RetentionKind[] | { kept: string }>> = {
  ...Object.fromEntries(RECORDED.map(([name]) => [tableOf(STORED[name]), { kept: BOOKS }])),
  capital_calls: { kept: BOOKS },
  distribution_events: { kept: BOOKS },
  closings: { kept: BOOKS },
  account_closings: { kept: BOOKS },
  account_requests: { kept: BOOKS },
  allocations: { kept: BOOKS },
  base_adjustments: { kept: BOOKS },
  certifications: { kept: BOOKS },
  covenants: { kept: BOOKS },
  covenant_results: { kept: BOOKS },
  covenant_waivers: { kept: BOOKS },
  deliverable_items: { kept: BOOKS },
  departures: { kept: BOOKS },
  facility_figures: { kept: BOOKS },
  bank_statement_lines: { kept: BOOKS },
  obligation_differences: { kept: BOOKS },
  payment_run_lines: { kept: BOOKS },
  preparations: { kept: BOOKS },
  transfers: { kept: BOOKS },
  duplicate_searches: { kept: 'one row of each manager' },
  transferred_lines: { kept: 'those of the transfers, by each change of an earlier document' },
  sign_in_codes: 'signInCodes',
  ownership_tokens: 'ownershipTokens',
  refresh_tokens: 'refreshTokens',
  magic_links: 'magicLinks',
  used_id_tokens: 'usedIdTokens',
  secret_mails: 'secretMails',
  address_changes: ['addressChanges', 'emailsNotConfirmed'],
  limited_calls: 'limitedCalls',
  outbox: 'mails',
  notifications: ['readNotifications', 'unreadNotifications'],
  chats: 'chats',
  import_drafts: 'importDrafts',
  import_names: { kept: SETTINGS },
  imports: 'failedImports',
  files: ['unusedFiles', 'replacedDocuments', 'filesOfRemoved'],
  history: 'history',
  dropped_objects: { kept: 'until the sweep has deleted the object' },
  tape_generations: { kept: 'until the sweep finds no object of a replaced attempt' },
  worker_heartbeats: { kept: 'for an hour, by the workers themselves' },
  sent_requests: { kept: 'for a day, by each new one' },
  job_failures: { kept: 'for 30 days after they were last seen, by each new one' },
  backup_runs: { kept: 'one for each kind' },
  holds: { kept: 'one for each restore' },
  object_findings: { kept: 'until a comparison finds the object well' },
  object_comparison: { kept: 'a single one' },
  rate_refreshes: { kept: 'the latest 200, by each refresh' },
  asset_ids: { kept: 'one for each asset of a borrower, removed with its last tape' },
  search_words: { kept: 'those of the documents that exist, by triggers' },
  activities: { kept: 'one for each reader of a document, at its first and latest reading' },
  notification_settings: { kept: 'one for each user who changed them' },
  calendar_feeds: { kept: 'one for each user, until the user removes it or loses access' },
  grid_views: { kept: 'at most 50 for each grid and user' },
  group_filters: { kept: 'at most 200 for each user' },
  document_counts: { kept: 'one for each tenant, collection and status, and changes that are added up' },
  currency_rates: { kept: 'one for each day and source: amounts are converted with them' },
  ...Object.fromEntries(
    ['instance', 'managers', 'permissions', 'roles', 'option_lists'].map((name) => [name, { kept: SETTINGS }]),
  ),
};

test('the rows of every table are removed by a rule, or there is a reason why they stay', async () => {
  const found = await tables();
  expect(Object.keys(RETAINED).sort()).toEqual(found.map(({ name }) => name));
  const rules = Object.values(RETAINED).flatMap((rule) => (typeof rule === 'object' && 'kept' in rule ? [] : rule));
  expect(rules.sort()).toEqual([...RETENTION_KINDS].sort());
});

test('every collection with a history is stored in the table that records it', () => {
  const registered = [...HISTORY].flatMap(([name, history]) =>
    'resource' in history ? [[history.resource, name]] : [],
  );
  expect(RECORDED.map(([name]) => [name, tableOf(STORED[name])]).sort()).toEqual(registered.sort());
});

test('single documents are blocked and allowed in the tables of exactly the collections that say so', async () => {
  const rows = await database.query<{ name: string }>(
    `select tablename as name from pg_policies where policyname = 'allowed' order by 1`,
  );
  const named = DOCUMENT_COLLECTIONS.map((collection) => tableOf(STORED[collection]));
  expect(rows.map(({ name }) => name)).toEqual(named.sort());
});

test('a table is recorded by its trigger exactly where it is registered', async () => {
  const recorded = await database.query<{ name: string }>(
    `select tgrelid::regclass::text as name from pg_trigger where tgfoid = 'record_change'::regproc order by 1`,
  );
  const registered = [...HISTORY].flatMap(([name, history]) => ('resource' in history ? [name] : []));
  expect(recorded.map(({ name }) => name)).toEqual(registered.sort());
});

test('the history names the fields of a document as the document does', async () => {
  const { metadata } = await database.store.as(SYSTEM, async ({ em }) => ({ metadata: em.getMetadata() }));
  for (const { meta } of ENTITIES) {
    const { tableName, props } = metadata.get(meta.className as never);
    if (!('resource' in (HISTORY.get(tableName) ?? {}))) continue;
    for (const { name, fieldNames } of props) expect([tableName, fieldOf(fieldNames[0]!)]).toEqual([tableName, name]);
  }
});

/** Tables whose policy has another condition, which no index serves. */
const READ_WHOLE = ['activities', 'funds', 'history', 'lp_groups', 'main_funds', 'reports'];

test("a manager's rows are found by the index of the manager, among those of all others", async () => {
  const owned = await database.query<{ name: string }>(
    `select tablename as name from pg_policies where policyname = 'read' and qual like '%actor_managers_from()%' order by 1`,
  );
  const unserved = await database.store.as(
    testActor({ type: 'manager', managerId: 'a'.repeat(24) }),
    async ({ query }) => {
      await query('set local enable_seqscan = off');
      const names: string[] = [];
      for (const { name } of owned) {
        const plan = await query<{ 'QUERY PLAN': string }>(`explain select * from ${name}`);
        const lines = plan.map((line) => line['QUERY PLAN']).join('\n');
        if (!/Index Cond: \(+manager_id\)::text >=/.test(lines)) names.push(name);
      }
      return names;
    },
  );
  expect(owned.length).toBeGreaterThan(25);
  expect(unserved).toEqual(READ_WHOLE);
});
