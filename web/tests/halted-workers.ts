import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';

/** Does something while no worker of the product does anything: what is in work stays in work, however fast the machine. */
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
