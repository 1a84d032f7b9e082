import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { MappingEngine } from './mapping-engine.ts';

/**
 * The engines of a process. Each serves one batch at a time and is reused for the next, including everything that it
 * has prepared. Between batches, an engine leaves nothing on disk. After a failure, or once it is worn, an engine is
 * discarded.
 */
export class MappingEngines {
  readonly #root: string;
  readonly #memoryLimit: string;
  readonly #spillLimit: string;
  readonly #idle: Lent[] = [];

  /**
   * @param root where engines keep files in progress, on the volume of the parts that they write
   * @param memoryLimit limits of each engine in memory, and beyond it on disk, in DuckDB's format
   */
  constructor(root: string, memoryLimit = '1GiB', spillLimit = '20GB') {
    this.#root = root;
    this.#memoryLimit = memoryLimit;
    this.#spillLimit = spillLimit;
  }

  /** @param watch watches the connection of the engine until the returned function is called */
  async use<T>(
    work: (engine: MappingEngine) => Promise<T>,
    watch: (connection: MappingEngine['connection']) => () => void = () => () => undefined,
  ): Promise<T> {
    const lent = this.#idle.pop() ?? (await this.#open());
    await mkdir(lent.folder, { recursive: true });
    let failed = true;
    const unwatch = watch(lent.engine.connection);
    try {
      const result = await work(lent.engine);
      failed = false;
      return result;
    } finally {
      unwatch();
      if (failed || lent.engine.isWorn) lent.engine.close();
      else this.#idle.push(lent);
      await rm(lent.folder, { recursive: true, force: true });
    }
  }

  /** Closes the idle engines. */
  close(): void {
    for (const { engine } of this.#idle.splice(0)) engine.close();
  }

  async #open(): Promise<Lent> {
    await mkdir(this.#root, { recursive: true });
    const folder = await mkdtemp(join(this.#root, 'engine-'));
    return { folder, engine: await MappingEngine.open(folder, this.#memoryLimit, this.#spillLimit) };
  }
}

interface Lent {
  readonly folder: string;
  readonly engine: MappingEngine;
}
