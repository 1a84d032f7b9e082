import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const WORKER = fileURLToPath(new URL('../../../workers/src/main.ts', import.meta.url));
/** Ticks a second of the kernel's processor times. */
const TICKS = 100;

/** A worker process as the product runs it. */
export interface WorkerProcess {
  readonly pid: number;
  /** Processor time of all its threads so far. */
  cpuMs(): number;
  /** Peak resident memory so far. */
  peakBytes(): number;
  end(): Promise<void>;
}

/** Starts one that computes on one core and takes these kinds of work; resolves once it polls. */
export async function startWorker(variables: NodeJS.ProcessEnv, queues: string): Promise<WorkerProcess> {
  const child = spawn(process.execPath, [WORKER], {
    env: { ...variables, WORKER_QUEUES: queues, WORKER_PROCESSES: String(availableParallelism()), LOG_LEVEL: 'info' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  // The workers are stopped however the bench ends.
  const endWithUs = () => void child.kill('SIGKILL');
  process.once('exit', endWithUs);
  void gone.then(() => process.off('exit', endWithUs));
  await new Promise<void>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (line.includes('"msg":"worker polls"')) resolve();
    });
    void gone.then(() => reject(new Error('the worker ended before it polled')));
  });
  const kernel = (file: string) => readFileSync(`/proc/${child.pid}/${file}`, 'utf8');
  return {
    pid: child.pid ?? 0,
    cpuMs() {
      // The 14th and 15th field; the name before them may contain spaces.
      const fields = kernel('stat').split(') ')[1]!.split(' ');
      return ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS;
    },
    peakBytes: () => Number(/VmHWM:\s+(\d+) kB/.exec(kernel('status'))?.[1]) * 1024,
    async end() {
      child.kill('SIGTERM');
      await gone;
    },
  };
}
