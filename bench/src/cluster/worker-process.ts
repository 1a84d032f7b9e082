import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { createInterface } from 'node:readline';
import { cpuMsOf, memoryOf } from '@tapeline/launch/processes/usage.ts';
import { programsOf } from '@tapeline/launch/product/programs.ts';
import { ROOT } from '@tapeline/launch/testing/throwaway-product.ts';

const WORKER = programsOf(ROOT).worker;

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
  const pid = child.pid ?? 0;
  return {
    pid,
    cpuMs: () => cpuMsOf(pid),
    peakBytes: () => memoryOf(pid).peakBytes,
    async end() {
      child.kill('SIGTERM');
      await gone;
    },
  };
}
