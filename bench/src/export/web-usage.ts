import { readFile, writeFile } from 'node:fs/promises';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';

/** Units in which Linux counts processor time. */
const TICK_MS = 10;
const EVERY_MS = 25;

/** Processor time of a process so far, of all its threads. */
export async function cpuMsOf(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  const [user, system] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13);
  return (Number(user) + Number(system)) * TICK_MS;
}

/** Resident memory of a process: now, and the peak since `forgetPeak`. */
export async function memoryOf(pid: number): Promise<{ bytes: number; peakBytes: number }> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const kilobytes = (name: string): number => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]);
  return { bytes: kilobytes('VmRSS') * 1024, peakBytes: kilobytes('VmHWM') * 1024 };
}
export const forgetPeak = (pid: number): Promise<void> => writeFile(`/proc/${pid}/clear_refs`, '5');

/** Sends the smallest request to the server repeatedly until stopped, and records how long each response took. */
export function askMeanwhile(url: string): { stop(): Promise<number[]> } {
  const times: number[] = [];
  let isOver = false;
  const asking = (async () => {
    while (!isOver) {
      const asked = performance.now();
      await (await fetch(`${url}/healthz`)).arrayBuffer();
      times.push(performance.now() - asked);
      await sleep(EVERY_MS);
    }
  })();
  return {
    async stop() {
      isOver = true;
      await asking;
      return times.sort((left, right) => left - right);
    },
  };
}
