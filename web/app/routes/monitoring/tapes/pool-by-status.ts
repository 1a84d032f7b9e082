import { type DecimalText, divide } from '@tapeline/domain/money/decimal.ts';
import { outstandingByCurrency } from '@tapeline/domain/tapes/outstanding.ts';
import { ASSET_STATUS_LABELS, ASSET_STATUSES } from '@tapeline/domain/tapes/statuses.ts';
import type { AssetStatistics } from '@tapeline/domain/tapes/tape.schema.ts';

/** Assets of one status: their count, and their outstanding in each currency (null if no asset has that currency). */
export interface StatusLine {
  readonly status: string;
  readonly label: string;
  readonly count: number;
  /** In the order of the pool's `currencies`. */
  readonly outstanding: readonly (DecimalText | null)[];
  /** 0 to 1: of the outstanding if there is one currency, otherwise of the count. For drawing only. */
  readonly share: number;
}

export interface StatusPool {
  readonly currencies: readonly string[];
  readonly lines: readonly StatusLine[];
  readonly count: number;
  readonly outstanding: readonly DecimalText[];
}

const PLACES: ReadonlyMap<string, number> = new Map(ASSET_STATUSES.map((status, index) => [status, index]));
const placeOf = (status: string) => PLACES.get(status) ?? ASSET_STATUSES.length;

export const statusLabel = (status: string): string =>
  (ASSET_STATUS_LABELS as Readonly<Record<string, string>>)[status] ?? 'Not known';

/** Compares statuses by severity, with unknown ones last. */
export const byStatus = (a: string, b: string): number => placeOf(a) - placeOf(b) || a.localeCompare(b);

/** A tape's statistics as a table by status. */
export function statusPool(statistics: AssetStatistics): StatusPool {
  const balances = outstandingByCurrency(statistics);
  const currencies = balances.map(({ currency }) => currency);
  const count = statistics.assetsStatuses.reduce((all, { value }) => all + value, 0);
  const outstanding = balances.map(({ sum }) => sum);
  const [only] = outstanding;
  const lines = [...statistics.assetsStatuses]
    .sort((a, b) => byStatus(a.name, b.name))
    .map(({ name, value }): StatusLine => {
      const held = currencies.map(
        (currency) =>
          statistics.outstandingSum.find((entry) => entry.name === name && entry.amount.currency === currency)?.amount
            .sum ?? null,
      );
      const byMoney = currencies.length === 1 && only !== undefined && /[1-9]/.test(only);
      const share = byMoney ? Number(divide(held[0] ?? '0', only, 6)) : count === 0 ? 0 : value / count;
      return { status: name, label: statusLabel(name), count: value, outstanding: held, share };
    });
  return { currencies, lines, count, outstanding };
}
