import { createHash, randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject, onTestFinished } from 'vitest';
import type { Environment } from '../environment.ts';
import { migrate } from '../migrate.ts';
import { MIGRATIONS } from '../migrations/index.ts';
import { openStore, type Store } from '../store.ts';

// The first test file creates the template, once per server. Its name depends on the migrations.
const TEMPLATE_LOCK = 5_180_113;

function adminUrl(): string {
  const provided = (inject as (key: string) => unknown)('postgresAdminUrl') ?? process.env.TEST_POSTGRES_ADMIN_URL;
  if (typeof provided !== 'string') {
    throw new Error('Integration tests need a PostgreSQL: run them by the integration project of vitest.config.ts');
  }
  return provided;
}

function databaseUrl(server: string, database: string): string {
  const url = new URL(server);
  url.pathname = `/${database}`;
  return url.href;
}

async function withServer<T>(server: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

function templateName(): string {
  const statements = MIGRATIONS.flatMap((entry) => {
    const migration = new entry.class(null as never, null as never);
    migration.up();
    return [entry.name, ...migration.getQueries().map(String)];
  });
  return `tapeline_template_${createHash('sha256').update(statements.join()).digest('hex').slice(0, 12)}`;
}

async function makeTemplate(server: string, template: string): Promise<void> {
  await withServer(server, async (client) => {
    await client.query('select pg_advisory_lock($1)', [TEMPLATE_LOCK]);
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [template]);
    if (rowCount) return;
    // Filled under another name, so that an existing template is always complete.
    const making = `${template}_making`;
    await client.query(`drop database if exists ${making} with (force)`);
    await client.query(`create database ${making}`);
    await migrate(databaseUrl(server, making));
    await client.query(`alter database ${making} rename to ${template}`);
  });
}

/** A migrated database for one test, and a store that uses it with the program's ordinary role. */
export interface TestDatabase {
  readonly store: Store;
  /** The program's connection: a login role that row-level security applies to. */
  readonly databaseUrl: string;
  /** The superuser's connection to the same database, to bypass the store. */
  readonly adminUrl: string;
  readonly environment: Pick<Environment, 'databaseUrl' | 'databaseAdminUrl' | 'databasePoolSize'>;
  /** Opens another store on the same database, as a second process would. */
  openAnother(): Promise<Store>;
  /** Runs SQL as the superuser, who sees everything. */
  query<Row>(sql: string, values?: readonly unknown[]): Promise<Row[]>;
  close(): Promise<void>;
}

/** Clones the template into a new database. Call `close` when done (createTestStore does this by itself). */
export async function createTestDatabase(): Promise<TestDatabase> {
  const server = adminUrl();
  const template = templateName();
  await makeTemplate(server, template);
  const name = `tapeline_test_${randomBytes(6).toString('hex')}`;
  const login = `${name}_login`;
  await withServer(server, async (client) => {
    await client.query('select pg_advisory_lock_shared($1)', [TEMPLATE_LOCK]);
    await client.query(`create database ${name} template ${template}`);
    await client.query(`create role ${login} login password 'only for tests' in role tapeline_app`);
  });
  const own = new URL(databaseUrl(server, name));
  own.username = login;
  own.password = 'only for tests';
  const environment = {
    databaseUrl: own.href,
    databaseAdminUrl: databaseUrl(server, name),
    databasePoolSize: 6,
  };
  const stores: Store[] = [];
  const open = async () => {
    const store = await openStore(environment);
    stores.push(store);
    return store;
  };
  return {
    store: await open(),
    databaseUrl: environment.databaseUrl,
    adminUrl: environment.databaseAdminUrl,
    environment,
    openAnother: open,
    query: <Row>(sql: string, values: readonly unknown[] = []) =>
      withServer(environment.databaseAdminUrl, async (client) => (await client.query(sql, [...values])).rows as Row[]),
    async close() {
      await Promise.all(stores.map((store) => store.close()));
      await withServer(server, async (client) => {
        await client.query(`drop database if exists ${name} with (force)`);
        await client.query(`drop role if exists ${login}`);
      });
    },
  };
}

/** A store on a new database for this test, dropped when the test ends. In `beforeAll`, use createTestDatabase. */
export async function createTestStore(): Promise<Store> {
  const database = await createTestDatabase();
  onTestFinished(() => database.close());
  return database.store;
}
