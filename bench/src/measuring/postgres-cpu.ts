import { childrenOf, cpuMsOf } from '@tapeline/launch/processes/usage.ts';

/** Processor time so far of each of PostgreSQL's processes that live; those of a pool live on while they are called. */
export function postgresCpu(pid: number): ReadonlyMap<number, number> {
  const used = new Map<number, number>();
  for (const each of [pid, ...childrenOf(pid)]) {
    try {
      used.set(each, cpuMsOf(each));
    } catch {
      // It has ended.
    }
  }
  return used;
}

/** What the processes that still live used since an earlier moment. */
export const usedSince = (before: ReadonlyMap<number, number>, after: ReadonlyMap<number, number>): number =>
  [...after].reduce((sum, [pid, ms]) => sum + ms - (before.get(pid) ?? 0), 0);
