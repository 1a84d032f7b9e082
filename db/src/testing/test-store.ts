import { createHash, randomBytes } from 'node:crypto';
import { seedDemonstration } from '@tapeline/demonstration/seed-demonstration.ts';
import pg from 'pg';
import { inject, onTestFinished } from 'vitest';
import type { Environment } from '../environment.ts';
import { migrate } from '../migrate.ts';
import { MIGRATIONS } from '../migrations/index.ts';
import { checksumOf } from '../migrations/version.ts';
import { openStore, type Store, SYSTEM } from '../store.ts';

// The first test file that needs a template creates it, once per server. Its name depends on the migrations.
const TEMPLATE_LOCK = 5_180_113;

function adminUrl(): string {
  const provided = (inject as (key: string) => unknown)('postgresAdminUrl');
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
  const migrations = MIGRATIONS.map((migration) => `${migration.name} ${checksumOf(migration)}`);
  return `tapeline_template_${createHash('sha256').update(migrations.join()).digest('hex').slice(0, 12)}`;
}

/** Makes the database `name` and fills it under another name, so that an existing template is always complete. */
async function makeTemplate(
  server: string,
  name: string,
  fill: (making: string, client: pg.Client) => Promise<void>,
): Promise<void> {
  await withServer(server, async (client) => {
    await client.query('select pg_advisory_lock($1)', [TEMPLATE_LOCK]);
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [name]);
    if (rowCount) return;
    const making = `${name}_making`;
    await client.query(`drop database if exists ${making} with (force)`);
    await fill(making, client);
    await client.query(`alter database ${making} rename to ${name}`);
  });
}

async function migratedTemplate(server: string): Promise<string> {
  const template = templateName();
  await makeTemplate(server, template, async (making, client) => {
    await client.query(`create database ${making}`);
    await migrate(databaseUrl(server, making));
  });
  return template;
}

/** The demonstration is set up once a run, because that takes longer than most files of tests. */
async function demonstrationTemplate(server: string): Promise<string> {
  const template = await migratedTemplate(server);
  // The demonstration ends today.
  const name = `${template}_${new Date().toISOString().slice(0, 10).replaceAll('-', '')}`;
  await makeTemplate(server, name, async (making, client) => {
    await client.query(`create database ${making} template ${template}`);
    const login = `${making}_login`;
    await client.query(`drop role if exists ${login}`);
    await makeLogin(client, login);
    const store = await openStore({ databaseUrl: loginUrl(server, making, login), databasePoolSize: 2 });
    try {
      await store.as(SYSTEM, seedDemonstration);
    } finally {
      await store.close();
      await client.query(`drop role ${login}`);
    }
  });
  return name;
}

/** A role of the program, which row-level security applies to. */
const makeLogin = (client: pg.Client, login: string) =>
  client.query(`create role ${login} login password 'only for tests' in role tapeline_app`);

function loginUrl(server: string, database: string, login: string): string {
  const url = new URL(databaseUrl(server, database));
  url.username = login;
  url.password = 'only for tests';
  return url.href;
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

/**
 * Clones a template into a new database. Call `close` when done (createTestStore does this by itself).
 * @param options.demonstration whether it has the demonstration portfolio, without tapes
 */
export async function createTestDatabase({ demonstration = false } = {}): Promise<TestDatabase> {
  const server = adminUrl();
  const template = await (demonstration ? demonstrationTemplate(server) : migratedTemplate(server));
  const name = `tapeline_test_${randomBytes(6).toString('hex')}`;
  const login = `${name}_login`;
  await withServer(server, async (client) => {
    await client.query('select pg_advisory_lock_shared($1)', [TEMPLATE_LOCK]);
    await client.query(`create database ${name} template ${template}`);
    await makeLogin(client, login);
  });
  const environment = {
    databaseUrl: loginUrl(server, name, login),
    databaseAdminUrl: databaseUrl(server, name),
    databasePoolSize: 6,
  };
  const stores: Store[] = [];
  // A new connection for each statement would take longer than most statements.
  const admin = new pg.Pool({ connectionString: environment.databaseAdminUrl, max: 4 });
  // The server ended the connection: a test does so. The next statement opens another.
  admin.on('error', () => undefined);
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
    async query<Row>(sql: string, values: readonly unknown[] = []) {
      const client = await admin.connect();
      try {
        return (await client.query(sql, [...values])).rows as Row[];
      } finally {
        // No other statement has the settings of this one.
        client.release(/^\s*set /i.test(sql));
      }
    },
    async close() {
      await Promise.all([...stores.map((store) => store.close()), admin.end()]);
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
