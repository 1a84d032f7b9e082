/** Progress of work over several tapes. */
export interface TapesRead {
  readonly done: number;
  readonly of: number;
}

interface Work {
  readonly made: Promise<unknown>;
  readonly progress: { readonly read: TapesRead };
  /** The error, until it is reported to a caller. */
  failure: { readonly error: unknown } | null;
}

/** How long a response may wait for work whose result is cached when it is done. */
export const PATIENCE_MS = 1000;

/**
 * Work that may take longer than a request should wait. It continues in the background, and callers get its progress in
 * the meantime. The work itself must store its result, which is not kept here.
 */
export class WorkInProgress {
  private readonly works = new Map<string, Work>();

  /**
   * Returns the result of the work under the key, or its progress after `patienceMs`. Starts the work if it is not in
   * progress.
   * @param begin starts the work; gets a callback that reports progress
   * @throws the error of the work, to the first caller after it failed
   */
  async ask<Result>(
    key: string,
    of: number,
    begin: (tell: (done: number) => void) => Promise<Result>,
    patienceMs = PATIENCE_MS,
  ): Promise<{ result: Result; read: null } | { result: null; read: TapesRead }> {
    const work = this.works.get(key) ?? this.begin(key, of, begin);
    if (work.failure) {
      this.works.delete(key);
      throw work.failure.error;
    }
    let timer: NodeJS.Timeout | undefined;
    const outOfPatience = new Promise<null>((resolve) => {
      timer = setTimeout(() => resolve(null), patienceMs);
    });
    try {
      const made = await Promise.race([work.made.then((result) => ({ result: result as Result })), outOfPatience]);
      return made ? { result: made.result, read: null } : { result: null, read: work.progress.read };
    } catch (error) {
      // The error is reported, so the next call starts the work again.
      this.works.delete(key);
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  private begin(key: string, of: number, begin: (tell: (done: number) => void) => Promise<unknown>): Work {
    const progress = { read: { done: 0, of } };
    const tell = (done: number) => {
      progress.read = { done, of };
    };
    const work: Work = { made: (async () => begin(tell))(), progress, failure: null };
    this.works.set(key, work);
    work.made.then(
      () => this.works.delete(key),
      (error: unknown) => {
        work.failure = { error };
      },
    );
    return work;
  }
}
