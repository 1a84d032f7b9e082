import { availableParallelism, totalmem } from 'node:os';
import type { DuckDBConnection } from '@duckdb/node-api';
import { isRefusal, Refusal } from '@tapeline/domain/errors/refusal.ts';

/** Limits of one job. Beyond them only that job fails, once. */
export interface JobLimits {
  /** Its name at the beginning of a sentence: "The preview". */
  readonly what: string;
  readonly seconds: number;
  /** What to do about a job that takes too long or too much memory, if it is not the usual. */
  readonly advice?: string;
  /** Aborts if the activity is cancelled or timed out. */
  readonly signal: AbortSignal;
}

/** Repeated until a statement notices: an interrupt between two statements is lost. */
const INTERRUPT_EVERY_MS = 50;

/**
 * Runs a job's work on DuckDB, and interrupts DuckDB if the job is cancelled or its time is over.
 * @param work receives a function that watches a connection, and returns one that must be called before it is closed; and
 *   a signal that aborts when the work is to end
 * @throws Refusal if the job takes too long or too much memory; the signal's reason if it is cancelled
 */
export async function withinLimits<T>(
  { what, seconds, advice = ADVICE, signal }: JobLimits,
  work: (watch: (connection: DuckDBConnection) => () => void, stop: AbortSignal) => Promise<T>,
): Promise<T> {
  const connections = new Set<DuckDBConnection>();
  const late = AbortSignal.timeout(seconds * 1000);
  const stop = AbortSignal.any([signal, late]);
  let repeating: NodeJS.Timeout | undefined;
  const interrupt = () => {
    for (const connection of connections) connection.interrupt();
  };
  const begin = () => {
    interrupt();
    repeating = setInterval(interrupt, INTERRUPT_EVERY_MS);
  };
  stop.addEventListener('abort', begin, { once: true });
  try {
    signal.throwIfAborted();
    return await work((connection) => {
      connections.add(connection);
      return () => connections.delete(connection);
    }, stop);
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (isRefusal(error)) throw error;
    if (late.aborted) {
      throw new Refusal('badRequest', `${what} took longer than ${inWords(seconds)} and was stopped. ${advice}`, {
        cause: error,
      });
    }
    if (isOutOfMemory(error)) {
      throw new Refusal('badRequest', `${what} needs more memory than a job can use. ${advice}`, { cause: error });
    }
    throw error;
  } finally {
    stop.removeEventListener('abort', begin);
    clearInterval(repeating);
  }
}

const ADVICE = 'Use fewer rules or shorter texts, or split the file.';

const inWords = (seconds: number): string => (seconds < 120 ? `${seconds} seconds` : `${seconds / 60} minutes`);

/** DuckDB has reached its memory limit and its limit on disk, or has no disk to spill to. */
const isOutOfMemory = (error: unknown): boolean =>
  error instanceof Error &&
  /^Out of Memory Error|failed to (?:offload|allocate|pin)|max_temp_directory_size/i.test(error.message);

/** Share of the machine's memory; the rest is for what DuckDB does not count, and for everything else. */
const SHARE = 0.5;
const LEAST_BYTES = 512 * 2 ** 20;
const MAX_BYTES = 8 * 2 ** 30;

/**
 * DuckDB's memory limit for one job in bytes, so that all jobs of all processes fit the machine.
 * @param budget the operator's own limit, in bytes
 */
export function jobMemory(processes: number, jobs: number, budget: number | null = null): number {
  if (budget !== null) return budget;
  return Math.min(MAX_BYTES, Math.max(LEAST_BYTES, (machineMemory() * SHARE) / processes / jobs));
}

/** Memory that this machine, or the container that the process runs in, has, in bytes. */
export const machineMemory = (): number =>
  Math.min(process.constrainedMemory() || Number.POSITIVE_INFINITY, totalmem());

/** Computing jobs that run at once in a process: the processes of a machine share its cores. */
export const computeSlots = (processes: number): number => Math.max(1, Math.floor(availableParallelism() / processes));
