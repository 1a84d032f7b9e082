import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { lives, processIdentity } from './identity.ts';

/** A child as recorded in its pid file. `stopSignal` stops it gracefully. */
export interface RecordedProcess {
  name: string;
  pid: number;
  identity: string;
  stopSignal: NodeJS.Signals;
  /**
   * Sent if the stop signal does not work. SIGQUIT for PostgreSQL, because it also stops its child processes. SIGKILL
   * for all others.
   */
  killSignal: NodeJS.Signals;
}

/**
 * Writes the child's pid file immediately (synchronously), to minimize the time in which an orphan would go unrecorded.
 */
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

/** All recorded processes that are still running. A process that reuses a recorded process ID is not included. */
export function livingProcesses(runFolder: string): RecordedProcess[] {
  const found: RecordedProcess[] = [];
  for (const file of pidFilesIn(runFolder)) {
    const recorded = readRecord(file);
    if (recorded !== null && lives(recorded.pid, recorded.identity)) found.push(recorded);
  }
  return found;
}

/**
 * Stops the processes that a killed parent left running, each with its own stop signal and, after `graceMs`, its kill
 * signal. Then removes all pid files. Only the holder of the home's lock can call this. Returns the processes that it
 * stopped.
 */
export async function endOrphans(runFolder: string, graceMs = 4000): Promise<RecordedProcess[]> {
  const orphans = livingProcesses(runFolder);
  await Promise.all(orphans.map((orphan) => endProcess(orphan, graceMs)));
  for (const file of pidFilesIn(runFolder)) rmSync(file, { force: true });
  return orphans;
}

/** Stops one process and waits until it is gone. Throws if even SIGKILL does not work. */
export async function endProcess(target: Omit<RecordedProcess, 'name'>, graceMs: number): Promise<void> {
  signal(target.pid, target.stopSignal);
  if (await gone(target, graceMs)) return;
  signal(target.pid, target.killSignal);
  if (await gone(target, 6000)) return;
  signal(target.pid, 'SIGKILL');
  if (!(await gone(target, 3000)))
    throw new Error(`process ${target.pid} did not stop; stop it manually and start again`);
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
