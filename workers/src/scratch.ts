import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { WorkerContext } from './context.ts';

/** Runs `work` with a temporary folder that is removed afterwards. */
export async function withScratchFolder<T>(
  context: Pick<WorkerContext, 'scratchFolder'>,
  work: (folder: string) => Promise<T>,
): Promise<T> {
  await mkdir(context.scratchFolder, { recursive: true, mode: 0o700 });
  const folder = await mkdtemp(join(context.scratchFolder, 'job-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
