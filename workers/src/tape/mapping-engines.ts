import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { MappingEngine } from './mapping-engine.ts';

/**
 * The engines of a process: each serves one batch at a time and is used again for the next, with all that it has
 * prepared. Between batches nothing of one is left on disk, and after a failure nothing of the engine.
 */
export class MappingEngines {
  readonly #root: string;
  readonly #idle: Lent[] = [];

  /** @param root where engines keep files in work, on the volume of the parts they write */
  constructor(root: string) {
    this.#root = root;
  }

  async use<T>(work: (engine: MappingEngine) => Promise<T>): Promise<T> {
    const lent = this.#idle.pop() ?? (await this.#open());
    await mkdir(lent.folder, { recursive: true });
    let failed = true;
    try {
      const result = await work(lent.engine);
      failed = false;
      return result;
    } finally {
      if (failed) lent.engine.close();
      else this.#idle.push(lent);
      await rm(lent.folder, { recursive: true, force: true });
    }
  }

  /** Ends those that are idle. */
  close(): void {
    for (const { engine } of this.#idle.splice(0)) engine.close();
  }

  async #open(): Promise<Lent> {
    await mkdir(this.#root, { recursive: true });
    const folder = await mkdtemp(join(this.#root, 'engine-'));
    return { folder, engine: await MappingEngine.open(folder) };
  }
}

interface Lent {
  readonly folder: string;
  readonly engine: MappingEngine;
}
