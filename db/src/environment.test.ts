import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Need } from './check-settings.ts';
import { readEnvironment } from './environment.ts';

const DATABASE_URL = 'postgres://app@localhost/tapeline';
const APP_SECRET = '9f2c61d07be84a35b1d6e0c7a4f8932d';
const S3 = { S3_ENDPOINT: 'http://s3:9000', S3_ACCESS_KEY_ID: 'tapeline', S3_SECRET_ACCESS_KEY: '8xT2q!zw' };
const MAIL = { SMTP_URL: 'smtps://mail.example.com', MAIL_FROM: 'Tapeline <no-reply@example.com>' };

/** The least that production starts with. */
const PRODUCTION = { NODE_ENV: 'production', DATABASE_URL, APP_SECRET, ...S3, ...MAIL };

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
  expect(() => readEnvironment({ ...PRODUCTION, APP_SECRET: '' })).toThrow('APP_SECRET: is required');
  const read = readEnvironment(PRODUCTION);
  expect(read.devServicePorts).toBe(false);
});

test('Production does not start with a secret that is published, short or guessable; development does', () => {
  const start = (more: object) => () => readEnvironment({ ...PRODUCTION, ...more });
  const refused: [object, RegExp][] = [
    [{ APP_SECRET: 'a development secret that is never used in production' }, /APP_SECRET: is published/],
    [{ APP_SECRET: 'A-secret-for-a-machine-of-your-own-only' }, /APP_SECRET: is published/],
    [{ APP_SECRET: APP_SECRET.slice(0, 31) }, /APP_SECRET: must have at least 32 characters/],
    [{ APP_SECRET: 'changeme'.repeat(4) }, /APP_SECRET: can be guessed/],
    [{ APP_SECRET: 'please-change-this-super-secret-key-1234567890' }, /APP_SECRET: can be guessed/],
    [{ APP_SECRET: 'abcabcabc'.repeat(5) }, /APP_SECRET: can be guessed/],
    [{ S3_SECRET_ACCESS_KEY: 'tapeline-storage' }, /S3_SECRET_ACCESS_KEY: is published/],
    [{ S3_SECRET_ACCESS_KEY: 'minio123' }, /S3_SECRET_ACCESS_KEY: can be guessed/],
    [{ S3_SECRET_ACCESS_KEY: '8xT2q!z' }, /S3_SECRET_ACCESS_KEY: must have at least 8/],
    [{ DATABASE_URL: 'postgres://a:tapeline-app@db/tapeline' }, /DATABASE_URL: has a password that is published/],
    [{ DATABASE_ADMIN_URL: 'postgres://a:tapeline%2Downer@db/x' }, /DATABASE_ADMIN_URL: has a password/],
  ];
  for (const [variables, message] of refused) {
    expect(start(variables)).toThrow(message);
    expect(start({ ...variables, NODE_ENV: 'development' })).not.toThrow();
  }
  expect(start({})).not.toThrow();
  expect(start({ S3_SECRET_ACCESS_KEY: '8xT2q!zw' })).not.toThrow();
});

test('A secret can be given as the path of a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tapeline-secrets-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'app-secret');
  writeFileSync(file, `${APP_SECRET}\n`);
  const fromFile = { ...PRODUCTION, APP_SECRET: '', APP_SECRET_FILE: file };
  expect(readEnvironment(fromFile).appSecret).toBe(APP_SECRET);
  expect(() => readEnvironment({ DATABASE_URL, APP_SECRET, APP_SECRET_FILE: file })).toThrow('not both');
  expect(() => readEnvironment({ DATABASE_URL_FILE: join(folder, 'none') })).toThrow(
    /DATABASE_URL_FILE: names .*, which cannot be read: there is no such file/,
  );
  writeFileSync(file, 'sixteen letters!');
  expect(() => readEnvironment(fromFile)).toThrow(/APP_SECRET: is/);
});

