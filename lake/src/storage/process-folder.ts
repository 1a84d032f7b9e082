import { randomBytes } from 'node:crypto';
import { readdir, rm, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';

const NAME = /^(?:worker|web)-(?<host>.+)-(?<pid>\d+)-[0-9a-f]{8}$/;
/** No living process leaves its folder untouched for this long. */
const FOREIGN_IDLE_MS = 24 * 3_600_000;

/**
 * Path of a folder for the temporary files of one process. Processes of several machines may share the root, so the
 * name contains machine and process.
 */
export const processFolder = (root: string, kind: 'worker' | 'web', pid = process.pid, host = hostname()): string =>
  join(root, `${kind}-${host}-${pid}-${randomBytes(4).toString('hex')}`);

/**
 * Removes what killed processes left under the root: folders of this machine whose process is gone, and folders of
 * other machines that were untouched for a day.
 * @param own the folder of the current process, which stays
 * @returns their names
 */
export async function removeStaleFolders(root: string, own: string, now = Date.now()): Promise<string[]> {
  const removed: string[] = [];
  for (const name of await readdir(root).catch(() => [])) {
    const folder = join(root, name);
    const { host, pid } = NAME.exec(name)?.groups ?? {};
    if (folder === own || host === undefined) continue;
    const stale =
      host === hostname()
        ? Number(pid) === process.pid || !isAlive(Number(pid))
        : now - (await lastTouched(folder)) > FOREIGN_IDLE_MS;
    if (!stale) continue;
    await rm(folder, { recursive: true, force: true });
    removed.push(name);
  }
  return removed;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Creating and removing files in a folder changes its modification time. */
const lastTouched = async (folder: string): Promise<number> => (await stat(folder).catch(() => null))?.mtimeMs ?? 0;
