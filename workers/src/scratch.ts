import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { WorkerContext } from './context.ts';

/** Runs `work` with a folder of its own that is removed after. */
export async function withScratchFolder<T>(
  context: Pick<WorkerContext, 'scratchFolder'>,
  work: (folder: string) => Promise<T>,
): Promise<T> {
  await mkdir(context.scratchFolder, { recursive: true });
  const folder = await mkdtemp(join(context.scratchFolder, 'job-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const NAME = /^worker-(?<host>.+)-(?<pid>\d+)-[0-9a-f]{8}$/;
/** No job of a living worker lets its folder rest for so long. */
const FOREIGN_REST_MS = 24 * 3_600_000;

/** A folder for this process's files in work. Workers of several machines may share the root, so it names machine and process. */
export const scratchFolderOf = (root: string, pid = process.pid, host = hostname()): string =>
  join(root, `worker-${host}-${pid}-${randomBytes(4).toString('hex')}`);

/**
 * Removes what killed workers left under the root: folders of this machine whose process is gone, and folders of other
 * machines that nobody touched for a day. Gives their names.
 * @param own the folder of the process that asks, which stays
 */
export async function removeStaleScratch(root: string, own: string, now = Date.now()): Promise<string[]> {
  const removed: string[] = [];
  for (const name of await readdir(root).catch(() => [])) {
    const folder = join(root, name);
    const { host, pid } = NAME.exec(name)?.groups ?? {};
    if (folder === own || host === undefined) continue;
    const stale =
      host === hostname()
        ? Number(pid) === process.pid || !isAlive(Number(pid))
        : now - (await lastTouched(folder)) > FOREIGN_REST_MS;
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

/** Jobs make and remove folders in it, which touches it. */
const lastTouched = async (folder: string): Promise<number> => (await stat(folder).catch(() => null))?.mtimeMs ?? 0;
