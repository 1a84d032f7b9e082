/** A queue of items for any number of consumers. */
export class PartQueue<T> {
  readonly #waiting: T[] = [];
  #ended = false;
  #wake: (() => void)[] = [];

  add(item: T): void {
    this.#waiting.push(item);
    this.#stir();
  }

  end(): void {
    this.#ended = true;
    this.#stir();
  }

  /** One consumer: takes the first item, one at a time, until the queue is closed and empty. */
  async each(work: (item: T) => Promise<unknown>): Promise<void> {
    for (;;) {
      const item = this.#waiting.shift();
      if (item !== undefined) await work(item);
      else if (this.#ended) return;
      else await new Promise<void>((resolve) => this.#wake.push(resolve));
    }
  }

  #stir(): void {
    const wake = this.#wake;
    this.#wake = [];
    for (const resolve of wake) resolve();
  }
}
