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
