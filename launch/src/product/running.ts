import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Home } from '../home/home.ts';

/** The variables that a command needs to work with the copy that runs from a home. */
const SHARED = [
  'TAPELINE_HOME',
  'INSTANCE_NAME',
  'APP_SECRET',
  'DATABASE_URL',
  'DATABASE_ADMIN_URL',
  'TEMPORAL_ADDRESS',
  'TEMPORAL_NAMESPACE',
  'PORT',
  'S3_ENDPOINT',
  'S3_PUBLIC_ENDPOINT',
  'S3_REGION',
  'S3_BUCKET',
  'S3_PREFIX',
  'S3_ACCESS_KEY_ID',
  'S3_SECRET_ACCESS_KEY',
] as const;

/** Saves the running copy's addresses and secrets for commands run by the same user. */
export function noteRunning(home: Home, environment: NodeJS.ProcessEnv): void {
  const shared = Object.fromEntries(SHARED.map((name) => [name, environment[name]]));
  writeFileSync(runningFile(home), JSON.stringify(shared), { mode: 0o600 });
}

export function forgetRunning(home: Home): void {
  rmSync(runningFile(home), { force: true });
}

/** The environment variables of the copy that runs from this home. Throws if it is not ready. */
export function readRunning(home: Home): NodeJS.ProcessEnv {
  try {
    return JSON.parse(readFileSync(runningFile(home), 'utf8')) as NodeJS.ProcessEnv;
  } catch {
    throw new Error(`Tapeline is starting or stopping in ${home.folder}. Try again in a moment`);
  }
}

const runningFile = (home: Home) => join(home.run, 'running.json');
