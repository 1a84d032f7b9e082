import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readEnvironment } from './environment.ts';

const DATABASE_URL = 'postgres://app@localhost/tapeline';
const APP_SECRET = '9f2c61d07be84a35b1d6e0c7a4f8932d';

test('The least environment is a database, and the rest has its defaults', () => {
  expect(readEnvironment({ DATABASE_URL })).toMatchObject({
    databaseAdminUrl: DATABASE_URL,
    port: 3000,
    publicUrl: 'http://localhost:3000',
    devServicePorts: true,
    s3: null,
    smtpUrl: null,
    home: '.tapeline',
    tapeBatchRows: 100_000,
  });
});

test('Production needs a secret of its own, and has no service ports unless told', () => {
  expect(() => readEnvironment({ DATABASE_URL, NODE_ENV: 'production' })).toThrow('APP_SECRET: is required');
  const read = readEnvironment({ DATABASE_URL, NODE_ENV: 'production', APP_SECRET });
  expect(read.devServicePorts).toBe(false);
});

test('Production does not start with a secret that is published, short or guessable; development does', () => {
  const start = (more: object) => () => readEnvironment({ DATABASE_URL, NODE_ENV: 'production', APP_SECRET, ...more });
  const s3 = { S3_ENDPOINT: 'http://s3:9000', S3_ACCESS_KEY_ID: 'tapeline' };
  const refused: [object, RegExp][] = [
    [{ APP_SECRET: 'a development secret that is never used in production' }, /APP_SECRET: is published/],
    [{ APP_SECRET: 'A-secret-for-a-machine-of-your-own-only' }, /APP_SECRET: is published/],
    [{ APP_SECRET: APP_SECRET.slice(0, 31) }, /APP_SECRET: must have at least 32 characters/],
    [{ APP_SECRET: 'changeme'.repeat(4) }, /APP_SECRET: can be guessed/],
    [{ APP_SECRET: 'please-change-this-super-secret-key-1234567890' }, /APP_SECRET: can be guessed/],
    [{ APP_SECRET: 'abcabcabc'.repeat(5) }, /APP_SECRET: can be guessed/],
    [{ ...s3, S3_SECRET_ACCESS_KEY: 'tapeline-storage' }, /S3_SECRET_ACCESS_KEY: is published/],
    [{ ...s3, S3_SECRET_ACCESS_KEY: 'minio123' }, /S3_SECRET_ACCESS_KEY: can be guessed/],
    [{ ...s3, S3_SECRET_ACCESS_KEY: '8xT2q!z' }, /S3_SECRET_ACCESS_KEY: must have at least 8/],
    [{ DATABASE_URL: 'postgres://a:tapeline-app@db/tapeline' }, /DATABASE_URL: has a password that is published/],
    [{ DATABASE_ADMIN_URL: 'postgres://a:tapeline%2Downer@db/x' }, /DATABASE_ADMIN_URL: has a password/],
  ];
  for (const [variables, message] of refused) {
    expect(start(variables)).toThrow(message);
    expect(start({ ...variables, NODE_ENV: 'development' })).not.toThrow();
  }
  expect(start({})).not.toThrow();
  expect(start({ ...s3, S3_SECRET_ACCESS_KEY: '8xT2q!zw' })).not.toThrow();
});

test('A secret can be given as the path of a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tapeline-secrets-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'app-secret');
  writeFileSync(file, `${APP_SECRET}\n`);
  expect(readEnvironment({ DATABASE_URL, NODE_ENV: 'production', APP_SECRET_FILE: file }).appSecret).toBe(APP_SECRET);
  expect(() => readEnvironment({ DATABASE_URL, APP_SECRET, APP_SECRET_FILE: file })).toThrow('not both');
  expect(() => readEnvironment({ DATABASE_URL_FILE: join(folder, 'none') })).toThrow(/DATABASE_URL_FILE: ENOENT/);
  writeFileSync(file, 'sixteen letters!');
  expect(() => readEnvironment({ DATABASE_URL, NODE_ENV: 'production', APP_SECRET_FILE: file })).toThrow(
    /APP_SECRET: is/,
  );
});

test('Every problem is named in one error, and an empty variable counts as not set', () => {
  const read = () => readEnvironment({ PORT: 'x', S3_ENDPOINT: 'http://s3:9000', S3_ACCESS_KEY_ID: '', SMTP_URL: '' });
  expect(read).toThrow(/DATABASE_URL[\s\S]*PORT/);
  expect(() => readEnvironment({ DATABASE_URL, S3_ENDPOINT: 'http://s3:9000' })).toThrow('S3_ACCESS_KEY_ID');
  expect(readEnvironment({ DATABASE_URL, SMTP_URL: '', DEV_SERVICE_PORTS: 'off' })).toMatchObject({
    smtpUrl: null,
    devServicePorts: false,
  });
});

