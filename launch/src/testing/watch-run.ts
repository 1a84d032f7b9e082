/** Runs alongside a test run and stops its processes if the run ends without doing so itself. See guard-run.ts. */
import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { lives } from '../processes/identity.ts';
import { endOrphans } from '../processes/pid-files.ts';
import { markedProcesses, type WatchedRun } from './marked-processes.ts';

const CHECK_EVERY_MS = 500;
/** How long a run can take to shut down gracefully after its parent process is gone. */
const GRACE_MS = 20_000;

const run = JSON.parse(process.argv[2] ?? '') as WatchedRun;
// The guard must outlive signals that end the run's whole process group, such as Ctrl-C.
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
  // Stop PostgreSQL gracefully, so that it frees its shared memory. Kill everything else immediately.
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
    // The process is already gone, or it belongs to another user and is not ours to kill.
  }
}

if (run.startedBy) {
  const { pid, identity } = run.startedBy;
  while (identity !== null && lives(pid, identity)) await sleep(CHECK_EVERY_MS);
  kill(run.pid, 'SIGTERM');
  await sleep(GRACE_MS);
  kill(run.pid, 'SIGKILL');
}
