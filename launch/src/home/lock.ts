import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { processIdentity } from '../processes/identity.ts';

/** The process that holds a home, recorded next to the lock for other processes that try to take it. */
export interface Holder {
  pid: number;
  state: 'starting' | 'running' | 'stopping';
  /** The process that started the holder. The holder stops when that process is gone. */
  launcherPid: number;
  launcherIdentity: string | null;
  /** The product's URL once it is ready. */
  url: string | null;
}

export interface HomeLock {
  note: (change: Partial<Pick<Holder, 'state' | 'url'>>) => void;
  release: () => void;
}

/** Thrown when another running process holds the home. */
export class HomeTaken extends Error {}

/** How long to wait for a holder that is stopping. */
const LEAVING_MS = 25_000;

/**
 * Acquires the home exclusively for this process. The lock belongs to the operating system (an SQLite file in exclusive
 * mode). It is released when the process ends in any way, so there are no stale locks, and two processes that start at
 * the same moment cannot both acquire it. Waits for a holder that is stopping.
 * @throws HomeTaken, naming the holder, if another running process holds the home
 */
export async function lockHome(home: string): Promise<HomeLock> {
  const runFolder = join(home, 'run');
  mkdirSync(runFolder, { recursive: true });
  const holderFile = join(runFolder, 'holder.json');
  for (const end = Date.now() + LEAVING_MS; ; await sleep(150)) {
    const database = tryLock(join(runFolder, 'lock.sqlite'));
    if (database !== null) return hold(database, holderFile);
    const holder = readHolder(holderFile);
    if (holder === null || !isLeaving(holder) || Date.now() > end) throw takenError(home, holder);
  }
}

/** The current holder of the home, if its record is readable. */
export function readHolder(holderFile: string): Holder | null {
  try {
    return JSON.parse(readFileSync(holderFile, 'utf8')) as Holder;
  } catch {
    return null;
  }
}

function tryLock(file: string): DatabaseSync | null {
  const database = new DatabaseSync(file);
  try {
    database.exec('PRAGMA busy_timeout = 0; PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE');
    return database;
  } catch (error) {
    database.close();
    if (/locked|busy/i.test(String(error))) return null;
    throw error;
  }
}

function hold(database: DatabaseSync, holderFile: string): HomeLock {
  let holder: Holder = {
    pid: process.pid,
    state: 'starting',
    launcherPid: process.ppid,
    launcherIdentity: processIdentity(process.ppid),
    url: null,
  };
  const note: HomeLock['note'] = (change) => {
    holder = { ...holder, ...change };
    writeFileSync(`${holderFile}.new`, JSON.stringify(holder));
    renameSync(`${holderFile}.new`, holderFile);
  };
  note({});
  return { note, release: () => database.close() };
}

function isLeaving(holder: Holder): boolean {
  return holder.state === 'stopping' || processIdentity(holder.launcherPid) !== holder.launcherIdentity;
}

function takenError(home: string, holder: Holder | null): HomeTaken {
  const who = holder === null ? 'another process' : `process ${holder.pid}`;
  const where = holder?.url ? ` at ${holder.url}` : '';
  return new HomeTaken(
    `Tapeline already runs from ${home} (${who}${where}). Stop it first, or set TAPELINE_HOME to another folder to run a second copy`,
  );
}
