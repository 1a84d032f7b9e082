import { join } from 'node:path';
import type { Command, Service } from '../supervisor/service.ts';

/** The product's own programs. Each is a TypeScript file that Node runs directly. */
export interface Programs {
  migrate: string;
  /** Seeds what every installation needs. */
  seed: string;
  seedDemonstration: string;
  worker: string;
  web: string;
  /** Uploads the demonstration's tapes over HTTP, and all that builds on them. */
  loadDemonstration: string;
}

export function programsOf(root: string): Programs {
  return {
    migrate: join(root, 'db/src/commands/migrate.ts'),
    seed: join(root, 'lake/src/commands/seed.ts'),
    seedDemonstration: join(root, 'demonstration/src/seed.ts'),
    worker: join(root, 'workers/src/main.ts'),
    web: join(root, 'web/server.ts'),
    loadDemonstration: join(root, 'demonstration/src/load.ts'),
  };
}

export function nodeCommand(
  root: string,
  program: string,
  environment: NodeJS.ProcessEnv,
  args: string[] = [],
): Command {
  return { executable: process.execPath, args: [program, ...args], folder: root, environment, followsSupervisor: true };
}

/**
 * One worker process. The web app's /readyz reports when Temporal sees it polling. Here it only has to keep running.
 */
export function workerService(number: number, command: Command): Service {
  return {
    name: `worker-${number}`,
    command,
    isReady: async (run) => Date.now() - run.startedAt > 1000,
    readyTimeoutMs: 60_000,
    stopSignal: 'SIGTERM',
    killSignal: 'SIGKILL',
    stopTimeoutMs: 6000,
  };
}

export function webService(url: string, command: Command): Service {
  return {
    name: 'web',
    command,
    isReady: async () => (await ask(`${url}/healthz`)).ok,
    readyTimeoutMs: 120_000,
    stopSignal: 'SIGTERM',
    killSignal: 'SIGKILL',
    stopTimeoutMs: 5000,
  };
}

/** The response from the URL. If there is none, `text` is the reason. */
export async function ask(url: string): Promise<{ ok: boolean; text: string }> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(5000) });
    return { ok: response.ok, text: await response.text() };
  } catch (error) {
    return { ok: false, text: error instanceof Error ? error.message : String(error) };
  }
}
