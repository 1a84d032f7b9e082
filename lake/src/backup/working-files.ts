import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** What a killed process has left is removed once it is this old: longer than any run takes. */
export const LEFT_MS = 2 * 24 * 3_600_000;

// `making-` is of earlier versions.
const MADE_BY_US = /^(making|opened|restore-test)-/;
const cleanups: (() => Promise<unknown>)[] = [];

async function endInterrupted(signal: 'SIGINT' | 'SIGTERM'): Promise<void> {
  for (const cleanup of cleanups.toReversed()) await cleanup().catch(() => {});
  process.exit(signal === 'SIGINT' ? 130 : 143);
}

/** Does something and cleans up after it, whatever happens: also if the command is interrupted (SIGINT, SIGTERM). */
export async function cleanedUp<Result>(cleanup: () => Promise<unknown>, work: () => Promise<Result>): Promise<Result> {
  if (cleanups.length === 0) for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, endInterrupted);
  cleanups.push(cleanup);
  try {
    return await work();
  } finally {
    await cleanup();
    cleanups.splice(cleanups.indexOf(cleanup), 1);
    if (cleanups.length === 0) for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, endInterrupted);
  }
}

/**
 * Does something in a new folder of `work`, which is removed afterwards: what is in it is not encrypted. Removes what killed
 * processes have left there, too.
 */
export async function inFolder<Result>(
  work: string,
  kind: 'opened' | 'restore-test',
  use: (folder: string) => Promise<Result>,
  now = Date.now(),
): Promise<Result> {
  for (const name of await readdir(work)) {
    if (!MADE_BY_US.test(name)) continue;
    const found = await stat(join(work, name)).catch(() => null);
    if (found && found.mtimeMs < now - LEFT_MS) await rm(join(work, name), { recursive: true, force: true });
  }
  const folder = await mkdtemp(join(work, `${kind}-`));
  // A file that is written meanwhile makes the removal start again.
  return cleanedUp(
    () => rm(folder, { recursive: true, force: true, maxRetries: 10 }),
    () => use(folder),
  );
}
