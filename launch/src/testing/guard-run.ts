import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { processIdentity } from '../processes/identity.ts';
import { RUN_MARK, type RunToMind } from './marked-processes.ts';

const PROGRAM = fileURLToPath(new URL('mind-run.ts', import.meta.url));

export interface RunGuard {
  /** The run has ended in order and taken its own things away: nothing is left to mind. */
  release: () => void;
}

/**
 * Sets a process beside this one that outlives it: should this one end without `release` (killed, hung and killed), every process it
 * started, and those started by them, are ended, and the folder is removed. Marks this process's environment, which they inherit.
 * @param folder what the run stores, thrown away
 * @param runFolder where the supervisor of its services notes their processes
 */
export function guardRun({ folder, runFolder }: { folder: string; runFolder: string }): RunGuard {
  const { [RUN_MARK]: _, ...environment } = process.env;
  const mark = randomUUID();
  process.env[RUN_MARK] = mark;
  const starter = Number(process.env.TEST_RUNNER_PID);
  const startedBy = starter > 0 ? { pid: starter, identity: processIdentity(starter) } : null;
  const run: RunToMind = { mark, folder, runFolder, pid: process.pid, startedBy };
  const guard = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', PROGRAM, JSON.stringify(run)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
    env: environment,
  });
  // The guard may be gone before this process is; nothing waits for it.
  guard.on('error', () => {});
  guard.stdin.on('error', () => {});
  guard.unref();
  (guard.stdin as Socket).unref();
  return { release: () => guard.stdin.end('released') };
}