test('A worker takes all kinds of work, or those it is told', () => {
  expect(readEnvironment({ DATABASE_URL }).workerQueues).toEqual(['workflows', 'io', 'compute', 'previews']);
  expect(readEnvironment({ DATABASE_URL, WORKER_QUEUES: 'compute' }).workerQueues).toEqual(['compute']);
  expect(readEnvironment({ DATABASE_URL, WORKER_QUEUES: 'io, workflows' }).workerQueues).toEqual(['io', 'workflows']);
  expect(() => readEnvironment({ DATABASE_URL, WORKER_QUEUES: 'compute,all' })).toThrow('WORKER_QUEUES');
});

test('Local copies of remote objects may take 20 GB, or what is said', () => {
  const s3 = { S3_ENDPOINT: 'http://s3:9000', S3_ACCESS_KEY_ID: 'a', S3_SECRET_ACCESS_KEY: 'b' };
  expect(readEnvironment({ DATABASE_URL, ...s3 }).s3?.cacheBytes).toBe(20e9);
  expect(readEnvironment({ DATABASE_URL, ...s3, OBJECT_CACHE_GB: '0.5' }).s3?.cacheBytes).toBe(5e8);
});

test('The web app is reached from this machine only, and believes no proxy, unless told', () => {
  expect(readEnvironment({ DATABASE_URL, HOST: '', TRUSTED_PROXIES: '' })).toMatchObject({
    host: '127.0.0.1',
    trustedProxies: [],
  });
  const TRUSTED_PROXIES = '10.0.0.5, 172.16.0.0/12,2001:db8::/32';
  expect(readEnvironment({ DATABASE_URL, HOST: '0.0.0.0', TRUSTED_PROXIES })).toMatchObject({
    host: '0.0.0.0',
    trustedProxies: ['10.0.0.5', '172.16.0.0/12', '2001:db8::/32'],
  });
  for (const wrong of ['loopback', '10.0.0.0/33', '10.0.0', '10.0.0.1,', '::/129', 'proxy.example']) {
    expect(() => readEnvironment({ DATABASE_URL, TRUSTED_PROXIES: wrong })).toThrow('TRUSTED_PROXIES');
  }
});

test('An identity provider needs a client id, and https in production', () => {
  const issuer = 'https://id.example.com/realms/one';
  const read = (more: object) => () => readEnvironment({ DATABASE_URL, APP_SECRET, OIDC_ISSUER: issuer, ...more });
  expect(read({})).toThrow('OIDC_CLIENT_ID: is required with OIDC_ISSUER');
  const client = { OIDC_CLIENT_ID: 'tapeline' };
  expect(read(client)().oidc).toEqual({ issuer, clientId: 'tapeline', clientSecret: null, name: 'id.example.com' });
  const named = { ...client, OIDC_CLIENT_SECRET: 's', OIDC_NAME: 'Example ID' };
  expect(read(named)().oidc).toMatchObject({ clientSecret: 's', name: 'Example ID' });
  const plain = { ...client, OIDC_ISSUER: 'http://id.example.com' };
  expect(read(plain)).not.toThrow();
  expect(read({ ...plain, NODE_ENV: 'production' })).toThrow('OIDC_ISSUER: must be an https:// address in production');
  expect(readEnvironment({ DATABASE_URL }).oidc).toBeNull();
});

test('Other origins are written exactly as browsers send them', () => {
  const read = (CORS_ORIGINS: string) => () => readEnvironment({ DATABASE_URL, CORS_ORIGINS }).corsOrigins;
  expect(read('')()).toEqual([]);
  expect(read('https://app.example.com, http://localhost:5173')()).toEqual([
    'https://app.example.com',
    'http://localhost:5173',
  ]);
  for (const wrong of ['*', 'https://app.example.com/', 'app.example.com', 'https://*.example.com/a', 'null']) {
    expect(read(wrong), wrong).toThrow('CORS_ORIGINS');
  }
});

test('Rates come from an https address, or from this machine', () => {
  const read = (url: string) => readEnvironment({ DATABASE_URL, RATES_URL: url }).ratesUrl;
  expect(readEnvironment({ DATABASE_URL }).ratesUrl).toBeNull();
  const accepted = [
    'https://rates.example/daily.xml?key=1',
    'http://localhost:8080/',
    'http://127.0.0.1:1/',
    'http://[::1]:1/',
  ];
  expect(accepted.map(read)).toEqual(accepted);
  for (const url of [
    'http://rates.example/daily.xml',
    'http://127.0.0.1.example/',
    'https://user:password@rates.example/',
    'file:///etc/passwd',
    'rates.example',
  ]) {
    expect(() => read(url), url).toThrow('RATES_URL');
  }
});
