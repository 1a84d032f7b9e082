import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Home } from '../home/home.ts';

/** What a command needs to work with the copy that runs from a home. */
const SHARED = [
  'TAPELINE_HOME',
  'INSTANCE_NAME',
  'APP_SECRET',
  'DATABASE_URL',
  'DATABASE_ADMIN_URL',
  'TEMPORAL_ADDRESS',
  'TEMPORAL_NAMESPACE',
  'PORT',
] as const;

/** Leaves the running copy's addresses and secrets for commands of the same user. */
export function noteRunning(home: Home, environment: NodeJS.ProcessEnv): void {
  const shared = Object.fromEntries(SHARED.map((name) => [name, environment[name]]));
  writeFileSync(runningFile(home), JSON.stringify(shared), { mode: 0o600 });
}

export function forgetRunning(home: Home): void {
  rmSync(runningFile(home), { force: true });
}

/** The variables of the copy that runs from this home; throws while it is not ready. */
export function readRunning(home: Home): NodeJS.ProcessEnv {
  try {
    return JSON.parse(readFileSync(runningFile(home), 'utf8')) as NodeJS.ProcessEnv;
  } catch {
    throw new Error(`Tapeline is just starting or stopping in ${home.folder}: try again when it is ready`);
  }
}

const runningFile = (home: Home) => join(home.run, 'running.json');
