/** Beside a test run: ends what it started when it ends without having done so itself. See guard-run.ts. */
import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { lives } from '../processes/identity.ts';
import { endOrphans } from '../processes/pid-files.ts';
import { markedProcesses, type RunToMind } from './marked-processes.ts';

const LOOKED_AFTER_MS = 500;
/** A run whose starter is gone is given this long to end in order. */
const GRACE_MS = 20_000;

const run = JSON.parse(process.argv[2] ?? '') as RunToMind;
// What ends the run's whole group, such as Ctrl-C, is the very thing to outlive.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});

let said = '';
process.stdin.setEncoding('utf8').on('data', (text) => {
  said += text;
});
process.stdin.on('end', async () => {
  if (said !== 'released') await clearUp();
  process.exit(0);
});

async function clearUp(): Promise<void> {
  // PostgreSQL in good order, so that it takes its shared memory along; the rest at once.
  await endOrphans(run.runFolder).catch(() => []);
  for (let round = 0; round < 20; round += 1) {
    const left = markedProcesses(run.mark);
    if (left.length === 0) break;
    for (const pid of left) kill(pid, 'SIGKILL');
    await sleep(200);
  }
  rmSync(run.folder, { recursive: true, force: true, maxRetries: 5 });
}

function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // Gone already, or of another user: then it is not ours to end.
  }
}

if (run.startedBy) {
  const { pid, identity } = run.startedBy;
  while (identity !== null && lives(pid, identity)) await sleep(LOOKED_AFTER_MS);
  kill(run.pid, 'SIGTERM');
  await sleep(GRACE_MS);
  kill(run.pid, 'SIGKILL');
}