test('Every problem is named in one error, and an empty variable counts as not set', () => {
  const read = () => readEnvironment({ PORT: 'x', S3_ENDPOINT: 'http://s3:9000', S3_ACCESS_KEY_ID: '', SMTP_URL: '' });
  expect(read).toThrow(/DATABASE_URL[\s\S]*PORT/);
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
  expect(read({ ...PRODUCTION, ...plain })).toThrow('OIDC_ISSUER: must be an https:// address in production');
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

test('Production starts only with object storage, a mail server and a sender; commands need what they use', () => {
  const read = (more: object, needs?: readonly Need[]) => () => readEnvironment({ ...PRODUCTION, ...more }, needs);
  expect(read({})).not.toThrow();
  for (const [name, more] of [
    ['S3_ENDPOINT', { S3_ENDPOINT: '', S3_ACCESS_KEY_ID: '', S3_SECRET_ACCESS_KEY: '' }],
    ['SMTP_URL', { SMTP_URL: '' }],
    ['MAIL_FROM', { MAIL_FROM: '' }],
  ] as const) {
    expect(read(more)).toThrow(`${name}: is required in production`);
    expect(read(more, [])).not.toThrow();
    expect(read({ ...more, NODE_ENV: 'development' })).not.toThrow();
  }
});

test.each<[string, string, string, string]>([
  ['NODE_ENV', 'test', 'staging', 'must be development, production or test'],
  ['LOG_LEVEL', 'debug', 'verbose', 'must be fatal, error, warn, info, debug, trace or silent'],
  ['PORT', '65535', '65536', 'must be a whole number from 1 to 65535'],
  ['PORT', '1', '0x10', 'must be a whole number from 1 to 65535'],
  ['DEV_SERVICE_PORTS', 'on', 'yes', 'must be on or off'],
  [
    'TEMPORAL_ADDRESS',
    'temporal:7233',
    'http://temporal',
    'must be a host and a port, such as temporal.example.com:7233',
  ],
  ['TEMPORAL_TLS', 'off', 'tls', 'must be on or off'],
  ['S3_ENDPOINT', 'https://s3.example.com', 's3.example.com', 'must be an address such as'],
  ['S3_BUCKET', 'tapeline.eu', 'Tapeline', 'must be the name of a bucket: 3 to 63 lower-case letters'],
  ['S3_PREFIX', 'a/b/', 'a/b', 'must be empty or a path such as "production/"'],
  ['SMTP_URL', 'smtps://mail:465', 'mail:465', 'must be a mail server such as'],
  [
    'SMTP_URL',
    'smtp://ann:a%2Fb@mail',
    'smtp://ann:a/b@mail',
    'must be a mail server such as smtps://user:PASSWORD@mail.example.com (write /, ? and # of a user or a password as %2F, %3F and %23)',
  ],
  ['MAIL_FROM', 'Tapeline <a@b.example>', 'Tapeline', 'must be an address such as Tapeline <no-reply@example.com>'],
  ['WORKER_PROCESSES', '64', '65', 'must be a whole number from 1 to 64'],
  ['SPILL_GB', '0.1', '0.05', 'must be a number from 0.1 to 100000'],
  ['EXPORT_MEMORY_MB', '200', '199', 'must be a whole number from 200 to 1000000'],
  ['STARTUP_WAIT_SECONDS', '0', '-1', 'must be a whole number from 0 to 3600'],
])('%s can be %j; %j is refused with a sentence', (name, right, wrong, message) => {
  const read = (value: string) => () => readEnvironment({ DATABASE_URL, [name]: value });
  expect(read(right)).not.toThrow();
  expect(read(wrong)).toThrow(`${name}: ${message}`);
});

test('A misspelled setting is refused, and a variable of another program is not', () => {
  const read = (name: string) => () => readEnvironment({ DATABASE_URL, [name]: 'x' });
  for (const [wrong, right] of [
    ['S3_BUKET', 'S3_BUCKET'],
    ['SMTP_URI', 'SMTP_URL'],
    ['DATABASE_ADMIN_URLS', 'DATABASE_ADMIN_URL'],
  ] as const) {
    expect(read(wrong)).toThrow(`${wrong}: is not a setting of Tapeline; set ${right} instead`);
  }
  for (const other of ['PATH', 'HOSTNAME', 'AWS_PROFILE', 'TEMPORAL_CLI_SHOW_STACKS', 'SMTP']) {
    expect(read(other), other).not.toThrow();
  }
});

test('Settings that belong together are required together', () => {
  const read = (more: object) => () => readEnvironment({ DATABASE_URL, ...more });
  const s3 = { S3_ENDPOINT: 'http://s3:9000' };
  expect(read({ ...s3, S3_ACCESS_KEY_ID: 'a' })).toThrow('S3_SECRET_ACCESS_KEY: is required with S3_ACCESS_KEY_ID');
  expect(read({ ...s3, S3_SECRET_ACCESS_KEY: 'b' })).toThrow('S3_ACCESS_KEY_ID: is required with');
  expect(read({ CHAT_MODEL_URL: 'https://models.example.com' })).toThrow('CHAT_MODEL: is required with CHAT_MODEL_URL');
  expect(read({ WEATHER_URL: 'https://weather.example.com' })).toThrow(
    'WEATHER_PLACES_URL: is required with WEATHER_URL',
  );
  expect(read({ TEMPORAL_TLS: 'off', TEMPORAL_API_KEY: 'k' })).toThrow(
    'TEMPORAL_TLS: must be on with TEMPORAL_API_KEY',
  );
});

test('Object storage is used with keys, or with the credentials of the machine', () => {
  const s3 = { S3_ENDPOINT: 'http://s3:9000' };
  expect(readEnvironment({ DATABASE_URL, ...s3 }).s3?.keys).toBeNull();
  const keys = { S3_ACCESS_KEY_ID: 'a', S3_SECRET_ACCESS_KEY: 'b' };
  expect(readEnvironment({ DATABASE_URL, ...s3, ...keys }).s3?.keys).toEqual({
    accessKeyId: 'a',
    secretAccessKey: 'b',
  });
});

test('Temporal is reached in the clear, with TLS, or with an API key, which turns TLS on', () => {
  const read = (more: object) => readEnvironment({ DATABASE_URL, TEMPORAL_ADDRESS: 'temporal:7233', ...more });
  expect(read({}).temporalConnection).toEqual({ address: 'temporal:7233' });
  expect(read({ TEMPORAL_TLS: 'on' }).temporalConnection).toEqual({ address: 'temporal:7233', tls: true });
  expect(read({ TEMPORAL_API_KEY: 'key' }).temporalConnection).toEqual({
    address: 'temporal:7233',
    tls: true,
    apiKey: 'key',
  });
  expect(() => read({ TEMPORAL_TLS_SERVER_CA_CERT_PATH: '/nowhere/ca.pem' })).toThrow(
    'TEMPORAL_TLS_SERVER_CA_CERT_PATH: names /nowhere/ca.pem, which cannot be read: there is no such file',
  );
});

test('a file of certificates must be readable: Node would go on without it', () => {
  expect(() => readEnvironment({ DATABASE_URL, NODE_EXTRA_CA_CERTS: '/nowhere/ca.pem' })).toThrow(
    'NODE_EXTRA_CA_CERTS: names /nowhere/ca.pem, which cannot be read: there is no such file',
  );
  expect(() => readEnvironment({ DATABASE_URL, NODE_EXTRA_CA_CERTS: import.meta.filename })).not.toThrow();
});

test('traces are sent by HTTP to the receiver that is named, unless they are switched off', () => {
  const url = 'http://collector:4318';
  const sent = (variables: Record<string, string>) => readEnvironment({ DATABASE_URL, ...variables }).tracesUrl;
  expect(sent({})).toBeNull();
  expect(sent({ OTEL_EXPORTER_OTLP_ENDPOINT: url })).toBe(url);
  expect(sent({ OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${url}/t` })).toBe(`${url}/t`);
  expect(sent({ OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_TRACES_EXPORTER: 'none' })).toBeNull();
  expect(() => sent({ OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' })).toThrow(
    'OTEL_EXPORTER_OTLP_PROTOCOL: must be http/protobuf or http/json',
  );
});

test('Memory and disk have budgets', () => {
  const { budgets } = readEnvironment({ DATABASE_URL });
  expect(budgets).toEqual({
    queryMemory: 1e9,
    queryCache: 256e6,
    exportMemory: 768e6,
    jobMemory: null,
    spill: 20e9,
    rowFiles: 2e9,
  });
  expect(readEnvironment({ DATABASE_URL, JOB_MEMORY_MB: '512', SPILL_GB: '1.5' }).budgets).toMatchObject({
    jobMemory: 512e6,
    spill: 1.5e9,
  });
});

test('metrics have a port of their own, on this machine unless an interface is set', () => {
  const read = (variables: Record<string, string>) =>
    readEnvironment({ DATABASE_URL: 'postgres://localhost/tapeline', ...variables }).monitoring;
  expect(read({})).toBeNull();
  expect(read({ METRICS_PORT: '9464' })).toEqual({ port: 9464, host: '127.0.0.1' });
  expect(read({ METRICS_PORT: '9464', METRICS_HOST: '0.0.0.0' })).toEqual({ port: 9464, host: '0.0.0.0' });
  expect(() => read({ METRICS_PORT: '3000' })).toThrow('METRICS_PORT: must not be the port that users reach');
  expect(() => read({ METRICS_PORT: '4000', PORT: '4000' })).toThrow('METRICS_PORT');
});
