import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';

const EVERY_MS = 25;

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
