import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test, vi } from 'vitest';

const START = fileURLToPath(new URL('./start.ts', import.meta.url));

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

test('workers end when the process that started them is killed', async () => {
  const home = mkdtempSync(join(tmpdir(), 'workers-'));
  const parent = spawn(process.execPath, [START], {
    env: {
      PATH: process.env.PATH,
      NODE_ENV: 'test',
      TAPELINE_HOME: home,
      // Nothing listens there: the workers wait for it.
      DATABASE_URL: 'postgres://tapeline_app:b7c1e90d2f44@127.0.0.1:9/tapeline',
      STARTUP_WAIT_SECONDS: '3600',
      WORKER_PROCESSES: '1',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const pids = new Set<number>();
  onTestFinished(() => {
    parent.kill('SIGKILL');
    for (const pid of pids) if (isRunning(pid)) process.kill(pid, 'SIGKILL');
    rmSync(home, { recursive: true, force: true });
  });
  // It is read until the end: a process that cannot write ends as well.
  createInterface({ input: parent.stdout }).on('line', (line) => {
    const { name, pid } = JSON.parse(line) as { name: string; pid: number };
    if (name === 'worker') pids.add(pid);
  });
  await vi.waitFor(() => expect([...pids].map(isRunning)).toEqual([true]), { timeout: 300_000 });
  const ended = once(parent, 'exit');
  parent.kill('SIGKILL');
  await ended;
  await vi.waitFor(() => expect([...pids].map(isRunning)).toEqual([false]), { timeout: 300_000 });
}, 600_000);
