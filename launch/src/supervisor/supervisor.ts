import { setTimeout as sleep } from 'node:timers/promises';
import { forgetProcess, recordProcess } from '../processes/pid-files.ts';
import { type Child, type OnLine, startChild } from './child.ts';
import { lineForTerminal } from './log-line.ts';
import type { Command, Service } from './service.ts';

const FIRST_RESTART_MS = 250;
const LONGEST_RESTART_MS = 15_000;
/** A child that ran this long has recovered: after its next crash, the restart delay is back at its minimum. */
const STEADY_MS = 30_000;
/** How often a child can crash before it is first ready until the whole start counts as failed. */
const FALLS_BEFORE_READY = 5;

export interface Supervisor {
  /**
   * Starts the services in parallel and resolves when all are ready. Rejects with a service's last lines if it cannot
   * start.
   */
  start: (services: readonly Service[]) => Promise<void>;
  /** Stops the started services, last stage first, in parallel within each stage. Can be called more than once. */
  stop: () => Promise<void>;
  /** Kills everything at once, in no particular order (after a second Ctrl-C). */
  kill: () => void;
  /** Runs a program to completion and rejects if it fails. The program is stopped with everything else. */
  run: (name: string, command: Command, onLine?: OnLine) => Promise<void>;
  pidOf: (name: string) => number | null;
}

export interface SupervisorOptions {
  runFolder: string;
  logFolder: string;
  say: (line: string) => void;
}

/** A supervised service and its current run, if any. */
interface Kept {
  service: Service;
  child: Child | null;
  wasReady: boolean;
  falls: number;
}

/** Keeps services running. A child that ends is restarted, with a delay that grows with each crash. */
export function createSupervisor({ runFolder, logFolder, say }: SupervisorOptions): Supervisor {
  const stages: Kept[][] = [];
  const runs = new Set<Child>();
  const stopping = new AbortController();
  let stopped: Promise<void> | null = null;

  async function keep(kept: Kept, onHopeless: (error: Error) => void): Promise<void> {
    const { service } = kept;
    while (!stopping.signal.aborted) {
      const child = startChild(service.name, service.command, logFolder, (line) => {
        const shown = lineForTerminal(line);
        if (shown !== null && !stopping.signal.aborted) say(`${service.name}: ${shown}`);
      });
      kept.child = child;
      recordProcess(runFolder, {
        name: service.name,
        pid: child.pid,
        stopSignal: service.stopSignal,
        killSignal: service.killSignal,
      });
      const how = await child.ended;
      kept.child = null;
      forgetProcess(runFolder, service.name);
      if (stopping.signal.aborted) return;

      kept.falls = Date.now() - child.startedAt > STEADY_MS ? 1 : kept.falls + 1;
      if (!kept.wasReady && kept.falls >= FALLS_BEFORE_READY) {
        onHopeless(
          new Error(`${service.name} did not start (${how}). Its last lines:\n  ${child.tail().join('\n  ')}`),
        );
        return;
      }
      const waitMs = Math.min(FIRST_RESTART_MS * 2 ** (kept.falls - 1), LONGEST_RESTART_MS);
      say(`${service.name} ended (${how}); restarting in ${waitMs / 1000} s`);
      await sleep(waitMs, undefined, { signal: stopping.signal }).catch(() => {});
    }
  }

  async function bringUp(kept: Kept): Promise<void> {
    const { service } = kept;
    const hopeless = new Promise<never>((_resolve, reject) => {
      keep(kept, reject).catch(reject);
    });
    const ready = untilReady(kept, stopping.signal);
    await Promise.race([ready, hopeless]);
    kept.wasReady = true;
    // From here on, an error in the loop is a bug. Let it surface instead of leaving the child unsupervised.
    hopeless.catch((error) => {
      if (!stopping.signal.aborted) throw error;
    });
    if (stopping.signal.aborted) throw new Error(`${service.name} was stopped while it started`);
  }

  return {
    async start(services) {
      const stage = services.map((service): Kept => ({ service, child: null, wasReady: false, falls: 0 }));
      stages.push(stage);
      await Promise.all(stage.map(bringUp));
    },
    stop() {
      stopping.abort();
      stopped ??= stopAll(stages, runs);
      return stopped;
    },
    kill() {
      stopping.abort();
      for (const { service, child } of stages.flat()) child?.signal(service.killSignal);
      for (const child of runs) child.signal('SIGKILL');
    },
    async run(name, command, onLine = () => {}) {
      if (stopping.signal.aborted) throw new Error(`${name} was not started because the product is stopping`);
      const child = startChild(name, command, logFolder, onLine);
      const ender = () => child.signal('SIGTERM');
      stopping.signal.addEventListener('abort', ender, { once: true });
      runs.add(child);
      recordProcess(runFolder, { name, pid: child.pid, stopSignal: 'SIGTERM', killSignal: 'SIGKILL' });
      const how = await child.ended;
      runs.delete(child);
      forgetProcess(runFolder, name);
      stopping.signal.removeEventListener('abort', ender);
      if (how === 'exit code 0') return;
      if (stopping.signal.aborted) throw new Error(`${name} was stopped`);
      throw new Error(`${name} failed (${how}). Its last lines:\n  ${child.tail().join('\n  ')}`);
    },
    pidOf(name) {
      return stages.flat().find((kept) => kept.service.name === name)?.child?.pid ?? null;
    },
  };
}

async function untilReady(kept: Kept, stopping: AbortSignal): Promise<void> {
  const { service } = kept;
  for (const end = Date.now() + service.readyTimeoutMs; Date.now() < end; await sleep(60)) {
    if (stopping.aborted) return;
    if (kept.child !== null && (await service.isReady(kept.child))) return;
  }
  const tail = kept.child?.tail().join('\n  ') ?? '';
  throw new Error(
    `${service.name} was not ready within ${service.readyTimeoutMs / 1000} s. Its last lines:\n  ${tail}`,
  );
}

async function stopAll(stages: readonly Kept[][], runs: ReadonlySet<Child>): Promise<void> {
  await Promise.all([...runs].map(async (child) => (await endsWithin(child, 3000)) || child.signal('SIGKILL')));
  for (const stage of stages.toReversed()) await Promise.all(stage.map(stopOne));
}

async function stopOne({ service, child }: Kept): Promise<void> {
  if (child === null) return;
  child.signal(service.stopSignal);
  if (await endsWithin(child, service.stopTimeoutMs)) return;
  child.signal(service.killSignal);
  if (await endsWithin(child, 6000)) return;
  child.signal('SIGKILL');
  await endsWithin(child, 3000);
}

async function endsWithin(child: Child, waitMs: number): Promise<boolean> {
  const over = new AbortController();
  await Promise.race([child.ended, sleep(waitMs, undefined, { signal: over.signal }).catch(() => {})]);
  over.abort();
  return child.hasEnded();
}
