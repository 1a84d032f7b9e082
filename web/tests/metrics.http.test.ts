import { METRICS } from '@tapeline/telemetry/metrics.ts';
import { expect, inject, test } from 'vitest';
import { ownTenant } from './tenant.ts';

const tenant = ownTenant();

const scrape = async () => {
  const answer = await fetch(`${inject('metricsUrl')}/metrics`);
  expect(answer.headers.get('content-type')).toMatch(/^text\/plain/);
  return answer.text();
};

test('metrics are served on their own port only, and show the whole installation', async () => {
  const users = '/crud/users';
  expect((await tenant.manager.get(users, { limit: 1 })).status).toBe(200);
  const missing = `/crud/funds/${'f'.repeat(24)}`;
  expect((await tenant.manager.get(missing)).status).toBe(404);
  await fetch(`${inject('productUrl')}/no/such/screen`);

  const text = await scrape();
  expect(text).toMatch(
    /^http_server_request_duration_seconds_count\{method="GET",route="\/crud\/users",status="200"\} [1-9]/m,
  );
  expect(text).toMatch(
    /^http_server_request_duration_seconds_count\{method="GET",route="\/crud\/funds\/\{id\}",status="404"\} [1-9]/m,
  );
  // Neither ids nor addresses that someone made up become labels.
  expect(text).not.toContain('f'.repeat(24));
  expect(text).not.toContain('/no/such/screen');
  for (const queue of ['workflows', 'io', 'compute', 'previews']) {
    expect(text).toMatch(new RegExp(`^tapeline_queue_workers\\{queue="${queue}"\\} [1-9]`, 'm'));
    expect(text).toMatch(new RegExp(`^tapeline_queue_backlog\\{queue="${queue}"\\} \\d`, 'm'));
  }
  expect(text).toMatch(/^tapeline_outbox_backlog\{status="Queued"\} \d/m);
  expect(text).toMatch(/^tapeline_outbox_oldest_seconds \d/m);
  expect(text).toMatch(/^tapeline_database_duration_seconds_count\{work="read",outcome="completed"\} [1-9]/m);
  expect(text).toMatch(/^tapeline_database_connections\{state="idle"\} \d/m);
  expect(text).toMatch(/^tapeline_event_streams \d/m);
  expect(text).toMatch(/^tapeline_disk_free_bytes [1-9]/m);
  expect(text).toMatch(/^tapeline_cache_bytes\{cache="results"\} \d/m);
  const known = new Set(METRICS.map(({ name }) => name));
  const shown = [...text.matchAll(/^# TYPE (\S+) /gm)].map(([, name]) => name ?? '');
  expect(shown.filter((name) => name !== 'target_info' && !known.has(name))).toEqual([]);

  // A visitor who is not signed in gets the sign-in page, as for every address that is not known.
  const onPublicPort = await fetch(`${inject('productUrl')}/metrics`);
  expect(await onPublicPort.text()).not.toContain('tapeline_disk_free_bytes');
});

test('the web process reports on its own port that it is ready', async () => {
  await expect
    .poll(async () => (await fetch(`${inject('metricsUrl')}/readyz`)).json())
    .toEqual({ ready: true, missing: [], degraded: [] });
});
