import { readdirSync, readFileSync } from 'node:fs';

/** All processes of this machine, found through /proc. */
export const processNumbers = (): number[] => readdirSync('/proc').map(Number).filter(Number.isInteger);

/** The child processes of a process. */
export function childrenOf(parent: number): number[] {
  return processNumbers().filter((pid) => {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) === parent;
    } catch {
      // It has ended.
      return false;
    }
  });
}
