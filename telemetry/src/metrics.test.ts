import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { databaseWaiting, outboxAge } from './metrics.ts';
import { collect } from './prometheus.ts';

test('what does not answer has no value, and the other metrics are shown in time for Prometheus', async () => {
  const ends = [outboxAge.observe(() => new Promise(() => {})), databaseWaiting.observe(() => [[20, {}]])];
  const serve = collect('test');
  const server = createServer((request, response) => serve(request, response)).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  try {
    const { port } = server.address() as AddressInfo;
    // The usual scrape_timeout.
    const answer = await fetch(`http://127.0.0.1:${port}/metrics`, { signal: AbortSignal.timeout(10_000) });
    const text = await answer.text();
    expect(text).toMatch(/^tapeline_database_waiting 20$/m);
    expect(text).not.toMatch(/^tapeline_outbox_oldest_seconds \d/m);
  } finally {
    for (const end of ends) end();
    server.close();
  }
});
