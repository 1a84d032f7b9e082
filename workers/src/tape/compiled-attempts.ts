import type { TapeAttempt } from '@tapeline/workflows/loan-tape/activities.ts';
import type { WorkerContext } from '../context.ts';
import { openAttempt } from './begin-tape.ts';
import type { CompiledMapping } from './compile/compile.ts';

/** Maximum number of attempts whose mapping is kept. A process rarely works on more tapes at a time. */
const MAX_KEPT = 4;

/**
 * The compiled mapping of each attempt at a tape. It is compiled once for all batches, because an attempt never
 * changes.
 */
export class CompiledAttempts {
  readonly #context: WorkerContext;
  /** By object prefix, ordered by last use, most recent last. */
  readonly #kept = new Map<string, Promise<CompiledMapping>>();

  constructor(context: WorkerContext) {
    this.#context = context;
  }

  async of(attempt: TapeAttempt): Promise<CompiledMapping> {
    const key = attempt.objectPrefix;
    const compiled = this.#kept.get(key) ?? this.#compile(attempt);
    this.#kept.delete(key);
    this.#kept.set(key, compiled);
    const [eldest] = this.#kept.keys();
    if (this.#kept.size > MAX_KEPT && eldest !== undefined) this.#kept.delete(eldest);
    try {
      return await compiled;
    } catch (error) {
      // Do not cache the failure: it may have been a database error, so the next call tries again.
      if (this.#kept.get(key) === compiled) this.#kept.delete(key);
      throw error;
    }
  }

  async #compile(attempt: TapeAttempt): Promise<CompiledMapping> {
    return (await openAttempt(this.#context, attempt)).compiled;
  }
}
