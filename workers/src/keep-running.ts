import type { ChildProcess } from 'node:child_process';
import type { Logger } from 'pino';

interface Kept {
  readonly count: number;
  /** @param number from 1 to `count`. Of the processes that run at a time, each has another one. */
  start(number: number): ChildProcess;
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>;
  /** A process that ended sooner did not start properly. */
  readonly soonMs?: number;
  readonly waitMs?: number;
}

interface Running {
  /** Passes the signal on; the processes finish what they are doing. */
  stop(signal: NodeJS.Signals): void;
  /** Resolves when all processes have ended, with the code to exit with. */
  readonly ended: Promise<number>;
}

const USUAL_WAIT_MS = 1000;
const USUAL_SOON_MS = 10_000;

/**
 * Keeps a number of processes running. One that ends is started again after a moment. If one does not even start, the
 * others are stopped, so that whoever started all of them sees it.
 */
export function keepRunning({ count, start, log, soonMs = USUAL_SOON_MS, waitMs = USUAL_WAIT_MS }: Kept): Running {
  const processes = new Set<ChildProcess>();
  const waiting = new Set<NodeJS.Timeout>();
  const { promise: ended, resolve } = Promise.withResolvers<number>();
  let isStopping = false;
  let exitCode = 0;

  function endIfNoneIsLeft(): void {
    if (isStopping && processes.size === 0) resolve(exitCode);
  }

  function stop(signal: NodeJS.Signals): void {
    isStopping = true;
    for (const timer of waiting) clearTimeout(timer);
    for (const each of processes) each.kill(signal);
    endIfNoneIsLeft();
  }

  function run(number: number): void {
    const startedAt = performance.now();
    const child = start(number);
    processes.add(child);
    child.once('error', (err) => log.error({ err }, 'a worker process could not be started'));
    child.once('exit', (code, signal) => {
      processes.delete(child);
      if (isStopping) return endIfNoneIsLeft();
      if (code !== 0 && signal === null && performance.now() - startedAt < soonMs) {
        log.error({ code }, 'a worker process did not start: all are stopped');
        exitCode = code ?? 1;
        return stop('SIGTERM');
      }
      log.warn({ code, signal, pid: child.pid }, 'a worker process ended, and is started again');
      const timer = setTimeout(() => {
        waiting.delete(timer);
        run(number);
      }, waitMs);
      waiting.add(timer);
    });
  }

  for (let number = 1; number <= count; number++) run(number);
  return { stop, ended };
}
