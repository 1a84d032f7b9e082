import { fork } from 'node:child_process';
import type { PartFiles } from './publish-tape.ts';

export interface Helper {
  /** Transforms a part; one at a time. */
  transform(files: PartFiles): Promise<unknown>;
  /** Ends it. @returns its total usage, including its start */
  end(): Promise<{ cpuMs: number; peakBytes: number }>;
}

/** A second worker process, ready for parts. */
export async function startHelper(workbook: string): Promise<Helper> {
  const child = fork(new URL('helper-process.ts', import.meta.url), [workbook]);
  const answer = () =>
    new Promise<unknown>((resolve, reject) => {
      const onExit = (code: number | null) => reject(new Error(`the helper ended with ${code}`));
      child.once('exit', onExit);
      child.once('message', (message) => {
        child.off('exit', onExit);
        resolve(message);
      });
    });
  const asked = (message: PartFiles | 'end') => {
    const answered = answer();
    child.send(message);
    return answered;
  };
  await answer();
  return {
    transform: asked,
    end: () => asked('end') as Promise<{ cpuMs: number; peakBytes: number }>,
  };
}
