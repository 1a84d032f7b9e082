/** Limits the memory: a calculation that is compared takes one byte for each asset, and its result. */
const MAX_KEPT = 4;

/** The calculations used last, by everything that they depend on. */
export class RecentCalculations<Calculation> {
  private readonly kept = new Map<string, Calculation>();

  get(key: string): Calculation | null {
    const found = this.kept.get(key);
    return found === undefined ? null : this.keep(key, found);
  }

  /** Puts it last. The least recently used is evicted first. */
  keep(key: string, calculation: Calculation): Calculation {
    this.kept.delete(key);
    this.kept.set(key, calculation);
    const [oldest] = this.kept.keys();
    if (this.kept.size > MAX_KEPT && oldest !== undefined) this.kept.delete(oldest);
    return calculation;
  }
}
