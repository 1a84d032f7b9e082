import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { fileStored, registerFile } from '@tapeline/db/operations/files/files.ts';
import { SYSTEM } from '@tapeline/db/store.ts';
import { createTestDatabase, type TestDatabase } from '@tapeline/db/testing/test-store.ts';
import { claimStorage } from '@tapeline/lake/storage/claim.ts';
import { openS3Store } from '@tapeline/lake/storage/s3-store.ts';
import { startObjectStorage, type TestObjectStorage } from '@tapeline/lake/testing/object-storage.ts';
import { openSmtpServer, type TestSmtpServer } from '@tapeline/mail/testing/smtp-server.ts';
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest';
import { report } from './report.ts';

const DOCTOR = fileURLToPath(new URL('./main.ts', import.meta.url));
const ORIGIN = 'https://tapeline.example.com';
/** Nothing listens there. */
const CLOSED = '127.0.0.1:9';

let database: TestDatabase;
let storage: TestObjectStorage;
let mail: TestSmtpServer;
let home: string;
let right: NodeJS.ProcessEnv;

beforeAll(async () => {
  [database, storage, mail] = await Promise.all([createTestDatabase(), startObjectStorage(), openSmtpServer()]);
  home = await mkdtemp(join(tmpdir(), 'doctor-'));
  const { endpoint, bucket, keys } = storage.settings;
  right = {
    // The passwords of the tests are published, and refused in production.
    NODE_ENV: 'test',
    APP_SECRET: '9f2c61d07be84a35b1d6e0c7a4f8932d',
    TAPELINE_HOME: home,
    PUBLIC_URL: ORIGIN,
    DATABASE_URL: database.databaseUrl,
    DATABASE_ADMIN_URL: database.adminUrl,
    TEMPORAL_ADDRESS: inject('temporalAddress'),
    S3_ENDPOINT: endpoint,
    S3_BUCKET: bucket,
    S3_ACCESS_KEY_ID: keys.accessKeyId,
    S3_SECRET_ACCESS_KEY: keys.secretAccessKey,
    SMTP_URL: mail.url,
    MAIL_FROM: 'Tapeline <no-reply@example.com>',
  };
});
beforeEach(() => {
  storage.allowOrigin(ORIGIN);
  storage.setClock(0);
});
afterAll(async () => {
  await Promise.all([database?.close(), storage?.close(), mail?.close()]);
  await rm(home, { recursive: true, force: true });
});

/** Examines with the right settings, some of which are made wrong. */
async function examineWith(wrong: Record<string, string> = {}) {
  const { lines, isWell } = await report({ ...right, ...wrong });
  return { output: lines.join('\n'), isWell, problems: lines.filter((line) => line.startsWith('WRONG')) };
}

