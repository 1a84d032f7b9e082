import { Client } from 'pg';
import { expect, inject, test } from 'vitest';
import { temporalAnswers } from '../temporal/health.ts';

test('the throw-away PostgreSQL answers with the version the product is built on', async () => {
  const client = new Client({ connectionString: inject('postgresAdminUrl') });
  await client.connect();
  const { rows } = await client.query<{ major: number }>(
    `select current_setting('server_version_num')::int / 10000 as major`,
  );
  await client.end();
  expect(rows).toEqual([{ major: 18 }]);
});

test('the throw-away Temporal knows its namespace and no other', async () => {
  const address = inject('temporalAddress');
  expect(await temporalAnswers(address, 'default')).toBe(true);
  expect(await temporalAnswers(address, 'no-such-namespace')).toBe(false);
  expect(await temporalAnswers('127.0.0.1:1', 'default')).toBe(false);
});
