import { execFile } from 'node:child_process';
import { loadavg } from 'node:os';
import { promisify } from 'node:util';
import { COMPILER_FLAG } from '@tapeline/db/compilers.ts';

/** The results of one measurement in a separate process; a bench may add its own. */
export interface Measurement {
  readonly elapsedMs: number;
  /** Processor time of all its threads: comparable even if other programs use the cores. */
  readonly cpuMs: number;
  /** Peak resident memory of the process. */
  readonly peakBytes: number;
}

export interface Contender {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
}

const run = promisify(execFile);

/**
 * One of our scripts in a fresh process, so that neither warm code nor a grown heap carries over, compiled like the
 * product.
 */
export const script = (name: string, url: URL, ...args: string[]): Contender => ({
  name,
  command: process.execPath,
  args: [COMPILER_FLAG, url.pathname, ...args],
});

/** Measures all contenders in turn, `rounds` times, so that a busy machine slows each of them alike. */
export async function measureRounds<T extends Measurement>(
  contenders: readonly Contender[],
  rounds: number,
): Promise<T[][]> {
  const measured: T[][] = contenders.map(() => []);
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, { command, args }] of contenders.entries()) {
      const { stdout } = await run(command, [...args], { maxBuffer: 16 * 2 ** 20 });
      measured[index]!.push(JSON.parse(stdout) as T);
    }
  }
  return measured;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** The 95th percentile. */
export const percentile95 = (times: readonly number[]): number =>
  [...times].sort((left, right) => left - right)[Math.ceil(times.length * 0.95) - 1] ?? Number.NaN;

export const medianMs = (runs: readonly Measurement[]): number => median(runs.map((run) => run.elapsedMs));
export const medianCpuMs = (runs: readonly Measurement[]): number => median(runs.map((run) => run.cpuMs));
export const peakMb = (runs: readonly Measurement[]): number =>
  Math.round(Math.max(...runs.map((run) => run.peakBytes)) / 2 ** 20);

/** One line of a bench's table: the median, the peak, and every round. */
export function report(name: string, runs: readonly Measurement[]): void {
  const rounds = runs.map((run) => run.elapsedMs.toFixed(0)).join(', ');
  const times = `${medianMs(runs).toFixed(0).padStart(7)} ms, ${medianCpuMs(runs).toFixed(0).padStart(6)} ms of CPU`;
  say(`${name.padEnd(36)} ${times}   peak RSS ${peakMb(runs)} MB   (${rounds})`);
}

export const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** The load of the machine; above its number of cores every figure is slower than it would be on an idle machine. */
export const printLoad = (): void => say(`load average ${loadavg()[0]!.toFixed(1)}`);

/** The value of `--name=value` among the arguments. */
export const option = (name: string): string | undefined =>
  process.argv.find((argument) => argument.startsWith(`--${name}=`))?.slice(name.length + 3);
export const numberOption = (name: string, otherwise: number): number => Number(option(name) ?? otherwise);

/**
 * What a measuring process prints: its figures as JSON, with its own peak memory.
 * @param others helper processes: their processor time is added, and the largest peak of all counts
 */
export function printMeasured(
  figures: { elapsedMs: number } & Record<string, unknown>,
  ...others: readonly { cpuMs: number; peakBytes: number }[]
): void {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  const cpuMs = others.reduce((sum, other) => sum + other.cpuMs, (userCPUTime + systemCPUTime) / 1000);
  say(
    JSON.stringify({ cpuMs, peakBytes: Math.max(maxRSS * 1024, ...others.map((each) => each.peakBytes)), ...figures }),
  );
}
