import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { processIdentity } from '../processes/identity.ts';
import { RUN_MARK, type WatchedRun } from './marked-processes.ts';

const PROGRAM = fileURLToPath(new URL('watch-run.ts', import.meta.url));

export interface RunGuard {
  /** Call when the run has ended normally and cleaned up after itself, so that nothing is left to guard. */
  release: () => void;
}

/**
 * Starts a guard process that outlives this one. If this process ends without calling `release` (for example, killed
 * after it hung), the guard ends all its descendants and removes the folder. Marks this process's environment, which
 * its descendants inherit.
 * @param folder the run's files, deleted afterwards
 * @param runFolder where the supervisor of the run's services records their processes
 */
export function guardRun({ folder, runFolder }: { folder: string; runFolder: string }): RunGuard {
  const { [RUN_MARK]: _, ...environment } = process.env;
  const mark = randomUUID();
  process.env[RUN_MARK] = mark;
  const starter = Number(process.env.TEST_RUNNER_PID);
  const startedBy = starter > 0 ? { pid: starter, identity: processIdentity(starter) } : null;
  const run: WatchedRun = { mark, folder, runFolder, pid: process.pid, startedBy };
  const guard = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', PROGRAM, JSON.stringify(run)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
    env: environment,
  });
  // The guard can exit before this process does. Nothing depends on it.
  guard.on('error', () => {});
  guard.stdin.on('error', () => {});
  guard.unref();
  (guard.stdin as Socket).unref();
  return { release: () => guard.stdin.end('released') };
}
