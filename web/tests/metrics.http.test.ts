import { METRICS } from '@tapeline/telemetry/metrics.ts';
import { expect, inject, test } from 'vitest';
import { ownTenant } from './tenant.ts';

const tenant = ownTenant();

/** A name, labels whose values are quoted, and a number. */
const SAMPLE =
  /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{((?:[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\["\\n])*",?)*)\})? (-?(?:\d[\d.e+-]*|Inf)|NaN|\+Inf)$/;

/** Reads Prometheus' text format. @throws for a line, a type or a histogram that Prometheus would refuse or misread */
function readMetrics(text: string): Map<string, number> {
  if (!text.endsWith('\n')) throw new Error('the last line does not end');
  const types = new Map<string, string>();
  const samples = new Map<string, number>();
  const buckets = new Map<string, number[]>();
  for (const line of text.trimEnd().split('\n')) {
    if (/^# (HELP|UNIT) \S+ /.test(line)) continue;
    const [, typed = '', type = ''] = /^# TYPE (\S+) (counter|gauge|histogram)$/.exec(line) ?? [];
    if (typed) {
      if (types.has(typed)) throw new Error(`two types of ${typed}`);
      types.set(typed, type);
      continue;
    }
    const [, name = '', labels = '', value = ''] = SAMPLE.exec(line) ?? [];
    if (name === '') throw new Error(`not a line of the format: ${line}`);
    const series = `${name}{${labels}}`;
    if (samples.has(series)) throw new Error(`two values of ${series}`);
    samples.set(series, Number(value.replace('Inf', 'Infinity')));
    if (!types.has(name) && !types.has(name.replace(/_(bucket|sum|count)$/, ''))) throw new Error(`no type of ${name}`);
    if (!name.endsWith('_bucket')) continue;
    const [, others = '', end = ''] = /^(.*?),?le="([^"]+)",?$/.exec(labels) ?? [];
    const key = `${name.replace(/_bucket$/, '')}{${others}}`;
    const counts = buckets.get(key) ?? [];
    if (Number(value) < (counts.at(-1) ?? 0)) throw new Error(`the buckets of ${key} decrease at ${end}`);
    buckets.set(key, [...counts, Number(value)]);
  }
  for (const [key, counts] of buckets) {
    const total = samples.get(key.replace('{', '_count{'));
    if (counts.at(-1) !== total)
      throw new Error(`the last bucket of ${key} is ${counts.at(-1)} and its count ${total}`);
  }
  return samples;
}

const scrape = async () => {
  const answer = await fetch(`${inject('metricsUrls')[0]}/metrics`);
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
  expect(readMetrics(text).size).toBeGreaterThan(100);
  const broken = text.replace(/^(tapeline_disk_free_bytes) /m, '$1 =');
  expect(() => readMetrics(broken)).toThrow('not a line of the format: tapeline_disk_free_bytes =');
  expect(() => readMetrics(`${text}tapeline_unknown 1\n`)).toThrow('no type of tapeline_unknown');
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
    expect(text).toMatch(new RegExp(`^tapeline_queue_oldest_seconds\\{queue="${queue}"\\} \\d`, 'm'));
  }
  expect(text).toMatch(/^tapeline_outbox_backlog\{status="Queued"\} \d/m);
  expect(text).toMatch(/^tapeline_outbox_oldest_seconds \d/m);
  expect(text).toMatch(/^tapeline_database_duration_seconds_count\{work="read",outcome="completed"\} [1-9]/m);
  expect(text).toMatch(/^tapeline_database_connections\{state="idle"\} \d/m);
  expect(text).toMatch(/^tapeline_event_streams \d/m);
  expect(text).toMatch(/^tapeline_disk_free_bytes [1-9]/m);
  expect(text).toMatch(/^tapeline_disk_size_bytes [1-9]/m);
  expect(text).toMatch(/^tapeline_ready 1$/m);
  expect(text).toMatch(/^tapeline_failed_steps \d/m);
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
    .poll(async () => (await fetch(`${inject('metricsUrls')[0]}/readyz`)).json())
    .toEqual({ ready: true, missing: [], degraded: [] });
});
