import { expect, test } from 'vitest';
import { migrate } from './migrate.ts';
import { createTestDatabase } from './testing/test-store.ts';
import { openStoreWhenReady, ServiceUnavailable, waitFor } from './wait-for.ts';

/** What is logged. */
function listen() {
  const lines: string[] = [];
  return { lines, log: { info: (_fields: object, message: string) => void lines.push(message) } };
}

test('a process waits for a database that is not migrated yet, says so once, and goes on', async () => {
  const database = await createTestDatabase();
  const { lines, log } = listen();
  try {
    await database.query('alter table loan_tapes rename to not_yet');
    const opening = openStoreWhenReady({ ...database.environment, startupWaitSeconds: 600 }, log);
    await expect.poll(() => lines).toEqual(['waiting for PostgreSQL']);
    await database.query('alter table not_yet rename to loan_tapes');
    const store = await opening;
    await store.ping();
    await store.close();
    expect(lines).toEqual(['waiting for PostgreSQL', 'PostgreSQL is available']);
  } finally {
    await database.close();
  }
});

test('waiting ends after the time, with the reason; and at once if it cannot help', async () => {
  const database = await createTestDatabase();
  const { lines, log } = listen();
  const open = (change: Partial<URL>, startupWaitSeconds: number) => {
    const databaseUrl = Object.assign(new URL(database.databaseUrl), change).href;
    return openStoreWhenReady({ databaseUrl, databasePoolSize: 1, startupWaitSeconds }, log);
  };
  try {
    await expect(open({ host: '127.0.0.1:9' }, 0)).rejects.toThrow(
      /PostgreSQL does not answer at 127\.0\.0\.1:9: nothing listens there.*\(Waited 0 seconds, STARTUP_WAIT_SECONDS\.\)/,
    );
    await expect(open({ password: 'wrong' }, 600)).rejects.toThrow(/refused the password/);
    expect(lines).toEqual([]);
  } finally {
    await database.close();
  }
});

test('a process waits for missing migrations, and does not run on the tables of a later version', async () => {
  const database = await createTestDatabase();
  const { lines, log } = listen();
  const open = (startupWaitSeconds: number) => openStoreWhenReady({ ...database.environment, startupWaitSeconds }, log);
  try {
    const [newest] = await database.query<{ name: string }>(
      'delete from mikro_orm_migrations where id = (select max(id) from mikro_orm_migrations) returning name',
    );
    const opening = open(600);
    await expect.poll(() => lines).toEqual(['waiting for PostgreSQL']);
    await expect(open(0)).rejects.toThrow(`1 migration is missing, from ${newest?.name}. Run \`npm run migrate\`.`);
    await database.query('insert into mikro_orm_migrations (name) values ($1)', [newest?.name]);
    await (await opening).close();

    await database.query(`insert into mikro_orm_migrations (name) values ('999-of-tomorrow')`);
    await expect(open(600)).rejects.toThrow('was migrated by a later version of Tapeline (999-of-tomorrow)');
    await expect(migrate(database.adminUrl)).rejects.toThrow('was migrated by a later version');

    await database.query('revoke select on mikro_orm_migrations from tapeline_app');
    await expect(open(0)).rejects.toThrow('The tables are not up to date. Run `npm run migrate`.');
  } finally {
    await database.close();
  }
});

test('the store and the migrations connect with TLS if their address says so', async () => {
  const database = await createTestDatabase();
  const withTls = (url: string) => `${url}?sslmode=verify-full`;
  try {
    // The server of the tests does not offer it.
    const environment = { databaseUrl: withTls(database.databaseUrl), databasePoolSize: 1, startupWaitSeconds: 0 };
    await expect(openStoreWhenReady(environment, listen().log)).rejects.toThrow(
      'PostgreSQL does not offer TLS. Set it up there, or remove sslmode from DATABASE_URL.',
    );
    await expect(migrate(withTls(database.adminUrl))).rejects.toThrow('does not support SSL');
  } finally {
    await database.close();
  }
});

test('a missing database is reported and not created', async () => {
  const database = await createTestDatabase();
  const at = (url: string) => Object.assign(new URL(url), { pathname: '/elsewhere' }).href;
  try {
    const environment = { databaseUrl: at(database.databaseUrl), databasePoolSize: 1, startupWaitSeconds: 0 };
    await expect(openStoreWhenReady(environment, listen().log)).rejects.toThrow('PostgreSQL has no database elsewhere');
    // This role could create it.
    await expect(migrate(at(database.adminUrl))).rejects.toThrow('database "elsewhere" does not exist');
  } finally {
    await database.close();
  }
});

test('each new reason is logged, and a reason that stays is not repeated', async () => {
  const { lines, log } = listen();
  let tries = 0;
  const service = { service: 'it', seconds: 600, explain: (error: unknown) => String(error), log };
  const attempt = async () => {
    tries += 1;
    if (tries < 4) throw new Error(tries === 3 ? 'other' : 'one');
    return tries;
  };
  expect(await waitFor(service, attempt)).toBe(4);
  expect(lines).toEqual(['waiting for it', 'waiting for it', 'it is available']);
  await expect(waitFor({ ...service, isFinal: () => true }, () => Promise.reject('no'))).rejects.toBeInstanceOf(
    ServiceUnavailable,
  );
});
