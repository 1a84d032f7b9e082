/** Runs the steps of a rehearsal one after another, and keeps their times. */
export interface Steps {
  /** Prints the step and its time. @throws what the step throws */
  step<T>(name: string, work: () => Promise<T> | T): Promise<T>;
  /** Like `step`, but the steps after it do not depend on it: a failure is only recorded. */
  attempt(name: string, work: () => Promise<void>): Promise<void>;
  /** Something worth knowing about the current step. */
  note(text: string): void;
  /** All steps with their times, and what failed. */
  table(): string;
  hasFailed(): boolean;
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`.padStart(9);

export function createSteps(say: (line: string) => void): Steps {
  const began = performance.now();
  const done: { name: string; ms: number; failure: string | null; notes: string[] }[] = [];
  let notes: string[] = [];
  const steps: Steps = {
    async step(name, work) {
      const started = performance.now();
      notes = [];
      say(`${seconds(started - began)}  ${name}`);
      try {
        const result = await work();
        done.push({ name, ms: performance.now() - started, failure: null, notes });
        return result;
      } catch (error) {
        const failure = error instanceof Error ? error.message : String(error);
        done.push({ name, ms: performance.now() - started, failure, notes });
        say(`           FAILED: ${error instanceof Error ? error.stack : error}`);
        throw error;
      }
    },
    attempt: (name, work) => steps.step(name, work).catch(() => {}),
    hasFailed: () => done.some(({ failure }) => failure !== null),
    note(text) {
      notes.push(text);
      say(`           ${text}`);
    },
    table() {
      const lines = done.map(
        ({ name, ms, failure }) => `${failure === null ? 'ok    ' : 'FAILED'} ${seconds(ms)}  ${name}`,
      );
      const failed = done.filter(({ failure }) => failure !== null).length;
      const total = `${done.length - failed} passed, ${failed} failed`;
      return ['', ...lines, `       ${seconds(performance.now() - began)}  in all`, '', total].join('\n');
    },
  };
  return steps;
}

/** @throws Error with the message unless it holds */
export function ensure(holds: boolean, message: string): asserts holds {
  if (!holds) throw new Error(message);
}
