import { expect, test } from 'vitest';
import { readEnvironment } from './environment.ts';

const DATABASE_URL = 'postgres://app@localhost/tapeline';

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
  const read = readEnvironment({ DATABASE_URL, NODE_ENV: 'production', APP_SECRET: 'sixteen letters!' });
  expect(read.devServicePorts).toBe(false);
});

test('Every fault is named in one error, and an empty variable counts as not set', () => {
  const read = () => readEnvironment({ PORT: 'x', S3_ENDPOINT: 'http://s3:9000', S3_ACCESS_KEY_ID: '', SMTP_URL: '' });
  expect(read).toThrow(/DATABASE_URL[\s\S]*PORT/);
  expect(() => readEnvironment({ DATABASE_URL, S3_ENDPOINT: 'http://s3:9000' })).toThrow('S3_ACCESS_KEY_ID');
  expect(readEnvironment({ DATABASE_URL, SMTP_URL: '', DEV_SERVICE_PORTS: 'off' })).toMatchObject({
    smtpUrl: null,
    devServicePorts: false,
  });
});

test('A worker takes all kinds of work, or those it is told', () => {
  expect(readEnvironment({ DATABASE_URL }).workerQueues).toEqual(['workflows', 'io', 'compute']);
  expect(readEnvironment({ DATABASE_URL, WORKER_QUEUES: 'compute' }).workerQueues).toEqual(['compute']);
  expect(readEnvironment({ DATABASE_URL, WORKER_QUEUES: 'io, workflows' }).workerQueues).toEqual(['io', 'workflows']);
  expect(() => readEnvironment({ DATABASE_URL, WORKER_QUEUES: 'compute,all' })).toThrow('WORKER_QUEUES');
});

test('Local copies of remote objects may take 20 GB, or what is said', () => {
  const s3 = { S3_ENDPOINT: 'http://s3:9000', S3_ACCESS_KEY_ID: 'a', S3_SECRET_ACCESS_KEY: 'b' };
  expect(readEnvironment({ DATABASE_URL, ...s3 }).s3?.cacheBytes).toBe(20e9);
  expect(readEnvironment({ DATABASE_URL, ...s3, OBJECT_CACHE_GB: '0.5' }).s3?.cacheBytes).toBe(5e8);
});
