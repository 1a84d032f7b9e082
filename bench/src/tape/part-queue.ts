/** Things to do that come one after another, for any number of hands. */
export class PartQueue<T> {
  readonly #waiting: T[] = [];
  #ended = false;
  #wake: (() => void)[] = [];

  add(item: T): void {
    this.#waiting.push(item);
    this.#stir();
  }

  /** Nothing more comes. */
  end(): void {
    this.#ended = true;
    this.#stir();
  }

  /** One hand: takes what is first, one at a time, until all is taken and nothing more comes. */
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
