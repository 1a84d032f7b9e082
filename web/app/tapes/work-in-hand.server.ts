/** How far work over several tapes is. */
export interface TapesRead {
  readonly done: number;
  readonly of: number;
}

interface Work {
  readonly made: Promise<unknown>;
  readonly progress: { readonly read: TapesRead };
  /** What it failed with, until somebody is told. */
  failure: { readonly error: unknown } | null;
}

/** How long an answer may wait for work that is kept when it is done. */
export const PATIENCE_MS = 1000;

/**
 * Work that may take longer than anybody waits for an answer: it goes on by itself, and who asks meanwhile is told how far it
 * is. Where results are kept is up to the work: a result that was made is not held here.
 */
export class WorkInHand {
  private readonly works = new Map<string, Work>();

  /**
   * The result of the work under the key, or after `patienceMs` how far it is. It is begun where it is not in hand.
   * @param begin is handed what tells how far the work is
   * @throws what the work failed with, to the first who asks after it
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
      // Told: the next one who asks begins anew.
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
