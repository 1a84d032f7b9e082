import type { ImportRow, ImportRowResult } from '@tapeline/domain/importer/check.ts';
import { type ImportKind, isTimeSeriesKind } from '@tapeline/domain/importer/kinds.ts';
import { currencyOf, type FileTotal, fileTotalsOf, type TotalRow } from '@tapeline/domain/importer/total-rows.ts';
import { add, type DecimalText, isDecimal } from '@tapeline/domain/money/decimal.ts';

/** The amounts of a file in one currency, by what the check says of their rows. */
export interface AmountsOfFile {
  readonly currency: string;
  readonly ok: { readonly count: number; readonly sum: DecimalText };
  readonly withProblems: { readonly count: number; readonly sum: DecimalText };
  /** Rows whose amount is no number. */
  readonly unreadableCount: number;
  readonly sum: DecimalText;
}

/** The amounts of a file, to compare with the file's own totals. */
export interface ControlTotals {
  readonly amounts: readonly AmountsOfFile[];
  readonly totals: readonly FileTotal[];
}

const AMOUNT = 'defaultValue';

function amountsOf(rows: readonly ImportRow[], wrong: ReadonlySet<number>, currency: string): AmountsOfFile {
  const parts = { ok: { count: 0, sum: '0' }, withProblems: { count: 0, sum: '0' } };
  let unreadableCount = 0;
  for (const { row, cells } of rows) {
    const amount = cells[AMOUNT];
    if (!isDecimal(amount)) {
      unreadableCount += 1;
      continue;
    }
    const part = wrong.has(row) ? parts.withProblems : parts.ok;
    part.count += 1;
    part.sum = add(part.sum, amount);
  }
  return { currency, ...parts, unreadableCount, sum: add(parts.ok.sum, parts.withProblems.sum) };
}

/** Null for a file without amounts and totals. A row whose currency is wrong counts as one of the only right currency. */
export function controlTotalsOf(
  kind: ImportKind,
  {
    rows,
    results,
    totalRows,
    mapping,
  }: {
    rows: readonly ImportRow[];
    results: readonly Pick<ImportRowResult, 'row' | 'problems'>[];
    totalRows: readonly TotalRow[];
    mapping: Readonly<Record<string, string>>;
  },
): ControlTotals | null {
  const totals = fileTotalsOf(kind, { rows, totalRows, mapping });
  const wrong = new Set(results.flatMap(({ row, problems }) => (problems.length > 0 ? [row] : [])));
  const right = rows.filter(({ row }) => !wrong.has(row));
  const hasAmounts = isTimeSeriesKind(kind) && mapping[AMOUNT] !== undefined;
  const currencies = new Set((right.length > 0 ? right : rows).flatMap((row) => currencyOf(row) || []));
  const inCurrency = (currency: string) =>
    currencies.size === 1 ? rows : rows.filter((row) => currencyOf(row) === currency);
  const amounts = hasAmounts
    ? [...currencies].toSorted().map((currency) => amountsOf(inCurrency(currency), wrong, currency))
    : [];
  return amounts.length === 0 && totals.length === 0 ? null : { amounts, totals };
}
