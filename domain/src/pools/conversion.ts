import { add, type DecimalText } from '../money/decimal.ts';
import { convert } from '../money/rates.ts';

/** The currency of figures over a pool, and the rates to convert to it (units of each for one US dollar). */
export interface PoolCurrency {
  readonly currency: string;
  readonly rates: Readonly<Record<string, DecimalText>>;
}

export interface CurrencySum {
  readonly currency: string;
  readonly sum: DecimalText;
}

/** Adds sums of several currencies in one, and records the currencies without a rate (converted at 1). */
export class PoolConverter {
  readonly currency: string;
  private readonly rates: PoolCurrency['rates'];
  private readonly lacking = new Set<string>();

  constructor(pool: PoolCurrency) {
    this.currency = pool.currency;
    this.rates = pool.rates;
  }

  /** Exact within the pool's currency; others to 12 decimal places. */
  convert(sum: DecimalText, currency: string): DecimalText {
    const converted = convert(sum, currency, this.currency, this.rates);
    for (const code of converted.missing) this.lacking.add(code);
    return converted.sum;
  }

  /** Null if there is nothing to add: unknown, not zero. */
  total(sums: readonly CurrencySum[]): DecimalText | null {
    if (sums.length === 0) return null;
    return sums.reduce((total, { sum, currency }) => add(total, this.convert(sum, currency)), '0');
  }

  get missingRates(): string[] {
    return [...this.lacking].sort();
  }
}