/** Runs the program. */
async function runWith(wrong: Record<string, string> = {}, args: readonly string[] = []) {
  const child = spawn(process.execPath, [DOCTOR, ...args], {
    env: { ...right, ...wrong },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [output, errors, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise((resolve) => child.once('exit', resolve)),
  ]);
  return { code, output, errors };
}

const at = (url: string, change: Partial<Pick<URL, 'password' | 'username' | 'host' | 'pathname' | 'hostname'>>) =>
  Object.assign(new URL(url), change).href;

test('a complete installation is well', async () => {
  const { code, output, errors } = await runWith();
  expect(output).toContain('Everything is well.');
  expect(output).toContain('note   Installation: No worker is running for workflows, io, compute, previews.');
  expect({ code, errors }).toEqual({ code: 0, errors: '' });
});

test('a warning of a library is one line too', async () => {
  const { output, errors } = await runWith({ DATABASE_URL: `${right.DATABASE_URL}?sslmode=require` });
  expect(output).toMatch(/^WRONG {2}PostgreSQL: /m);
  expect(errors).toMatch(/^Warning: An address of PostgreSQL has sslmode=.* Set sslmode=verify-full\.\n$/);
});

test('each wrong setting and service is one sentence that says how to correct it, without a stack trace', async () => {
  const cases: (readonly [wrong: Record<string, string>, problems: readonly RegExp[]])[] = [
    [
      { NODE_ENV: 'production', SMTP_URL: '' },
      [
        /Settings: DATABASE_URL has a password that is published/,
        /Settings: DATABASE_ADMIN_URL has a password that is published/,
        /Settings: SMTP_URL is required in production; without a mail server nobody can sign in\.$/,
      ],
    ],
    [{ PORT: '70000' }, [/Settings: PORT must be a whole number from 1 to 65535\.$/]],
    [{ S3_BUKET: 'tapes' }, [/Settings: S3_BUKET is not a setting of Tapeline; set S3_BUCKET instead\.$/]],
    [
      { DATABASE_URL: at(right.DATABASE_URL ?? '', { password: 'wrong' }) },
      [
        /PostgreSQL: PostgreSQL refused the password of the role tapeline_test_\w+, or has no such role\. Correct DATABASE_URL/,
      ],
    ],
    [
      { DATABASE_ADMIN_URL: at(right.DATABASE_ADMIN_URL ?? '', { username: 'nobody' }) },
      [/refused the password of the role nobody, or has no such role\. Correct DATABASE_ADMIN_URL/],
    ],
    [
      { DATABASE_URL: at(right.DATABASE_URL ?? '', { pathname: '/elsewhere' }) },
      [/PostgreSQL has no database elsewhere\. Create it: CREATE DATABASE elsewhere/],
    ],
    [
      { DATABASE_URL: at(right.DATABASE_URL ?? '', { host: CLOSED }) },
      [/PostgreSQL does not answer at 127\.0\.0\.1:9: nothing listens there\. Start it, or correct DATABASE_URL\.$/],
    ],
    [{ TEMPORAL_ADDRESS: CLOSED }, [/Temporal: Temporal does not answer at 127\.0\.0\.1:9: nothing listens there/]],
    [
      { TEMPORAL_NAMESPACE: 'nowhere' },
      [/Temporal has no namespace nowhere\. Create it \(temporal operator namespace create --namespace nowhere\)/],
    ],
    [{ S3_BUCKET: 'elsewhere' }, [/Object storage: The object storage has no bucket elsewhere\. Create it/]],
    [{ S3_SECRET_ACCESS_KEY: '8xT2q!zw' }, [/S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY are wrong/]],
    [
      { S3_ENDPOINT: `http://${CLOSED}` },
      [/The object storage does not answer at 127\.0\.0\.1:9: nothing listens there/],
    ],
    [{ PUBLIC_URL: 'https://other.example.com' }, [/does not allow calls from https:\/\/other\.example\.com \(CORS\)/]],
    [{ SMTP_URL: `smtp://${CLOSED}` }, [/Email: The mail server does not answer at 127\.0\.0\.1:9/]],
  ];
  for (const [wrong, expected] of cases) {
    const { output, isWell, problems } = await examineWith(wrong);
    expect(problems, output).toHaveLength(expected.length);
    for (const problem of expected) expect(problems).toContainEqual(expect.stringMatching(problem));
    expect(output).not.toMatch(/\n\s+at |node:internal/);
    expect(isWell).toBe(false);
  }
  const { code, output, errors } = await runWith({ TEMPORAL_NAMESPACE: 'nowhere' });
  expect({ code, errors }).toEqual({ code: 1, errors: '' });
  expect(output).toContain('1 problem found.');
});

test('a CORS rule without PUT, a wrong clock and storage of another database are found', async () => {
  storage.allowOrigin(ORIGIN, 'GET');
  expect((await examineWith()).problems).toEqual([expect.stringContaining('does not allow PUT')]);

  storage.allowOrigin(ORIGIN);
  storage.setClock(-5 * 60_000);
  expect((await examineWith()).problems).toEqual([
    expect.stringContaining('The clock of this machine is 5 minutes ahead of that of the object storage'),
  ]);
  storage.setClock(0);

  const [other, objects] = await Promise.all([
    createTestDatabase(),
    openS3Store({ ...storage.settings, prefix: 'other/' }, home),
  ]);
  try {
    await claimStorage(other.store, objects);
    expect((await examineWith({ S3_PREFIX: 'other/' })).problems).toEqual([
      expect.stringContaining('belongs to another database'),
    ]);
  } finally {
    await Promise.all([other.close(), objects.close()]);
  }
});

test('missing migrations are found', async () => {
  const old = await createTestDatabase();
  try {
    await old.query(`delete from mikro_orm_migrations where id > (select max(id) - 2 from mikro_orm_migrations)`);
    const settings = { DATABASE_URL: old.databaseUrl, DATABASE_ADMIN_URL: old.adminUrl };
    expect((await examineWith(settings)).problems).toEqual([
      expect.stringMatching(/2 migrations are missing, from \S+\. Run `npm run migrate`\.$/),
    ]);
    await old.query(`insert into mikro_orm_migrations (name) values ('9999-of-tomorrow')`);
    expect((await examineWith(settings)).problems).toEqual([
      expect.stringContaining('was migrated by a later version of Tapeline (9999-of-tomorrow)'),
    ]);
  } finally {
    await old.close();
  }
});

test('with --deep, the database is compared with every object, and what was found is shown until it is well', async () => {
  const objects = await openS3Store(storage.settings, home);
  try {
    const file = await database.store.as(SYSTEM, (session) =>
      registerFile(session, { bucket: 'loanTapes', name: 'tape.csv', size: 4, type: 'text/csv' }),
    );
    const key = `loanTapes/${file.key}`;
    const stored = await objects.putStream(key, Readable.from(['tape']));
    await database.store.as(SYSTEM, (session) => fileStored(session, { ...file, ...stored }));
    const well = await runWith({}, ['--deep']);
    expect(well).toMatchObject({ code: 0, errors: '' });
    expect(well.output).toContain(
      'note   Stored objects: loanTapes: compared 1 object with the database, and 1 content with the recorded checksum.',
    );

    await objects.delete(key);
    expect((await examineWith()).problems).toEqual([]);
    const missing = `WRONG  Stored objects: 1 stored object is missing: ${key}. Copy the object from`;
    const deep = await runWith({}, ['--deep']);
    expect(deep).toMatchObject({ code: 1, errors: '' });
    expect(deep.output).toContain(missing);
    // Also without comparing again, as after the comparison at night.
    expect((await examineWith()).problems).toEqual([expect.stringContaining(missing)]);

    await objects.putStream(key, Readable.from(['tape']));
    expect((await runWith({}, ['--deep'])).code).toBe(0);
    expect((await examineWith()).problems).toEqual([]);
  } finally {
    await objects.close();
  }
});
