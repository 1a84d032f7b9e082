import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { lives, processIdentity } from './identity.ts';

/** A child as its pid file states it; `stopSignal` ends it in good order. */
export interface RecordedProcess {
  name: string;
  pid: number;
  identity: string;
  stopSignal: NodeJS.Signals;
  /** The last resort. PostgreSQL takes SIGQUIT, which also ends its own children; all else SIGKILL. */
  killSignal: NodeJS.Signals;
}

/** Writes the child's pid file at once (synchronously), so that hardly any moment exists in which an orphan is unknown. */
export function recordProcess(runFolder: string, child: Omit<RecordedProcess, 'identity'>): void {
  const identity = processIdentity(child.pid);
  if (identity === null) return;
  mkdirSync(runFolder, { recursive: true });
  const file = pidFile(runFolder, child.name);
  writeFileSync(`${file}.new`, JSON.stringify({ ...child, identity }));
  renameSync(`${file}.new`, file);
}

export function forgetProcess(runFolder: string, name: string): void {
  rmSync(pidFile(runFolder, name), { force: true });
}

/** Every recorded process that still lives as the very run that was recorded. */
export function livingProcesses(runFolder: string): RecordedProcess[] {
  const found: RecordedProcess[] = [];
  for (const file of pidFilesIn(runFolder)) {
    const recorded = readRecord(file);
    if (recorded !== null && lives(recorded.pid, recorded.identity)) found.push(recorded);
  }
  return found;
}

/**
 * Ends what a killed parent left running, each with its own stop signal and after `graceMs` with its last resort, and
 * clears all pid files. Only the holder of the home's lock may call this. Answers what was ended.
 */
export async function endOrphans(runFolder: string, graceMs = 4000): Promise<RecordedProcess[]> {
  const orphans = livingProcesses(runFolder);
  await Promise.all(orphans.map((orphan) => endProcess(orphan, graceMs)));
  for (const file of pidFilesIn(runFolder)) rmSync(file, { force: true });
  return orphans;
}

/** Ends one process and waits until it is gone; throws when not even the last resort helps. */
export async function endProcess(target: Omit<RecordedProcess, 'name'>, graceMs: number): Promise<void> {
  signal(target.pid, target.stopSignal);
  if (await gone(target, graceMs)) return;
  signal(target.pid, target.killSignal);
  if (await gone(target, 6000)) return;
  signal(target.pid, 'SIGKILL');
  if (!(await gone(target, 3000)))
    throw new Error(`process ${target.pid} does not end; end it by hand and start again`);
}

async function gone(target: { pid: number; identity: string }, waitMs: number): Promise<boolean> {
  for (const end = Date.now() + waitMs; Date.now() < end; await sleep(50)) {
    if (!lives(target.pid, target.identity)) return true;
  }
  return !lives(target.pid, target.identity);
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

function pidFilesIn(runFolder: string): string[] {
  try {
    return readdirSync(runFolder)
      .filter((name) => name.endsWith('.pid'))
      .map((name) => join(runFolder, name));
  } catch {
    return [];
  }
}

function readRecord(file: string): RecordedProcess | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as RecordedProcess;
  } catch {
    return null;
  }
}

const pidFile = (runFolder: string, name: string) => join(runFolder, `${name}.pid`);
