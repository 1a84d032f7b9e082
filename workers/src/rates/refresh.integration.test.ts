import { currencyRates } from '@tapeline/db/operations/currencies/rates.ts';
import { lastRefreshes } from '@tapeline/db/operations/currencies/refreshes.ts';
import { WORKFLOW_IDS } from '@tapeline/domain/tapes/workflow-ids.ts';
import type { refreshRates } from '@tapeline/workflows/all-workflows.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTapeCluster, type TapeCluster, TEST_INSTANCE, TEST_QUEUES, until } from '../testing/tape-cluster.ts';
import { ratesScheduleOf, scheduleRates } from './schedule.ts';
import { ecbXml, openRatesServer, type TestRatesServer } from './testing/rates-server.ts';

let cluster: TapeCluster;
let server: TestRatesServer;
const TODAY = new Date().toISOString().slice(0, 10);
let runs = 0;

const refresh = () => {
  runs += 1;
  return cluster.client.workflow.execute<typeof refreshRates>('refreshRates', {
    taskQueue: TEST_QUEUES.workflows,
    workflowId: `${WORKFLOW_IDS.refreshRates()}/${runs}`,
    args: [],
  });
};
const inForce = () => cluster.asSystem(currencyRates);
const last = () => cluster.asSystem(lastRefreshes);

beforeAll(async () => {
  [cluster, server] = await Promise.all([openTapeCluster({ batchRows: 1000 }), openRatesServer()]);
  server.answer(ecbXml(TODAY, { USD: '1.25', GBP: '1', ILS: '4.5' }));
  await cluster.startWorkers(1, { RATES_URL: server.url, WORKER_QUEUES: 'workflows,io' });
});
afterAll(async () => {
  await cluster?.close();
  await server?.close();
});

describe('a refresh', () => {
  test('runs at once when the service is first configured, and then every day', async () => {
    await until(async () => (await last()).succeeded !== null);
    expect((await inForce()).origins.ILS).toEqual({ date: TODAY, source: 'service' });
    expect((await inForce()).rates).toMatchObject({ EUR: '0.8', GBP: '0.8', ILS: '3.6' });
    const schedule = cluster.client.schedule.getHandle(ratesScheduleOf(TEST_INSTANCE));
    const { spec } = await schedule.describe();
    expect(spec.calendars).toMatchObject([{ hour: [{ start: 16 }], minute: [{ start: 30 }] }]);
    // Only the refreshes that the tests start should count.
    await schedule.pause('tests');
  });

  test('accepts JSON as well, and notes when nothing changed', async () => {
    server.answer(JSON.stringify({ base: 'USD', date: TODAY, rates: { EUR: 0.81, GBP: 0.8, CHF: 0.79 } }));
    expect(await refresh()).toEqual({ outcome: 'updated', ratesOn: TODAY, currencyCount: 3 });
    expect(await refresh()).toEqual({ outcome: 'unchanged', ratesOn: TODAY, currencyCount: 3 });
    expect((await inForce()).rates).toMatchObject({ EUR: '0.81', CHF: '0.79', ILS: '3.6' });
  });

  test.each([
    ['a rate of zero', JSON.stringify({ base: 'USD', date: TODAY, rates: { CHF: 0.7, EUR: 0 } }), 'The rate of EUR'],
    ['a rate a hundred times as high', JSON.stringify({ base: 'USD', date: TODAY, rates: { EUR: 81 } }), 'was 0.81 on'],
    ['half an answer', '{"base":"USD","rates":{"EUR":', 'not valid JSON'],
    ['a page', '<html></html>', 'European Central Bank'],
    ['too much', 'x'.repeat(1_000_001), 'larger than 1 MB'],
  ])('with %s fails at once, says why, and changes no rate', async (_, answer, reason) => {
    const before = await inForce();
    const { succeeded } = await last();
    server.answer(answer);
    await expect(refresh()).rejects.toMatchObject({ cause: { message: expect.stringContaining(reason) } });
    expect(server.requests).toBe(1);
    expect(await inForce()).toEqual(before);
    expect(await last()).toMatchObject({ succeeded, failed: { reason: expect.stringContaining(reason) } });
  });

  test('of a redirecting service fails without following it', async () => {
    server.answer((response) => void response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end());
    await expect(refresh()).rejects.toThrow();
    expect((await last()).failed?.reason).toContain('redirects to another address');
  });

  test('of a service that is down for a moment is tried again', async () => {
    server.answer((response, request) => {
      if (request === 1) response.writeHead(503).end();
      else response.end(JSON.stringify({ base: 'USD', date: TODAY, rates: { EUR: 0.82 } }));
    });
    expect(await refresh()).toMatchObject({ outcome: 'updated' });
    expect(server.requests).toBe(2);
  });
});

test('without a service there is no schedule', async () => {
  await scheduleRates(cluster.client, 'another', server.url);
  const schedule = cluster.client.schedule.getHandle(ratesScheduleOf('another'));
  await expect(schedule.describe()).resolves.toMatchObject({ scheduleId: ratesScheduleOf('another') });
  await scheduleRates(cluster.client, 'another', null);
  await expect(schedule.describe()).rejects.toThrow();
  await scheduleRates(cluster.client, 'another', null);
});
