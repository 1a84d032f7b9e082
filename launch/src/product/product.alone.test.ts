import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, inject, test } from 'vitest';
import { livingProcesses } from '../processes/pid-files.ts';

const runFolder = () => join(inject('productHome'), 'run');
const pidOf = (name: string) => livingProcesses(runFolder()).find((found) => found.name === name)?.pid;

/** Waits until the child runs as a new process and the product is ready again. */
async function untilBack(name: string, before: number): Promise<void> {
  for (const end = Date.now() + 180_000; Date.now() < end; await sleep(200)) {
    const pid = pidOf(name);
    if (pid === undefined || pid === before) continue;
    const answer = await fetch(`${inject('productUrl')}/readyz`).catch(() => null);
    if (answer?.status === 200) return;
  }
  throw new Error(`${name} did not come back within three minutes`);
}

test('the product answers that it lives and is ready', async () => {
  for (const path of ['/healthz', '/readyz']) {
    expect((await fetch(`${inject('productUrl')}${path}`)).status, path).toBe(200);
  }
});

test.each(['worker-1', 'web', 'temporal', 'postgres'])(
  'killed, %s comes back by itself and the product is ready again',
  async (name) => {
    const before = pidOf(name);
    expect(before).toBeDefined();
    process.kill(before!, 'SIGKILL');
    await untilBack(name, before!);
  },
);

test('the running copy leaves its addresses for commands of the same user', () => {
  const running = JSON.parse(readFileSync(join(runFolder(), 'running.json'), 'utf8')) as Record<string, string>;
  expect(running.DATABASE_URL).toContain('tapeline_app');
  expect(running.INSTANCE_NAME).toMatch(/^tapeline-[0-9a-f]{8}$/);
  expect(inject('productUrl')).toBe(`http://localhost:${running.PORT}`);
});
