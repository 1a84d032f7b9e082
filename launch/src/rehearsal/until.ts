import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Repeats the question until it has an answer.
 * @param ask returns null, or throws, as long as it has none
 * @throws with the last error if it has none in time
 */
export async function until<T>(what: string, ask: () => Promise<T | null>, timeoutMs = 300_000): Promise<T> {
  let last: unknown = 'no answer';
  for (const end = Date.now() + timeoutMs; Date.now() < end; await sleep(200)) {
    try {
      const answer = await ask();
      if (answer !== null) return answer;
    } catch (error) {
      last = error;
    }
  }
  throw new Error(`${what}: not within ${timeoutMs / 1000} s (${last instanceof Error ? last.message : last})`);
}
