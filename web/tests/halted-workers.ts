import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';

/**
 * Runs `work` while all workers of the product are paused, so that jobs in progress stay in progress on any machine.
 */
export async function whileWorkersHalt<Result>(work: () => Promise<Result>): Promise<Result> {
  const runFolder = join(inject('productHome'), 'run');
  const workers = readdirSync(runFolder)
    .filter((name) => /^worker-\d+\.pid$/.test(name))
    .map((name): number => JSON.parse(readFileSync(join(runFolder, name), 'utf8')).pid);
  for (const pid of workers) process.kill(pid, 'SIGSTOP');
  try {
    return await work();
  } finally {
    for (const pid of workers) process.kill(pid, 'SIGCONT');
  }
}
