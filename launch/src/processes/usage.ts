import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

/** Units in which Linux counts processor time. */
const TICK_MS = 10;

/** The fields of /proc/PID/stat from the state on: the name before it may contain spaces and parentheses. */
export function statOf(pid: number): string[] {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

/** All processes of this machine, found through /proc. Empty on systems without it. */
export function processNumbers(): number[] {
  try {
    return readdirSync('/proc').map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
}

export function childrenOf(parent: number): number[] {
  return processNumbers().filter((pid) => {
    try {
      return Number(statOf(pid)[1]) === parent;
    } catch {
      // It has ended.
      return false;
    }
  });
}

/** Processor time of a process so far, of all its threads, in milliseconds. Throws if it has ended. */
export function cpuMsOf(pid: number): number {
  const [user, system] = statOf(pid).slice(11, 13);
  return (Number(user) + Number(system)) * TICK_MS;
}

/** Resident memory of a process: now, and the peak since its start or `forgetPeak`. */
export function memoryOf(pid: number): { bytes: number; peakBytes: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const kilobytes = (name: string): number => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]);
  return { bytes: kilobytes('VmRSS') * 1024, peakBytes: kilobytes('VmHWM') * 1024 };
}

export const forgetPeak = (pid: number): void => writeFileSync(`/proc/${pid}/clear_refs`, '5');
