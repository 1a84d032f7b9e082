import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { processIdentity } from '../processes/identity.ts';

/** Who holds a home, written beside the lock for those who find it taken. */
export interface Holder {
  pid: number;
  state: 'starting' | 'running' | 'stopping';
  /** The process that started the holder, which stops when that one is gone. */
  launcherPid: number;
  launcherIdentity: string | null;
  /** Where the product answers, once it does. */
  url: string | null;
}

export interface HomeLock {
  note: (change: Partial<Pick<Holder, 'state' | 'url'>>) => void;
  release: () => void;
}

/** Another live process has the home. */
export class HomeTaken extends Error {}

/** A holder that is on its way out is waited for this long. */
const LEAVING_MS = 25_000;

/**
 * Takes the home for this process alone. The lock is the operating system's (an SQLite file held in exclusive mode): it
 * ends with the process however that dies, so a stale lock cannot exist and two starters in the same moment cannot both
 * win. Throws HomeTaken, naming the holder, when another live process has it; waits for one that is just stopping.
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

/** Who holds the home at present, as far as the note tells. */
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
