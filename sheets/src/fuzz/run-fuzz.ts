import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { FuzzOutcome } from './read-mutated.ts';

export interface FuzzFailure {
  readonly index: number;
  readonly what: string;
}

export interface FuzzReport {
  readonly outcomes: Readonly<Record<FuzzOutcome['outcome'], number>>;
  readonly failures: readonly FuzzFailure[];
  readonly peakBytes: number;
}

/**
 * A file without output for this long has hung the reader: it is stopped and counted as a failure. Not a speed limit.
 */
const HANGING_MS = 60_000;
/** No file may make the reader use more memory than this. */
const MAX_PEAK_BYTES = 2 ** 30;

/**
 * Reads this many mutated workbooks in a separate process. The same seed and number always give the same file.
 * @returns the outcomes; a failure is a crash, a hang, a result that neither the unchanged file nor the plain reader
 *   gives, or memory beyond 1 GiB
 */
export async function fuzzReader(seed: number, files: number): Promise<FuzzReport> {
  const outcomes = { same: 0, right: 0, refused: 0, wrong: 0, crashed: 0 };
  const failures: FuzzFailure[] = [];
  let peakBytes = 0;
  let next = 0;
  while (next < files) {
    const ended = await readFrom(seed, next, files, (found) => {
      next = found.index + 1;
      outcomes[found.outcome] += 1;
      if (found.outcome === 'wrong' || found.outcome === 'crashed') {
        failures.push({ index: found.index, what: `${found.outcome} (${found.source}): ${found.detail}` });
      } else if (found.peakBytes > MAX_PEAK_BYTES && peakBytes <= MAX_PEAK_BYTES) {
        failures.push({ index: found.index, what: `${found.source}: held ${found.peakBytes >> 20} MB` });
      }
      peakBytes = Math.max(peakBytes, found.peakBytes);
    });
    if (next < files) {
      failures.push({ index: next, what: ended });
      next += 1;
    }
  }
  return { outcomes, failures, peakBytes };
}

/** @returns how the process ended */
async function readFrom(
  seed: number,
  from: number,
  to: number,
  onOutcome: (outcome: FuzzOutcome) => void,
): Promise<string> {
  const program = new URL('read-mutated.ts', import.meta.url).pathname;
  const child = spawn(process.execPath, [program, String(seed), String(from), String(to)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let complaint = '';
  child.stderr.setEncoding('utf8').on('data', (piece: string) => {
    complaint = (complaint + piece).slice(-2000);
  });
  let isHanging = false;
  const end = (): void => {
    isHanging = true;
    child.kill('SIGKILL');
  };
  let watch = setTimeout(end, HANGING_MS);
  const exited = new Promise<string>((resolve) => {
    child.on('exit', (code, signal) => resolve(`the process ended with ${signal ?? code}: ${complaint}`));
  });
  for await (const line of createInterface({ input: child.stdout })) {
    clearTimeout(watch);
    watch = setTimeout(end, HANGING_MS);
    onOutcome(JSON.parse(line) as FuzzOutcome);
  }
  const ended = await exited;
  clearTimeout(watch);
  return isHanging ? 'hangs' : ended;
}
