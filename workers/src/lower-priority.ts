import { readdirSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';

/**
 * Lets this process give way to the others of its machine, as `nice` does. Linux keeps a priority for each thread: those
 * that exist already, of V8 and libuv, are lowered one by one. Threads started later inherit it.
 * @param niceness from 0 to 19, added to that of the process; the sum is at most 19, the lowest priority there is
 */
export function lowerPriority(niceness: number): void {
  if (niceness === 0) return;
  const lowered = Math.min(getPriority() + niceness, constants.priority.PRIORITY_LOW);
  const threads = process.platform === 'linux' ? readdirSync('/proc/self/task').map(Number) : [process.pid];
  for (const thread of threads) setPriority(thread, lowered);
}
